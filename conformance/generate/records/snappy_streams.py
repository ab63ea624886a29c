"""Snappy in every form: raw and xerial, chunks, blocks with long literals, and what is wrong in one thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cramjam

if TYPE_CHECKING:
    from collections.abc import Iterator

MAGIC = b"\x82SNAPPY\0"
XERIAL = MAGIC + b"\0\0\0\x01\0\0\0\x01"
APIS = b"\xff\x06\0\0sNaPpY"
"""What a stream in snappy's own framing begins with; Kafka has no such streams."""
LITERAL = 59
"""Tags of literals above this one have the length in bytes of their own."""


def block(data: bytes) -> bytes:
    """Return a block as the library writes it."""
    return bytes(cramjam.snappy.compress_raw(data))


def chunk(written: bytes) -> bytes:
    """Return a block behind its length."""
    return len(written).to_bytes(4, "big") + written


def _literal(data: bytes, width: int) -> bytes:
    """Return a block of one literal whose length has so many bytes."""
    head = _varint(len(data)) + bytes([(LITERAL + width) << 2])
    return head + (len(data) - 1).to_bytes(width, "little") + data


def _varint(number: int) -> bytes:
    low, high = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + _varint(high) if high else bytes([low])


def _declared() -> Iterator[tuple[str, bytes]]:
    """Yield streams of a few bytes that say they are many: nothing comes out of them."""
    for name, size in {"256-mib": 1 << 28, "2-gib": (1 << 31) - 1, "4-gib": (1 << 32) - 1}.items():
        yield f"raw-declares-{name}", _varint(size) + b"\0"
        yield f"chunk-declares-{name}", XERIAL + chunk(_varint(size) + b"\0")
    for name, size in {"256-mib": 1 << 28, "2-gib": (1 << 31) - 1}.items():
        yield f"chunk-of-{name}", XERIAL + size.to_bytes(4, "big") + b"\0"


def forms(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield streams of these bytes, and what is wrong in one thing."""
    yield from _declared()
    half, whole, empty = len(data) // 2, chunk(block(data)), chunk(block(b""))
    one, other = chunk(block(data[:half])), chunk(block(data[half:]))
    yield "raw", block(data)
    yield "two-chunks", XERIAL + one + other
    yield "two-streams", XERIAL + one + XERIAL + other
    yield "three-chunks", XERIAL + chunk(block(data[:1])) + chunk(block(data[1:half])) + other
    yield "empty-chunk-first", XERIAL + empty + whole
    yield "empty-chunk-between", XERIAL + one + empty + other
    yield "empty-chunk-last", XERIAL + whole + empty
    for width in (1, 2, 3):
        if len(data) <= 1 << 8 * width:
            yield f"literal-with-{width}-bytes-of-length", XERIAL + chunk(_literal(data, width))
    yield "version-0", MAGIC + bytes(8) + whole
    yield "version-9", MAGIC + b"\0\0\0\x09" * 2 + whole
    yield "framed", APIS + block(data)
    yield "length-0", XERIAL + bytes(4) + block(data)
    yield "chunk-of-length-0-first", XERIAL + bytes(4) + whole
    yield "length-one-more", XERIAL + (len(whole) - 3).to_bytes(4, "big") + whole[4:]
    yield "length-one-less", XERIAL + (len(whole) - 5).to_bytes(4, "big") + whole[4:]
    yield "block-one-byte-longer", XERIAL + chunk(_varint(len(data) + 1) + block(data)[len(_varint(len(data))) :])
    yield "block-one-byte-shorter", XERIAL + chunk(_varint(len(data) - 1) + block(data)[len(_varint(len(data))) :])
