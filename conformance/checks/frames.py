"""Checks on what is around a message body: the version of the header, and whole requests and responses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from conformance.blame.frame_layouts import SIZE
from conformance.blame.frames import FrameSubject, blame_read_frame, blame_written_frame
from conformance.checks.bases import taken_form
from conformance.checks.target_cases import TargetCase, WireCase
from conformance.checks.tried import try_bytes
from conformance.findings.violations import Blame, Observed, Violation
from conformance.generate.frames import broken_frames, frame_contents
from conformance.generate.real_records import real_records_cases
from conformance.implementation.outcome import ABSENT, FATAL, REFUSALS, Outcome
from conformance.implementation.targets import OtherMessage, WholeFrame
from reference import Malformed, MessageSchema, encode, request_header_version, response_header_version
from reference.definitions.model import RELEASED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.adapter import FrameContent
    from conformance.implementation.session import Session
    from conformance.implementation.targets import Target
    from conformance.implementation.targets.base import Json


INVALID = "invalid frames"


def is_framed(schema: MessageSchema) -> bool:
    """Return whether a message travels in frames: it is a request or a response, and not of a proposal."""
    is_message = schema.kind in {"request", "response"} and schema.api_key is not None
    return is_message and schema.dialect == RELEASED


@dataclass(frozen=True)
class FrameCase(WireCase[WholeFrame]):
    """The bytes of a frame, valid or not: the reference says which."""

    kind: ClassVar[str] = "frame"

    def replay_arguments(self, direction: str) -> list[str]:  # noqa: ARG002  # it is written and read
        """By its bytes."""
        return ["--frame", "--wire", self.data.hex()]

    def run(self, session: Session) -> Iterator[Violation]:
        """Check a valid frame in both directions, an invalid one for rejection."""
        subject = FrameSubject(session, self.target)
        try:
            content = self.target.read(self.data)
        except (Malformed, OtherMessage):
            yield from _check_invalid_frames(subject, [self], is_refused=_base(subject) is None)
        else:
            yield from _check_frame(subject, self, content)


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
        observed = actual if isinstance(actual, Outcome) else Observed("header-version", str(actual))
        yield self.violation(blame, observed, f"header version {expected}", "header")


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
        cases = frame_cases(session, target)
        for case, content in session.ahead(cases, lambda each: _requests(session, target, each[1])):
            session.tally.case("frames")
            try_bytes(session, target, case.data)
            session.tally.tried.update(_rules_of_header(target, content))
            yield from _check_frame(subject, case, content)
    if reads:
        base = _base(subject)
        invalid = list(invalid_frame_cases(target, base or subject.plain()))
        yield from _check_invalid_frames(subject, invalid, is_refused=base is None)


def _requests(session: Session, target: WholeFrame, content: FrameContent) -> Iterator[Json]:
    """Yield what is asked of a harness about a valid frame; tagged fields of a header are not written for all."""
    requests = session.requests(target, content, target.write(content))
    is_written = session.implementation.keeps_unknown_tags or not content.header_tags
    return requests if is_written else (each for each in requests if each["op"] != "encode-frame")


def frame_cases(session: Session, target: WholeFrame) -> Iterator[tuple[FrameCase, FrameContent]]:
    """Yield the valid frames of a message, without what the implementation does not keep."""
    for content in frame_contents(target.schema, target.header):
        judged = replace(content, value=session.implementation.judged(content.value))
        tags = f", header tags {[tag for tag, _ in content.header_tags]}" if content.header_tags else ""
        name = f"client id {content.client_id!r:.20}, correlation id {content.correlation_id}{tags}"
        yield FrameCase(target, name, target.write(judged)), judged
    for variation in real_records_cases(target.schema) if session.real_records else ():
        plain = next(frame_contents(target.schema, target.header))
        content = replace(plain, value=session.implementation.judged(variation.value))
        yield FrameCase(target, variation.name, target.write(content)), content


def invalid_frame_cases(target: WholeFrame, plain: FrameContent) -> Iterator[FrameCase]:
    """Yield bytes that are no frame of a message; the reference says whether they must be rejected."""
    wire, body = target.write(plain), encode(target.schema, plain.value)
    header = wire[SIZE : len(wire) - len(body)]
    for name, data in broken_frames(target.header, header, body):
        yield FrameCase(target, name, data)


def _check_frame(subject: FrameSubject, case: FrameCase, content: FrameContent) -> Iterator[Violation]:
    """Check one valid frame, written and read."""
    judged = replace(content, value=subject.session.implementation.judged(content.value))
    written = subject.encode(judged)
    if subject.is_written_wrong(judged, written):
        yield case.violation(
            blame_written_frame(subject, judged, written), written, subject.target.write(judged).hex(), "frame"
        )
    read = subject.decode(content)
    if subject.is_read_wrong(content, read):
        blame, expected = blame_read_frame(subject, content, read), "the frame as written"
        yield case.violation(blame, _observed(subject, content, read), expected, "frame")


def _observed(subject: FrameSubject, content: FrameContent, outcome: Outcome) -> Outcome | Observed:
    """Return what is wrong with a frame that was read."""
    found = subject.difference(content, outcome) if outcome.value is not None else None
    if found is None:
        return outcome
    return Observed(str(outcome.kind), f"{found.path} {found.actual!r} instead of {found.expected!r}")


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
            expected = "rejected" if error.reason is not None else "no crash"
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
    """Return why the bytes are invalid or unspecified as that target; None: the reference reads them."""
    try:
        target.read(wire)
    except Malformed as error:
        return error
    except OtherMessage:
        pass
    return None
