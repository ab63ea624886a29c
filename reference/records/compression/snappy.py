"""Snappy in the framing of xerial's snappy-java, a header of 16 bytes and chunks of an int32 length and a block.

    82 53 4e 41 50 50 59 00   00 00 00 01   00 00 00 01   00 00 00 09   ...

A stream with another beginning is one raw block, as librdkafka writes it.
"""

from __future__ import annotations

import cramjam

from reference.records.compression.base import KAFKA_EXCEPTION, BadStream, Stream
from reference.wire.lengths import HIGHEST_INT32
from reference.wire.varints import MASK_32

MAGIC = b"\x82SNAPPY\0"
VERSIONS = b"\0\0\0\x01\0\0\0\x01"
HEADER = MAGIC + VERSIONS
BLOCK = 32 * 1024
"""The number of bytes that Apache Kafka puts into a chunk."""
MOST_IN_A_CHUNK = 512 << 20
HIGHEST_EXPANSION = 22
"""The bound of decompressed bytes for each byte of a block: no three bytes stand for more than 64."""
LENGTH = 4
XERIAL, RAW = "snappy.xerial", "snappy.raw"


def compress(data: bytes) -> bytes:
    """Return a xerial stream."""
    blocks = (bytes(cramjam.snappy.compress_raw(data[at : at + BLOCK])) for at in range(0, len(data), BLOCK))
    return HEADER + b"".join(len(block).to_bytes(4, "big") + block for block in blocks)


def open_stream(stream: Stream) -> None:
    """Read the header, or all of a raw block."""
    if not stream.left:
        raise BadStream(stream, 0, "an empty stream")
    if len(stream.wire) < len(HEADER) or not stream.wire.startswith(MAGIC):
        _block(stream, stream.left, RAW)
        return
    _header(stream)


def decompress(stream: Stream) -> None:
    """Read all chunks."""
    open_stream(stream)
    while stream.left >= LENGTH:
        whole = stream.size
        try:
            _chunk(stream)
        except BadStream as error:
            error.whole = whole
            raise
    if stream.left:
        stream.notes.append(("codec.trailing-bytes", stream.at))
        stream.take(stream.left, "payload", "codec.trailing-bytes")


def _header(stream: Stream) -> None:
    stream.take(len(MAGIC), "marker", XERIAL)
    at = stream.at
    if stream.take(len(VERSIONS), "number", XERIAL) != VERSIONS:
        stream.notes.append(("snappy.version", at))


def _chunk(stream: Stream) -> None:
    start = stream.at
    if stream.wire.startswith(MAGIC[:LENGTH], start):
        _next_header(stream)
        return
    length = int.from_bytes(stream.take(LENGTH, "length", XERIAL), "big", signed=True)
    stream.declare(length)
    if length < 0 or length > MOST_IN_A_CHUNK:
        raise BadStream(stream, start, f"a chunk of {length} bytes", exception="SnappyError")
    _block(stream, length, XERIAL)


def _next_header(stream: Stream) -> None:
    start = stream.at
    if stream.left < len(HEADER):
        raise BadStream(stream, len(stream.wire), "a header that ends early")
    if not stream.wire.startswith(MAGIC, start):
        stream.notes.append(("codec.trailing-bytes", start))
        stream.take(stream.left, "payload", "codec.trailing-bytes")
        return
    version = int.from_bytes(stream.wire[start + len(MAGIC) : start + len(MAGIC) + 4], "big", signed=True)
    _header(stream)
    if version < 1:
        detail = f"a header of version {version} in mid-stream"
        raise BadStream(stream, start + len(MAGIC), detail, rule="snappy.version")


def _block(stream: Stream, length: int, rule: str) -> None:
    start = stream.at
    block = stream.take(length, "payload", rule, detail="a chunk that ends early")
    claimed = _claimed_length(stream, block, start)
    if claimed > HIGHEST_EXPANSION * len(block):
        raise BadStream(stream, start, f"{len(block)} bytes cannot stand for {claimed}")
    if stream.size + claimed > stream.limit:  # raise BeyondBound before the block is decompressed
        stream.put(bytes(stream.limit - stream.size + 1))
    try:
        data = bytes(cramjam.snappy.decompress_raw(block))
    except cramjam.DecompressionError as error:
        raise BadStream(stream, start, str(error)) from error
    stream.put(data)


def _claimed_length(stream: Stream, block: bytes, start: int) -> int:
    length = shift = 0
    for byte in block[:5]:
        length |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:  # noqa: PLR2004  # the last byte of a varint
            stream.declare(length)
            if HIGHEST_INT32 < length <= MASK_32:
                exception = "NegativeArraySizeException" if start else KAFKA_EXCEPTION
                raise BadStream(stream, start, f"a block of {length} bytes", exception=exception)
            return length
    raise BadStream(stream, start, "a block without a length")
