"""Frames of Zstandard (RFC 8878) in every form.

Blocks, sizes, windows and skippable frames vary, and some frames have one fault.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import zstandard

from reference.records.compression.zstd import MAGIC, SINGLE_SEGMENT, SMALLEST_WINDOW

if TYPE_CHECKING:
    from collections.abc import Iterator

CHECKSUM = 0x04
RAW, RLE = 0, 1
BEYOND_BOUND = 20 << 20
"""More bytes than the oracle decompresses from a small field."""
LARGEST_BLOCK = 128 << 10
BOMB = 1280
"""The number of blocks of 128 KiB of zeros after the records of a bomb, each of them 4 bytes."""
WIDTHS = {1: range(256), 2: range(256, 65_792), 4: range(1 << 32), 8: range(1 << 63)}
"""The sizes of contents expressible in the header of a frame, by the number of bytes of the size."""


def compressed(data: bytes, **options: Any) -> bytes:
    """Return a frame of the library, by default without the size of its content."""
    made = {"write_content_size": False, "write_checksum": False} | options
    return bytes(zstandard.ZstdCompressor(**made).compress(data))


def block(data: bytes, *, kind: int = RAW, last: bool = True, count: int = 0) -> bytes:
    """Return an uncompressed block.

    A block of kind `RLE` is one byte, to be repeated `count` times.
    """
    return (last | kind << 1 | (count or len(data)) << 3).to_bytes(3, "little") + data


def frame(*blocks: bytes, window: int = 17) -> bytes:
    """Return a frame of these blocks with a window of two to this power."""
    return MAGIC + b"\0" + bytes([window - SMALLEST_WINDOW << 3]) + b"".join(blocks)


def _sized(data: bytes, code: int, *, wrong: int = 0) -> bytes:
    """Return a frame of one raw block with the size of its content in the width of a code."""
    width, less = list(WIDTHS)[code], list(WIDTHS.values())[code].start
    head = MAGIC + bytes([code << 6 | SINGLE_SEGMENT])
    return head + (len(data) - less + wrong).to_bytes(width, "little", signed=False) + block(data)


def skippable(data: bytes, first: int = 0x50) -> bytes:
    """Return a skippable frame."""
    return bytes([first]) + b"\x2a\x4d\x18" + len(data).to_bytes(4, "little") + data


def zstd_forms(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield streams of these bytes, valid ones and ones with one fault."""
    half = len(data) // 2
    yield "no-content-size", compressed(data)
    yield "content-size", compressed(data, write_content_size=True)
    yield from _checksums(data)
    yield from _frames(data[:half], data[half:])
    yield from _skippable(data[:half], data[half:])
    yield from _blocks(data)
    yield from _sizes(data)
    for bits in (20, 23, 24, 26):
        yield f"window-of-{1 << bits - 20}-mib", frame(block(data), window=bits)
    yield from declaring_zstd(data)
    zeros = block(b"\0", kind=RLE, last=False, count=LARGEST_BLOCK)
    yield "bomb", frame(block(data, last=False), *[zeros] * BOMB, block(b""))
    yield "beyond-bound", compressed(bytes(BEYOND_BOUND), write_content_size=True)


def declaring_zstd(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield frames of these bytes with a large window, or with another declared size of their content."""
    yield "wide-window", frame(block(data), window=28)
    for bits in (27, 31, 41):
        yield f"window-of-2-to-{bits}", frame(block(data), window=bits)
    for name, size in {"256-mib": 1 << 28, "1-tib": 1 << 40, "2-to-62": 1 << 62}.items():
        declared = size.to_bytes(8, "little") + block(data)
        yield f"segment-declares-{name}", MAGIC + bytes([3 << 6 | SINGLE_SEGMENT]) + declared
        yield f"declares-{name}", MAGIC + bytes([3 << 6, 17 - SMALLEST_WINDOW << 3]) + declared


def _checksums(data: bytes) -> Iterator[tuple[str, bytes]]:
    whole = compressed(data, write_checksum=True, write_content_size=True)
    yield "checksum", whole
    yield "wrong-checksum", whole[:-1] + bytes([whole[-1] ^ 1])
    yield "no-checksum", whole[:-4]
    yield "checksum-cut", whole[:-1]


def _frames(one: bytes, other: bytes) -> Iterator[tuple[str, bytes]]:
    first, second, empty = compressed(one), compressed(other), compressed(b"")
    yield "two-frames", first + second
    yield "three-frames", compressed(one[:1]) + compressed(one[1:]) + second
    yield "empty-frame-first", empty + compressed(one + other)
    yield "empty-frame-between", first + empty + second
    yield "empty-frame-last", compressed(one + other) + empty
    yield "second-frame-cut", first + second[:-1]


def _skippable(one: bytes, other: bytes) -> Iterator[tuple[str, bytes]]:
    whole = compressed(one + other)
    yield "skippable-frame-first", skippable(b"skip") + whole
    yield "skippable-frame-last", whole + skippable(b"skip")
    yield "skippable-frame-between", compressed(one) + skippable(b"skip") + compressed(other)
    yield "skippable-frame-of-5f", skippable(b"skip", 0x5F) + whole
    yield "skippable-frame-empty", skippable(b"") + whole


def _blocks(data: bytes) -> Iterator[tuple[str, bytes]]:
    half, start, length = len(data) // 2, *_longest_run(data)
    run = block(data[start : start + 1], kind=RLE, last=False, count=length)
    yield "raw-block", frame(block(data))
    yield "two-raw-blocks", frame(block(data[:half], last=False), block(data[half:]))
    yield "rle-block", frame(block(data[:start], last=False), run, block(data[start + length :]))


def _longest_run(data: bytes) -> tuple[int, int]:
    """Return the place and the length of the longest run of one byte."""
    lengths = [len(list(run)) for _, run in groupby(data)]
    longest = max(range(len(lengths)), key=lengths.__getitem__)
    return sum(lengths[:longest]), lengths[longest]


def _sizes(data: bytes) -> Iterator[tuple[str, bytes]]:
    for code, (width, sizes) in enumerate(WIDTHS.items()):
        if len(data) in sizes:
            yield f"content-size-of-{width}", _sized(data, code)
    yield "wrong-content-size", _sized(data, 2, wrong=1)
