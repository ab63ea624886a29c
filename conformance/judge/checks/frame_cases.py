"""Checks on header versions, and on whole requests and responses."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from conformance.adapter import DIRECTIONS
from conformance.judge.bases import taken_form
from conformance.judge.blame.frame_rules import FrameExplanation, blame_read_frame, blame_written_frame
from conformance.judge.case import INVALID_FRAMES, RulesTried, input_arguments
from conformance.judge.case_forms import no_wire, refused_case, wire_case
from conformance.judge.checks.enclosed_bodies import enclosed_cases, is_wrong_alone
from conformance.judge.checks.tried_rules import rules_of_bytes
from conformance.judge.events import Counted, Differs, Expectation, Expected, number, these_bytes
from conformance.judge.judgement import ANSWERS, LEFT_OPEN, Due
from conformance.judge.kinds import (
    CaseKind,
    CaseTrial,
    CodecCase,
    due_of,
    judged_content,
    never,
    nothing,
    refusal_blamed,
    rule_tried,
    wrong,
)
from conformance.targets import ENCODE, HEADER, SIZE_BYTES, Ask, Blame, WholeFrame
from conformance.targets.listed import LARGE, real_records_cases
from reference import MessageSchema, Result, request_header_version, response_header_version
from reference.definitions.model import RELEASED
from reference.inputs.json_text import parse_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.adapter import FrameContent
    from conformance.codec.session import Session
    from conformance.generate.origin import CaseOrigin
    from conformance.judge.case import Event
    from conformance.judge.forms import CaseForm
    from conformance.judge.kinds import JudgedAnswer
    from conformance.targets import Target
    from conformance.targets.outcome import Outcome


SECOND = "second-frame"
"""The name of the case of a frame with a second one after it."""
WITHOUT_BYTES = "frames without bytes"


def is_framed(schema: MessageSchema) -> bool:
    """Return whether a message travels in frames, as requests and responses outside proposals do."""
    is_message = schema.kind in {"request", "response"} and schema.api_key is not None
    return is_message and schema.dialect == RELEASED


def _replay(case: CodecCase, _direction: str) -> list[str]:
    """Return the bytes of a case, or its value; its name if they would fill the screen."""
    return ["--frame", *input_arguments(case, by_value=case.data is None)]


def _is_written(trial: CaseTrial) -> bool:
    return _is_read(trial) and (trial.session.claims.keeps_unknown_tags or not trial.case.content.header_tags)


def _is_read(trial: CaseTrial) -> bool:
    """Return whether it is tried. A large frame is left out after a failure of another one."""
    return trial.case.name not in LARGE or not trial.standing.failed


def _opening(trial: CaseTrial) -> Iterator[Event]:
    if trial.answers:
        yield from rules_of_bytes(trial.case.target, trial.case.input)
        yield RulesTried(frozenset(_rules_of_header(trial.case.target, trial.case.content)))


def _blame(answer: JudgedAnswer) -> Iterator[Event]:
    subject, content, outcome = _subject(answer.trial), answer.case.content, answer.outcome
    answer.trial.standing.failed.add((answer.way, answer.case.name))
    if answer.way == ENCODE:
        blame = blame_written_frame(subject, judged_content(answer.trial), outcome)
        yield answer.violation(blame, these_bytes(answer.due.wire or b""))
    else:
        blame = blame_read_frame(subject, content, outcome)
        yield answer.violation(blame, Expectation(Expected.FRAME), _observed(subject, content, outcome))


def _read(_row: CaseKind, form: CaseForm, target: Target) -> CodecCase:
    return frame_case(target, form.case, bytes.fromhex(form.wire), form.path)


def _due_or_open(trial: CaseTrial, way: str) -> Due | None:
    """Return the refusal of bytes, or that a frame of another message may be read."""
    return due_of(trial, way) if trial.case.refusal is not None else LEFT_OPEN


FRAME = CaseKind(
    name="frame",
    folder="frames",
    around="frame",
    is_written=_is_written,
    is_read=_is_read,
    given=judged_content,
    opening=_opening,
    blames=wrong(_blame),
    forgives=is_wrong_alone,
    replay=_replay,
    read=_read,
)


def _is_misread_alone(answer: JudgedAnswer) -> bool:
    """Return whether the frame is misread without the bytes after it, as another case shows."""
    subject, content = _subject(answer.trial), answer.case.content
    return subject.is_read_wrong(content, subject.decode(content))


def _blame_followed(answer: JudgedAnswer) -> Iterator[Event]:
    subject, found = _subject(answer.trial), answer.judgement.difference
    rule = "codec.consumed" if found is not None and found.path == "consumed" else "frame.size"
    observed = _observed(subject, answer.case.content, answer.outcome)
    yield answer.violation(Blame(rule, "size"), Expectation(Expected.FIRST_FRAME), observed)


FOLLOWED = replace(
    FRAME,
    is_written=never,
    opening=nothing,
    blames=wrong(_blame_followed),
    forgives=_is_misread_alone,
)


INVALID_FRAME = replace(
    FRAME,
    category=INVALID_FRAMES,
    is_written=never,
    is_isolated=True,
    needs_base=ANSWERS,
    hang_group=lambda case: case.name,
    is_read=lambda _: True,
    due=_due_or_open,
    opening=nothing,
    blames=wrong(refusal_blamed),
    again=lambda case, session: (replace(case, is_inconclusive=_base(FrameExplanation(session, case.target)) is None),),
)


def frame_case(target: Any, name: str, data: bytes, path: str = "", source: CaseOrigin | None = None) -> CodecCase:
    """Return the case of the bytes of a frame, whose validity the reference decides."""
    case = wire_case(FRAME, INVALID_FRAME, target, name, data, path=path, source=source)
    if case.content is not None:
        # Bytes after a frame do not belong to it.
        is_followed = len(data) > (case.content.consumed or 0)
        return replace(case, category="frames", row=FOLLOWED if is_followed else FRAME)
    size = int.from_bytes(data[:SIZE_BYTES], signed=True)
    if case.refusal is None or len(data) == SIZE_BYTES + size:
        return case
    # It is the size if more or fewer bytes follow than it announces, whatever is inside.
    return replace(case, refusal=case.refusal._replace(rule="frame.size"))


REFUSED_FRAME = CaseKind(
    name="refused-frame",
    folder="frames",
    around="frame",
    is_read=never,
    is_written=lambda trial: not trial.case.is_inconclusive,
    due=lambda trial, way: due_of(trial, way) if trial.case.refusal else None,
    forgives=is_wrong_alone,
    wire=no_wire,
    replay=_replay,
    read=lambda _row, form, target: refused_frame(target, form.case, parse_value(form.value, "value"), form.path),
    again=lambda case, _: (replace(case, is_inconclusive=False),),
)


def refused_frame(target: Any, name: str, form: Any, path: str = "") -> CodecCase:
    """Return the case of the JSON form of a frame without bytes, since a field of its header has none."""
    content = target.from_json(form)
    return refused_case(REFUSED_FRAME, target, name, content, path=path, category=WITHOUT_BYTES)


def _header_due(trial: CaseTrial, _way: str) -> Due:
    target = trial.case.target
    of_direction = request_header_version if target.direction == "request" else response_header_version
    return Due(Result.VALID, number=of_direction(target.api_key, target.version, target.release))


def _blame_header(answer: JudgedAnswer) -> Iterator[Event]:
    found = Counted("header-version", answer.outcome.value) if answer.judgement.is_changed else None
    yield answer.violation(Blame(answer.case.rule), number(Expected.HEADER_VERSION, answer.due.number or 0), found)


HEADER_VERSION = CaseKind(
    name="header",
    folder="frames",
    directions=(HEADER,),
    has_value=False,
    around="header",
    asks=lambda trial: [Ask(HEADER, trial.case.target)] if trial.offers(HEADER) else (),
    due=_header_due,
    opening=rule_tried,
    blames=wrong(_blame_header),
    wire=no_wire,
    replay=lambda _case, _direction: ["--header"],
    read=lambda _row, _form, target: header_case(target),
)


def header_case(target: Any) -> CodecCase:
    """Return the case of the version of the header before a message."""
    return CodecCase(HEADER_VERSION, target, "header", rule=header_rule(target), category="header versions")


def _subject(trial: CaseTrial) -> FrameExplanation:
    return FrameExplanation(trial.session, trial.case.target)


def frame_checks(session: Session, schema: MessageSchema) -> Iterator[CodecCase | Event]:
    """Yield the cases around one request or response, as defined by `is_framed`."""
    target = WholeFrame(schema, session.release)
    subject, plain = FrameExplanation(session, target), target.plain
    yield header_case(target)
    writes, reads = (session.offers(target, direction) for direction in DIRECTIONS)
    if reads or writes:
        yield from sound_frame_cases(session, target)
    # A writer that refuses even the plainest frame refuses nothing for the right reason.
    is_unwritten = writes and subject.is_written_wrong(plain, subject.encode(plain))

    def of_refused(origin: CaseOrigin, content: FrameContent) -> CodecCase:
        case = refused_case(REFUSED_FRAME, target, f"refused-{origin.name}", content, category=WITHOUT_BYTES)
        return replace(case, is_inconclusive=is_unwritten)

    if writes:
        yield from (of_refused(*each) for each in target.refused())
    base = _base(subject) if reads else None

    def of_bytes(origin: CaseOrigin, data: bytes) -> CodecCase:
        return replace(frame_case(target, origin.name, data, source=origin), is_inconclusive=base is None)

    if reads:
        # Of a frame sent twice only the first must be read.
        yield from [] if base is None else [frame_case(target, SECOND, target.write(base) * 2)]
        yield from (of_bytes(*each) for each in target.damages(base or plain))
    yield from enclosed_cases(session, target, base or plain, of_bytes, of_refused)


def sound_frame_cases(session: Session, target: WholeFrame) -> Iterator[CodecCase]:
    """Yield the valid frames of a message, large ones last.

    They are limited to parts kept by the implementation.
    """
    for origin, content in target.contents():
        yield frame_case(target, origin.name, target.write(target.judged(session.claims, content)), source=origin)
    for variation in real_records_cases(target.schema) if session.real_records else ():
        _, plain = next(target.contents())
        content = target.judged(session.claims, replace(plain, value=variation.value))
        yield frame_case(target, variation.name, target.write(content))


def _observed(subject: FrameExplanation, content: FrameContent, outcome: Outcome) -> Outcome | Differs:
    """Return the first difference of a read frame, or else its outcome."""
    found = subject.difference(content, outcome) if outcome.value is not None else None
    return outcome if found is None else Differs.of(found)


def _base(subject: FrameExplanation) -> FrameContent | None:
    """Return the plainest content with a rightly read frame.

    Its body is adapted if need be. None if there is no such content.
    """
    body = taken_form(subject.session, subject.target, subject.target.plain.value)
    return None if body is None else subject.target.content_of(body)


def header_rule(target: WholeFrame) -> str:
    """Return the rule on the version of the header before a message."""
    return "header.request-version" if target.direction == "request" else "header.response-version"


def _rules_of_header(target: WholeFrame, content: FrameContent) -> Iterator[str]:
    """Yield the rules tested by the bytes before the body of a valid frame."""
    yield from (header_rule(target), "header.correlation-id")
    if target.direction == "request":
        yield "header.client-id"
    if content.header_tags:
        yield "tag.unknown-accepted"
