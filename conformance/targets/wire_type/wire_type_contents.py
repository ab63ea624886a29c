"""Values and invalid bytes of each wire type alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate import edges
from conformance.generate.choices import SeededChoices
from conformance.generate.drawn_values import sample
from conformance.generate.edge_values import Bases, edge_cases, populated
from conformance.generate.edges import UNKNOWN_TAGS, blob_of, double
from conformance.generate.hostile_bodies import structural_cases
from conformance.generate.refused_bytes import invalid_bytes
from conformance.generate.tampering import SMALL_SECTION, mistakable
from conformance.generate.unusual_values import NOT_FLEXIBLE, unencodable_variations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import FieldSchema, Primitive

    Tags = list[tuple[int, bytes]]

VALUES = 100
LENGTHS = ("8000", "fffe", "ffff", "7fff", "80000000", "fffffffe", "ffffffff", "7fffffff")
"""Lengths without a valid payload, negative, null or beyond the input, as int16 and int32."""
VARINTS = (
    "", "80", "ffffff", "ffffffff", "00", "ffffffff0f", "8080808008", "8180808008", "ffffffff7f", "8080808080",
    "818080808000", "ffffffffff01", "ffffffffffffffffff01", "ffffffffffffffffff7f", "80808080808080808001",
    "ffffffffffffffffffff01", "8080808080808080808000", "8100", "82808000", "8080808000",
)  # fmt: skip
"""Varints cut, overlong, with excess bits, and of one byte too many, for 32 and for 64 bits."""
COUNTS = (63, 64, 255, 256)
"""Further counts of the elements of an array."""
MANY = (8_192, 32_768, 65_536)
"""Further counts of numbers, which take few bytes."""
TEXTS_OFTEN_CHANGED = {
    "blank": " ",
    "blank-at-the-start": " a",
    "blank-at-the-end": "a ",
    "tab-and-line-at-the-end": "a\t\n",
    "carriage-return-and-line": "a\r\nb",
    "line": "a\nb",
    "carriage-return": "a\rb",
    "line-separator": "a\N{LINE SEPARATOR}b",
    "next-line": "a\x85b",
    "no-break-space": "\N{NO-BREAK SPACE}a\N{NO-BREAK SPACE}",
    "nul-at-the-end": "a\0",
    "substitute": "a\x1ab",
    "delete": "a\x7fb",
    "quotes": "a\"b'c\\d",
    "capital": "aBc",
    "byte-order-mark-before-text": "\ufeffa",
    "angstrom-sign": "\N{ANGSTROM SIGN}",
    "ligature": "\N{LATIN SMALL LIGATURE FI}",
    "second-noncharacter": "\ufffe",
}
"""Texts changed by a reader or writer if it strips, splits, quotes, folds or normalizes them."""
SIGNALLING = {"signalling-nan": 0x7FF0_0000_0000_0001, "negative-signalling-nan": 0xFFF4_0102_0304_0506}
"""The bits of signalling NaNs."""
SECTIONS = ("", "01", "0105", "010502ca", "020501ca", "01ffffffff0f00", "020500", "0105ffffffff0f", "01058080808008")
"""Tag sections with less content than announced, and with impossible sizes."""


def primitive_values(each: Primitive) -> Iterator[Any]:
    """Yield edges, random values, and values without an encoding."""
    if each.schema is not None:
        yield from (variation.value["value"] for variation in edge_cases(each.schema))
        yield from (sample(each.schema, f"prove/{index}")["value"] for index in range(VALUES))
        yield from (value for _, value in further_values(each))
        if (element := each.schema.fields[0].element) is not None and element.type == "string":
            yield [*TEXTS_OFTEN_CHANGED.values(), *edges.CHANGED_TEXTS.values()]
        refused = unencodable_variations(each.schema)
        yield from (variation.value["value"] for rule, variation in refused if rule != NOT_FLEXIBLE)
    elif each.range is not None:
        yield from _numbers(*each.range)
    else:
        yield from _sections()
        yield from (value for _, value in further_values(each))


def further_values(each: Primitive) -> Iterator[tuple[str, Any]]:
    """Yield pairs of a name and a value of a wire type, beside its values in messages."""
    if each.schema is None:
        yield from _further_sections() if each.range is None else ()
        return
    field = each.schema.fields[0]
    if field.element is not None:
        yield from _further_arrays(field.element)
    elif field.type == "float64":
        yield from ((name, double(bits)) for name, bits in SIGNALLING.items())
    elif field.type == "string":
        yield from {**TEXTS_OFTEN_CHANGED, **edges.CHANGED_TEXTS}.items()
        yield from ((f"length-{length}", edges.text_of(length)) for length in (*edges.FURTHER_LENGTHS, 32_766))
    elif field.type in {"bytes", "records"}:
        yield from ((name, text.encode()) for name, text in TEXTS_OFTEN_CHANGED.items())
        yield from ((f"length-{length}", blob_of(length)) for length in (*edges.FURTHER_LENGTHS, 65_537))


def _further_arrays(element: FieldSchema) -> Iterator[tuple[str, Any]]:
    """Yield arrays out of order, with an element twice, and of many elements."""
    items: list[Any] = ["b", "", "a", "b"] if element.type == "string" else [3, 0, 1, 3]
    yield "out-of-order", items
    for count in COUNTS if element.type == "string" else (*COUNTS, *MANY):
        yield f"elements-{count}", items[-1:] * count


def _further_sections() -> Iterator[tuple[str, Tags]]:
    """Yield sections with tags of many sizes, of falling sizes, and with many tags."""
    for size in (*edges.FURTHER_LENGTHS, 32_768, 65_536):
        yield f"tag-of-{size}-bytes", [(5, blob_of(size))]
    yield "tags-of-falling-sizes", [(tag, blob_of(140 - 20 * tag)) for tag in range(7)]
    for count in (63, 64, 127, 128, 256, 16_384):
        yield f"tags-{count}", [(tag, b"") for tag in range(count)]


def _numbers(lowest: int, highest: int) -> Iterator[int]:
    """Yield both sides of every power of two, random numbers of each width, and the first ones out of range."""
    yield from around_powers(lowest, highest, (-1, 0, 1))
    bits, choices = (highest - lowest).bit_length(), SeededChoices(f"prove/{lowest}/{highest}")
    for index in range(VALUES):
        width = 2 ** (index % bits)
        yield choices.integer(max(lowest, -width), min(highest, width))
    yield from (lowest - 1, highest + 1)


def around_powers(lowest: int, highest: int, steps: tuple[int, ...]) -> list[int]:
    """Return the numbers of a range at these distances from a power of two or its negative, and both ends."""
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
    """Yield mostly invalid bytes.

    They are cut, null, of impossible lengths, or varints of every broken form; then changed in structure as bodies are.
    """
    known = list(_broken(each))
    yield from known
    if each.schema is not None:
        changed = (case.wire for case in structural_cases(each.schema, Bases.usual(each.schema)))
        yield from (wire for wire in dict.fromkeys(changed) if wire not in known)


def _broken(each: Primitive) -> Iterator[bytes]:
    if each.schema is not None:
        yield from (case.wire for case in invalid_bytes(each.schema))
        yield from (bytes.fromhex(length) for length in LENGTHS)
    elif each.range is None:
        yield from map(bytes.fromhex, SECTIONS)
    yield from (wire for _, wire in mistakable_bytes(each))
    yield from map(bytes.fromhex, VARINTS)


def mistakable_bytes(each: Primitive) -> Iterator[tuple[str, bytes]]:
    """Yield valid bytes with one length, count, tag or size replaced by `mistakable`, by name."""
    if each.range is None:
        wire = SMALL_SECTION if each.schema is None else each.encode(populated(each.schema)["value"])
        for span, way, other in mistakable(wire, each.spans(wire)):
            yield f"{span.path}-{span.role}-{way}", other
