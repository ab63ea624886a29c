"""Compressed streams of forms that this project's compressors do not write, and that other writers do."""

from __future__ import annotations

import gzip
import zlib
from typing import TYPE_CHECKING, Any

from conformance.generate.choices import pick
from reference.records.compression import lz4 as legacy_lz4
from reference.records.extra import library

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.generate.choices import Choices

XERIAL = b"\x82SNAPPY\0\0\0\0\x01\0\0\0\x01"
BEYOND_BOUND = 20 << 20
"""More bytes than come out of the streams of small fields."""
SKIPPABLE = b"\x50\x2a\x4d\x18\x04\0\0\0skip"


def other_stream(choices: Choices, codec: str, data: bytes, *, legacy: bool = False) -> bytes:
    """Return a stream of these bytes in one of the forms of a codec.

    Raises:
        MissingLibrary: the codec needs a library that is not installed.
    """
    if legacy and codec == "lz4" and choices.below(2):
        return legacy_lz4.compress(data, legacy=True)
    return _FORMS[codec](choices, data)


def _member(data: bytes, level: int = 9, mtime: int = 0) -> bytes:
    """Return a member of gzip; its byte for the system, which depends on the version of Python, says unknown."""
    member = gzip.compress(data, level, mtime=mtime)
    return member[:9] + b"\xff" + member[10:]


def _halves(choices: Choices, data: bytes) -> tuple[bytes, bytes]:
    at = choices.below(len(data) + 1)
    return data[:at], data[at:]


def _gzip(choices: Choices, data: bytes) -> bytes:
    one, other = _halves(choices, data)
    kind = choices.below(7)
    if kind == 0:
        return _member(one) + _member(other)
    if kind == 1:
        return _member(data, 0, mtime=1)
    if kind == 2:  # noqa: PLR2004  # one of the forms
        return _with_options(choices, _member(data))
    if kind == 3:  # noqa: PLR2004
        return zlib.compress(data)
    if kind == 4:  # noqa: PLR2004
        return _member(b"") + _member(data) + _member(b"")
    tail = pick(choices, (b"\0", b"\x1f", b"\x1f\x8b", b"\0" * 20, b"\x1f\x8b\x08" + bytes(17)))
    return _member(data) + tail


def _with_options(choices: Choices, member: bytes) -> bytes:
    """Return a member with an extra field, a name, a comment, a CRC of its header, or bits without a meaning."""
    flags = choices.below(256)
    head = member[:3] + bytes([flags]) + member[4:10]
    head += b"\x02\0ab" if flags & 4 else b""
    head += b"name\0" if flags & 8 else b""
    head += b"comment\0" if flags & 16 else b""
    if flags & 2:
        head += (zlib.crc32(head) + (not choices.below(4)) & 0xFFFF).to_bytes(2, "little")
    return head + member[10:]


def _snappy(choices: Choices, data: bytes) -> bytes:
    raw = library("cramjam", "snappy").snappy.compress_raw
    one, other = (bytes(raw(half)) for half in _halves(choices, data))
    whole = bytes(raw(data))
    versions = b"".join(pick(choices, (0, 1, 2, 9, 1 << 24)).to_bytes(4, "big") for _ in range(2))
    tails = (b"\0", bytes(3), bytes(4), b"\xff" * 4, bytes(5))
    forms = (
        whole,
        XERIAL + _chunk(one) + _chunk(other),
        XERIAL + _chunk(one) + XERIAL + _chunk(other),
        XERIAL[:8] + versions + _chunk(whole),
        XERIAL + _chunk(whole) + _chunk(bytes(raw(b""))),
        XERIAL + _chunk(b"") + _chunk(whole),
        XERIAL + _chunk(whole) + pick(choices, tails),
        b"\xff\x06\0\0sNaPpY" + whole,
    )
    return pick(choices, forms)


def _chunk(block: bytes) -> bytes:
    return len(block).to_bytes(4, "big") + block


def _lz4(choices: Choices, data: bytes) -> bytes:
    frame: Any = library("lz4.frame", "lz4")
    one, other = _halves(choices, data)
    kind = choices.below(6)
    if kind == 0:
        return bytes(frame.compress(one, block_linked=False)) + bytes(frame.compress(other, block_linked=False))
    if kind == 1:
        return SKIPPABLE + bytes(frame.compress(data, block_linked=False))
    options = {
        "block_linked": not choices.below(6),
        "block_size": pick(choices, (4, 5, 6, 7)),
        "content_checksum": not choices.below(2),
        "block_checksum": not choices.below(2),
        "store_size": not choices.below(2),
        "compression_level": pick(choices, (0, 9)),
    }
    return bytes(frame.compress(data, **options)) + pick(choices, (b"", b"", b"\0", b"\x04\x22\x4d\x18", bytes(12)))


def _zstd(choices: Choices, data: bytes) -> bytes:
    zstandard: Any = library("zstandard", "zstd")
    one, other = _halves(choices, data)
    options = {"write_checksum": not choices.below(2), "write_content_size": not choices.below(2)}
    compress = zstandard.ZstdCompressor(level=pick(choices, (1, 3, 19)), **options).compress
    forms = (
        compress(data),
        compress(one) + compress(other),
        SKIPPABLE + compress(data),
        compress(data) + SKIPPABLE,
        compress(data) + compress(b""),
        compress(data) + pick(choices, (b"\0", b"\x28\xb5\x2f\xfd", bytes(4))),
    )
    return bytes(pick(choices, forms))


_FORMS = {"gzip": _gzip, "snappy": _snappy, "lz4": _lz4, "zstd": _zstd}


def equal_streams(codec: str, data: bytes) -> Iterator[tuple[str, str, bytes]]:
    """Yield streams of a codec that every reader takes: a name, the rule that says so, and the bytes.

    Raises:
        MissingLibrary: the codec needs a library that is not installed.
    """
    yield from _EQUAL[codec](data)


def _equal_gzip(data: bytes) -> Iterator[tuple[str, str, bytes]]:
    whole = _member(data)
    optional = b"\x02\0ab" + b"name\0" + b"comment\0"
    yield "stored", "codec.gzip", _member(data, 0, mtime=1)
    yield "optional-fields", "codec.gzip", whole[:3] + b"\x1c" + whole[4:10] + optional + whole[10:]
    yield "two-members", "codec.gzip", b"".join(_member(half) for half in _split(data))


def _equal_snappy(data: bytes) -> Iterator[tuple[str, str, bytes]]:
    raw = library("cramjam", "snappy").snappy.compress_raw
    yield "raw", "snappy.raw", bytes(raw(data))
    yield "two-chunks", "snappy.xerial", XERIAL + b"".join(_chunk(bytes(raw(half))) for half in _split(data))
    yield "two-streams", "snappy.xerial", b"".join(XERIAL + _chunk(bytes(raw(half))) for half in _split(data))


def _equal_lz4(data: bytes) -> Iterator[tuple[str, str, bytes]]:
    frame: Any = library("lz4.frame", "lz4")
    for option in ("content_checksum", "block_checksum", "store_size"):
        name = option.replace("_", "-")
        yield (
            name,
            "lz4.frame",
            bytes(frame.compress(data, **{"block_linked": False, "store_size": False, option: True})),
        )
    large = frame.compress(data, block_linked=False, block_size=7, store_size=False)
    yield "blocks-of-4-mib", "lz4.frame", bytes(large)


def _equal_zstd(data: bytes) -> Iterator[tuple[str, str, bytes]]:
    zstandard: Any = library("zstandard", "zstd")
    plain = zstandard.ZstdCompressor(write_content_size=False).compress
    yield "no-content-size", "zstd.no-content-size", plain(data)
    yield "content-size", "zstd.frame", zstandard.ZstdCompressor(write_content_size=True).compress(data)
    yield "checksum", "zstd.frame", zstandard.ZstdCompressor(write_checksum=True).compress(data)
    yield "two-frames", "zstd.frame", b"".join(map(plain, _split(data)))
    yield "skippable-frame-first", "zstd.frame", SKIPPABLE + plain(data)


def _split(data: bytes) -> tuple[bytes, bytes]:
    return data[: len(data) // 2], data[len(data) // 2 :]


_EQUAL = {"gzip": _equal_gzip, "snappy": _equal_snappy, "lz4": _equal_lz4, "zstd": _equal_zstd}


def unusual_streams(codec: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield streams of a codec of which the format leaves open what readers make of them: a name, and the bytes.

    Raises:
        MissingLibrary: the codec needs a library that is not installed.
    """
    yield from _UNUSUAL.get(codec, lambda _: iter(()))(data)


def _unusual_gzip(data: bytes) -> Iterator[tuple[str, bytes]]:
    whole = gzip.compress(data, mtime=0)
    yield "reserved-flags", whole[:3] + b"\x20" + whole[4:]


def _unusual_lz4(data: bytes) -> Iterator[tuple[str, bytes]]:
    frame: Any = library("lz4.frame", "lz4")
    whole = bytes(frame.compress(data, block_linked=False, content_checksum=True))
    yield "wrong-content-checksum", whole[:-1] + bytes([whole[-1] ^ 1])
    one, other = (bytes(frame.compress(half, block_linked=False)) for half in _split(data))
    yield "two-frames", one + other


def _unusual_zstd(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a frame with a window of 256 MiB, and one of more than any bound."""
    block = (len(data) << 3 | 1).to_bytes(3, "little") + data
    yield "wide-window", b"\x28\xb5\x2f\xfd\0\x90" + block
    yield "beyond-bound", bytes(library("zstandard", "zstd").ZstdCompressor().compress(bytes(BEYOND_BOUND)))


_UNUSUAL = {"gzip": _unusual_gzip, "lz4": _unusual_lz4, "zstd": _unusual_zstd}
