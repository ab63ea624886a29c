"""Examples of what stands around messages: frames and headers, prefixes, the frame of metadata records."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.catalogue.explain.example import Example, Row, Worked, first_difference, rows_of, shown, title_of
from reference import (
    CodecError,
    Encoded,
    Malformed,
    MessageSchema,
    Release,
    decode_frame,
    decode_prefixed,
    decode_record,
    decode_record_leniently,
    encode_prefixed,
    encode_record,
    encode_with_spans,
    load_release,
    minimal,
    newest_release,
    primitive,
)

if TYPE_CHECKING:
    from collections.abc import Callable

SIZE = struct.Struct(">i")


class Framed(NamedTuple):
    """A request or response with its header."""

    header: Encoded
    body: Encoded

    @property
    def wire(self) -> bytes:
        """The whole frame."""
        content = self.header.wire + self.body.wire
        return SIZE.pack(len(content)) + content

    def rows(self, path: str) -> tuple[Row, ...]:
        """The annotated dump; what stands at `path` is marked."""
        rows = [Row(0, self.wire[: SIZE.size], "size", "number", marked=False)]
        start = SIZE.size
        for name, part in (("header", self.header), ("body", self.body)):
            rows += (
                row._replace(offset=start + row.offset, path=f"{name}.{row.path}".rstrip("."))
                for row in rows_of(part.wire, part.spans, "")
            )
            start += len(part.wire)
        return tuple(row._replace(marked=row.path.startswith(path)) for row in rows)


def _framed(message: str, version: int, header_version: int) -> Framed:
    release = load_release(newest_release())
    schema = release.schema(message, version)
    value: dict[str, Any] = {"CorrelationId": 7}
    if schema.kind == "request":
        header = release.schema("RequestHeader", header_version)
        value |= {"RequestApiKey": schema.api_key, "RequestApiVersion": version, "ClientId": "cl"}
    else:
        header = release.schema("ResponseHeader", header_version)
    return Framed(encode_with_spans(header, value), encode_with_spans(schema, minimal(schema)))


def _read(framed: Framed, wire: bytes) -> str:
    """What the reference makes of a frame."""
    release, schema = load_release(newest_release()), framed.body.schema
    try:
        if schema.kind == "request":
            frame = decode_frame(release, "request", wire)
        else:
            frame = decode_frame(release, "response", wire, api_key=schema.api_key, api_version=schema.version)
    except CodecError as error:
        return f"refused: {error}"
    client = f", client id {frame.client_id!r}" if schema.kind == "request" else ""
    return f"read: correlation id {frame.correlation_id}{client}, value {shown(schema, frame.value)}"


def _counting_itself(framed: Framed) -> bytes:
    return SIZE.pack(len(framed.wire)) + framed.wire[SIZE.size :]


def _with_compact_client_id(framed: Framed) -> bytes:
    content = framed.wire[SIZE.size :].replace(b"\0\2cl", b"\3cl", 1)
    return SIZE.pack(len(content)) + content


def _with_reversed_correlation_id(framed: Framed) -> bytes:
    return framed.wire.replace(b"\0\0\0\7", b"\7\0\0\0", 1)


def _with_header_1(framed: Framed) -> bytes:
    schema = framed.body.schema
    return _framed(schema.message, schema.version, 1).wire


class FrameCase(NamedTuple):
    """A request or response, the part of its frame that matters, and how that is spoilt."""

    message: str
    version: int
    header_version: int
    path: str
    what: str
    spoil: Callable[[Framed], bytes]


FRAMES = {
    "frame.size": FrameCase("MetadataRequest", 9, 2, "size", "a size that counts itself", _counting_itself),
    "header.client-id": FrameCase(
        "MetadataRequest", 9, 2, "header.ClientId", "a compact client id", _with_compact_client_id
    ),
    "header.correlation-id": FrameCase(
        "MetadataRequest", 9, 2, "header.CorrelationId", "its bytes in reverse", _with_reversed_correlation_id
    ),
    "header.request-version": FrameCase("MetadataRequest", 9, 2, "header", "header 1", _with_header_1),
    "header.response-version": FrameCase("ApiVersionsResponse", 3, 0, "header", "header 1", _with_header_1),
}


def frame(rule: str) -> Worked:
    """A frame with the right header, and one that departs from the rule."""
    case = FRAMES[rule]
    framed = _framed(case.message, case.version, case.header_version)
    title, wire = title_of(framed.body.schema), case.spoil(framed)
    start = 0 if case.path == "size" else SIZE.size
    mark = start + first_difference(framed.wire[start:], wire[start:])
    return Worked(
        Example(title, (_read(framed, framed.wire),), framed.wire, framed.rows(case.path)),
        Example(f"{title}, {case.what}", (_read(framed, wire),), wire, mark=mark),
    )


def _stored(schema: MessageSchema, wire: bytes, *parts: str) -> tuple[Row, ...]:
    """The dump of a stored message: what stands before the body, all of one width and named by `parts`; the body."""
    body = encode_with_spans(schema, minimal(schema))
    start = len(wire) - len(body.wire)
    width = start // len(parts)
    before = [
        Row(at * width, wire[at * width : (at + 1) * width], part, "number", marked=True)
        for at, part in enumerate(parts)
    ]
    return (*before, *(row._replace(offset=start + row.offset) for row in rows_of(body.wire, body.spans, "")))


PREFIXES = {
    "prefix.type": ("ConsumerGroupMetadataKey", b"\0\0", "the version in place of the type"),
    "prefix.unknown": ("ConsumerGroupMetadataValue", b"\x7f\xff", "a version that the release lacks"),
    "prefix.version": ("ConsumerGroupMetadataValue", b"", "no prefix"),
}


def prefix(rule: str) -> Worked:
    """A stored message with the int16 before it, and with another one, or none."""
    release = load_release(newest_release())
    message, instead, what = PREFIXES[rule]
    schema = release.schema(message, 0)
    sound = encode_prefixed(schema, minimal(schema))
    wire = instead + sound[2:]
    rows = _stored(schema, sound, "prefix")
    return Worked(
        Example(title_of(schema), (_read_prefixed(release, message, sound),), sound, rows),
        Example(f"{title_of(schema)}, {what}", (_read_prefixed(release, message, wire),), wire, mark=0),
    )


def _read_prefixed(release: Release, message: str, wire: bytes) -> str:
    try:
        stored = decode_prefixed(release, message, wire)
    except Malformed as error:
        return f"refused: {error}"
    return f"read: {title_of(stored.schema)}, value {shown(stored.schema, stored.value)}"


RECORDS = {
    "record.frame-version": ("02 14 00 00", "frame version 2"),
    "record.negative-varint": ("81 80 80 80 08 14 00 00", "frame version 2^31 + 1"),
    "record.trailing-bytes": ("01 14 00 00 00", "one byte more"),
    "record.type": ("01 7f 00 00", "a type that nothing has"),
    "record.unknown-version": ("01 14 01 00", "a version that the release lacks"),
    "record.version": ("01 14 80 80 02 00", "version 32,768"),
}
"""What becomes of `01 14 00 00`, a NoOpRecord."""


def record(rule: str) -> Worked:
    """A metadata record, and the same with something wrong in its frame."""
    release = load_release(newest_release())
    schema = release.schema("NoOpRecord", 0)
    sound, wire = encode_record(schema, minimal(schema)), bytes.fromhex(RECORDS[rule][0])
    rows = _stored(schema, sound, "frame version", "type", "version")
    return Worked(
        Example(title_of(schema), _read_record(release, sound), sound, rows),
        Example(
            f"{title_of(schema)}, {RECORDS[rule][1]}",
            _read_record(release, wire),
            wire,
            mark=first_difference(sound, wire),
        ),
    )


def _read_record(release: Release, wire: bytes) -> tuple[str, ...]:
    try:
        stored = decode_record(release, wire)
        found = f"read: {title_of(stored.schema)}, value {shown(stored.schema, stored.value)}"
    except Malformed as error:
        found = f"refused: {error}"
    try:
        stored = decode_record_leniently(release, wire)
    except Malformed:
        return found, "Apache Kafka: rejects"
    return found, f"Apache Kafka: accepts, as {title_of(stored.schema)}"


def signed_varint(_rule: str) -> Worked:
    """A folded number, and the same number unfolded."""
    sound, other = primitive("varint").encode(-2), primitive("unsigned-varint").encode(2**32 - 2)
    rows = (Row(0, sound, "", "varint", marked=True),)
    return Worked(
        Example("varint of -2", ("value: -2",), sound, rows),
        Example("varint of -2, not folded", (f"value: {primitive('varint').decode(other).value}",), other, mark=0),
    )
