"""The types with which the type of a field may be confused, and the rule of each type.

An array may be taken for one element, or the reverse. Integers of other widths are among the faults of structs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from reference import ArrayType, FieldSchema, PrimitiveType

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIXES = {
    "string": ("string.length", "string.compact-length"),
    "bytes": ("bytes.length", "bytes.compact-length"),
    "records": ("records.length", "records.compact-length"),
    "array": ("array.count", "array.compact-count"),
}
"""The rules on the length of a type's prefix, in other versions and in flexible ones."""


OTHERS = {
    "bool": ("int8",),
    "int8": ("bool",),
    "int64": ("float64",),
    "float64": ("int64",),
    "uuid": ("string", "bytes"),
    "string": ("bytes", "uuid"),
    "bytes": ("string", "uuid"),
    "records": ("string",),
}
"""The types with which a type may be confused, apart from integers."""

OF_NUMBERS = {"bool": "bool.byte", "float64": "float64.bits", "uuid": "uuid.byte-order"}
_EMPTY: dict[str, Any] = {"bool": False, "string": "", "bytes": b"", "records": b"", "float64": 0.0}


def rule_of_type(field: FieldSchema) -> str:
    """Return the rule of the first bytes of a field, by its type."""
    if field.type in PREFIXES:
        return PREFIXES[field.type][field.compact]
    return OF_NUMBERS.get(field.type, "int.width-and-order")


def retyped(field: FieldSchema) -> Iterator[FieldSchema]:
    """Yield a field with other types.

    Structs are confused only with arrays of them, and the reverse.
    """
    if field.element is not None:
        yield replace(field, data_type=field.element.data_type, nullable=False, default=None)
    elif field.type != "struct":
        yield replace(field, data_type=ArrayType(_element(field)), default=[])
    for other in OTHERS.get(field.item.type, ()):
        wrong = with_item(field, PrimitiveType(other))
        yield replace(wrong, default=_EMPTY.get(other)) if field.element is None else wrong


def with_item(field: FieldSchema, item: PrimitiveType) -> FieldSchema:
    """Return the field with another type, of its elements if it is an array."""
    if field.element is None:
        return replace(field, data_type=item)
    return replace(field, data_type=ArrayType(replace(field.element, data_type=item)))


def _element(field: FieldSchema) -> FieldSchema:
    return FieldSchema(field.name, field.data_type, compact=field.compact, default=field.default)
