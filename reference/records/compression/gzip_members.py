"""Gzip (RFC 1952), one or more members of a header, a deflate stream and a trailer with its CRC-32 and size.

Apache Kafka reads it by Java's GZIPInputStream, which ignores bytes after a member unless they are another one.
"""

from __future__ import annotations

import zlib
from typing import Any

from reference.records.compression.base import BadStream, Stream

MAGIC = b"\x1f\x8b"
DEFLATE = 8
SYSTEM_AT, UNKNOWN_SYSTEM = 9, b"\xff"
HEADER_CRC, EXTRA, NAME, COMMENT, RESERVED = 0x02, 0x04, 0x08, 0x10, 0xE0
RULE = "codec.gzip"
INPUT, OUTPUT = 1 << 13, 1 << 16
"""The numbers of bytes of input and of output in one step of decompression."""
SMALLEST_REST = 18
"""The highest number of bytes after a member that are no other member: Java does not look at them."""


def compress(data: bytes) -> bytes:
    """Return one member without a name, a time and a known system, so that its bytes are the same everywhere."""
    compressor = zlib.compressobj(wbits=31)
    member = compressor.compress(data) + compressor.flush()
    return member[:SYSTEM_AT] + UNKNOWN_SYSTEM + member[SYSTEM_AT + 1 :]


def open_stream(stream: Stream) -> None:
    """Read the header of the first member."""
    _header(stream)


def decompress(stream: Stream) -> None:
    """Read all members."""
    _member(stream)
    while stream.left:
        start = stream.at
        if not _begins_member(stream):
            stream.notes.append(("codec.trailing-bytes", start))
            stream.at = start
            stream.take(stream.left, "payload", "codec.trailing-bytes")
            return
        whole = stream.size
        try:
            _body(stream)
        except BadStream as error:
            error.whole = whole
            raise


def _begins_member(stream: Stream) -> bool:
    """Read the header of another member, and return False if Java finds none."""
    if stream.left <= SMALLEST_REST:
        return False
    kept = len(stream.pieces), len(stream.notes)
    try:
        _header(stream)
    except BadStream:
        del stream.pieces[kept[0] :], stream.notes[kept[1] :]
        return False
    return True


def _member(stream: Stream) -> None:
    _header(stream)
    _body(stream)


def _header(stream: Stream) -> None:
    start = stream.at
    fixed = stream.take(10, "marker", RULE)
    if fixed[:2] != MAGIC:
        raise BadStream(stream, start, "not in gzip format")
    if fixed[2] != DEFLATE:
        raise BadStream(stream, start + 2, f"unknown method {fixed[2]}")
    flags = fixed[3]
    if flags & RESERVED:
        stream.notes.append(("gzip.reserved-flags", start + 3))
    if flags & EXTRA:
        stream.take(int.from_bytes(stream.take(2, "length", RULE), "little"), "payload", RULE)
    for flag in (NAME, COMMENT):
        if flags & flag:
            _text(stream)
    if flags & HEADER_CRC:
        expected = zlib.crc32(stream.wire[start : stream.at]) & 0xFFFF
        at = stream.at
        if int.from_bytes(stream.take(2, "number", RULE), "little") != expected:
            raise BadStream(stream, at, "the CRC of the header is wrong")


def _text(stream: Stream) -> None:
    end = stream.wire.find(b"\0", stream.at)
    if end < 0:
        raise BadStream(stream, len(stream.wire), "a text without an end")
    stream.take(end + 1 - stream.at, "payload", RULE)


def _body(stream: Stream) -> None:
    crc, size = _deflated(stream)
    at = stream.at
    trailer = stream.take(8, "number", RULE)
    if int.from_bytes(trailer[:4], "little") != crc:
        raise BadStream(stream, at, "the CRC of the data is wrong")
    if int.from_bytes(trailer[4:], "little") != size & 0xFFFF_FFFF:
        raise BadStream(stream, at + 4, "the size of the data is wrong")


def _deflated(stream: Stream) -> tuple[int, int]:
    inflater = zlib.decompressobj(wbits=-15)
    crc = size = 0
    at, rest = stream.at, b""
    while not inflater.eof:
        piece = rest or stream.wire[at : at + INPUT]
        at += 0 if rest else len(piece)
        data = _inflated(stream, inflater, piece)
        rest = inflater.unconsumed_tail
        if not data and not piece and not inflater.eof:
            raise BadStream(stream, len(stream.wire), "the stream ends early")
        crc, size = zlib.crc32(data, crc), size + len(data)
        stream.put(data)
    stream.take(at - len(inflater.unused_data) - stream.at, "payload", RULE)
    return crc, size


def _inflated(stream: Stream, inflater: Any, piece: bytes) -> bytes:
    try:
        data: bytes = inflater.decompress(piece, OUTPUT)
    except zlib.error as error:
        raise BadStream(stream, stream.at, str(error)) from error
    return data
