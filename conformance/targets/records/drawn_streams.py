"""Compressed streams in forms of other writers, unlike those of this project's compressors."""

from __future__ import annotations

import gzip
import zlib
from typing import TYPE_CHECKING, Any

import cramjam
import lz4.frame
import zstandard

from conformance.generate.choices import pick
from conformance.targets.records.lz4_streams import SKIPPABLE
from conformance.targets.records.streams import XERIAL
from reference.records.compression import lz4 as legacy_lz4

if TYPE_CHECKING:
    from conformance.generate.choices import Choices


def other_stream(choices: Choices, codec: str, data: bytes, *, legacy: bool = False) -> bytes:
    """Return a stream of these bytes in one of the forms of a codec."""
    if legacy and codec == "lz4" and choices.below(2):
        return legacy_lz4.compress(data, legacy=True)
    return _FORMS[codec](choices, data)


def _member(data: bytes, level: int = 9, mtime: int = 0) -> bytes:
    """Return a member of gzip with the byte for an unknown system.

    Python writes this byte differently from version to version.
    """
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
    raw = cramjam.snappy.compress_raw
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
    one, other = _halves(choices, data)
    kind = choices.below(6)
    if kind == 0:
        return bytes(lz4.frame.compress(one, block_linked=False)) + bytes(lz4.frame.compress(other, block_linked=False))
    if kind == 1:
        return SKIPPABLE + bytes(lz4.frame.compress(data, block_linked=False))
    options = {
        "block_linked": not choices.below(6),
        "block_size": pick(choices, (4, 5, 6, 7)),
        "content_checksum": not choices.below(2),
        "block_checksum": not choices.below(2),
        "store_size": not choices.below(2),
        "compression_level": pick(choices, (0, 9)),
    }
    return bytes(lz4.frame.compress(data, **options)) + pick(choices, (b"", b"", b"\0", b"\x04\x22\x4d\x18", bytes(12)))


def _zstd(choices: Choices, data: bytes) -> bytes:
    one, other = _halves(choices, data)
    options: dict[str, Any] = {"write_checksum": not choices.below(2), "write_content_size": not choices.below(2)}
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
