"""Whether two values are the same value: floats by their bits, and nothing taken for granted about types."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from reference.definitions.model import INTEGER_RANGES
from reference.values.defaults import TAGS, is_default

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reference.schema import FieldSchema, MessageSchema

PYTHON_TYPES: dict[str, type] = {
    "bool": bool,
    "float64": float,
    "string": str,
    "uuid": UUID,
    "bytes": bytes,
    "records": bytes,
    "array": list,
    "struct": dict,
}


class Difference(NamedTuple):
    """The first place where two values differ."""

    path: str
    expected: Any
    actual: Any
    what: str
    """value, type, null, missing, extra, length, tags or absent"""


def equal(schema: MessageSchema, first: Any, second: Any) -> bool:
    """Whether both are the same value of `schema`; keys of fields that the version lacks are not looked at."""
    return difference(schema, first, second) is None


def difference(schema: MessageSchema, expected: Any, actual: Any, *, absent: bool = False) -> Difference | None:
    """The first difference, in the order of the definition; None if there is none.

    Args:
        schema: the message at one version.
        expected: a sound value.
        actual: anything at all.
        absent: whether fields of other versions must be at their defaults if they are there.
    """
    return _difference(schema.body, expected, actual, "", absent=absent)


def float_bits(number: float) -> bytes:
    """The eight bytes of a double: equal for equal NaNs, different for 0.0 and -0.0."""
    return struct.pack(">d", number)


def _difference(field: FieldSchema, expected: Any, actual: Any, path: str, *, absent: bool) -> Difference | None:
    if expected is None or actual is None:
        return None if expected is actual else Difference(path, expected, actual, "null")
    if not _has_type(field, actual):
        return Difference(path, expected, actual, "type")
    if field.type == "float64":
        same = float_bits(expected) == float_bits(actual)
    elif field.element is not None:
        return _array_difference(field.element, expected, actual, path, absent=absent)
    elif field.type == "struct":
        return _struct_difference(field, expected, actual, path, absent=absent)
    else:
        same = expected == actual
    return None if same else Difference(path, expected, actual, "value")


def _has_type(field: FieldSchema, value: Any) -> bool:
    if field.type in INTEGER_RANGES:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, PYTHON_TYPES[field.type])


def _array_difference(
    element: FieldSchema, expected: list[Any], actual: list[Any], path: str, *, absent: bool
) -> Difference | None:
    if len(expected) != len(actual):
        return Difference(path, expected, actual, "length")
    for index, (one, other) in enumerate(zip(expected, actual, strict=True)):
        found = _difference(element, one, other, f"{path}[{index}]", absent=absent)
        if found is not None:
            return found
    return None


def _struct_difference(
    struct_schema: FieldSchema, expected: Mapping[str, Any], actual: Mapping[str, Any], path: str, *, absent: bool
) -> Difference | None:
    prefix = f"{path}." if path else ""
    for field in struct_schema.fields:
        if field.name not in actual:
            return Difference(prefix + field.name, expected[field.name], None, "missing")
        found = _difference(field, expected[field.name], actual[field.name], prefix + field.name, absent=absent)
        if found is not None:
            return found
    return _extra_difference(struct_schema, expected, actual, prefix, absent=absent)


def _extra_difference(
    struct_schema: FieldSchema, expected: Mapping[str, Any], actual: Mapping[str, Any], prefix: str, *, absent: bool
) -> Difference | None:
    """Unknown tags, fields of other versions, and keys that nobody knows."""
    tags, other_tags = _tags(expected), _tags(actual)
    if tags != other_tags:
        return Difference(prefix + TAGS, tags, other_tags, "tags")
    if len(actual) == len(struct_schema.fields):
        return None
    names = {field.name for field in struct_schema.fields} | {TAGS}
    elsewhere = {field.name: field for field in struct_schema.absent_fields}
    for name, value in actual.items():
        if name in names:
            continue
        if name not in elsewhere:
            return Difference(f"{prefix}{name}", None, value, "extra")
        if absent and not is_default(elsewhere[name], value):
            return Difference(prefix + name, elsewhere[name].default, value, "absent")
    return None


def _tags(value: Mapping[str, Any]) -> Any:
    """The unknown tags in one form, whether pairs are tuples or lists; what is no list of pairs stays what it is."""
    tags = value.get(TAGS) or []
    if not isinstance(tags, list):
        return tags
    return [tuple(entry) if isinstance(entry, list) else entry for entry in tags]
