"""Sizes of a value.

A size is a number of tags, of bytes of a tag, of elements of an array, or of bytes of an array. No module imported here
imports hypothesis, whose import costs each child process a third of its start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference import TAGS
from reference.protocols import protocol_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import FieldSchema, MessageSchema

TAG_COUNT, TAG_BYTES, ELEMENTS, ARRAY_BYTES = "tags", "tag-bytes", "elements", "array-bytes"
DECOMPRESSED, FRAME_BYTES = "decompressed-bytes", "frame-bytes"
"""The names of sizes; the last two are those of frames around messages, and of their records."""


def sizes_of(schema: MessageSchema, value: dict[str, Any]) -> dict[str, int]:
    """Return the largest size of each kind in a value."""
    sizes: dict[str, int] = {}
    for name, size in _of_struct(schema.body, value):
        sizes[name] = max(size, sizes.get(name, 0))
    return sizes


def _of_struct(struct: FieldSchema, value: dict[str, Any]) -> Iterator[tuple[str, int]]:
    unknown = value.get(TAGS, ())
    known = [each for each in struct.fields if each.tag is not None and value.get(each.name) != each.default]
    yield TAG_COUNT, len(unknown) + len(known)
    yield from ((TAG_BYTES, len(content)) for _, content in unknown)
    yield from ((TAG_BYTES, _written(struct, each, value[each.name])) for each in known if each.name in value)
    for each in struct.fields:
        yield from _of_field(struct, each, value.get(each.name))


def _of_field(struct: FieldSchema, field: FieldSchema, value: Any) -> Iterator[tuple[str, int]]:
    if isinstance(value, list):
        yield from ((ELEMENTS, len(value)), (ARRAY_BYTES, _written(struct, field, value)))
        for item in value:
            yield from _of_field(struct, field.item, item)
    elif isinstance(value, dict):
        yield from _of_struct(field, value)


def _written(struct: FieldSchema, field: FieldSchema, value: Any) -> int:
    """Return the number of bytes of a field, without the tag and size of a tag section."""
    return len(protocol_of(struct.dialect).field(field, inside_tag=True).write(value))
