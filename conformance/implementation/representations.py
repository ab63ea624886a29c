"""What null stands for where an implementation declares a representation: see `conformance.adapter.REPRESENTATIONS`.

The suite compares under that reading: a null that was read counts as the value that it stands for, and a null that was
handed to a writer must be written as that value.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from conformance.adapter import REPRESENTATIONS
from reference.values.defaults import minimal_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference import FieldSchema, MessageSchema

Names = frozenset[str]

READ = frozenset(("absent-struct-as-null", "zero-uuid-as-null"))
"""The representations in which a reader returns null, too."""

_APPLIES: dict[str, Callable[[FieldSchema, int], bool]] = {
    "absent-struct-as-null": lambda field, _version: field.type == "struct" and field.tag is not None,
    "null-array-as-empty": lambda field, version: field.element is not None and version == 0,
    "zero-uuid-as-null": lambda field, _version: field.type == "uuid",
}


def representation_of(field: FieldSchema, version: int, names: Names = frozenset(REPRESENTATIONS)) -> str | None:
    """Return by which of these representations null stands for a value of the field; None: by none of them."""
    if field.nullable:
        return None
    return next((name for name in sorted(names) if _APPLIES[name](field, version)), None)


def restored(schema: MessageSchema, value: Any, names: Names) -> Any:
    """Return a value with what its nulls stand for in their place; the same object if there are none."""
    return _restored(schema.body, value, schema.version, names) if _has_any(schema, names) else value


@cache
def _has_any(schema: MessageSchema, names: Names) -> bool:
    """Return whether null may stand for a value anywhere in a message."""

    def has_any(field: FieldSchema) -> bool:
        inner = (*field.fields, *((field.element,) if field.element is not None else ()))
        return representation_of(field, schema.version, names) is not None or any(map(has_any, inner))

    return bool(names) and any(map(has_any, schema.fields))


def _restored(field: FieldSchema, value: Any, version: int, names: Names) -> Any:
    if value is None:
        return None if representation_of(field, version, names) is None else minimal_of(field)
    if field.element is not None and isinstance(value, list):
        return [_restored(field.element, item, version, names) for item in value]
    if field.type != "struct" or not isinstance(value, dict):
        return value
    inner = {each.name: each for each in field.fields}
    return {
        name: _restored(inner[name], item, version, names) if name in inner else item for name, item in value.items()
    }
