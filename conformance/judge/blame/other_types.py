"""Fields that are taken for another type: what a person takes for each other, an array for one element and the reverse.

Integers of other widths are in `conformance.judge.blame.fault_models`: they are tried before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from conformance.judge.blame.wrong_forms import PREFIXES
from reference import ArrayType, FieldSchema, PrimitiveType

if TYPE_CHECKING:
    from collections.abc import Iterator

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
"""The types that a type is taken for, beside integers."""

_OF_NUMBERS = {"bool": "bool.byte", "float64": "float64.bits", "uuid": "uuid.byte-order"}
_EMPTY: dict[str, Any] = {"bool": False, "string": "", "bytes": b"", "records": b"", "float64": 0.0}


def rule_of_type(field: FieldSchema) -> str:
    """Return the rule of the first bytes of a field, which its type says."""
    if field.type in PREFIXES:
        return PREFIXES[field.type][field.compact]
    return _OF_NUMBERS.get(field.type, "int.width-and-order")


def retyped(field: FieldSchema) -> Iterator[FieldSchema]:
    """Yield a field with other types; structs are only taken for arrays of them, and the reverse."""
    if field.element is not None:
        yield replace(field, data_type=field.element.data_type, nullable=False, default=None)
    elif field.type != "struct":
        yield replace(field, data_type=ArrayType(_element(field)), default=[])
    for other in OTHERS.get(field.item.type, ()):
        primitive = PrimitiveType(other)
        if field.element is None:
            yield replace(field, data_type=primitive, default=_EMPTY.get(other))
        else:
            yield replace(field, data_type=ArrayType(replace(field.element, data_type=primitive)))


def _element(field: FieldSchema) -> FieldSchema:
    return FieldSchema(field.name, field.data_type, compact=field.compact, default=field.default)
