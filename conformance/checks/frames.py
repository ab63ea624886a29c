"""Checks on what is around a message body: the version of the header, and whole requests and responses."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from conformance.blame.frame_layouts import SIZE
from conformance.blame.frames import FrameSubject, blame_read_frame, blame_written_frame
from conformance.checks.bases import taken_form
from conformance.checks.target_cases import TargetCase, WireCase
from conformance.checks.tried import try_bytes
from conformance.findings.events import (
    REFUSAL,
    REJECTION,
    SURVIVAL,
    Counted,
    Differs,
    Expectation,
    Expected,
    number,
    these_bytes,
)
from conformance.findings.violations import Blame, Violation, input_arguments
from conformance.generate.frames import LARGE, broken_frames, frame_contents, refused_frames
from conformance.generate.real_records import real_records_cases
from conformance.implementation.outcome import ABSENT, FATAL, REFUSALS, Outcome
from conformance.implementation.targets import OtherMessage, WholeFrame
from reference import (
    Malformed,
    MessageSchema,
    Unencodable,
    encode,
    request_header_version,
    response_header_version,
)
from reference.definitions.model import RELEASED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.adapter import FrameContent
    from conformance.findings.violations import Case
    from conformance.implementation.session import Session
    from conformance.implementation.targets import Target
    from conformance.implementation.targets.base import Json


INVALID = "invalid frames"
SECOND = "second-frame"
"""The name of the case of a frame that a second one follows."""


def is_framed(schema: MessageSchema) -> bool:
    """Return whether a message travels in frames: it is a request or a response, and not of a proposal."""
    is_message = schema.kind in {"request", "response"} and schema.api_key is not None
    return is_message and schema.dialect == RELEASED


@dataclass(frozen=True)
class FrameCase(WireCase[WholeFrame]):
    """The bytes of a frame, valid or not: the reference says which."""

    kind: ClassVar[str] = "frame"

    def replay_arguments(self, direction: str) -> list[str]:  # noqa: ARG002  # it is written and read
        """By its bytes; by its name if they would fill the screen."""
        return ["--frame", *input_arguments(self, by_value=False)]

    def run(self, session: Session) -> Iterator[Violation]:
        """Check a valid frame in both directions, an invalid one for rejection."""
        subject = FrameSubject(session, self.target)
        try:
            content = self.target.read(self.data)
        except (Malformed, OtherMessage):
            yield from _check_invalid_frames(subject, [self], is_refused=_base(subject) is None)
        else:
            check = _check_followed if len(self.data) > content.consumed else _check_frame
            yield from check(subject, self, content)


@dataclass(frozen=True)
class RefusedFrameCase(TargetCase[WholeFrame]):
    """The content of a frame that has no bytes, since a field of its header has none."""

    kind: ClassVar[str] = "refused-frame"
    name: str
    content: FrameContent
    path: str = ""

    @property
    def value(self) -> str:
        """The JSON text."""
        return json.dumps(self.target.to_json(self.content))

    def replay_arguments(self, direction: str) -> list[str]:  # noqa: ARG002  # it is written alone
        """By its value; by its name if it would fill the screen."""
        return ["--frame", *input_arguments(self, by_value=True)]

    def run(self, session: Session) -> Iterator[Violation]:
        """Check that the frame is refused."""
        outcome = session.encode(self.target, self.content)
        try:
            self.target.write(self.content)
        except Unencodable as error:
            if outcome.kind in ABSENT:
                return
            session.tally.tried.add(error.rule)
            if outcome.kind not in REFUSALS:
                yield self.violation(Blame(error.rule, error.path), outcome, REFUSAL, "frame")


@dataclass(frozen=True)
class HeaderCase(TargetCase[WholeFrame]):
    """The question which header goes before a message."""

    kind: ClassVar[str] = "header"
    name: str = "header"
    path: str = ""

    def replay_arguments(self, direction: str) -> list[str]:  # noqa: ARG002  # there is one question
        """There is nothing to choose."""
        return ["--header"]

    def run(self, session: Session) -> Iterator[Violation]:
        """Check the version of the header."""
        target, schema = self.target, self.target.schema
        is_request = target.direction == "request"
        of_direction = request_header_version if is_request else response_header_version
        expected = of_direction(target.api_key, schema.version, target.release)
        actual = session.implementation.header_version(target.api_key, schema.version, target.direction)
        if actual == expected or (isinstance(actual, Outcome) and actual.kind in ABSENT):
            return
        blame = Blame(header_rule(target))
        found = actual if isinstance(actual, Outcome) else Counted("header-version", actual)
        yield self.violation(blame, found, number(Expected.HEADER_VERSION, expected), "header")


def check_frames(session: Session, schema: MessageSchema) -> Iterator[Violation]:
    """Check everything around one request or response: see `is_framed`."""
    target = WholeFrame(schema, session.release)
    if session.implementation.adapter.header_version is not None:
        session.tally.case("header versions")
        session.tally.tried.add(header_rule(target))
        yield from HeaderCase(target).run(session)
    subject = FrameSubject(session, target)
    reads = target.is_offered(session.implementation, "decode")
    if reads or target.is_offered(session.implementation, "encode"):
        yield from _check_sound_frames(subject)
    if target.is_offered(session.implementation, "encode"):
        yield from _check_refused_frames(subject)
    if reads:
        base = _base(subject)
        yield from _check_second_frame(subject, base)
        invalid = list(invalid_frame_cases(target, base or subject.plain()))
        yield from _check_invalid_frames(subject, invalid, is_refused=base is None)


def frame_cases_named(session: Session, target: WholeFrame, name: str) -> list[Case]:
    """Return the cases of the frames of a message that have this name."""
    subject = FrameSubject(session, target)
    base = _base(subject) or subject.plain()
    cases: Iterator[Case] = chain(
        (case for case, _ in frame_cases(session, target)),
        refused_frame_cases(target),
        [second_frame_case(target, base)],
        invalid_frame_cases(target, base),
    )
    return [case for case in cases if case.name == name][:1]


def _check_sound_frames(subject: FrameSubject) -> Iterator[Violation]:
    """Check every sound frame, large ones last: where another one is wrong they show nothing more."""
    session, target = subject.session, subject.target
    is_right = True
    for case, content in session.ahead(frame_cases(session, target), lambda each: _requests(session, target, each[1])):
        if case.name in LARGE and not is_right:
            continue
        session.tally.case("frames")
        try_bytes(session, target, case.data)
        session.tally.tried.update(_rules_of_header(target, content))
        for violation in _check_frame(subject, case, content):
            is_right = False
            yield violation


def _check_refused_frames(subject: FrameSubject) -> Iterator[Violation]:
    """Check that frames without bytes are refused, if the plain one is written."""
    plain = subject.plain()
    if subject.is_written_wrong(plain, subject.encode(plain)):
        return
    for case in refused_frame_cases(subject.target):
        subject.session.tally.case("frames without bytes")
        yield from case.run(subject.session)


def refused_frame_cases(target: WholeFrame) -> Iterator[RefusedFrameCase]:
    """Yield the frames of a message that have no bytes."""
    return (
        RefusedFrameCase(target, f"refused-{name}", content)
        for name, content in refused_frames(target.schema, target.header)
    )


def _check_second_frame(subject: FrameSubject, base: FrameContent | None) -> Iterator[Violation]:
    """Check that a frame is read alone from bytes in which a second one follows it."""
    if base is not None:
        subject.session.tally.case("frames")
        yield from second_frame_case(subject.target, base).run(subject.session)


def second_frame_case(target: WholeFrame, base: FrameContent) -> FrameCase:
    """Return the case of a frame that stands twice."""
    return FrameCase(target, SECOND, target.write(base) * 2)


def _requests(session: Session, target: WholeFrame, content: FrameContent) -> Iterator[Json]:
    """Yield what is asked of a harness about a valid frame; tagged fields of a header are not written for all."""
    requests = session.requests(target, content, target.write(content))
    is_written = session.implementation.keeps_unknown_tags or not content.header_tags
    return requests if is_written else (each for each in requests if each["op"] != "encode-frame")


def frame_cases(session: Session, target: WholeFrame) -> Iterator[tuple[FrameCase, FrameContent]]:
    """Yield the valid frames of a message, without what the implementation does not keep."""
    for name, content in frame_contents(target.schema, target.header):
        judged = replace(content, value=session.implementation.judged(content.value))
        yield FrameCase(target, name, target.write(judged)), judged
    for variation in real_records_cases(target.schema) if session.real_records else ():
        _, plain = next(frame_contents(target.schema, target.header))
        content = replace(plain, value=session.implementation.judged(variation.value))
        yield FrameCase(target, variation.name, target.write(content)), content


def invalid_frame_cases(target: WholeFrame, plain: FrameContent) -> Iterator[FrameCase]:
    """Yield bytes that are no frame of a message; the reference says whether they must be rejected."""
    wire, body = target.write(plain), encode(target.schema, plain.value)
    header = wire[SIZE : len(wire) - len(body)]
    for name, data in broken_frames(target.schema, target.header, header, body):
        yield FrameCase(target, name, data)


def _check_frame(subject: FrameSubject, case: FrameCase, content: FrameContent) -> Iterator[Violation]:
    """Check one valid frame, written and read."""
    judged = replace(content, value=subject.session.implementation.judged(content.value))
    wire = case.data if judged == content else subject.target.write(judged)
    written = subject.encode(judged)
    if written.kind not in ABSENT and written.wire != wire:
        yield case.violation(blame_written_frame(subject, judged, written), written, these_bytes(wire), "frame")
    read = subject.session.decode(subject.target, case.data)
    if subject.is_read_wrong(content, read, len(case.data)):
        blame, expected = blame_read_frame(subject, content, read), Expectation(Expected.FRAME)
        yield case.violation(blame, _observed(subject, content, read), expected, "frame")


def _check_followed(subject: FrameSubject, case: FrameCase, content: FrameContent) -> Iterator[Violation]:
    """Check a frame with bytes behind it, which are not of it; how it is read alone is asked of another case."""
    read = subject.session.decode(subject.target, case.data)
    if subject.is_read_wrong(content, read) and not subject.is_read_wrong(content, subject.decode(content)):
        found = subject.difference(content, read) if read.value is not None else None
        rule = "codec.consumed" if found is not None and found.path == "consumed" else "frame.size"
        yield case.violation(
            Blame(rule, "size"), _observed(subject, content, read), Expectation(Expected.FIRST_FRAME), "frame"
        )


def _observed(subject: FrameSubject, content: FrameContent, outcome: Outcome) -> Outcome | Differs:
    """Return what is wrong with a frame that was read."""
    found = subject.difference(content, outcome) if outcome.value is not None else None
    return outcome if found is None else Differs.of(found)


def _base(subject: FrameSubject) -> FrameContent | None:
    """Return the plainest content whose frame is read rightly, its body tamed if need be; None if there is none."""
    session, target, plain = subject.session, subject.target, subject.plain()
    body = taken_form(session, target, plain.value, lambda value: replace(plain, value=value))
    return None if body is None else replace(plain, value=body)


def _check_invalid_frames(
    subject: FrameSubject, cases: Sequence[FrameCase], *, is_refused: bool
) -> Iterator[Violation]:
    """Check that what the reference calls invalid is rejected; unspecified frames go either way, but do no harm.

    A reader that misreads every valid frame accepts and refuses for reasons of its own: it must do no harm, and nothing
    else is tested.
    """
    outcomes = subject.decode_many([case.data for case in cases], [case.name for case in cases])
    for case, outcome in zip(cases, outcomes, strict=True):
        if outcome.kind in ABSENT:
            continue
        if is_refused and outcome.kind not in FATAL:
            subject.session.tally.rest(INVALID, str(subject.target.schema))
            continue
        subject.session.tally.case(INVALID)
        error = refusal(subject.target, case.data)
        if error is None:
            continue
        blame = Blame("frame.size" if _is_size(case.data) else error.rule, error.path)
        subject.session.tally.tried.add(blame.rule)
        if outcome.kind in REFUSALS:
            continue
        if error.reason is not None or outcome.kind in FATAL:
            expected = REJECTION if error.reason is not None else SURVIVAL
            yield case.violation(blame, outcome, expected, "frame")


def header_rule(target: WholeFrame) -> str:
    """Return the rule on the version of the header before a message."""
    return "header.request-version" if target.direction == "request" else "header.response-version"


def _rules_of_header(target: WholeFrame, content: FrameContent) -> Iterator[str]:
    """Yield the rules that a valid frame tries by what stands before its body."""
    yield from (header_rule(target), "header.correlation-id")
    if target.direction == "request":
        yield "header.client-id"
    if content.header_tags:
        yield "tag.unknown-accepted"


def _is_size(wire: bytes) -> bool:
    """Return whether more or less follows the size than it says: then it is about the size, whatever is inside."""
    return len(wire) != SIZE + int.from_bytes(wire[:SIZE], signed=True)


def refusal(target: Target, wire: bytes) -> Malformed | None:
    """Return why the bytes are invalid or unspecified as that target; None: the reference reads them.

    What is left open in a frame is invalid if a reader that overlooks it must stop behind it.
    """
    try:
        target.read(wire)
    except Malformed as error:
        if error.reason is None and isinstance(target, WholeFrame):
            return target.stop_of(wire) or error
        return error
    except OtherMessage:
        pass
    return None
