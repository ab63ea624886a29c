"""Layouts of frames and stored messages, valid ones and those with a single mistake."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

from conformance.adapter import FrameContent, StoredMessage
from conformance.judge.blame.wrong_layouts import Mistake
from reference import TAGS, Malformed, MessageSchema, Reason, Release, header_schema
from reference.headers import REQUEST_HEADER, with_raw_tags
from reference.prefixed import FRAME_VERSION
from reference.protocols import wire_type_of
from reference.schema import PrimitiveType
from reference.wire.message import RELEASED
from reference.wire.signed_varints import VARINT
from reference.wire.stream import LenientReader
from reference.wire.varints import write_unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIZE = 4
CLIENT_ID = "ClientId"
CORRELATION_ID = "CorrelationId"
SIZE_ITSELF = 4

TYPED = "coordinator-key"
INT8, INT16, INT32 = 1, 2, 4
NUMBERS_AT = (4, 6)
"""The offsets of API key and version in a request."""
OTHER_EXCESSES = (SIZE_ITSELF, -SIZE_ITSELF, 1, -1, 2, -2, 2 * SIZE_ITSELF, -2 * SIZE_ITSELF)


@dataclass(frozen=True)
class OtherNumber:
    """A number of fixed width in another form."""

    at: int
    """The offset in the frame."""
    width: int
    change: Callable[[bytes], bytes]
    """Changes the valid bytes to as many others; applied twice, it changes nothing."""

    def apply(self, wire: bytes) -> bytes:
        """Return a valid frame with the number in the other form, or the reverse."""
        end = self.at + self.width
        return wire[: self.at] + self.change(wire[self.at : end]) + wire[end:]


def _turned(piece: bytes) -> bytes:
    return piece[::-1]


def _halves_swapped(piece: bytes) -> bytes:
    return piece[len(piece) // 2 :] + piece[: len(piece) // 2]


@dataclass(frozen=True)
class FrameLayout:
    """The order of size, header and body, with possible departures."""

    header: MessageSchema
    body: MessageSchema
    section_after_body: bool = False
    """Whether the header's tag section comes after the body."""
    excess: int | None = 0
    """The difference between the size and the number of bytes after it; None if there is no size."""
    other: OtherNumber | None = None

    def header_value(self, content: FrameContent) -> dict[str, Any]:
        """Return the header of a content, with the fields of this header."""
        everything = {
            "RequestApiKey": self.body.api_key,
            "RequestApiVersion": self.body.version,
            CORRELATION_ID: content.correlation_id,
            CLIENT_ID: content.client_id,
        }
        value = {field.name: everything.get(field.name, field.default) for field in self.header.fields}
        return {**value, TAGS: list(content.header_tags)} if content.header_tags else value

    def write(self, content: FrameContent) -> bytes:
        """Return the bytes of a content.

        Raises:
            Unencodable: it has none.
        """
        parts = [(self.header, self.header_value(content)), (self.body, content.value)]
        if self.section_after_body:
            tags = {TAGS: list(content.header_tags)} if content.header_tags else {}
            parts[:1] = [(replace(self.header, flexible=False), self.header_value(replace(content, header_tags=())))]
            parts.append((_section(self.header), tags))
        payload = b"".join(RELEASED.message(schema).write(value) for schema, value in parts)
        size = b"" if self.excess is None else (len(payload) + self.excess).to_bytes(SIZE, signed=True)
        return size + payload if self.other is None else self.other.apply(size + payload)

    def read(self, wire: bytes) -> FrameContent:
        """Return the content of some bytes, and ignore bytes after it.

        Raises:
            Malformed: there is none.
        """
        wire = wire if self.other is None else self.other.apply(wire)
        reader = LenientReader(self._payload(wire))
        header = replace(self.header, flexible=False) if self.section_after_body else self.header
        read = RELEASED.message(header).read(reader)
        value = wire_type_of(self.body).read(reader)
        if self.section_after_body:
            read |= RELEASED.message(_section(self.header)).read(reader)
        return FrameContent(read[CORRELATION_ID], read.get(CLIENT_ID), value, tuple(read.get(TAGS, ())))

    def _payload(self, wire: bytes) -> bytes:
        if self.excess is None:
            return wire
        end = SIZE + int.from_bytes(wire[:SIZE], signed=True) - self.excess
        if not SIZE <= end <= len(wire):
            raise Malformed("frame.size", Reason.LENGTH_EXCEEDS_INPUT, 0, "size")
        return wire[SIZE:end]


def _section(header: MessageSchema) -> MessageSchema:
    """Return a header's tag section alone."""
    return replace(header, fields=())


def frame_layout(release: Release, schema: MessageSchema) -> FrameLayout:
    """Return the valid layout of a request or response."""
    direction = schema.direction
    header = with_raw_tags(header_schema(release, direction, schema.api_key or 0, schema.version))
    return FrameLayout(header, schema)


@lru_cache(maxsize=4)
def frame_mistakes(release: Release, schema: MessageSchema, *, knows_version: bool) -> tuple[Mistake, ...]:
    """Return every layout with a single mistake, the more probable of two with equal effect first.

    Args:
        release: the release of the headers.
        schema: a request or response.
        knows_version: whether the implementation gives the right header version on request. If so, a header without its
            tag section is not the previous version.
    """
    sound = frame_layout(release, schema)
    return tuple(
        Mistake(rule, replace(sound, header=header))
        for rule, header in (
            *_other_versions(release, schema, sound.header, knows_version=knows_version),
            *_other_fields(sound.header),
        )
    ) + tuple(_other_places(sound))


def _other_versions(
    release: Release, schema: MessageSchema, header: MessageSchema, *, knows_version: bool
) -> Iterator[tuple[str, MessageSchema]]:
    """Yield the headers of the other versions."""
    rule = "header.request-version" if schema.kind == "request" else "header.response-version"
    has_client_id = any(field.name == CLIENT_ID for field in header.fields)
    if schema.kind == "request" and not has_client_id:
        versions = release.definition(REQUEST_HEADER).valid_versions
        yield from ((rule, with_raw_tags(release.schema(REQUEST_HEADER, version))) for version in versions if version)
        return
    yield "tag.section" if header.flexible and knows_version else rule, replace(header, flexible=not header.flexible)
    if header.flexible and has_client_id:
        yield rule, replace(_without(header, CLIENT_ID), flexible=False)


def _other_fields(header: MessageSchema) -> Iterator[tuple[str, MessageSchema]]:
    """Yield headers with the client id in another form or missing, and with an unsigned correlation id."""
    if any(field.name == CLIENT_ID for field in header.fields):
        yield "header.client-id", _with(header, CLIENT_ID, compact=True)
        yield "header.client-id", _without(header, CLIENT_ID)
    yield "header.correlation-id", _with(header, CORRELATION_ID, data_type=PrimitiveType("uint32"))


def _other_places(sound: FrameLayout) -> Iterator[Mistake]:
    """Yield layouts with parts at other places or in other forms.

    The tag section comes after the body, numbers are in other forms, the size counts more or less, or it is missing.
    """
    if sound.header.flexible:
        yield Mistake("tag.section", replace(sound, section_after_body=True))
    for excess in (*OTHER_EXCESSES, None):
        yield Mistake("frame.size", replace(sound, excess=excess))
    for change in (_turned, _halves_swapped):
        yield Mistake("frame.size", replace(sound, other=OtherNumber(0, SIZE, change)))
    for at in NUMBERS_AT if sound.body.kind == "request" else ():
        yield Mistake("int.width-and-order", replace(sound, other=OtherNumber(at, INT16, _turned)))


def _with(header: MessageSchema, name: str, **changes: Any) -> MessageSchema:
    fields = tuple(replace(field, **changes) if field.name == name else field for field in header.fields)
    return replace(header, fields=fields)


def _without(header: MessageSchema, name: str) -> MessageSchema:
    return replace(header, fields=tuple(field for field in header.fields if field.name != name))


@dataclass(frozen=True)
class StoredLayout:
    """A message after a head with its type or version."""

    head: bytes
    schema: MessageSchema

    def write(self, content: StoredMessage) -> bytes:
        """Return the bytes of a content.

        Raises:
            Unencodable: it has none.
        """
        return self.head + wire_type_of(self.schema).write(content.value)

    def read(self, wire: bytes) -> StoredMessage:
        """Return the content of bytes with this head, and ignore bytes after it.

        Raises:
            Malformed: they have another head, or there is no message after it.
        """
        if not wire.startswith(self.head):
            raise Malformed("prefix.unknown", Reason.TRUNCATED, 0, "prefix")
        value = wire_type_of(self.schema).read(LenientReader(wire[len(self.head) :]))
        return StoredMessage(self.schema.message, self.schema.version, value)


def head_parts(schema: MessageSchema) -> tuple[tuple[str, bytes], ...]:
    """Return the valid numbers before a message, each with its rule."""
    if schema.stored_form == "record":
        rules = ("record.frame-version", "record.type", "record.version")
        numbers = (FRAME_VERSION, schema.api_key or 0, schema.version)
        return tuple((rule, _unsigned_varint(number)) for rule, number in zip(rules, numbers, strict=True))
    if schema.kind == TYPED:
        return (("prefix.type", _fixed(schema.api_key or 0, INT16)),)
    return (("prefix.version", _fixed(schema.version, INT16)),)


def stored_mistakes(schema: MessageSchema) -> tuple[Mistake, ...]:
    """Return every layout with a single mistake."""
    wrong = _wrong_records(schema) if schema.stored_form == "record" else _wrong_prefixes(schema)
    return tuple(Mistake(rule, StoredLayout(head, schema)) for rule, head in wrong)


def _wrong_prefixes(schema: MessageSchema) -> Iterator[tuple[str, bytes]]:
    """Yield wrong prefixes.

    The prefix is missing or in another form, it is the version in place of the type, or it is one more or one less.
    """
    [(rule, sound)] = head_parts(schema)
    number = int.from_bytes(sound)
    forms = (b"", _fixed(number, INT8), _fixed(number, INT32), sound[::-1], _unsigned_varint(number + 1))
    others = (schema.version, number + 1, number - 1)
    for head in (*forms, *(_fixed(other, INT16) for other in others)):
        if head != sound:
            yield rule, head


def _wrong_records(schema: MessageSchema) -> Iterator[tuple[str, bytes]]:
    """Yield wrong heads of records.

    One number is missing, in another form or one more, type and version are swapped, or there is no head at all.
    """
    rules, sound = zip(*head_parts(schema), strict=True)
    numbers = (FRAME_VERSION, schema.api_key or 0, schema.version)
    for place, (rule, number) in enumerate(zip(rules, numbers, strict=True)):
        for other in (b"", _unsigned_varint(number + 1), _signed_varint(number), _fixed(number, INT16)):
            if other != sound[place]:
                yield rule, b"".join((*sound[:place], other, *sound[place + 1 :]))
    yield "record.type", sound[0] + sound[2] + sound[1]
    for form in (_signed_varint, lambda number: _fixed(number, INT16), lambda _number: b""):
        yield "record.frame-version", b"".join(form(number) for number in numbers)


def _fixed(number: int, width: int) -> bytes:
    return number.to_bytes(width, signed=True)


def _unsigned_varint(number: int) -> bytes:
    stream = BytesIO()
    write_unsigned_varint(stream, number)
    return stream.getvalue()


def _signed_varint(number: int) -> bytes:
    return VARINT.write(number)
