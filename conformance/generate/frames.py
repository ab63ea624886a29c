"""What stands around bodies: frames and stored messages, and bytes that are neither."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from conformance.adapter import FrameContent
from conformance.generate.cases import populated
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


def broken_frames(header: MessageSchema, sound: bytes, body: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield bytes that are no sound frame, by name; the reference says whether they must be refused.

    Sizes that are wrong, a header cut at every place, a client id and a tag section beyond the input; made from the
    `sound` bytes of a header without tagged fields, and a sound body.
    """
    yield from _wrong_sizes(sound + body)
    for end in range(len(sound)):
        yield f"header-cut-{end}", _framed(sound[:end])
    if body:
        yield "body-cut", _framed(sound + body[:-1])
    if any(field.name == "ClientId" for field in header.fields):
        for name, length in (("beyond", b"\x7f\xff"), ("negative", b"\xff\xfe")):
            changed = sound[:CLIENT_ID_AT] + length + sound[CLIENT_ID_AT + len(length) :]
            yield f"client-id-{name}", _framed(changed + body)
    if header.flexible:  # the sound header ends with an empty tag section
        yield "section-count", _framed(sound[:-1] + b"\1")
        for name, section in (("size", b"\1\5\xff\xff\x7f\xca\xfe"), ("varint", b"\x80" * 5 + b"\1")):
            yield f"section-{name}", _framed(sound[:-1] + section + body)


def _wrong_sizes(payload: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield sizes that are not the payload's, and input that ends inside the size."""
    for excess in (4, 1, -1, -4):
        yield f"size{excess:+}", SIZE.pack(len(payload) + excess) + payload
    for size in (0, -1, -(2**31), 2**31 - 1):
        yield f"size={size}", SIZE.pack(size) + payload
    for end in range(SIZE.size):
        yield f"cut-in-size-{end}", SIZE.pack(len(payload))[:end]


def _framed(payload: bytes) -> bytes:
    return SIZE.pack(len(payload)) + payload


SAMPLES = 3
RECORD_HEAD = 3
"""The number of bytes of the numbers before a record, as long as each is below 128."""

NUMBERS = {
    "truncated": "",
    "cut": "80",
    "0": "00",
    "2": "02",
    "overlong-1": "8100",
    "32767": "ffff01",
    "32768": "808002",
    "65536": "808004",
    "65537": "818004",
    "highest": "ffffffff07",
    "lowest": "8080808008",
    "negative-1": "8180808008",
    "minus-one": "ffffffff0f",
    "excess-bits-1": "8180808010",
    "six-bytes": "818080808000",
}
"""The replacements of a number before a record; `negative-1` is one whose low 16 bits are 1."""


def stored_values(schema: MessageSchema) -> Iterator[dict[str, Any]]:
    """Yield the smallest value, one with something in every field, and a few more."""
    yield minimal(schema)
    yield populated(schema)
    for index in range(SAMPLES):
        yield sample(schema, f"stored/{index}")


def broken_records(wire: bytes) -> Iterator[tuple[str, bytes]]:
    """By name: each number before a sound record replaced, the record cut anywhere, one byte behind it."""
    numbers, body = [bytes([each]) for each in wire[:RECORD_HEAD]], wire[RECORD_HEAD:]
    for place, part in enumerate(("frame-version", "type", "version")):
        for name, digits in NUMBERS.items():
            behind = [*numbers[place + 1 :], body] if digits else []
            yield f"{part}={name}", b"".join([*numbers[:place], bytes.fromhex(digits), *behind])
    for end in range(len(wire)):
        yield f"cut/{end}", wire[:end]
    yield "trailing-byte", wire + b"\0"


def broken_prefixed(wire: bytes) -> Iterator[tuple[str, bytes]]:
    """By name: a sound prefixed message cut in its prefix and at its end, behind other prefixes, before one byte."""
    for end in {0, 1, len(wire) - 1}:
        yield f"cut/{end}", wire[:end]
    for prefix in ("7fff", "ffff", "8000"):
        yield f"prefix={prefix}", bytes.fromhex(prefix) + wire[2:]
    yield "trailing-byte", wire + b"\0"
