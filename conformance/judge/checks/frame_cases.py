"""Checks on what is around a message body: the version of the header, and whole requests and responses."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from conformance.adapter import DIRECTIONS
from conformance.codec.outcome import ABSENT, NOT_ASKED, Kind, Outcome
from conformance.codec.session import DECODE, ENCODE, HEADER, Ask
from conformance.codec.targets import OtherMessage, WholeFrame
from conformance.generate.frame_values import LARGE, broken_frames, frame_contents, refused_frames
from conformance.generate.real_records import real_records_cases
from conformance.judge.blame.frame_layouts import SIZE
from conformance.judge.blame.frame_rules import FrameSubject, blame_read_frame, blame_written_frame
from conformance.judge.case import INVALID_FRAMES, Judged, RulesTried, input_arguments
from conformance.judge.checks.bases import taken_form
from conformance.judge.checks.expectations import searches_of
from conformance.judge.checks.target_cases import TargetCase, WireCase, judged_invalid
from conformance.judge.checks.tried_rules import rules_of_bytes
from conformance.judge.events import REFUSAL, Counted, Differs, Expectation, Expected, number, these_bytes
from conformance.judge.judgement import TO_BE_REFUSED, Conclusion, Due, judge
from conformance.judge.standing import Blame
from reference import (
    Malformed,
    MessageSchema,
    Result,
    Unencodable,
    encode,
    request_header_version,
    response_header_version,
)
from reference.definitions.model import RELEASED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.adapter import FrameContent
    from conformance.codec.session import Answers, Session
    from conformance.judge.case import CodecCase, Event
    from conformance.judge.standing import Standing


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

    @cached_property
    def content(self) -> FrameContent | None:
        """The content of a valid frame; None: it is not valid, or one of another message."""
        try:
            content: FrameContent = self.target.read(self.data)
        except (Malformed, OtherMessage):
            return None
        return content

    def again(self, session: Session) -> tuple[FrameCase]:
        """Return the frame; one that is not valid proves nothing where every valid one is misread."""
        is_invalid = self.content is None
        return (replace(self, is_inconclusive=is_invalid and _base(frame_subject(session, self.target)) is None),)

    @property
    def is_followed(self) -> bool:
        """Whether bytes are behind the frame, which are not of it."""
        return self.content is not None and len(self.data) > (self.content.consumed or 0)

    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:
        """To write and to read a valid frame; one that others follow, or one that is none, only to read."""
        if answers or self._is_left_out(standing):
            return ()
        implementation, content, asks = session.implementation, self.content, []
        if content is not None and not self.is_followed and self.target.is_offered(implementation, ENCODE):
            judged = replace(content, value=implementation.judged(content.value))
            if implementation.keeps_unknown_tags or not content.header_tags:
                asks.append(Ask(ENCODE, self.target, judged))
        if self.target.is_offered(implementation, DECODE):
            asks.append(Ask(DECODE, self.target, self.data, isolated=content is None, hang_group=self._hang_group))
        return asks

    def _is_left_out(self, standing: Standing) -> bool:
        """Return whether it shows nothing more: it is large, and another one is wrong."""
        return self.name in LARGE and bool(standing.failed)

    @property
    def _hang_group(self) -> str:
        return self.name if self.content is None else ""

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:
        """Judge a valid frame in both directions, an invalid one for rejection."""
        if self.content is None:
            yield from judged_invalid(session, self, answers.get(DECODE, NOT_ASKED), INVALID_FRAMES, "frame")
        elif not self._is_left_out(standing):
            subject = frame_subject(session, self.target)
            yield Judged("frames")
            if self.is_followed:
                yield from _judged_followed(subject, self, self.content, answers)
            else:
                yield from _judged_frame(subject, self, self.content, answers, standing)

    def blame(self, error: Malformed) -> Blame:
        """Return what is wrong with bytes: their size, if more or less follows it than it says, whatever is inside."""
        is_size = len(self.data) != SIZE + int.from_bytes(self.data[:SIZE], signed=True)
        return Blame("frame.size" if is_size else error.rule, error.path)


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

    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:  # noqa: ARG002
        """To write it."""
        is_offered = self.target.is_offered(session.implementation, ENCODE)
        return (Ask(ENCODE, self.target, self.content),) if is_offered and not answers else ()

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:  # noqa: ARG002
        """Judge whether the frame is refused."""
        outcome = answers.get(ENCODE, NOT_ASKED)
        yield Judged("frames without bytes")
        judgement = judge(session.implementation, self.target, TO_BE_REFUSED, outcome)
        try:
            self.target.write(self.content)
        except Unencodable as error:
            if judgement.conclusion is Conclusion.NO_ANSWER:
                return
            yield RulesTried.of(error.rule)
            if judgement.is_wrong:
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

    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:  # noqa: ARG002
        """The version of the header."""
        is_asked = not answers and session.implementation.adapter.header_version is not None
        return (Ask(HEADER, self.target),) if is_asked else ()

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:  # noqa: ARG002
        """Judge the version of the header."""
        if HEADER not in answers:
            return
        target, actual, rule = self.target, answers[HEADER], header_rule(self.target)
        yield Judged("header versions")
        yield RulesTried.of(rule)
        of_direction = request_header_version if target.direction == "request" else response_header_version
        expected = of_direction(target.api_key, target.version, target.release)
        if actual.kind in ABSENT or (actual.kind is Kind.VALUE and actual.value == expected):
            return
        found = Counted("header-version", actual.value) if actual.kind is Kind.VALUE else actual
        yield self.violation(Blame(rule), found, number(Expected.HEADER_VERSION, expected), "header")


def frame_subject(session: Session, target: WholeFrame) -> FrameSubject:
    """Return an implementation that is asked about the frames of a message."""
    return FrameSubject(session, target, searches_of(session, target.schema))


def frame_checks(session: Session, schema: MessageSchema) -> Iterator[CodecCase | Event]:
    """Yield everything around one request or response: see `is_framed`."""
    target = WholeFrame(schema, session.release)
    subject, implementation = frame_subject(session, target), session.implementation
    yield HeaderCase(target)
    writes, reads = (target.is_offered(implementation, direction) for direction in DIRECTIONS)
    if reads or writes:
        yield from sound_frame_cases(session, target)
    if writes and not subject.is_written_wrong(subject.plain(), subject.encode(subject.plain())):
        yield from refused_frame_cases(target)
    if reads:
        base = _base(subject)
        yield from [] if base is None else [second_frame_case(target, base)]
        for case in invalid_frame_cases(target, base or subject.plain()):
            yield replace(case, is_inconclusive=base is None)


def frame_cases_named(session: Session, target: WholeFrame, name: str) -> list[CodecCase]:
    """Return the cases of the frames of a message that have this name."""
    subject = frame_subject(session, target)
    base = _base(subject) or subject.plain()
    cases: Iterator[CodecCase] = chain(
        sound_frame_cases(session, target),
        refused_frame_cases(target),
        [second_frame_case(target, base)],
        invalid_frame_cases(target, base),
    )
    return [case for case in cases if case.name == name][:1]


def refused_frame_cases(target: WholeFrame) -> Iterator[RefusedFrameCase]:
    """Yield the frames of a message that have no bytes."""
    return (
        RefusedFrameCase(target, f"refused-{name}", content)
        for name, content in refused_frames(target.schema, target.header)
    )


def second_frame_case(target: WholeFrame, base: FrameContent) -> FrameCase:
    """Return the case of a frame that stands twice: it is read alone from bytes in which a second one follows it."""
    return FrameCase(target, SECOND, target.write(base) * 2)


def sound_frame_cases(session: Session, target: WholeFrame) -> Iterator[FrameCase]:
    """Yield the valid frames of a message, without what the implementation does not keep, large ones last."""
    for name, content in frame_contents(target.schema, target.header):
        judged = replace(content, value=session.implementation.judged(content.value))
        yield FrameCase(target, name, target.write(judged))
    for variation in real_records_cases(target.schema) if session.real_records else ():
        _, plain = next(frame_contents(target.schema, target.header))
        content = replace(plain, value=session.implementation.judged(variation.value))
        yield FrameCase(target, variation.name, target.write(content))


def invalid_frame_cases(target: WholeFrame, plain: FrameContent) -> Iterator[FrameCase]:
    """Yield bytes that are no frame of a message; the reference says whether they must be rejected."""
    wire, body = target.write(plain), encode(target.schema, plain.value)
    header = wire[SIZE : len(wire) - len(body)]
    for name, data in broken_frames(target.schema, target.header, header, body):
        yield FrameCase(target, name, data)


def _judged_frame(
    subject: FrameSubject, case: FrameCase, content: FrameContent, answers: Answers, standing: Standing
) -> Iterator[Event]:
    """Judge one valid frame, written and read."""
    yield from rules_of_bytes(subject.target, case.data)
    yield RulesTried(frozenset(_rules_of_header(subject.target, content)))
    claims, target = subject.session.implementation, subject.target
    judged = replace(content, value=claims.judged(content.value))
    wire = case.data if judged == content else target.write(judged)
    written, read = answers.get(ENCODE, NOT_ASKED), answers.get(DECODE, NOT_ASKED)
    if judge(claims, target, Due(Result.VALID, wire), written).is_wrong:
        standing.failed.add((ENCODE, case.name))
        yield case.violation(blame_written_frame(subject, judged, written), written, these_bytes(wire), "frame")
    due = Due(Result.VALID, value=subject.expected(content, len(case.data)))
    if judge(claims, target, due, read).is_wrong:
        standing.failed.add((DECODE, case.name))
        blame, expected = blame_read_frame(subject, content, read), Expectation(Expected.FRAME)
        yield case.violation(blame, _observed(subject, content, read), expected, "frame")


def _judged_followed(
    subject: FrameSubject, case: FrameCase, content: FrameContent, answers: Answers
) -> Iterator[Event]:
    """Judge a frame with bytes behind it, which are not of it; how it is read alone is asked of another case."""
    read = answers.get(DECODE, NOT_ASKED)
    if subject.is_read_wrong(content, read) and not subject.is_read_wrong(content, subject.decode(content)):
        found = subject.difference(content, read) if read.value is not None else None
        rule = "codec.consumed" if found is not None and found.path == "consumed" else "frame.size"
        observed, expected = _observed(subject, content, read), Expectation(Expected.FIRST_FRAME)
        yield case.violation(Blame(rule, "size"), observed, expected, "frame")


def _observed(subject: FrameSubject, content: FrameContent, outcome: Outcome) -> Outcome | Differs:
    """Return what is wrong with a frame that was read."""
    found = subject.difference(content, outcome) if outcome.value is not None else None
    return outcome if found is None else Differs.of(found)


def _base(subject: FrameSubject) -> FrameContent | None:
    """Return the plainest content whose frame is read rightly, its body tamed if need be; None if there is none."""
    session, target, plain = subject.session, subject.target, subject.plain()
    body = taken_form(session, target, plain.value, lambda value: replace(plain, value=value))
    return None if body is None else replace(plain, value=body)


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
