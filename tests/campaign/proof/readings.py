"""Values that the second codec writes by one definition and reads by another.

Fields are compared by their places: a tag, or the position among fields without one.
"""

from __future__ import annotations

import struct
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from reference.resolution import resolve
from tests.second_codec import bodies
from tests.second_codec.steps import WIDTHS, Input, NotTaken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import FieldSchema, MessageSchema
    from reference.definitions.model import Definition

Place = tuple[bool, int]
DEFAULTS = NULLS = 0.3
"""The share of tagged fields at their default, and of nulls."""


def changed(old: Definition, new: Definition, version: int, seed: str, count: int = 40) -> bool:
    """Return whether one side refuses, or reads as something else, what the other writes in a version of both."""
    sides = resolve(old, version), resolve(new, version)
    return any(_misread(writer, reader, Random(seed), count) for writer, reader in (sides, sides[::-1]))  # noqa: S311


def _misread(writer: MessageSchema, reader: MessageSchema, random: Random, count: int) -> bool:
    for _ in range(count):
        value = _drawn(writer.body, random)
        try:
            read, source = bodies.read(reader.struct, bodies.write(writer.struct, value))
        except NotTaken:
            return True
        if source.is_open or source.left or not _same(writer.body, reader.body, value, read):
            return True
    return False


def _drawn(field: FieldSchema, random: Random) -> Any:
    if field.tag is not None and random.random() < DEFAULTS:
        return _present(field, field.default)
    if field.nullable and random.random() < NULLS:
        return None
    if field.type == "struct":
        return {each.name: _drawn(each, random) for each in field.fields}
    if field.element is not None:
        return [_drawn(field.element, random) for _ in range(random.randrange(3))]
    if field.type not in WIDTHS:
        text = "".join(random.choices("abcxyz0", k=random.randrange(6)))
        return text if field.type == "string" else text.encode()
    bits = 8 * WIDTHS[field.type]
    number = random.choice((0, 1, 2, 1 << bits - 1, random.getrandbits(bits)))
    return Input(number.to_bytes(bits // 8)).number("", field.type)


def _present(field: FieldSchema, value: Any) -> Any:
    """Return a value, or empty records for a null that may not be written."""
    return b"" if value is None and not field.nullable else value


def _same(old: FieldSchema, new: FieldSchema, one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        pairs = _pairs(old, new)
        return pairs is not None and all(_same(a, b, one[a.name], other[b.name]) for a, b in pairs)
    if old.element is not None and new.element is not None and one is not None and other is not None:
        return len(one) == len(other) and all(map(partial(_same, old.element, new.element), one, other))
    if isinstance(one, float) and isinstance(other, float):
        return struct.pack(">d", one) == struct.pack(">d", other)
    one, other = _present(old, one), _present(new, other)
    return type(one) is type(other) and bool(one == other)


def _pairs(old: FieldSchema, new: FieldSchema) -> list[tuple[FieldSchema, FieldSchema]] | None:
    """Return the fields at the places of both structs, or None if they are not in the same places.

    A place of one struct alone is that of a tag.
    """
    sides = dict(_places(old)), dict(_places(new))
    names = [{field.name: place for place, field in side.items()} for side in sides]
    moved = any(names[0][name] != names[1][name] for name in names[0].keys() & names[1].keys())
    alone = any(not is_tag for is_tag, _ in sides[0].keys() ^ sides[1].keys())
    if moved or alone or not _same_absent(old, new):
        return None
    return [(sides[0][place], sides[1][place]) for place in sides[0].keys() & sides[1].keys()]


def _places(struct: FieldSchema) -> Iterator[tuple[Place, FieldSchema]]:
    yield from (((True, each.tag), each) for each in struct.fields if each.tag is not None)
    untagged = (each for each in struct.fields if each.tag is None)
    yield from (((False, at), each) for at, each in enumerate(untagged))


def _same_absent(old: FieldSchema, new: FieldSchema) -> bool:
    """Return whether fields of other versions have the same defaults."""
    after = {each.name: each for each in new.absent_fields}
    pairs = [(before, after[before.name]) for before in old.absent_fields if before.name in after]
    return all(_same(one, other, one.default, other.default) for one, other in pairs)
