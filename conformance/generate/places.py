"""The places of a value that can be changed: other sizes, null, and parts of other values."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple

from reference import TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import FieldSchema, MessageSchema

Value = dict[str, Any]

SIZES = (0, 1, 126, 127, 128, 16_382, 16_383, 16_384, 32_767, 32_768, 65_535)
"""Where lengths change their form, and their neighbours."""

MOST_ELEMENTS = 128
"""The longest array that is made: its elements may be large."""

NULL = "null"


class Place(NamedTuple):
    """A field of a value, or an element of an array.

    Attributes:
        path: the names of the fields on the way; elements of one array share it.
        field: its schema.
        steps: the keys and indexes on the way.
    """

    path: str
    field: FieldSchema
    steps: tuple[str | int, ...]


def places(schema: MessageSchema, value: Value) -> Iterator[Place]:
    """Yield all places of a value whose size or presence can be changed."""
    for field in schema.fields:
        yield from _within(field, value.get(field.name), Place(field.name, field, (field.name,)))


def _within(field: FieldSchema, value: Any, place: Place) -> Iterator[Place]:
    if field.nullable or isinstance(value, str | bytes | list):
        yield place
    if field.element is not None and isinstance(value, list):
        for index, item in enumerate(value):
            yield from _within(field.element, item, Place(f"{place.path}[]", field.element, (*place.steps, index)))
    if isinstance(value, dict):
        for inner in field.fields:
            if inner.name in value and inner.name != TAGS:
                step = Place(f"{place.path}.{inner.name}", inner, (*place.steps, inner.name))
                yield from _within(inner, value[inner.name], step)


def ways(place: Place, value: Value) -> Iterator[tuple[str, int | None]]:
    """Yield the changes of one place, by name: its sizes, and None for null."""
    if place.field.nullable:
        yield NULL, None
    part = at(value, place.steps)
    if isinstance(part, str | bytes | list) and part:
        longest = MOST_ELEMENTS if isinstance(part, list) else SIZES[-1]
        yield from ((f"size-{size}", size) for size in SIZES if size <= longest and size != len(part))


def at(value: Any, steps: tuple[str | int, ...]) -> Any:
    """Return the part of a value at the end of these steps."""
    for step in steps:
        value = value[step]
    return value


def with_size(value: Value, place: Place, size: int | None) -> Value:
    """Return a value in which one text, byte string or array, not an empty one, is repeated or cut to a size, or null.

    The size of a text is that of its characters, which become `a` where it grows.
    """
    if size is None:
        return with_part(value, place, None)
    part = at(value, place.steps)
    if isinstance(part, str):
        return with_part(value, place, part[:size].ljust(size, "a"))
    return with_part(value, place, (part * (size // len(part) + 1))[:size])


def with_part(value: Value, place: Place, part: Any) -> Value:
    """Return a value with another part at a place; nothing is shared with the value."""
    changed = deepcopy(value)
    at(changed, place.steps[:-1])[place.steps[-1]] = deepcopy(part)
    return changed
