"""Frames: what a header may say before one message, and bytes that are no frame."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

from conformance.adapter import FrameContent
from conformance.generate.edges import UNKNOWN_TAGS
from conformance.generate.values import sample
from reference import MessageSchema, minimal

if TYPE_CHECKING:
    from collections.abc import Iterator

CLIENT_IDS = ("kafka", "", None, "\N{GRINNING FACE}", "c" * 127, "c" * 128)
"""Client ids: usual, empty, null, of more than one byte a character, around a compact length's first step."""

CORRELATION_IDS = (1, -1, 2**31 - 1, -(2**31))
"""The correlation id has a sign, and is not looked at."""

PAYLOAD = b"\xca\xfe"
SIZE = struct.Struct(">i")
CLIENT_ID_AT = 8
"""The offset of the length of the client id in the header of a request."""


def frame_contents(schema: MessageSchema, header: MessageSchema) -> Iterator[FrameContent]:
    """One thing varied at a time: the client id of requests, the correlation id, the value, tags if flexible."""
    client_id = "kafka" if schema.kind == "request" else None
    for each in CLIENT_IDS if schema.kind == "request" else (None,):
        yield FrameContent(7, each, minimal(schema), ())
    for correlation_id in CORRELATION_IDS:
        yield FrameContent(correlation_id, client_id, minimal(schema), ())
    yield FrameContent(7, client_id, sample(schema, "frame"), ())
    if header.flexible:
        for tags in (*(((tag, PAYLOAD),) for tag in UNKNOWN_TAGS), ((5, b""), (16_384, PAYLOAD))):
            yield FrameContent(7, client_id, minimal(schema), tags)


class BrokenFrame(NamedTuple):
    """Bytes that are no sound frame; the reference says whether they must be refused."""

    name: str
    wire: bytes


def broken_frames(header: bytes, body: bytes, *, has_client_id: bool) -> Iterator[BrokenFrame]:
    """Sizes that are wrong, a header cut at every place, a client id and a tag section beyond the input.

    Args:
        header: a sound header, without tagged fields.
        body: a sound body.
        has_client_id: whether the header has one.
    """
    yield from _wrong_sizes(header + body)
    for end in range(len(header)):
        yield BrokenFrame(f"header-cut-{end}", _framed(header[:end]))
    if body:
        yield BrokenFrame("body-cut", _framed(header + body[:-1]))
    if has_client_id:
        for name, length in (("beyond", b"\x7f\xff"), ("negative", b"\xff\xfe")):
            changed = header[:CLIENT_ID_AT] + length + header[CLIENT_ID_AT + len(length) :]
            yield BrokenFrame(f"client-id-{name}", _framed(changed + body))


def broken_sections(header: bytes, body: bytes) -> Iterator[BrokenFrame]:
    """Tag sections of a flexible header that announce more than there is; `header` ends with an empty one."""
    yield BrokenFrame("section-count", _framed(header[:-1] + b"\1"))
    for name, section in (("size", b"\1\5\xff\xff\x7f\xca\xfe"), ("varint", b"\x80" * 5 + b"\1")):
        yield BrokenFrame(f"section-{name}", _framed(header[:-1] + section + body))


def _wrong_sizes(payload: bytes) -> Iterator[BrokenFrame]:
    """Sizes that are not the payload's, and input that ends inside the size."""
    for excess in (4, 1, -1, -4):
        yield BrokenFrame(f"size{excess:+}", SIZE.pack(len(payload) + excess) + payload)
    for size in (0, -1, -(2**31), 2**31 - 1):
        yield BrokenFrame(f"size={size}", SIZE.pack(size) + payload)
    for end in range(SIZE.size):
        yield BrokenFrame(f"cut-in-size-{end}", SIZE.pack(len(payload))[:end])


def _framed(payload: bytes) -> bytes:
    return SIZE.pack(len(payload)) + payload
