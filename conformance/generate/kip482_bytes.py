"""Tampering with what only KIP-482's drafts have: zig-zag lengths, int16 tags, end marks, interleaved headers."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from conformance.generate.varints import padded, varint_forms
from reference.definitions.model import INTEGER_RANGES
from reference.proposals.kip482_first_draft import HIGHEST_TAG
from reference.proposals.kip482_second_draft import TAG_HEADER, interleave
from reference.wire.numbers import INT16
from reference.wire.signed_varints import MAXIMUM_LONG_BYTES, VARINT
from reference.wire.varints import unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

LOWEST_32, HIGHEST_32 = INTEGER_RANGES["int32"]

END_MARKS = (
    ("missing", b""),
    ("twice", b"\0\0"),
    ("overlong", b"\x80\x00"),
    ("minus-one", VARINT.write(-1)),
    ("one", VARINT.write(1)),
)


def _lengths(piece: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield other lengths of an entry: other forms, other numbers, and the number in the forms of faulty writers."""
    number: int = VARINT.parse(piece)
    yield from varint_forms(_zigzag(piece))
    others = {"zero": 0, "one-more": number + 1, "one-less": number - 1, "with-tag": number + 2, "negative": -number}
    others |= {"minus-one": -1, "highest": HIGHEST_32, "lowest": LOWEST_32}
    for name, other in others.items():
        yield f"entry-length-{name}", VARINT.write(other)
    yield "entry-length-unsigned", unsigned_varint(number)


def _zigzag(piece: bytes) -> int:
    return sum((byte & 0x7F) << 7 * index for index, byte in enumerate(piece))


def _tags(piece: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield other tags of an entry."""
    number: int = INT16.parse(piece)
    others = {"zero": 0, "one-more": min(number + 1, HIGHEST_TAG), "one-less": max(number - 1, 0)}
    others |= {"highest": HIGHEST_TAG, "minus-one": -1, "lowest": -HIGHEST_TAG - 1}
    for name, other in others.items():
        yield f"tag-{name}", INT16.write(other)
    yield "tag-little-endian", piece[::-1]
    yield "tag-one-byte", piece[1:]


def _end_marks(_: bytes) -> Iterator[tuple[str, bytes]]:
    for name, mark in END_MARKS:
        yield f"end-{name}", mark


def _headers(piece: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield other interleaved headers: other lengths, other tags, both swapped, other forms."""
    length, tag = TAG_HEADER.parse(piece)
    header = interleave(length, tag)
    others = {"one-more": (length + 1, tag), "one-less": (max(length - 1, 0), tag), "no-length": (0, tag)}
    others |= {"long": (HIGHEST_32, tag), "long-by-32-bits": (HIGHEST_32 + 1, tag), "next-tag": (length, tag + 1)}
    others |= {"tag-zero": (length, 0), "tag-of-32-bits": (length, HIGHEST_32 + 1), "swapped": (tag, length)}
    for name, pair in others.items():
        yield f"header-{name}", unsigned_varint(interleave(*pair))
    yield "header-not-woven", unsigned_varint(length) + unsigned_varint(tag)
    yield "header-overlong", padded(header, len(piece) + 1)
    last = padded(header, MAXIMUM_LONG_BYTES)
    yield "header-ten-bytes", last
    yield "header-65-bits", last[:-1] + b"\x02"
    yield "header-eleven-bytes", padded(header, MAXIMUM_LONG_BYTES + 1)


TAMPERINGS: Mapping[str, Callable[[bytes], Iterator[tuple[str, bytes]]]] = MappingProxyType({
    "kip-482-first-draft.buffer": _end_marks,
    "kip-482-first-draft.end-mark": _end_marks,
    "kip-482-first-draft.length": _lengths,
    "kip-482-first-draft.nested-buffer": _end_marks,
    "kip-482-first-draft.tag": _tags,
    "kip-482-second-draft.tag-header": _headers,
})  # fmt: skip
"""The tamperings with the bytes of a span, by its rule."""
