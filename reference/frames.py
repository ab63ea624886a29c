"""Frames, whole requests and responses as they go over a connection (rules 5.5 to 5.10).

    frame = int32: number of bytes after it    header    body

ApiVersions version 0, correlation id 7, from the client "cl": `00 00 00 0c`, then header 1, `00 12 00 00 00 00 00 07
00 02 63 6c`, and no byte of body. `reference.headers` chooses the header.

>>> from reference import load_release
>>> release = load_release("4.3.0")
>>> wire = encode_frame(release, "request", 18, 0, 7, "cl", {})
>>> wire.hex(" ")
'00 00 00 0c 00 12 00 00 00 00 00 07 00 02 63 6c'
>>> decode_frame(release, "request", wire).client_id
'cl'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reference.errors import Malformed, Reason, Refusal, Unencodable
from reference.headers import api_schema, header_schema, with_raw_tags
from reference.layouts import FRAME
from reference.protocols import wire_type_of
from reference.values.defaults import TAGS
from reference.wire.numbers import INT16
from reference.wire.stream import LenientReader, Reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference.release import Release
    from reference.schema import FrameDirection, MessageSchema
    from reference.wire.stream import Span

_HEADER = ("", "header")
_BODY = ("", "body")
_SIZE = FRAME.part("size")


@dataclass(frozen=True)
class Frame:
    """One request or response, decoded."""

    api_key: int
    api_version: int
    correlation_id: int
    client_id: str | None
    """None as well if the header has no client id: in request header 0, and in responses."""
    header: dict[str, Any]
    """The header's whole value, unknown tagged fields included."""
    header_tags: Sequence[tuple[int, bytes]]
    """The header's tagged fields, known ones too, by tag and bytes, in the order of the wire."""
    value: dict[str, Any]
    consumed: int
    """The number of bytes of the frame, its size included. The next frame begins there."""


def encode_frame(  # noqa: PLR0913, PLR0917  # the parts of a frame
    release: Release,
    direction: FrameDirection,
    api_key: int,
    api_version: int,
    correlation_id: int,
    client_id: str | None,
    value: dict[str, Any],
    *,
    header_tags: Sequence[tuple[int, bytes]] = (),
) -> bytes:
    """Return the canonical bytes of one request or response.

    Args:
        release: the release with the definitions of header and body.
        direction: `request` or `response`.
        api_key: the key of the API.
        api_version: the version of the API.
        correlation_id: the number that links a response to its request.
        client_id: the name of the client; None for a response, as it has none.
        value: the value of the body.
        header_tags: the tagged fields of the header, known ones included, by tag and bytes.

    Raises:
        UnsupportedApi: the release has no such API, or no such version of it.
        Unencodable: header or body cannot be written; the path begins with `header` or `body`.
    """
    body_type = wire_type_of(api_schema(release, direction, api_key, api_version))
    header_type = header_schema(release, direction, api_key, api_version)
    header: dict[str, Any] = {field.name: field.default for field in with_raw_tags(header_type).fields}
    header["CorrelationId"] = correlation_id
    if direction == "request":
        header |= {"RequestApiKey": api_key, "RequestApiVersion": api_version, "ClientId": client_id}
    elif client_id is not None:
        header["ClientId"] = client_id
    if header_tags:
        header[TAGS] = list(header_tags)
    payload = _written_header(header_type, header) + body_type.write(value, _BODY)
    return FRAME.write({_SIZE.name: len(payload)}) + payload


def decode_frame(
    release: Release,
    direction: FrameDirection,
    wire: bytes,
    *,
    api_key: int | None = None,
    api_version: int | None = None,
) -> Frame:
    """Read one frame from the beginning of `wire`, strictly.

    The header of a request has its API key and version. A response has neither, so its reader must know both. Offsets
    of errors count from the first byte of the size; paths begin with `size`, `header` or `body`.

    Raises:
        TypeError: API key and version are missing for a response, or given for a request.
        UnsupportedApi: the release has no such API, or no such version of it; the body cannot be read.
        Malformed: the bytes are invalid, or the protocol leaves their meaning open (then the reason is None).
    """
    reader = _open(wire)
    if direction == "request":
        if api_key is not None or api_version is not None:
            raise TypeError("the API key and version of a request are in its header: do not give them")
        api_key, api_version = _peek(reader)
    if api_key is None or api_version is None:
        raise TypeError("the bytes of a response do not say what they answer: give api_key and api_version")
    header, tags = _read_header(header_schema(release, direction, api_key, api_version), reader)
    value = wire_type_of(api_schema(release, direction, api_key, api_version)).read(reader, _BODY)
    end = reader.end(_BODY)
    return Frame(api_key, api_version, header["CorrelationId"], header.get("ClientId"), header, tags, value, end)


def _written_header(schema: MessageSchema, value: dict[str, Any]) -> bytes:
    raw = with_raw_tags(schema)
    wire = wire_type_of(raw).write(value, _HEADER)
    if raw is not schema:
        # Known tagged fields were written as plain bytes, so read them back to check them.
        try:
            wire_type_of(schema).read(Reader(wire), _HEADER)
        except Malformed as error:
            raise Unencodable(Refusal.BAD_TAGS, error.path, error.detail, error.rule) from error
    return wire


def _read_header(schema: MessageSchema, reader: Reader) -> tuple[dict[str, Any], Sequence[tuple[int, bytes]]]:
    start = reader.tell()
    value: dict[str, Any] = wire_type_of(schema).read(reader, _HEADER)
    raw = with_raw_tags(schema)
    if raw is schema:
        return value, tuple(value.get(TAGS, ()))
    reader.seek(start)  # read again, to keep the bytes and the order of known tagged fields too
    return value, tuple(wire_type_of(raw).read(reader, _HEADER).get(TAGS, ()))


def frame_spans(release: Release, schema: MessageSchema, wire: bytes) -> tuple[Span, ...]:
    """Return the meaning of every byte in a frame of a message, as a lenient reader sees it.

    Raises:
        UnsupportedApi: the release has no such API.
        Malformed: the bytes are invalid.
    """
    reader = LenientReader(wire, trace=True)
    FRAME.read(reader)
    header = header_schema(release, schema.direction, schema.api_key or 0, schema.version)
    wire_type_of(header).read(reader, _HEADER)
    wire_type_of(schema).read(reader, _BODY)
    return tuple(reader.spans or ())


def _open(wire: bytes) -> Reader:
    """Return a reader of one frame, positioned after its size and unable to read beyond the frame."""
    width: int = FRAME.at("size").stop
    if len(wire) < width:
        raise Malformed(_SIZE.rule, Reason.TRUNCATED, len(wire), _SIZE.name)
    size: int = FRAME.read(Reader(wire[:width]))[_SIZE.name]
    if size < 0:
        raise Malformed(_SIZE.rule, Reason.NEGATIVE_LENGTH, 0, _SIZE.name, f"the size is {size}")
    end = width + size
    if end > len(wire):
        raise Malformed(_SIZE.rule, Reason.LENGTH_EXCEEDS_INPUT, 0, _SIZE.name, f"{size} bytes")
    reader = Reader(wire[:end])  # with the size, so that offsets count from its first byte
    reader.seek(width)
    return reader


def _peek(reader: Reader) -> tuple[int, int]:
    """Return the API key and version at the start of a request header of any version (rule 5.8)."""
    start = reader.tell()
    api_key = INT16.read(reader, (_HEADER, "RequestApiKey"))
    api_version = INT16.read(reader, (_HEADER, "RequestApiVersion"))
    reader.seek(start)
    return api_key, api_version
