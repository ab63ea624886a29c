"""Which field of a message a path names, and how the types of fields are called.

>>> from reference import load_release
>>> type_name(field_at(load_release("4.3.0").schema("MetadataRequest", 12), "Topics[0].Name"))
'compact-nullable-string'
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from reference import ArrayType

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import FieldSchema, MessageSchema

KEY = re.compile(r"\[(\d+)\]|[^.\[\]]+")


def keys_of(path: str) -> Iterator[str | int]:
    """Yield the names and the indexes in a path.

    >>> list(keys_of("Topics[0].Name"))
    ['Topics', 0, 'Name']
    """
    for match in KEY.finditer(path):
        yield match[0] if match[1] is None else int(match[1])


def field_at(schema: MessageSchema, path: str) -> FieldSchema | None:
    """Return the field at a path, or the element of an array; None if the message has none there."""
    field: FieldSchema | None = schema.body
    for key in keys_of(path):
        if field is None:
            return None
        if isinstance(key, int):
            field = field.element
        else:
            field = next((each for each in field.fields if each.name == key), None)
    return field


def type_name(field: FieldSchema | None) -> str:
    """Return the name of a field's type, as `compact-nullable-array`; empty without a field."""
    if field is None:
        return ""
    is_compact = field.compact and field.type in {"string", "bytes", "records", "array"}
    form = "compact-" * is_compact + "nullable-" * field.nullable
    return f"{form}{field.type}" + (f" as {field.encoding}" if field.encoding else "")


def width_of_length(field: FieldSchema) -> int:
    """Return how many bytes the length or count of a field takes in versions that are not flexible."""
    is_short = field.type == "string" and not isinstance(field.data_type, ArrayType)
    return 2 if is_short else 4
