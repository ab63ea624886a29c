"""Valid values of a message of any size.

A size is a number of tags, of bytes of a tag, of elements of an array, or of bytes of an array. Contents of tagged
fields have the sizes at which the varint of a size grows by one byte. A size counts all of a field's content: the count
of an array, the marker of a nullable struct. A writer with one of them missing, or counted twice, writes the right
bytes for all other sizes (KAFKA-18199). A text cannot have each of these sizes, for its own length takes a byte more
there.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from conformance.generate.drawn_values import section_of, unknown_tags
from conformance.generate.sizes import ARRAY_BYTES, ELEMENTS, TAG_BYTES, TAG_COUNT, sizes_of
from reference import TAGS, minimal
from reference.protocols import protocol_of
from reference.values.defaults import minimal_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference import FieldSchema, MessageSchema

    Made = Callable[[int], dict[str, Any]]
    "Returns the value of a size."
    from collections.abc import Iterator

FIRST_TAG = 10_000
"""From here on no definition has tags."""

LONGEST = 30_000
"""Bytes of a text. The lengths of two texts may differ a little."""


def sized_values(schema: MessageSchema) -> dict[str, Made]:
    """Return a maker of values for each kind of size possible in a message.

    Elements are equal. Arrays of elements with a key are left out: readers with a map of keys may take long for many
    equal ones.
    """
    made: dict[str, Made] = {}
    if schema.flexible:
        made |= {TAG_COUNT: lambda size: _with_tags(schema, size), TAG_BYTES: lambda size: _with_tag(schema, size)}
    arrays = [field for field in schema.fields if field.element_with_bytes and field.tag is None]
    arrays = [field for field in arrays if not any(each.map_key for each in field.item.fields)]
    arrays.sort(key=lambda field: len(field.item.fields))
    if arrays:
        made[ELEMENTS] = lambda size: {**minimal(schema), arrays[0].name: [minimal_of(arrays[0].item)] * size}
    with_texts = next((field for field in arrays if _text_in(field.item) is not None), None)
    if with_texts is not None:
        made[ARRAY_BYTES] = lambda size: _with_array(schema, with_texts, size)
    return made


def _with_tags(schema: MessageSchema, count: int) -> dict[str, Any]:
    content = bytes(section_of(schema.struct).smallest_unknown)
    return {**minimal(schema), TAGS: [(FIRST_TAG + number, content) for number in range(count)]}


def _with_tag(schema: MessageSchema, size: int) -> dict[str, Any]:
    return {**minimal(schema), TAGS: [(unknown_tags(schema.struct)[0], bytes(size))]}


def _text_in(field: FieldSchema) -> str | None:
    """Return the name of a text in a struct, or None if there is none.

    The name is empty if the field is a text itself.
    """
    if field.type == "string":
        return ""
    return next((each.name for each in field.fields if each.type == "string" and each.tag is None), None)


def _with_array(schema: MessageSchema, field: FieldSchema, size: int) -> dict[str, Any]:
    """Return a value with an array of `size` bytes, or of the nearest number of bytes below if this is impossible.

    The array has long texts, and two more of fitting lengths.
    """
    item = _item(field.item, LONGEST)
    each = _size_of(schema, field, [item] * 2) - _size_of(schema, field, [item])
    whole = [item] * max(0, size // each - 1)
    rest = size - _size_of(schema, field, whole)
    # One text skips a size where its own length grows by a byte; the second one fills the gap.
    for length in range(max(0, rest - 100) // 2, rest // 2 + 1):
        for other in (length, length + 1):
            filled = [*whole, _item(field.item, length), _item(field.item, other)]
            if _size_of(schema, field, filled) == size:
                return {**minimal(schema), field.name: filled}
    return {**minimal(schema), field.name: whole}


def _item(element: FieldSchema, length: int) -> Any:
    name = _text_in(element)
    text = "s" * length
    return {**minimal_of(element), name: text} if name else text


def _size_of(schema: MessageSchema, field: FieldSchema, items: list[Any]) -> int:
    return sizes_of(schema, {**minimal(schema), field.name: items})[ARRAY_BYTES]


SIZES = (*range(126, 130), *range(16_382, 16_386))
"""Sizes on both sides of the steps, with a leading byte counted or not."""

STRETCHED: dict[str, str | bytes] = {"string": "s", "bytes": b"\xca", "records": b"\xca"}
"""The unit of long texts and bytes."""


def sized_contents(field: FieldSchema, dialect: str) -> Iterator[tuple[int, Any]]:
    """Yield pairs of a size possible for the content of a tagged field, and a value of the field."""
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
    """Return the value of a size from a series of growing values, or None if there is none."""
    low, high = 0, size
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if size_of(made(middle)) >= size else (middle + 1, high)
    value = made(low)
    return value if size_of(value) == size else None


def _stretches(field: FieldSchema) -> Iterator[Callable[[int], Any]]:
    """Yield functions from a number to a value of the field, longer for a larger number."""
    element = field.element_with_bytes
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
