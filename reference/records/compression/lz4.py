"""Lz4 in its frame format, with magic, descriptor, blocks and end mark.

    04 22 4d 18   60 40 82   length of a block, block ...   00 00 00 00

The descriptor ends with a checksum. Apache Kafka reads one frame of independent blocks. In messages of magic 0 the
checksum of the descriptor covers the magic too, by an error that became the format; readers ignore it there.
"""

from __future__ import annotations

from typing import NamedTuple

import lz4.block

from reference.records.checksums import xxhash32
from reference.records.compression.base import BadStream, Stream

MAGIC = bytes.fromhex("04224d18")
VERSION_1, INDEPENDENT, BLOCK_CHECKSUM, CONTENT_SIZE, CONTENT_CHECKSUM = 0x40, 0x20, 0x10, 0x08, 0x04
DICTIONARY, RESERVED_FLAG, RESERVED_SIZES = 0x01, 0x02, 0x8F
CHECKSUM_SIZE = 4
SKIPPABLE = bytes.fromhex("2a4d18")
"""The end of the magic of a skippable frame; its first byte is from 50 to 5f."""
SIZES = {4: 64 << 10, 5: 256 << 10, 6: 1 << 20, 7: 4 << 20}
"""The largest size of a block, by its code."""
STORED = 0x8000_0000
"""The bit of a block's length for blocks without compression."""
HIGHEST_EXPANSION = 255
FLAGS, SIZE_CODE = VERSION_1 | INDEPENDENT, 4
RULE, OTHER_FORMS = "lz4.frame", "lz4.other-forms"


class _Frame(NamedTuple):
    flags: int
    block: int
    """The largest size of a block."""
    content_size: tuple[int, int] | None
    """The declared number of decompressed bytes and its offset, if there is one."""


def compress(data: bytes, *, legacy: bool = False) -> bytes:
    """Return a frame as Apache Kafka writes it, of independent blocks of up to 64 KiB without sizes and checksums."""
    descriptor = bytes((FLAGS, SIZE_CODE << 4))
    checksum = xxhash32(MAGIC + descriptor if legacy else descriptor) >> 8 & 0xFF
    size = SIZES[SIZE_CODE]
    blocks = (_block_of(data[at : at + size]) for at in range(0, len(data), size))
    return MAGIC + descriptor + bytes((checksum,)) + b"".join(blocks) + bytes(4)


def _block_of(data: bytes) -> bytes:
    block: bytes = lz4.block.compress(data, store_size=False)
    if len(block) >= len(data):
        return (len(data) | STORED).to_bytes(4, "little") + data
    return len(block).to_bytes(4, "little") + block


def open_stream(stream: Stream) -> None:
    """Read the header."""
    _header(stream, legacy=False)


def decompress(stream: Stream, *, legacy: bool = False) -> None:
    """Read a frame, of a message of magic 0 if `legacy`."""
    frame = _header(stream, legacy=legacy)
    while _block(stream, frame):
        pass
    if frame.flags & CONTENT_CHECKSUM:
        _content_checksum(stream)
    if frame.content_size is not None and frame.content_size[0] != stream.size:
        stream.notes.append(("lz4.content-size", frame.content_size[1]))
    if stream.left:
        again = stream.wire.startswith(MAGIC, stream.at)
        stream.notes.append(("lz4.one-frame" if again else "codec.trailing-bytes", stream.at))
        stream.take(stream.left, "payload", "codec.trailing-bytes")


def _header(stream: Stream, *, legacy: bool) -> _Frame:
    if stream.left < 6:  # noqa: PLR2004  # magic and descriptor, without its checksum
        raise BadStream(stream, len(stream.wire), "a header that ends early")
    magic = stream.take(4, "marker", RULE)
    if magic[0] >> 4 == 5 and magic[1:] == SKIPPABLE:  # noqa: PLR2004  # 50 to 5f
        raise BadStream(stream, stream.at - 4, "a skippable frame", rule=OTHER_FORMS)
    if magic != MAGIC:
        raise BadStream(stream, stream.at - 4, "not in lz4's frame format")
    start = stream.at
    flags, sizes = stream.take(2, "number", RULE)
    _check_flags(stream, flags, start)
    size = SIZES.get(sizes >> 4)
    if sizes & RESERVED_SIZES or size is None:
        raise BadStream(stream, start + 1, f"a code of block sizes of {sizes:#04x}")
    content_size = None
    if flags & CONTENT_SIZE:
        content_size = int.from_bytes(stream.take(8, "number", RULE), "little"), stream.at - 8
        stream.declare(content_size[0])
    expected = None if legacy else xxhash32(stream.wire[start : stream.at]) >> 8 & 0xFF
    rule = "lz4.legacy-header-checksum" if legacy else "lz4.header-checksum"
    if not stream.left:
        raise BadStream(stream, len(stream.wire), "no checksum of the header")
    (checksum,) = stream.take(1, "number", rule)
    if expected not in (None, checksum):
        raise BadStream(stream, stream.at - 1, "the checksum of the header is wrong")
    return _Frame(flags, size, content_size)


def _check_flags(stream: Stream, flags: int, at: int) -> None:
    if flags & 0xC0 != VERSION_1 or flags & RESERVED_FLAG:
        raise BadStream(stream, at, f"flags {flags:#04x}")
    if flags & DICTIONARY:
        raise BadStream(stream, at, "the id of a dictionary", rule=OTHER_FORMS)
    if not flags & INDEPENDENT:
        raise BadStream(stream, at, "blocks that depend on one another", rule="lz4.independent-blocks")


def _block(stream: Stream, frame: _Frame) -> bool:
    """Read a block, and return False at the end mark."""
    start = stream.at
    length = int.from_bytes(stream.take(4, "length", RULE), "little")
    stored, length = bool(length & STORED), length & ~STORED
    if not length:
        if stored:
            stream.notes.append(("lz4.end-mark", start))
        return False
    if length > frame.block:
        raise BadStream(stream, start, f"a block of {length} bytes, at most {frame.block} are announced")
    at = stream.at
    block = stream.take(length, "payload", RULE, detail="a block that ends early")
    data = block if stored else _decompressed(stream, block, frame.block, at)
    if frame.flags & BLOCK_CHECKSUM:
        at = stream.at
        if stream.left < CHECKSUM_SIZE:
            raise BadStream(stream, at, "no checksum of the block", exception="BufferUnderflowException")
        if int.from_bytes(stream.take(CHECKSUM_SIZE, "number", RULE), "little") != xxhash32(block):
            raise BadStream(stream, at, "the checksum of a block is wrong")
    if not data:
        raise BadStream(stream, start, "an empty block", rule=OTHER_FORMS, exception="InvalidRecordException")
    stream.put(data)
    return True


def _decompressed(stream: Stream, block: bytes, most: int, at: int) -> bytes:
    most = min(most, HIGHEST_EXPANSION * len(block))  # lz4 allocates it all: no more than the block can have
    try:
        data: bytes = lz4.block.decompress(block, uncompressed_size=most)
    except lz4.block.LZ4BlockError as error:
        raise BadStream(stream, at, str(error)) from error
    return data


def _content_checksum(stream: Stream) -> None:
    at = stream.at
    if stream.left < CHECKSUM_SIZE:
        raise BadStream(stream, at, "no checksum of the content", exception="BufferUnderflowException")
    if int.from_bytes(stream.take(CHECKSUM_SIZE, "number", RULE), "little") != xxhash32(stream.data):
        stream.notes.append(("lz4.content-checksum", at))
