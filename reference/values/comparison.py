"""Compare two values, floats by their bits and any types with any other."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from reference.definitions.defaults import IMPLICIT_DEFAULTS
from reference.definitions.model import INTEGER_RANGES
from reference.paths import joined
from reference.values.defaults import TAGS, is_default

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reference.schema import FieldSchema, MessageSchema

PYTHON_TYPES = {
    **{name: type(value) for name, value in IMPLICIT_DEFAULTS.items()},
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
    """The kind of difference: value, type, null, missing, extra, length, tags or absent."""

    def inside(self, place: str) -> Difference:
        """Return the same difference between larger values with these at `place`, a name or an index as `[3]`."""
        return self._replace(path=joined(place, self.path))


def equal(schema: MessageSchema, first: Any, second: Any) -> bool:
    """Return whether both are the same value of `schema`. Keys of fields of other versions are ignored."""
    return difference(schema, first, second) is None


def difference(schema: MessageSchema, expected: Any, actual: Any, *, absent: bool = False) -> Difference | None:
    """Return the first difference between a valid value and any object in the order of the definition, or None.

    With `absent`, fields of other versions must be at their defaults if they are there.
    """
    return _comparison(schema, absent=absent)(expected, actual)


class Unknown:
    """Stands for a part of a value whose content is not known. It differs from nothing."""

    def __repr__(self) -> str:
        return "unknown"


UNKNOWN = Unknown()


def same_value(one: Any, other: Any) -> bool:
    """Return whether two objects have the same types and contents at every level, floats by their bits.

    >>> same_value([1], [True])
    False
    """
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same_value(item, other[name]) for name, item in one.items())
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same_value, one, other))
    return float_bits(one) == float_bits(other) if isinstance(one, float) else bool(one == other)


def float_bits(number: float) -> bytes:
    """Return the eight bytes of a double, equal for equal NaNs, and different for 0.0 and -0.0."""
    return struct.pack(">d", number)


Compare = Callable[[Any, Any], Difference | None]
"""A function for the first difference between an expected and an actual item, with the path inside them."""


@cache
def _comparison(schema: MessageSchema, *, absent: bool) -> Compare:
    """Return the function for comparing values of a message, made once, as some values have a million elements."""
    return _of_field(schema.body, absent=absent)


def _of_field(field: FieldSchema, *, absent: bool) -> Compare:
    """Return the function for comparing two items of a field. It reports null and other types before their contents."""
    if field.element is not None:
        return _of_kind(list, _of_array(_of_field(field.element, absent=absent)))
    if field.type == "struct":
        return _of_kind(dict, _of_struct(field, absent=absent))
    if field.type in INTEGER_RANGES:
        return _of_integers
    return _of_kind(PYTHON_TYPES[field.type], _of_floats if field.type == "float64" else _of_plain)


def _of_kind(kind: type, of_sound: Compare) -> Compare:
    def compare(expected: Any, actual: Any) -> Difference | None:
        if expected is None or actual is None:
            return _of_null(expected, actual)
        if not isinstance(actual, kind):
            return _of_type(expected, actual)
        return of_sound(expected, actual)

    return compare


def _of_integers(expected: Any, actual: Any) -> Difference | None:
    if type(actual) is int and expected == actual:
        return None
    if expected is None or actual is None:
        return _of_null(expected, actual)
    if not isinstance(actual, int) or isinstance(actual, bool):  # True equals 1 in Python
        return _of_type(expected, actual)
    return _of_plain(expected, actual)


def _of_null(expected: Any, actual: Any) -> Difference | None:
    return None if expected is actual or actual is UNKNOWN else Difference("", expected, actual, "null")


def _of_type(expected: Any, actual: Any) -> Difference | None:
    return None if actual is UNKNOWN else Difference("", expected, actual, "type")


def _of_floats(expected: Any, actual: Any) -> Difference | None:
    same = float_bits(expected) == float_bits(actual)
    return None if same else Difference("", expected, actual, "value")


def _of_plain(expected: Any, actual: Any) -> Difference | None:
    return None if expected == actual else Difference("", expected, actual, "value")


def _of_array(of_element: Compare) -> Compare:
    def compare(expected: list[Any], actual: list[Any]) -> Difference | None:
        if len(expected) != len(actual):
            return Difference("", expected, actual, "length")
        for index, (one, other) in enumerate(zip(expected, actual, strict=True)):
            found = of_element(one, other)
            if found is not None:
                return found.inside(f"[{index}]")
        return None

    return compare


def _of_struct(struct_schema: FieldSchema, *, absent: bool) -> Compare:
    members = tuple((field.name, _of_field(field, absent=absent)) for field in struct_schema.fields)
    count = len(members)

    def compare(expected: Mapping[str, Any], actual: Mapping[str, Any]) -> Difference | None:
        for name, of_member in members:
            if name not in actual:
                return Difference(name, expected[name], None, "missing")
            found = of_member(expected[name], actual[name])
            if found is not None:
                return found.inside(name)
        if TAGS not in expected and len(actual) == count:
            return None
        return _extra_difference(struct_schema, expected, actual, absent=absent)

    return compare


def _extra_difference(
    struct_schema: FieldSchema, expected: Mapping[str, Any], actual: Mapping[str, Any], *, absent: bool
) -> Difference | None:
    tags, other_tags = _tags(expected), _tags(actual)
    if not same_value(tags, other_tags):
        return Difference(TAGS, tags, other_tags, "tags")
    names = {field.name for field in struct_schema.fields} | {TAGS}
    elsewhere = {field.name: field for field in struct_schema.absent_fields}
    for name, value in actual.items():
        if name in names:
            continue
        if name not in elsewhere:
            return Difference(str(name), None, value, "extra")
        if absent and not _is_at_default(elsewhere[name], value):
            return Difference(name, elsewhere[name].default, value, "absent")
    return None


def _is_at_default(field: FieldSchema, value: Any) -> bool:
    has_type = isinstance(value, bool) == (field.type == "bool" and field.element is None)
    return has_type and is_default(field, value)


def _tags(value: Mapping[str, Any]) -> Any:
    """Return the unknown tags in one form, with pairs as tuples or lists, and anything that is no list unchanged."""
    tags = value.get(TAGS) or []
    if not isinstance(tags, list):
        return tags
    return [tuple(entry) if isinstance(entry, list) else entry for entry in tags]
