"""Codecs of frames, valid ones and those with a single mistake."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from conformance.adapter import FrameContent
from conformance.targets.faults.fault import FaultModel, Read
from conformance.targets.faults.schema_codec import SchemaCodec, sound_codec
from conformance.targets.frame.frame_parts import SIZE_BYTES, has_client_id
from reference import TAGS, Malformed, MessageSchema, Reason, Release, header_schema
from reference.headers import REQUEST_HEADER, with_raw_tags
from reference.schema import PrimitiveType
from reference.wire.message import RELEASED
from reference.wire.stream import LenientReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reference.wire.base import WireType

HEADER = "header"
"""The path of all before the body."""
CLIENT_ID = "ClientId"
CORRELATION_ID = "CorrelationId"
INT16, INT32 = 2, 4
NUMBERS_AT = (4, 6)
"""The offsets of API key and version in a request."""
CORRELATION_ID_AT = {True: 8, False: 4}
"""The offset of the correlation id, an int32, in a request or a response."""
OTHER_EXCESSES = (SIZE_BYTES, -SIZE_BYTES, 1, -1, 2, -2, 2 * SIZE_BYTES, -2 * SIZE_BYTES)


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
class FrameCodec:
    """The order of size, header and body, with possible departures."""

    header: MessageSchema
    body: SchemaCodec
    section_after_body: bool = False
    """Whether the header's tag section comes after the body."""
    excess: int | None = 0
    """The difference between the size and the number of bytes after it; None if there is no size."""
    other: OtherNumber | None = None

    def header_value(self, content: FrameContent) -> dict[str, Any]:
        """Return the header of a content, with the fields of this header."""
        everything = {
            "RequestApiKey": self.body.schema.api_key,
            "RequestApiVersion": self.body.schema.version,
            CORRELATION_ID: content.correlation_id,
            CLIENT_ID: content.client_id,
        }
        value = {field.name: everything.get(field.name, field.default) for field in self.header.fields}
        return {**value, TAGS: list(content.header_tags)} if content.header_tags else value

    def write(self, content: FrameContent) -> bytes:
        """Return the bytes of a content, as `FaultyCodec.write`."""
        header, body = self.header_value(content), self.body.write(content.value)
        tags = {TAGS: header.pop(TAGS)} if self.section_after_body and TAGS in header else {}
        payload = self._head.write(header) + body
        if self.section_after_body:
            payload += self._section.write(tags)
        size = b"" if self.excess is None else (len(payload) + self.excess).to_bytes(SIZE_BYTES, signed=True)
        return size + payload if self.other is None else self.other.apply(size + payload)

    def read(self, wire: bytes) -> Read:
        """Return the content of some bytes, as `FaultyCodec.read`."""
        payload = self._payload(wire if self.other is None else self.other.apply(wire))
        reader = LenientReader(payload)
        read = self._head.read(reader)
        value, consumed = self.body.read(payload[reader.tell() :])
        if self.section_after_body:
            reader.seek(reader.tell() + consumed)
            read |= self._section.read(reader)
        content = FrameContent(read[CORRELATION_ID], read.get(CLIENT_ID), value, tuple(read.get(TAGS, ())))
        return Read(content, len(payload) + SIZE_BYTES * (self.excess is not None))

    @property
    def _head(self) -> WireType:
        return RELEASED.message(replace(self.header, flexible=False) if self.section_after_body else self.header)

    @property
    def _section(self) -> WireType:
        """The header's tag section alone."""
        return RELEASED.message(replace(self.header, fields=()))

    def _payload(self, wire: bytes) -> bytes:
        if self.excess is None:
            return wire
        end = SIZE_BYTES + int.from_bytes(wire[:SIZE_BYTES], signed=True) - self.excess
        if not SIZE_BYTES <= end <= len(wire):
            raise Malformed("frame.size", Reason.LENGTH_EXCEEDS_INPUT, 0, "size")
        return wire[SIZE_BYTES:end]


def frame_codec(release: Release, schema: MessageSchema) -> FrameCodec:
    """Return the valid codec of a request or response."""
    header = with_raw_tags(header_schema(release, schema.direction, schema.api_key or 0, schema.version))
    return FrameCodec(header, sound_codec(schema))


FrameFault = FaultModel[FrameCodec]


def head_faults(release: Release, sound: FrameCodec, *, knows_version: bool | None) -> Iterator[FrameFault]:
    """Yield the mistakes of `WholeFrame.head_faults`."""
    for rule, header in (
        *_other_versions(release, sound.body.schema, sound.header, knows_version=knows_version),
        *_other_fields(sound.header),
    ):
        yield FaultModel(rule, HEADER, replace(sound, header=header))
    yield from _other_places(sound)


def _other_versions(
    release: Release, schema: MessageSchema, header: MessageSchema, *, knows_version: bool | None
) -> Iterator[tuple[str, MessageSchema]]:
    """Yield the headers of the other versions."""
    rule = "header.request-version" if schema.kind == "request" else "header.response-version"
    if schema.kind == "request" and not has_client_id(header):
        versions = release.definition(REQUEST_HEADER).valid_versions
        yield from ((rule, with_raw_tags(release.schema(REQUEST_HEADER, version))) for version in versions if version)
        return
    rules = {True: ("tag.section",), False: (rule,), None: (rule, "tag.section")}[knows_version]
    for each in rules if header.flexible else (rule,):
        yield each, replace(header, flexible=not header.flexible)
    if header.flexible and has_client_id(header):
        yield rule, replace(_without(header, CLIENT_ID), flexible=False)


def _other_fields(header: MessageSchema) -> Iterator[tuple[str, MessageSchema]]:
    """Yield headers with the client id in another form or missing, and with an unsigned correlation id."""
    if has_client_id(header):
        yield "header.client-id", _with(header, CLIENT_ID, compact=True)
        yield "header.client-id", _without(header, CLIENT_ID)
    yield "header.correlation-id", _with(header, CORRELATION_ID, data_type=PrimitiveType("uint32"))


def _other_places(sound: FrameCodec) -> Iterator[FrameFault]:
    """Yield codecs with parts at other places or in other forms.

    The tag section comes after the body, numbers are in other forms, the size counts more or less, or it is missing.
    """
    if sound.header.flexible:
        yield FaultModel("tag.section", HEADER, replace(sound, section_after_body=True))
    for excess in (*OTHER_EXCESSES, None):
        yield FaultModel("frame.size", "size", replace(sound, excess=excess))
    for change in (_turned, _halves_swapped):
        yield FaultModel("frame.size", "size", replace(sound, other=OtherNumber(0, SIZE_BYTES, change)))
    is_request = sound.body.schema.kind == "request"
    for at in NUMBERS_AT if is_request else ():
        yield FaultModel("int.width-and-order", HEADER, replace(sound, other=OtherNumber(at, INT16, _turned)))
    correlation_id = OtherNumber(CORRELATION_ID_AT[is_request], INT32, _turned)
    yield FaultModel("header.correlation-id", HEADER, replace(sound, other=correlation_id))


def _with(header: MessageSchema, name: str, **changes: Any) -> MessageSchema:
    fields = tuple(replace(field, **changes) if field.name == name else field for field in header.fields)
    return replace(header, fields=fields)


def _without(header: MessageSchema, name: str) -> MessageSchema:
    return replace(header, fields=tuple(field for field in header.fields if field.name != name))
