"""Values and invalid bytes of each wire type alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate.cases import edge_cases
from conformance.generate.choices import SeededChoices
from conformance.generate.edges import UNKNOWN_TAGS, blob_of
from conformance.generate.invalid_bytes import invalid_bytes
from conformance.generate.unusual_values import NOT_FLEXIBLE, unencodable_variations
from conformance.generate.values import sample

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import Primitive

VALUES = 100
LENGTHS = ("8000", "fffe", "ffff", "7fff", "80000000", "fffffffe", "ffffffff", "7fffffff")
"""Lengths that are negative, null, or beyond anything, as int16 and int32."""
VARINTS = (
    "", "80", "ffffff", "ffffffff", "00", "ffffffff0f", "8080808008", "8180808008", "ffffffff7f", "8080808080",
    "818080808000", "ffffffffff01", "ffffffffffffffffff01", "ffffffffffffffffff7f", "80808080808080808001",
    "ffffffffffffffffffff01", "8080808080808080808000", "8100", "82808000", "8080808000",
)  # fmt: skip
"""Varints cut, overlong, with excess bits, and of one byte too many, for 32 and for 64 bits."""
SECTIONS = ("", "01", "0105", "010502ca", "020501ca", "01ffffffff0f00", "020500", "0105ffffffff0f", "01058080808008")
"""Tag sections with less than they announce, and with sizes that nothing has."""


def primitive_values(each: Primitive) -> Iterator[Any]:
    """Edges, random values, and values that have no bytes."""
    if each.schema is not None:
        yield from (variation.value["value"] for variation in edge_cases(each.schema))
        yield from (sample(each.schema, f"prove/{index}")["value"] for index in range(VALUES))
        refused = unencodable_variations(each.schema)
        yield from (variation.value["value"] for rule, variation in refused if rule != NOT_FLEXIBLE)
    elif each.range is not None:
        yield from _numbers(*each.range)
    else:
        yield from _sections()


def _numbers(lowest: int, highest: int) -> Iterator[int]:
    """Both sides of every power of two, random numbers of each width, and the first ones out of range."""
    yield from around_powers(lowest, highest, (-1, 0, 1))
    bits, choices = (highest - lowest).bit_length(), SeededChoices(f"prove/{lowest}/{highest}")
    for index in range(VALUES):
        width = 2 ** (index % bits)
        yield choices.integer(max(lowest, -width), min(highest, width))
    yield from (lowest - 1, highest + 1)


def around_powers(lowest: int, highest: int, steps: tuple[int, ...]) -> list[int]:
    """Return the numbers of a range that are so many steps from a power of two or its negative, and both ends."""
    powers = [sign * 2**power for power in range((highest - lowest).bit_length()) for sign in (1, -1)]
    numbers = {lowest, highest, *(power + step for power in powers for step in steps)}
    return sorted(number for number in numbers if lowest <= number <= highest)


def _sections() -> Iterator[list[tuple[int, bytes]]]:
    yield []
    yield from ([(tag, body)] for tag in (0, *UNKNOWN_TAGS) for body in (b"", b"\xca\xfe"))
    yield from ([(5, blob_of(length))] for length in (126, 127, 128, 16_383, 16_384))
    yield [(tag, bytes([index])) for index, tag in enumerate(UNKNOWN_TAGS)]
    yield [(tag, b"") for tag in range(200)]


def broken_primitives(each: Primitive) -> Iterator[bytes]:
    """Bytes of which most are invalid: cut, null, of lengths that nothing has, varints of every broken form."""
    if each.schema is not None:
        yield from (case.wire for case in invalid_bytes(each.schema))
        yield from (bytes.fromhex(length) for length in LENGTHS)
    elif each.range is None:
        yield from map(bytes.fromhex, SECTIONS)
    yield from map(bytes.fromhex, VARINTS)
