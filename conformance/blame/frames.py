"""Which rule a departure in a frame breaks.

Three ways, the first that knows: a layout that is wrong in one way and would do just this
(`conformance.blame.frame_layouts`); the part of the frame that differs; for what is refused, the part without which it
is not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from conformance.adapter import FrameContent
from conformance.blame.bodies import blame_bytes, blame_value
from conformance.blame.frame_layouts import CLIENT_ID, CORRELATION_ID, SIZE, frame_layout, frame_mistakes
from conformance.blame.layouts import explain_read, explain_written
from conformance.findings.violations import Blame
from conformance.implementation.outcome import ABSENT, Kind, Outcome
from conformance.implementation.targets import body_difference, kept
from reference import Difference, minimal
from reference.protocols import message_type

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.blame.layouts import Mistake
    from conformance.implementation.session import Session
    from conformance.implementation.targets import WholeFrame

PARTS = {
    "client_id": "header.client-id",
    "correlation_id": "header.correlation-id",
    "header_tags": "tag.unknown-kept",
    "consumed": "codec.consumed",
}
"""The parts of a frame's header that are not the same in every frame of a message, and what their bytes are about."""

PLAIN_CORRELATION_ID = 7
PLAIN_CLIENT_ID = "kafka"


@dataclass(frozen=True)
class FrameSubject:
    """An implementation, and the message whose frames it is asked about."""

    session: Session
    target: WholeFrame

    def encode(self, content: FrameContent) -> Outcome:
        """Have it write a frame."""
        return self.session.encode(self.target, content)

    def decode(self, content: FrameContent) -> Outcome:
        """Have it read the canonical frame of a content."""
        return self.session.decode(self.target, self.target.write(content))

    def decode_many(self, wires: list[bytes], kinds: Sequence[str] = ()) -> list[Outcome]:
        """Have it read frames that may not be valid; `kinds` says which are alike, for what is deadly."""
        return self.session.decode_many(self.target, wires, kinds)

    def expected(self, content: FrameContent) -> FrameContent:
        """Return what it must read of the canonical frame of a content, the count included."""
        counted = replace(content, consumed=len(self.target.write(content)))
        expected: FrameContent = self.target.expected(self.session.implementation, counted)
        return expected

    def plain(self) -> FrameContent:
        """Return the content of the plainest frame."""
        client_id = PLAIN_CLIENT_ID if self.target.direction == "request" else None
        return FrameContent(PLAIN_CORRELATION_ID, client_id, minimal(self.target.schema), ())

    def mistakes(self) -> tuple[Mistake, ...]:
        """Return the faulty layouts that are tried to explain it."""
        target = self.target
        asked = self.session.implementation.header_version(target.api_key, target.version, target.direction)
        return frame_mistakes(target.release, target.schema, knows_version=asked == target.header.version)

    def same(self, one: FrameContent, other: Any) -> bool:
        """Return whether two contents are the same; unknown tags of the header count in neither."""
        expected = self.target.expected(self.session.implementation, one)
        return self._difference(replace(expected, header_tags=None), other) is None

    def is_written_wrong(self, content: FrameContent, outcome: Outcome) -> bool:
        """Return whether a frame was written, or refused, as it should not be."""
        return outcome.kind not in ABSENT and outcome.wire != self.target.write(content)

    def is_read_wrong(self, content: FrameContent, outcome: Outcome) -> bool:
        """Return whether the frame of a content was read, or refused, as it should not be."""
        if outcome.kind is not Kind.VALUE:
            return outcome.kind not in ABSENT
        return self.difference(content, outcome) is not None

    def difference(self, content: FrameContent, outcome: Outcome) -> Difference | None:
        """Return the first part in which what was read differs from what had to be read."""
        return self._difference(self.expected(content), outcome.value)

    def _difference(self, expected: FrameContent, actual: Any) -> Difference | None:
        return self.target.difference(self.session.implementation, expected, actual)


def blame_written_frame(subject: FrameSubject, content: FrameContent, outcome: Outcome) -> Blame:
    """Why what was written is not the sound frame, or why nothing was."""
    wire, actual = subject.target.write(content), outcome.wire
    if actual is not None and wire[SIZE:] in {actual, actual[SIZE:]}:
        return Blame("frame.size", "size")
    rule = None if actual is None else explain_written(subject.mistakes(), content, actual)
    if rule is not None:
        return Blame(rule, "header")
    plain = subject.plain()
    if content != plain and subject.is_written_wrong(plain, subject.encode(plain)):
        return blame_written_frame(subject, plain, subject.encode(plain))
    if actual is None:
        part = _guilty_part(content, plain, lambda each: subject.is_written_wrong(each, subject.encode(each)))
        return Blame(PARTS.get(part, "message.writable"), "")
    return _by_place(subject, content, actual[SIZE:])


def _by_place(subject: FrameSubject, content: FrameContent, actual: bytes) -> Blame:
    """By the part of the frame, without its size, that differs."""
    layout = frame_layout(subject.target.release, subject.target.schema)
    value = layout.header_value(content)
    header, body = message_type(layout.header).write(value), message_type(layout.body).write(content.value)
    if actual.startswith(header):
        return blame_bytes(subject.target.schema, content.value, body, actual.removeprefix(header))
    found = blame_bytes(layout.header, value, header, actual.removesuffix(body))
    return Blame(_OF_FIELDS.get(found.path, found.rule), "header")


_OF_FIELDS = {CLIENT_ID: "header.client-id", CORRELATION_ID: "header.correlation-id"}
"""The fields of a header that have rules of their own."""


def blame_read_frame(subject: FrameSubject, content: FrameContent, outcome: Outcome) -> Blame:
    """Return why what was read is not the content, or why nothing was."""
    rule = explain_read(subject.mistakes(), subject, content, subject.target.write(content), outcome)
    if rule is not None:
        return Blame(rule, "header")
    plain = subject.plain()
    if content != plain and subject.is_read_wrong(plain, subject.decode(plain)):
        return blame_read_frame(subject, plain, subject.decode(plain))
    if outcome.kind is Kind.VALUE:
        found = subject.difference(content, outcome)
        if found is not None and found.path in PARTS:
            return Blame(PARTS[found.path], "header")
        return _misread_body(subject, content, outcome.value)
    part = _guilty_part(content, plain, lambda tried: subject.is_read_wrong(tried, subject.decode(tried)))
    return Blame({**PARTS, "header_tags": "tag.unknown-accepted"}.get(part, "message.accepted"))


def _misread_body(subject: FrameSubject, content: FrameContent, read: Any) -> Blame:
    schema, implementation = subject.target.schema, subject.session.implementation
    value = kept(implementation, schema, read.value) if isinstance(read, FrameContent) else None
    found = body_difference(implementation, schema, content.value, value)
    if found is None or not isinstance(value, dict):
        return Blame("message.accepted")
    return blame_value(schema, message_type(schema).write(content.value), value, found)


def _guilty_part(content: FrameContent, plain: FrameContent, fails: Callable[[FrameContent], bool]) -> str:
    """The part of the header with which even the plainest frame fails; empty: none of them."""
    for part in PARTS:
        given = getattr(content, part)
        if given != getattr(plain, part) and fails(replace(plain, **{part: given})):
            return part
    return ""
