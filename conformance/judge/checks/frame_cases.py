"""Checks on header versions, and on whole requests and responses."""

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
"""The name of the case of a frame with a second one after it."""


def is_framed(schema: MessageSchema) -> bool:
    """Return whether a message travels in frames, as requests and responses outside proposals do."""
    is_message = schema.kind in {"request", "response"} and schema.api_key is not None
    return is_message and schema.dialect == RELEASED


@dataclass(frozen=True)
class FrameCase(WireCase[WholeFrame]):
    """The bytes of a frame, whose validity the reference decides."""

    kind: ClassVar[str] = "frame"

    def replay_arguments(self, direction: str) -> list[str]:  # noqa: ARG002  # it is written and read
        """Return its bytes, or its name if they would fill the screen."""
        return ["--frame", *input_arguments(self, by_value=False)]

    @cached_property
    def content(self) -> FrameContent | None:
        """The content of a valid frame of this message, else None."""
        try:
            content: FrameContent = self.target.read(self.data)
        except (Malformed, OtherMessage):
            return None
        return content

    def again(self, session: Session) -> tuple[FrameCase]:
        """Return the frame by itself.

        An invalid one is inconclusive if every valid one is misread.
        """
        is_invalid = self.content is None
        return (replace(self, is_inconclusive=is_invalid and _base(frame_subject(session, self.target)) is None),)

    @property
    def is_followed(self) -> bool:
        """Whether there are bytes after the frame, which do not belong to it."""
        return self.content is not None and len(self.data) > (self.content.consumed or 0)

    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:
        """Return the requests to write and read a valid frame, or only to read it.

        An invalid frame, or one with bytes after it, is only read.
        """
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
        """Return whether it is left out, as a large frame after a failure of another one."""
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
        """Return the blame for invalid bytes.

        It is the size if more or fewer bytes follow than it announces, whatever is inside.
        """
        is_size = len(self.data) != SIZE + int.from_bytes(self.data[:SIZE], signed=True)
        return Blame("frame.size" if is_size else error.rule, error.path)


@dataclass(frozen=True)
class RefusedFrameCase(TargetCase[WholeFrame]):
    """The content of a frame without bytes, since a field of its header has none."""

    kind: ClassVar[str] = "refused-frame"
    name: str
    content: FrameContent
    path: str = ""

    @property
    def value(self) -> str:
        """The JSON text of the content."""
        return json.dumps(self.target.to_json(self.content))

    def replay_arguments(self, direction: str) -> list[str]:  # noqa: ARG002  # it is written alone
        """Return its value, or its name if it would fill the screen."""
        return ["--frame", *input_arguments(self, by_value=True)]

    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:  # noqa: ARG002
        """Return the request to write it."""
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
    """The request for the header version of a message."""

    kind: ClassVar[str] = "header"
    name: str = "header"
    path: str = ""

    def replay_arguments(self, direction: str) -> list[str]:  # noqa: ARG002  # there is one question
        """Return the option for this case, which has no other arguments."""
        return ["--header"]

    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:  # noqa: ARG002
        """Return the request for the version of the header."""
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
    """Return an implementation under test with the frames of a message."""
    return FrameSubject(session, target, searches_of(session, target.schema))


def frame_checks(session: Session, schema: MessageSchema) -> Iterator[CodecCase | Event]:
    """Yield the cases around one request or response, as defined by `is_framed`."""
    target = WholeFrame(schema, session.release)
    subject, implementation = frame_subject(session, target), session.implementation
    yield HeaderCase(target)
    writes, reads = (target.is_offered(implementation, direction) for direction in DIRECTIONS)
    if reads or writes:
        yield from sound_frame_cases(session, target)
    # A writer that refuses even the plainest frame refuses nothing for the right reason.
    if writes and not subject.is_written_wrong(subject.plain(), subject.encode(subject.plain())):
        yield from refused_frame_cases(target)
    if reads:
        base = _base(subject)
        yield from [] if base is None else [second_frame_case(target, base)]
        for case in invalid_frame_cases(target, base or subject.plain()):
            yield replace(case, is_inconclusive=base is None)


def frame_cases_named(session: Session, target: WholeFrame, name: str) -> list[CodecCase]:
    """Return the cases of a name for the frames of a message."""
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
    """Yield the frames of a message without bytes."""
    return (
        RefusedFrameCase(target, f"refused-{origin.name}", content)
        for origin, content in refused_frames(target.schema, target.header)
    )


def second_frame_case(target: WholeFrame, base: FrameContent) -> FrameCase:
    """Return the case of a frame sent twice, of which only the first must be read."""
    return FrameCase(target, SECOND, target.write(base) * 2)


def sound_frame_cases(session: Session, target: WholeFrame) -> Iterator[FrameCase]:
    """Yield the valid frames of a message, large ones last.

    They are limited to parts kept by the implementation.
    """
    for origin, content in frame_contents(target.schema, target.header):
        judged = replace(content, value=session.implementation.judged(content.value))
        yield FrameCase(target, origin.name, target.write(judged))
    for variation in real_records_cases(target.schema) if session.real_records else ():
        _, plain = next(frame_contents(target.schema, target.header))
        content = replace(plain, value=session.implementation.judged(variation.value))
        yield FrameCase(target, variation.name, target.write(content))


def invalid_frame_cases(target: WholeFrame, plain: FrameContent) -> Iterator[FrameCase]:
    """Yield bytes that are no frame of a message.

    The reference decides whether they must be rejected.
    """
    wire, body = target.write(plain), encode(target.schema, plain.value)
    header = wire[SIZE : len(wire) - len(body)]
    for origin, data in broken_frames(target.schema, target.header, header, body):
        yield FrameCase(target, origin.name, data)


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
    """Judge a frame with other bytes after it.

    Its reading alone is judged by another case.
    """
    read = answers.get(DECODE, NOT_ASKED)
    if subject.is_read_wrong(content, read) and not subject.is_read_wrong(content, subject.decode(content)):
        found = subject.difference(content, read) if read.value is not None else None
        rule = "codec.consumed" if found is not None and found.path == "consumed" else "frame.size"
        observed, expected = _observed(subject, content, read), Expectation(Expected.FIRST_FRAME)
        yield case.violation(Blame(rule, "size"), observed, expected, "frame")


def _observed(subject: FrameSubject, content: FrameContent, outcome: Outcome) -> Outcome | Differs:
    """Return the first difference of a read frame, or else its outcome."""
    found = subject.difference(content, outcome) if outcome.value is not None else None
    return outcome if found is None else Differs.of(found)


def _base(subject: FrameSubject) -> FrameContent | None:
    """Return the plainest content with a rightly read frame.

    Its body is adapted if need be. None if there is no such content.
    """
    session, target, plain = subject.session, subject.target, subject.plain()
    body = taken_form(session, target, plain.value, lambda value: replace(plain, value=value))
    return None if body is None else replace(plain, value=body)


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
