"""The default values of fields and messages, and the comparison with them (sections 2.2 and 4.1)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reference.definitions.model import INTEGER_RANGES

if TYPE_CHECKING:
    from reference.schema import FieldSchema, MessageSchema

TAGS = "_tags"
"""The key of the unknown tagged fields in a struct's value."""


def default(schema: MessageSchema) -> dict[str, Any]:
    """Return the value of a message without any field set.

    It is not always writable: even non-nullable records default to null (rule 4.2.2).
    """
    return {field.name: fresh(field.default) for field in schema.fields}


def minimal(schema: MessageSchema) -> dict[str, Any]:
    """Return the smallest writable value of a message, the default with empty records where null may not be written."""
    return {field.name: minimal_of(field) for field in schema.fields}


def minimal_of(field: FieldSchema) -> Any:
    """Return the smallest writable value of one field, its default if that is writable."""
    if field.default is None and not field.nullable:  # only records have such a default (rule 4.2.2)
        return b""
    if field.encoding is not None and field.tag is None:
        lowest, highest = INTEGER_RANGES[field.written_type]
        return field.default if lowest <= field.default <= highest else 0
    if field.type == "struct" and field.default is not None:
        return {each.name: minimal_of(each) for each in field.fields}
    return fresh(field.default)


def has_nan_elsewhere(field: FieldSchema, value: Any) -> bool:
    """Return whether a value holds a struct whose fields of other versions are not all at their defaults by themselves.

    NaN differs from itself: an untouched field that is NaN by default counts as set (rule 4.2.3), if not ignorable.
    """
    if value is None:
        return False
    if field.element is not None:
        return any(has_nan_elsewhere(field.element, item) for item in value)
    return has_nan_default(field) or any(has_nan_elsewhere(each, value[each.name]) for each in field.fields)


def has_nan_default(struct: FieldSchema) -> bool:
    """Return whether a struct has a field of other versions whose untouched value counts as set."""
    return not all(map(is_dropped_by_default, struct.absent_fields))


def is_dropped_by_default(absent: FieldSchema) -> bool:
    """Return whether every writer drops the default of a field of other versions, as ignorable or without NaN."""
    return absent.ignorable or not _has_nan(absent.default)


def _has_nan(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_nan, value.values()))
    return isinstance(value, float) and math.isnan(value)


def completed(schema: MessageSchema, value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value with a default for every missing field, at any depth. Parts of a wrong type stay unchanged."""
    whole: dict[str, Any] = _completed(schema.body, value)
    return whole


def _completed(field: FieldSchema, value: Any) -> Any:
    if field.element is not None and isinstance(value, list):
        return [_completed(field.element, item) for item in value] if field.element.fields else value
    if field.type != "struct" or not isinstance(value, Mapping):
        return value
    given = {each.name: _completed(each, value.get(each.name, fresh(each.default))) for each in field.fields}
    return {**value, **given}


def fresh(value: Any) -> Any:
    """Return a copy of a default that may be changed in place."""
    if isinstance(value, dict):
        return {key: fresh(item) for key, item in value.items()}
    return list(value) if isinstance(value, list) else value


def is_default(field: FieldSchema, value: Any) -> bool:
    """Return whether a value is the default of its field.

    The comparison is Apache Kafka's: NaN is never the default, -0.0 equals 0.0, a struct is compared whole, its unknown
    tags and the fields of other versions included (rules 2.2.1 to 2.2.8, 4.3.3).
    """
    if value is None or field.default is None:
        return value is None and field.default is None
    if field.type == "struct":
        return isinstance(value, Mapping) and _is_default_struct(field, value)
    if field.type in ("bytes", "array"):
        return len(value) == 0 if isinstance(value, bytes | list) else False
    return bool(value == field.default)


def _is_default_struct(field: FieldSchema, value: Mapping[str, Any]) -> bool:
    fields = (*field.fields, *field.absent_fields)
    return not value.get(TAGS) and all(is_default(each, value.get(each.name, each.default)) for each in fields)
