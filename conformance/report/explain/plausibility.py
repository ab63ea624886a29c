"""The likelihood of values, as the number of bits to tell them, so that the right reading of bytes is the shortest one.

Small numbers, known error codes and plain texts are likely; numbers read at a wrong place are not.
"""

from __future__ import annotations

from functools import cache
from struct import calcsize
from typing import TYPE_CHECKING, Any
from uuid import UUID

from reference import TAGS, ArrayType, judge_records
from reference.definitions.model import INTEGER_CODES, INTEGER_RANGES
from reference.error_codes import error_codes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference import FieldSchema

BYTE = 8
PLAIN, OTHER, CONTROL = 5.5, 16.0, 24.0
"""The bits of a printable character of ASCII, of another one, and of one that no name has."""
SURE = 24.0
"""The bits of record batches whose CRCs are right."""
KNOWN_ERROR = 5.0
ZERO = 2.5
"""The bits by which a zero is likelier than another byte."""

UNKNOWN_TAG = 3.0
"""The bytes as which an unknown tagged field counts besides its own: few writers have any."""

LONG = {"uuid": 122.0, "float64": 64.0}


def bits_of(fields: Iterable[FieldSchema], value: dict[str, Any]) -> float:
    """Return the bits of a struct."""
    known = sum(_of_field(field, value[field.name]) for field in fields if field.name in value)
    return known + tag_bits(value.get(TAGS, ()))


def tag_bits(tags: Iterable[tuple[int, bytes]]) -> float:
    """Return the bits of unknown tagged fields."""
    return sum(BYTE * (len(data) + UNKNOWN_TAG) for _, data in tags)


def _of_field(field: FieldSchema, value: Any) -> float:
    if value is None:
        return 1.0
    if isinstance(field.data_type, ArrayType):
        element = field.data_type.element
        return number_bits(len(value)) + sum(_of_field(element, item) for item in value)
    if isinstance(value, dict):
        return bits_of(field.fields, value)
    if field.type in INTEGER_RANGES:
        is_known = field.name.endswith("ErrorCode") and value in _codes()
        return min(number_bits(value), KNOWN_ERROR if is_known else 1.0 + BYTE * calcsize(INTEGER_CODES[field.type]))
    return _of_scalar(field.type, value)


def _of_scalar(name: str, value: Any) -> float:
    if isinstance(value, str):
        return text_bits(value)
    if isinstance(value, bytes):
        return number_bits(len(value)) + (_of_records(value) if name == "records" else BYTE * len(value))
    return 1.0 if isinstance(value, bool) or value in (UUID(int=0), 0.0) else LONG.get(name, 1.0)


def text_bits(text: str) -> float:
    """Return the bits of a text, of which plain characters are likely."""
    return number_bits(len(text)) + min(sum(map(_of_character, text)), BYTE * len(text.encode()) + 2.0)


def _of_character(character: str) -> float:
    if " " <= character <= "~":
        return PLAIN
    return OTHER if character.isprintable() else CONTROL


def _of_records(wire: bytes) -> float:
    return SURE if wire and judge_records(wire).reason is None else BYTE * len(wire)


def chance_bits(data: bytes) -> float:
    """Return the bits of bytes that mean nothing: zeros are frequent in all of them."""
    return BYTE * len(data) - ZERO * data.count(0)


def number_bits(number: int) -> float:
    """Return the bits of a number, of which small ones and -1 are likely."""
    if number in (0, -1):
        return 2.0
    return 2.0 * abs(number).bit_length() + 1.0


@cache
def _codes() -> frozenset[int]:
    return frozenset(error_codes().values())
