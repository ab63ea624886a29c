"""Which rule a departure in a frame breaks.

Three ways, the first that knows: a layout that is wrong in one way and would do just this
(`conformance.blame.frame_layouts`); the part of the frame that differs; for what is refused, the part without which it
is not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from conformance.adapter import FrameContent
from conformance.blame.bodies import Blame, blame_bytes, blame_value
from conformance.blame.frame_layouts import CLIENT_ID, CORRELATION_ID, SIZE, frame_layout, frame_mistakes
from conformance.blame.layouts import explain_read, explain_written
from conformance.checks.reading import read_many
from conformance.implementation.framed import Framed
from conformance.implementation.outcome import ABSENT, Kind, Outcome
from reference import MessageSchema, Release, difference, minimal
from reference.protocols import message_type

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.blame.layouts import Mistake
    from conformance.bridge.isolation import IsolatedDecoder
    from conformance.implementation.driver import Implementation

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

    implementation: Implementation
    decoder: IsolatedDecoder | None
    release: Release
    schema: MessageSchema

    def encode(self, content: FrameContent) -> Outcome:
        """Have it write a frame."""
        return self.implementation.encode_frame(self.release, self.schema, content)

    def decode(self, wire: bytes) -> Outcome:
        """Have it read a sound frame."""
        return self.implementation.decode_framed(Framed(self.schema, self.release), wire)

    def decode_many(self, wires: list[bytes]) -> list[Outcome]:
        """Have it read frames that may not be sound."""
        return read_many(self.implementation, self.decoder, Framed(self.schema, self.release), wires)

    def wire(self, content: FrameContent) -> bytes:
        """The canonical bytes of a frame."""
        return frame_layout(self.release, self.schema).write(content)

    def as_read(self, content: FrameContent) -> FrameContent:
        """What a reader owes of a content: not every header has a client id, and not every reader keeps tags."""
        fields = frame_layout(self.release, self.schema).header.fields
        has_client_id = any(field.name == CLIENT_ID for field in fields)
        return replace(
            content,
            client_id=content.client_id if has_client_id else None,
            value=self.implementation.judged(content.value),
            header_tags=content.header_tags if self.implementation.keeps_unknown_tags else None,
        )

    def expected(self, content: FrameContent) -> FrameContent:
        """What a reader owes of a sound frame, its count included."""
        return replace(self.as_read(content), consumed=len(self.wire(content)))

    def plain(self) -> FrameContent:
        """The content of the plainest frame."""
        client_id = PLAIN_CLIENT_ID if self.schema.kind == "request" else None
        return FrameContent(PLAIN_CORRELATION_ID, client_id, minimal(self.schema), ())

    def mistakes(self) -> tuple[Mistake, ...]:
        """What is tried to explain it."""
        header = frame_layout(self.release, self.schema).header
        asked = self.implementation.header_version(self.schema.api_key or 0, self.schema.version, self.schema.kind)
        return frame_mistakes(self.release, self.schema, knows_version=asked == header.version)

    def same(self, one: FrameContent, other: Any) -> bool:
        """Whether two contents are the same; unknown tags of the header count in neither."""
        return self.first_difference(replace(self.as_read(one), header_tags=None), other) is None

    def is_written_wrong(self, content: FrameContent, outcome: Outcome) -> bool:
        """Whether a frame was written, or refused, as it should not be."""
        return outcome.kind not in ABSENT and outcome.wire != self.wire(content)

    def is_read_wrong(self, content: FrameContent, outcome: Outcome) -> bool:
        """Whether the frame of a content was read, or refused, as it should not be."""
        if outcome.kind is not Kind.VALUE:
            return outcome.kind not in ABSENT
        return self.first_difference(self.expected(content), outcome.value) is not None

    def first_difference(self, expected: FrameContent, actual: Any) -> str | None:
        """The part in which what was read differs; None: in none. Header tags count if both sides tell them."""
        if not isinstance(actual, FrameContent):
            return "value"
        if type(actual.correlation_id) is not int or actual.correlation_id != expected.correlation_id:
            return "correlation_id"
        if actual.client_id != expected.client_id:
            return "client_id"
        tags = expected.header_tags, actual.header_tags
        if None not in tags and not _same_tags(*tags):
            return "header_tags"
        if None not in {expected.consumed, actual.consumed} and actual.consumed != expected.consumed:
            return "consumed"
        found = difference(self.schema, expected.value, self.implementation.judged(actual.value))
        return None if found is None else "value"


def _same_tags(expected: Sequence[tuple[int, bytes]], actual: Any) -> bool:
    """Whether the second, which may be anything, is a list of the same pairs."""
    pairs = actual if isinstance(actual, list | tuple) else [None]
    return [tuple(each) if isinstance(each, list) else each for each in pairs] == list(expected)


def blame_written_frame(subject: FrameSubject, content: FrameContent, outcome: Outcome) -> Blame:
    """Why what was written is not the sound frame, or why nothing was."""
    wire, actual = subject.wire(content), outcome.wire
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
    layout = frame_layout(subject.release, subject.schema)
    value = layout.header_value(content)
    header, body = message_type(layout.header).write(value), message_type(layout.body).write(content.value)
    if actual.startswith(header):
        return blame_bytes(subject.schema, content.value, body, actual.removeprefix(header))
    found = blame_bytes(layout.header, value, header, actual.removesuffix(body))
    return Blame(_OF_FIELDS.get(found.path, found.rule), "header")


_OF_FIELDS = {CLIENT_ID: "header.client-id", CORRELATION_ID: "header.correlation-id"}
"""The fields of a header that have rules of their own."""


def blame_read_frame(subject: FrameSubject, content: FrameContent, outcome: Outcome) -> Blame:
    """Why what was read is not the content, or why nothing was."""
    wire = subject.wire(content)
    rule = explain_read(subject.mistakes(), subject, content, wire, outcome)
    if rule is not None:
        return Blame(rule, "header")
    plain = subject.plain()
    if content != plain and subject.is_read_wrong(plain, subject.decode(subject.wire(plain))):
        return blame_read_frame(subject, plain, subject.decode(subject.wire(plain)))
    if outcome.kind is Kind.VALUE:
        part = subject.first_difference(subject.expected(content), outcome.value)
        return Blame(PARTS[part], "header") if part in PARTS else _misread_body(subject, content, outcome.value)
    part = _guilty_part(content, plain, lambda each: subject.is_read_wrong(each, subject.decode(subject.wire(each))))
    return Blame({**PARTS, "header_tags": "tag.unknown-accepted"}.get(part, "message.accepted"), "")


def _misread_body(subject: FrameSubject, content: FrameContent, read: Any) -> Blame:
    value = subject.implementation.judged(read.value) if isinstance(read, FrameContent) else None
    found = difference(subject.schema, subject.as_read(content).value, value)
    if found is None or not isinstance(value, dict):
        return Blame("message.accepted", "")
    return blame_value(subject.schema, message_type(subject.schema).write(content.value), value, found)


def _guilty_part(content: FrameContent, plain: FrameContent, fails: Callable[[FrameContent], bool]) -> str:
    """The part of the header with which even the plainest frame fails; empty: none of them."""
    for part in PARTS:
        given = getattr(content, part)
        if given != getattr(plain, part) and fails(replace(plain, **{part: given})):
            return part
    return ""
