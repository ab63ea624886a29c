"""Values at which codecs often fail, by type.

They are the ends of ranges, the steps of length prefixes, and unusual text. Random values mix them in; the
deterministic cases try each one alone. The names are part of the names of cases and of the ids of golden vectors: a new
value takes a new name and changes no other.
"""

from __future__ import annotations

import struct
from string import digits
from typing import TYPE_CHECKING
from uuid import UUID

from reference.definitions.model import INTEGER_CODES, INTEGER_RANGES, UNSIGNED
from reference.error_codes import tried_error_codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import FieldSchema

STRING_LENGTHS = (0, 1, 126, 127, 128, 16_383, 16_384, 32_767)
"""Lengths at which a compact length grows by one byte, and the longest string."""

BLOB_LENGTHS = (0, 1, 126, 127, 128, 16_383, 16_384, 32_767, 32_768, 65_535, 65_536)
"""The same lengths, and lengths around 32 KiB and 64 KiB."""

FURTHER_LENGTHS = (63, 64, 255, 256, 8_191, 8_192)
"""Lengths and counts tried with wire types and headers alone: bounds of buffers, and other uses of high bits."""

MANY = (32_767, 32_768)
"""The numbers of elements on both sides of the highest int16."""

ARRAY_LENGTHS = (0, 1, 2, 126, 127, 128)
"""Counts at which a compact count grows by one byte."""

UNKNOWN_TAGS = (5, 127, 128, 16_384, 2**31 - 2)
"""Unknown tags of each width of their varint, up to the highest writable one.

`unknown_tags` leaves out the tags used by a definition, and applies the limits of a proposal.
"""

TAG_STEPS = tuple(step for bits in (7, 14, 21, 28) for step in (2**bits - 1, 2**bits))
"""Tags at which the varint grows by one byte."""

TAG_SIZES = (127, 128)
"""Sizes of unknown tagged fields at which the size grows by one byte. Greater sizes are edges of blobs."""

ERROR_CODES = tried_error_codes()
"""Codes with a special meaning to readers, the highest of each release, and the first one unknown to it."""

TEXTS = {
    "empty": "",
    "one-letter": "a",
    "topic-1": "topic-1",
    "nul": "\0",
    "nul-inside": "a\0b",
    "e-acute": "é",
    "e-combining-acute": "e\N{COMBINING ACUTE ACCENT}",
    "kanji": "日本",
    "emoji": "\N{GRINNING FACE}",
    "byte-order-mark": "\ufeff",
    "noncharacter": "\uffff",
    "highest-code-point": "\U0010ffff",
    "question-mark": "?",
}
"""Texts by name: of one to four bytes a character, NUL, a byte order mark, two normal forms of one letter."""

CHANGED_TEXTS = {
    "white-space": " a\r\nb\rC\n  d\r\n",
    "escapes": '"\\u0041\\n\\\\ \'A%41%2f+%zz &lt;&#65;&amp;<b> {0}${a}%s"',
    "path": "/A//b/./../c%20d/",
    "marks": "\tE\N{COMBINING ACUTE ACCENT}\xe9\N{ANGSTROM SIGN}\N{LATIN SMALL LIGATURE FI}\N{RIGHT-TO-LEFT OVERRIDE}"
    "\N{HEBREW LETTER ALEF}\N{POP DIRECTIONAL FORMATTING}\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
    "\N{ZERO WIDTH SPACE}\N{VARIATION SELECTOR-16}\N{SOFT HYPHEN}\N{NO-BREAK SPACE}\x1b[0m\x7f\N{LINE SEPARATOR} ",
    "007": "007",
    "1e3": "1e3",
    "plus-1": "+1",
    "null-word": "null",
    "true-word": "true",
    "nan-word": "NaN",
}
"""Texts by name that readers or writers change: they strip, split, fold, unescape, normalize or parse them.

A text has several such places if none hides another one. The first and the last characters differ between the texts,
since each may be stripped alone; a number or a word is a text of its own.
"""

UUIDS = (
    UUID(int=0),
    UUID(int=1),
    UUID("00112233-4455-6677-8899-aabbccddeeff"),
    UUID(int=2**128 - 1),
)


def double(bits: int) -> float:
    """Return the float64 of these 64 bits."""
    number: float = struct.unpack(">d", bits.to_bytes(8, "big"))[0]
    return number


FLOATS = {
    "zero": 0.0,
    "minus-zero": -0.0,
    "one-and-a-half": 1.5,
    "minus-one": -1.0,
    "infinity": float("inf"),
    "minus-infinity": float("-inf"),
    "nan": double(0x7FF8_0000_0000_0000),
    "nan-with-payload": double(0x7FF8_0000_0000_0001),
    "negative-nan-with-payload": double(0xFFF8_0000_DEAD_BEEF),
    "smallest": double(0x0000_0000_0000_0001),
    "highest": double(0x7FEF_FFFF_FFFF_FFFF),
    "eight-different-bytes": double(0x0123_4567_89AB_CDEF),
}
"""Floats by name: zeros of both signs, infinities, NaNs with payloads, the smallest and the largest number."""

_FURTHER = {
    "int16": (255, 256),
    "int32": (65_535, 65_536),
    "int64": (2**31, 2**32, 2**53 + 1, 10**16 - 1, -(2**31) - 1),
}


def _integers(name: str) -> Iterator[int]:
    lowest, highest = INTEGER_RANGES[name]
    yield from (0, 1, lowest, highest) if name in UNSIGNED else (0, 1, -1, lowest, highest)
    yield 0x123456789ABCDEF0 >> 64 - 8 * struct.calcsize(INTEGER_CODES[name])
    yield from (highest // 2, highest // 2 + 1) if name in UNSIGNED else _FURTHER.get(name, ())


INTEGERS = {name: tuple(dict.fromkeys(_integers(name))) for name in INTEGER_RANGES}
"""Integers by type: zero, one, minus one, both ends, and numbers of different bytes."""


SIGNED_STEPS = tuple(step for bits in range(6, 63, 7) for step in (2**bits - 1, 2**bits, -(2**bits), -(2**bits) - 1))
UNSIGNED_STEPS = tuple(step for bits in range(7, 64, 7) for step in (2**bits - 1, 2**bits))
"""Numbers at which a varint grows by one byte: the last number of each length and the first of the next."""


def integers_of(field: FieldSchema) -> tuple[int, ...]:
    """Return the edges of an integer field.

    They are those of its type, and the steps of a varint if it is encoded as one.
    """
    numbers = INTEGERS[field.written_type]
    lowest, highest = INTEGER_RANGES[field.written_type]
    kind = (field.encoding or "").rstrip(digits)
    steps = {"packed": SIGNED_STEPS, "upacked": UNSIGNED_STEPS}.get(kind, ())
    return tuple(dict.fromkeys((*numbers, *(step for step in steps if lowest <= step <= highest))))


def error_codes_of(field: FieldSchema) -> tuple[int, ...]:
    """Return the error codes to try in an error code field, beside the edges of its type.

    Other fields have none.
    """
    is_one = field.name.endswith("ErrorCode") and field.written_type == "int16"
    return tuple(code for code in ERROR_CODES if code not in INTEGERS["int16"]) if is_one else ()


def text_of(length: int, character: str = "a") -> str:
    """Return a text of exactly `length` bytes of UTF-8.

    It repeats `character`, and fills up with "a".
    """
    width = len(character.encode())
    return character * (length // width) + "a" * (length % width)


def blob_of(length: int) -> bytes:
    """Return `length` bytes without equal neighbours."""
    return bytes(range(256)) * (length // 256) + bytes(range(length % 256))
