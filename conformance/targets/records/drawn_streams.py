"""Compressed streams in forms of other writers, unlike those of this project's compressors."""

from __future__ import annotations

import zlib
from functools import partial
from typing import TYPE_CHECKING, Any

import lz4.frame
import zstandard

from conformance.generate.choices import pick
from conformance.targets.records.lz4_streams import SKIPPABLE
from conformance.targets.records.streams import APIS, HEADER_CRC, MAGIC, XERIAL, block, chunk, header, member
from reference.records.compression import lz4 as legacy_lz4

if TYPE_CHECKING:
    from conformance.generate.choices import Choices


def other_stream(choices: Choices, codec: str, data: bytes, *, legacy: bool = False) -> bytes:
    """Return a stream of these bytes in one of the forms of a codec."""
    if legacy and codec == "lz4" and choices.below(2):
        return legacy_lz4.compress(data, legacy=True)
    return _FORMS[codec](choices, data)


def _halves(choices: Choices, data: bytes) -> tuple[bytes, bytes]:
    at = choices.below(len(data) + 1)
    return data[:at], data[at:]


BEST = 2
"""The extra flags of a member with the best compression."""
_member = partial(member, head=header(more=BEST))


def _gzip(choices: Choices, data: bytes) -> bytes:
    one, other = _halves(choices, data)
    kind = choices.below(7)
    if kind == 0:
        return _member(one) + _member(other)
    if kind == 1:
        return member(data, level=0, head=header(time=1))
    if kind == 2:  # noqa: PLR2004  # one of the forms
        return member(data, head=_with_options(choices))
    if kind == 3:  # noqa: PLR2004
        return zlib.compress(data)
    if kind == 4:  # noqa: PLR2004
        return _member(b"") + _member(data) + _member(b"")
    tail = pick(choices, (b"\0", b"\x1f", b"\x1f\x8b", b"\0" * 20, b"\x1f\x8b\x08" + bytes(17)))
    return _member(data) + tail


def _with_options(choices: Choices) -> bytes:
    """Return a header with an extra field, a name, a comment, a right or wrong CRC, or bits without a meaning."""
    flags = choices.below(256)
    head = header(flags, more=BEST)
    if flags & HEADER_CRC:
        head = head[:-2] + (zlib.crc32(head[:-2]) + (not choices.below(4)) & 0xFFFF).to_bytes(2, "little")
    return head


def _snappy(choices: Choices, data: bytes) -> bytes:
    one, other = (chunk(block(half)) for half in _halves(choices, data))
    raw = block(data)
    whole = chunk(raw)
    versions = b"".join(pick(choices, (0, 1, 2, 9, 1 << 24)).to_bytes(4, "big") for _ in range(2))
    tails = (b"\0", bytes(3), bytes(4), b"\xff" * 4, bytes(5))
    forms = (
        raw,
        XERIAL + one + other,
        XERIAL + one + XERIAL + other,
        MAGIC + versions + whole,
        XERIAL + whole + chunk(block(b"")),
        XERIAL + chunk(b"") + whole,
        XERIAL + whole + pick(choices, tails),
        APIS + raw,
    )
    return pick(choices, forms)


def _lz4(choices: Choices, data: bytes) -> bytes:
    one, other = _halves(choices, data)
    kind, compress = choices.below(6), partial(lz4.frame.compress, block_linked=False)
    if kind == 0:
        return bytes(compress(one) + compress(other))
    if kind == 1:
        return SKIPPABLE + bytes(compress(data))
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
