"""The values at which codecs have been wrong, by type: edges of ranges, of length prefixes, of text.

Shared by random search, which mixes them in, and by the deterministic enumeration, which tries each one alone.
"""

from __future__ import annotations

import struct
from string import digits
from typing import TYPE_CHECKING
from uuid import UUID

from reference.definitions.model import INTEGER_RANGES

if TYPE_CHECKING:
    from reference import FieldSchema

STRING_LENGTHS = (0, 1, 126, 127, 128, 16_383, 16_384, 32_767)
"""Where a compact length takes one byte more, and the longest string of all."""

BLOB_LENGTHS = (0, 1, 126, 127, 128, 16_383, 16_384, 32_767, 32_768, 65_535, 65_536)
"""As strings, and beyond 64 KiB."""

ARRAY_LENGTHS = (0, 1, 2, 126, 127, 128)
"""Where a compact count takes one byte more."""

UNKNOWN_TAGS = (5, 127, 128, 16_384, 2**31 - 2)
"""Unknown tags at each width of their varint, up to the highest that may be written. A definition's own tag takes
precedence, and a proposal may have other limits: see `unknown_tags`."""

TEXTS = (
    "",
    "a",
    "topic-1",
    "\0",
    "a\0b",
    "é",
    "e\N{COMBINING ACUTE ACCENT}",
    "日本",
    "\N{GRINNING FACE}",
    "\ufeff",
    "\uffff",
    "\U0010ffff",
    "?",
)
"""Text of one to four bytes a character; NUL, a byte order mark, noncharacters, two normal forms of one letter."""

UUIDS = (
    UUID(int=0),
    UUID(int=1),
    UUID("00112233-4455-6677-8899-aabbccddeeff"),
    UUID(int=2**128 - 1),
)


def _double(bits: int) -> float:
    number: float = struct.unpack(">d", bits.to_bytes(8, "big"))[0]
    return number


FLOATS = (
    0.0,
    -0.0,
    1.5,
    -1.0,
    float("inf"),
    float("-inf"),
    _double(0x7FF8_0000_0000_0000),
    _double(0x7FF8_0000_0000_0001),
    _double(0xFFF8_0000_DEAD_BEEF),
    _double(0x0000_0000_0000_0001),
    _double(0x7FEF_FFFF_FFFF_FFFF),
    _double(0x0123_4567_89AB_CDEF),
)
"""Zeros of both signs, infinities, NaNs with payloads, the smallest and the largest, bytes that all differ."""

_PATTERNS = {
    "int8": (0x12,),
    "int16": (0x1234, 255, 256),
    "int32": (0x12345678, 65_535, 65_536),
    "int64": (0x123456789ABCDEF0, 2**31, 2**32, 2**53 + 1, 10**16 - 1, -(2**31) - 1),
    "uint16": (0x1234, 32_767, 32_768),
    "uint32": (0x12345678, 2**31 - 1, 2**31),
}

INTEGERS = {
    name: tuple(dict.fromkeys((0, 1, *((-1,) if lowest < 0 else ()), lowest, highest, *_PATTERNS[name])))
    for name, (lowest, highest) in INTEGER_RANGES.items()
}
"""Zero, one, minus one, both ends, and numbers whose bytes are all different."""


SIGNED_STEPS = tuple(step for bits in range(6, 63, 7) for step in (2**bits - 1, 2**bits, -(2**bits), -(2**bits) - 1))
UNSIGNED_STEPS = tuple(step for bits in range(7, 64, 7) for step in (2**bits - 1, 2**bits))
"""Where a varint takes one byte more: the last number of each length and the first of the next one."""


def integers_of(field: FieldSchema) -> tuple[int, ...]:
    """The edges of an integer field: of its type, or of what its encoding can hold, with the steps of a varint."""
    numbers = INTEGERS[field.written_type]
    lowest, highest = INTEGER_RANGES[field.written_type]
    kind = (field.encoding or "").rstrip(digits)
    steps = {"packed": SIGNED_STEPS, "upacked": UNSIGNED_STEPS}.get(kind, ())
    return tuple(dict.fromkeys((*numbers, *(step for step in steps if lowest <= step <= highest))))


def text_of(length: int, character: str = "a") -> str:
    """A text of exactly `length` bytes of UTF-8, of `character` and, where that does not go in, of "a"."""
    width = len(character.encode())
    return character * (length // width) + "a" * (length % width)


def blob_of(length: int) -> bytes:
    """Bytes of exactly `length`, no two neighbours alike."""
    return bytes(range(256)) * (length // 256) + bytes(range(length % 256))
