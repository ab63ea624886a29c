"""The cases of each wire type alone: what a codec in another language starts with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.generate.edges import UNKNOWN_TAGS
from conformance.generate.primitives import SECTIONS, VARINTS, around_powers
from conformance.golden.enumeration.byte_cases import byte_cases
from conformance.golden.enumeration.pairs import Depth
from conformance.golden.enumeration.value_cases import value_cases
from conformance.golden.enumeration.vector import Case, slug
from reference import TAGS
from reference.primitives import TAG_SECTION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.implementation.targets import WireType
    from reference import Primitive


def wire_type_cases(target: WireType) -> Iterator[Case]:
    """Yield every case of one wire type: numbers by their value, the others as a message of nothing but this type."""
    if target.primitive.range is not None:
        yield from _numbers(target.primitive, *target.primitive.range)
        return
    if target.message == TAG_SECTION:
        yield from _sections(target)
    yield from value_cases(target.schema, Depth.EVERYTHING)
    yield from byte_cases(target.schema, Depth.EVERYTHING)


def _sections(target: WireType) -> Iterator[Case]:
    """Yield a section with a tag of every width, one of two hundred tags, and sections that end too early."""
    for name, tags in {"every-width": UNKNOWN_TAGS, "two-hundred": range(200)}.items():
        yield Case(slug(TAGS, name), target.write([(tag, b"") for tag in tags]), ("UnknownTag",))
    for digits in filter(None, SECTIONS):
        yield Case(f"bytes-{digits}", bytes.fromhex(digits), ("TamperedTagSection",))


def _numbers(primitive: Primitive, lowest: int, highest: int) -> Iterator[Case]:
    """Yield both sides of every power of two, and bytes that are no sound number."""
    for number in around_powers(lowest, highest, (-1, 0)):
        yield Case(slug("number", f"={number}"), primitive.encode(number), ("NumberEdge",))
    for digits in VARINTS:
        yield Case(slug("bytes", digits or "none"), bytes.fromhex(digits), ("TamperedNumber",))
