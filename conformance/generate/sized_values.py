"""Sound values of a message of any size: so many tags, bytes of a tag, elements of an array, bytes of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate.drawn_values import section_of, unknown_tags
from conformance.generate.sizes import ARRAY_BYTES, ELEMENTS, TAG_BYTES, TAG_COUNT, sizes_of
from reference import TAGS, minimal
from reference.values.defaults import minimal_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference import FieldSchema, MessageSchema

    Made = Callable[[int], dict[str, Any]]
    """Returns the value of a size."""

FIRST_TAG = 10_000
"""From here on no definition has tags."""

LONGEST = 30_000
"""Bytes of a text: two of them may differ by some."""


def sized_values(schema: MessageSchema) -> dict[str, Made]:
    """Return what makes values of each sort of size that a message can have.

    Elements are alike. Those that have a key are left out: readers that keep them by it may take long for many of one.
    """
    made: dict[str, Made] = {}
    if schema.flexible:
        made |= {TAG_COUNT: lambda size: _with_tags(schema, size), TAG_BYTES: lambda size: _with_tag(schema, size)}
    arrays = [field for field in schema.fields if field.element is not None and field.tag is None]
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
    """Return the name of a text in a struct, empty if the field is one itself; None: there is none."""
    if field.type == "string":
        return ""
    return next((each.name for each in field.fields if each.type == "string" and each.tag is None), None)


def _with_array(schema: MessageSchema, field: FieldSchema, size: int) -> dict[str, Any]:
    """Return a value with an array of so many bytes, of few as near to that as can be: of long texts, and two more."""
    item = _item(field.item, LONGEST)
    each = _size_of(schema, field, [item] * 2) - _size_of(schema, field, [item])
    whole = [item] * max(0, size // each - 1)
    rest = size - _size_of(schema, field, whole)
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
