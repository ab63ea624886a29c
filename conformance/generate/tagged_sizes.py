"""Tagged fields whose contents have the sizes at which the varint of a size takes one more byte.

A size counts all of a field's content: the count of an array, the marker of a struct that may be null. Who leaves one
out, or counts it twice, writes the right bytes for all other sizes (KAFKA-18199). A text cannot have each of these
sizes, for its own length takes a byte more there.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reference.protocols import protocol_of
from reference.values.defaults import minimal_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reference import FieldSchema

SIZES = (*range(126, 130), *range(16_382, 16_386))
"""On both sides of the steps, with a byte in front counted or not."""

STRETCHED: dict[str, str | bytes] = {"string": "s", "bytes": b"\xca", "records": b"\xca"}
"""What texts and bytes are made of."""


def sized_contents(field: FieldSchema, dialect: str) -> Iterator[tuple[int, Any]]:
    """Yield the sizes that the content of a tagged field can have, each with a value of the field."""
    if not (field.element is not None or field.type == "struct"):
        return
    wire_type = protocol_of(dialect).field(field, inside_tag=True)
    for size in SIZES:
        for made in _stretches(field):
            value = _of_size(made, lambda value: len(wire_type.write(value)), size)
            if value is not None:
                yield size, value
                break


def _of_size(made: Callable[[int], Any], size_of: Callable[[Any], int], size: int) -> Any:
    """Return the value of a size, of those that grow with a number; None if there is none."""
    low, high = 0, size
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if size_of(made(middle)) >= size else (middle + 1, high)
    value = made(low)
    return value if size_of(value) == size else None


def _stretches(field: FieldSchema) -> Iterator[Callable[[int], Any]]:
    """Yield functions of a number, each of which returns a value of the field that is longer for a larger one."""
    element = field.element
    if element is not None:
        for inner in _stretches(element):
            yield partial(_in_array, inner)
        item = minimal_of(element)
        yield lambda number: [item] * number
    elif field.type == "struct":
        smallest = {each.name: minimal_of(each) for each in field.fields}
        for each in field.fields:
            for inner in _stretches(each) if each.tag is None else ():
                yield partial(_in_struct, smallest, each.name, inner)
    elif field.type in STRETCHED:
        unit = STRETCHED[field.type]
        yield lambda number: unit * number


def _in_array(inner: Callable[[int], Any], number: int) -> Any:
    return [inner(number)]


def _in_struct(smallest: dict[str, Any], name: str, inner: Callable[[int], Any], number: int) -> Any:
    return {**smallest, name: inner(number)}
