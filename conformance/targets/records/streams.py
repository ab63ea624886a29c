"""Compressed streams in forms not written by this project's compressors, valid, unusual or wrong.

For snappy they are raw and xerial streams, chunks, and blocks with long literals. For gzip (RFC 1952) they have
optional fields, several blocks, or several members. Each form also occurs with one fault. lz4 and zstd have modules of
their own.
"""

from __future__ import annotations

import zlib
from functools import cache
from typing import TYPE_CHECKING

import cramjam

from conformance.targets.records.lz4_streams import declaring_lz4, lz4_forms
from conformance.targets.records.zstd_streams import declaring_zstd, zstd_forms
from reference.wire.varints import unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXT, HEADER_CRC, EXTRA, NAME, COMMENT, RESERVED = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20
BOMB = 18 << 20
"""The number of zeros after the records of a bomb, more than the bound of the oracle."""
UNKNOWN_SYSTEM, UNIX = 255, 3
OPTIONAL = ((EXTRA, b"\x02\0ab"), (NAME, b"name\0"), (COMMENT, b"comment\0"))
"""The optional fields of a header, in their order."""


def member(data: bytes, *, level: int = 9, strategy: int = zlib.Z_DEFAULT_STRATEGY, head: bytes = b"") -> bytes:
    """Return a member after a header, by default the smallest one."""
    deflater = zlib.compressobj(level, zlib.DEFLATED, -15, 8, strategy)
    return (head or header()) + deflater.compress(data) + deflater.flush() + trailer(data)


def header(flags: int = 0, *, time: int = 0, more: int = 0, system: int = UNKNOWN_SYSTEM, crc: int = 0) -> bytes:
    """Return a header with the fields of its flags.

    `crc` has the bits in which its checksum is wrong.
    """
    head = b"\x1f\x8b\x08" + bytes([flags]) + time.to_bytes(4, "little") + bytes([more, system])
    head += b"".join(field for flag, field in OPTIONAL if flags & flag)
    return head + (zlib.crc32(head) & 0xFFFF ^ crc).to_bytes(2, "little") if flags & HEADER_CRC else head


def trailer(data: bytes, *, crc: int = 0, size: int = 0) -> bytes:
    """Return checksum and size, each wrong in these bits."""
    return (zlib.crc32(data) ^ crc).to_bytes(4, "little") + (len(data) ^ size).to_bytes(4, "little")


def gzip_forms(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield streams of these bytes, valid ones and ones with one fault."""
    yield from _headers(data)
    yield from _members(data)
    yield "stored", member(data, level=0, head=header(time=1))
    yield "fixed-codes", member(data, strategy=zlib.Z_FIXED)
    yield "zlib", zlib.compress(data)
    yield "deflate", zlib.compress(data)[2:-4]
    whole = member(data)
    for name, bits in {"low": 1, "high": 1 << 31}.items():
        yield f"crc-wrong-{name}", whole[:-8] + trailer(data, crc=bits)
        yield f"size-wrong-{name}", whole[:-8] + trailer(data, size=bits)
    yield "trailer-cut", whole[:-8]
    yield "size-cut", whole[:-4]
    yield "bomb", member(data + bytes(BOMB))


def _headers(data: bytes) -> Iterator[tuple[str, bytes]]:
    flags = {"extra-field": EXTRA, "name": NAME, "comment": COMMENT, "text": TEXT, "header-crc": HEADER_CRC}
    yield "optional-fields", member(data, head=header(EXTRA | NAME | COMMENT))
    for name, flag in flags.items():
        yield name, member(data, head=header(flag))
    yield "extra-field-and-header-crc", member(data, head=header(EXTRA | HEADER_CRC))
    yield "header-crc-wrong", member(data, head=header(HEADER_CRC, crc=1))
    yield "time", member(data, head=header(time=0x01020304))
    yield "extra-flags", member(data, head=header(more=2))
    yield "system", member(data, head=header(system=UNIX))
    yield "reserved-flags", member(data, head=header(RESERVED))
    yield "method-7", member(data, head=b"\x1f\x8b\x07" + header()[3:])
    yield "second-byte-8c", member(data, head=b"\x1f\x8c" + header()[2:])


def _members(data: bytes) -> Iterator[tuple[str, bytes]]:
    half, empty = len(data) // 2, member(b"")
    one, other = member(data[:half]), member(data[half:])
    yield "two-members", one + other
    yield "three-members", member(data[:1]) + member(data[1:half]) + other
    yield "empty-member-first", empty + member(data)
    yield "empty-member-between", one + empty + other
    yield "empty-member-last", member(data) + empty
    yield "second-member-crc-wrong", one + other[:-8] + trailer(data[half:], crc=1)
    yield "second-member-cut", one + other[:-9]


MAGIC = b"\x82SNAPPY\0"
XERIAL = MAGIC + b"\0\0\0\x01\0\0\0\x01"
APIS = b"\xff\x06\0\0sNaPpY"
"""The beginning of a stream in snappy's own framing. Kafka has no such streams."""
LITERAL = 59
"""The highest tag of a literal without bytes of its own for the length."""


def block(data: bytes) -> bytes:
    """Return a block in the form of the library."""
    return bytes(cramjam.snappy.compress_raw(data))


def chunk(written: bytes) -> bytes:
    """Return a block after its length."""
    return len(written).to_bytes(4, "big") + written


def _literal(data: bytes, width: int) -> bytes:
    """Return a block of one literal with a length of `width` bytes."""
    head = unsigned_varint(len(data)) + bytes([(LITERAL + width) << 2])
    return head + (len(data) - 1).to_bytes(width, "little") + data


def _declaring_snappy() -> Iterator[tuple[str, bytes]]:
    """Yield streams of a few bytes with a large declared size and no content."""
    for name, size in {"256-mib": 1 << 28, "2-gib": (1 << 31) - 1, "4-gib": (1 << 32) - 1}.items():
        yield f"raw-declares-{name}", unsigned_varint(size) + b"\0"
        yield f"chunk-declares-{name}", XERIAL + chunk(unsigned_varint(size) + b"\0")
    for name, size in {"256-mib": 1 << 28, "2-gib": (1 << 31) - 1}.items():
        yield f"chunk-of-{name}", XERIAL + size.to_bytes(4, "big") + b"\0"


def snappy_forms(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield streams of these bytes, valid ones and ones with one fault."""
    yield from _declaring_snappy()
    half, raw, empty = len(data) // 2, block(data), chunk(block(b""))
    one, other, whole = chunk(block(data[:half])), chunk(block(data[half:])), chunk(raw)
    content = raw[len(unsigned_varint(len(data))) :]
    yield "raw", raw
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
    yield "framed", APIS + raw
    yield "length-0", XERIAL + bytes(4) + raw
    yield "chunk-of-length-0-first", XERIAL + bytes(4) + whole
    yield "length-one-more", XERIAL + (len(whole) - 3).to_bytes(4, "big") + whole[4:]
    yield "length-one-less", XERIAL + (len(whole) - 5).to_bytes(4, "big") + whole[4:]
    yield "block-one-byte-longer", XERIAL + chunk(unsigned_varint(len(data) + 1) + content)
    yield "block-one-byte-shorter", XERIAL + chunk(unsigned_varint(len(data) - 1) + content)


_FORMS = {"gzip": gzip_forms, "snappy": snappy_forms, "lz4": lz4_forms, "zstd": zstd_forms}


def stream_forms(codec: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield pairs of a name and a stream of these bytes, in every form of a codec.

    The oracle decides about each.
    """
    yield from _FORMS[codec](data)


@cache
def declaring_forms() -> frozenset[str]:
    """Return the names of the forms with a large declared size."""
    return frozenset(name for name, _ in (*_declaring_snappy(), *declaring_lz4(b""), *declaring_zstd(b"")))
