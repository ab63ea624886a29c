"""Drawn bytes by moves, for random search.

A value is edited where lengths change their form, and its encoding is corrupted in five ways. Random values alone
seldom have a text of 16,383 characters or an array of 128 elements. Mutants of varints and tags die several times as
fast on these bytes as on encodings of random values.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.choices import SeededChoices, pick
from conformance.generate.drawn_values import value_generator
from conformance.generate.edge_values import Bases
from conformance.generate.hostile_bodies import corrupted
from conformance.generate.structure import insertions_at, sections
from conformance.generate.value_paths import item_at, with_field
from reference import Encoded, Unencodable, encode
from reference.paths import without_indexes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.generate.choices import Choices
    from reference import FieldSchema, MessageSchema

Value = dict[str, Any]

EDITS = (0, 1, 1, 2)
"""The number of edits of a value; a number listed twice is twice as likely."""

SPLICED_ONE_IN = 3
OF_A_VALUE = 6
"""The number of byte strings made from one value: the valid encoding, and corruptions of it.

Each value costs as much as dozens of corruptions. With 21 of them, faults in valid values are found later, in cases and
in processor time; with 3, cases cost one and a half times as much.
"""

INSERTED_ONE_IN = 3
MUTATED_ONE_IN = 5

LARGEST = 1 << 18
"""The bytes of the longest encoding. Without it, arrays growing within grown arrays would take all memory."""

SIZES = (0, 1, 126, 127, 128, 16_382, 16_383, 16_384, 32_767, 32_768, 65_535)
"""The sizes where lengths change their form, and their neighbours."""

MOST_ELEMENTS = 128
"""The elements of the longest array. Its elements may be large."""

NULL = "null"


def moved_wire(schema: MessageSchema, index: int, seed: str) -> bytes:
    """Return the bytes of number `index`, always the same for one seed.

    The first bytes of each value are its valid encoding.
    """
    number, way = divmod(index, OF_A_VALUE)
    encoded = _moved(schema, f"moves/{schema}/{seed}/{number}")
    # Way 0 is the encoding itself, so a fault in valid values is found without a corruption.
    return _corrupted(encoded, SeededChoices(f"moves/{schema}/{seed}/{number}/{way}")) if way else encoded.wire


@lru_cache(maxsize=1)  # the bytes of one value follow each other
def _moved(schema: MessageSchema, seed: str) -> Encoded:
    """Return the encoding of an edited value."""
    choices = SeededChoices(seed)
    start = _start(schema, choices)
    return _encoded(schema, _edited(schema, start, choices)) or Encoded(schema, encode(schema, start))


def _corrupted(encoded: Encoded, choices: Choices) -> bytes:
    """Return an encoding with more entries in one tag section, or corrupted like other hostile bytes."""
    found = sections(encoded)
    if found and choices.below(INSERTED_ONE_IN) == INSERTED_ONE_IN - 1:
        return pick(choices, insertions_at(encoded, pick(choices, found))).made(encoded)
    return corrupted(encoded, choices, MUTATED_ONE_IN)


def _start(schema: MessageSchema, choices: Choices) -> Value:
    """Return a random value, or a base value of the deterministic hostile inputs."""
    bases = Bases.usual(schema)
    known = [value for value in (bases.minimal, bases.populated, bases.tagged) if value is not None]
    drawn = choices.below(2 * len(known))
    return known[drawn] if drawn < len(known) else _random(schema, choices)


def _random(schema: MessageSchema, choices: Choices) -> Value:
    value: Value = value_generator(schema)(choices)
    return value


def _edited(schema: MessageSchema, value: Value, choices: Choices) -> Value:
    for _ in range(pick(choices, EDITS)):
        if choices.below(SPLICED_ONE_IN) == SPLICED_ONE_IN - 1:
            value = spliced(schema, value, _random(schema, choices), choices)
        else:
            value = resized(schema, value, choices)
    return value


def resized(schema: MessageSchema, value: Value, choices: Choices) -> Value:
    """Return a value with one text, byte string or array resized, or one field set to null."""
    changes = [(place, size) for place in places(schema, value) for _, size in ways(place, value)]
    return with_size(value, *pick(choices, changes)) if changes else value


def spliced(schema: MessageSchema, value: Value, other: Value, choices: Choices) -> Value:
    """Return a value with one of its parts replaced by the part of another value at the same place.

    The value stays as it is if the two values share no place.
    """
    theirs = {place.shared_path: place.path for place in places(schema, other)}
    shared = [place for place in places(schema, value) if place.shared_path in theirs]
    if not shared:
        return value
    place = pick(choices, shared)
    return with_field(value, place.path, item_at(other, theirs[place.shared_path]))


def _encoded(schema: MessageSchema, value: Value) -> Encoded | None:
    """Return the encoding of a value, or None if it is too large or has none.

    A string of 32,768 bytes has no encoding.
    """
    try:
        wire = encode(schema, value)
    except Unencodable:
        return None
    return Encoded(schema, wire) if len(wire) <= LARGEST else None


class FieldPlace(NamedTuple):
    """A field of a value, or an element of an array.

    Attributes:
        path: its path, with indexes.
        field: the schema of the field or element.
    """

    path: str
    field: FieldSchema

    @property
    def shared_path(self) -> str:
        """The path without indexes, which elements of one array share."""
        return without_indexes(self.path)


def places(schema: MessageSchema, value: Value) -> Iterator[FieldPlace]:
    """Yield all places of a value with a size, or with a presence, to change."""
    for path, field, part in schema.body.parts(value):
        if field.nullable or isinstance(part, str | bytes | list):
            yield FieldPlace(path, field)


def ways(place: FieldPlace, value: Value) -> Iterator[tuple[str, int | None]]:
    """Yield the changes of one place as pairs of a name and a size, or None for null."""
    if place.field.nullable:
        yield NULL, None
    part = item_at(value, place.path)
    if isinstance(part, str | bytes | list) and part:
        longest = MOST_ELEMENTS if isinstance(part, list) else SIZES[-1]
        yield from ((f"size-{size}", size) for size in SIZES if size <= longest and size != len(part))


def with_size(value: Value, place: FieldPlace, size: int | None) -> Value:
    """Return a value with one text, byte string or array repeated or cut to a size, or set to null.

    The part must not be empty. A text is measured in characters, and a longer one is filled with `a`.
    """
    if size is None:
        return with_field(value, place.path, None)
    part = item_at(value, place.path)
    if isinstance(part, str):
        return with_field(value, place.path, part[:size].ljust(size, "a"))
    return with_field(value, place.path, (part * (size // len(part) + 1))[:size])
