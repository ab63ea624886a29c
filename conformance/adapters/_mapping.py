"""Conversions between the suite's values and an implementation's own types, put together from parts.

An adapter with classes for messages needs three things: a conversion for each type of scalar in another form, the
alignment of a schema's fields with the attributes of a class, and these functions. They make one conversion for a whole
message of the two:

    fields = [Aligned("Topics", "topics", array(topic)), Aligned("TimeoutMs", "timeout_ms", SAME)]
    message = Conversion(struct_to(fields, DeleteTopicsRequest, check_names), struct_back(fields))

All reflection is done once for each schema. Only values that differ between both sides are converted. A value beyond an
implementation's types is `Unrepresentable`, with the path of the field. A value of an unexpected type goes through
unchanged, so that the implementation refuses it itself.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.adapter import Unrepresentable, Unsupported

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference import FieldSchema

Convert = Callable[[Any], Any]


class Conversion(NamedTuple):
    """Functions for a value to an implementation and back, None for one that is the same on both sides."""

    to: Convert | None = None
    back: Convert | None = None


SAME = Conversion()


class Aligned(NamedTuple):
    """A field of a schema, and its attribute in an implementation's class."""

    name: str
    attribute: str
    conversion: Conversion


def paired(ours: Sequence[FieldSchema], theirs: Sequence[Any], whose: str) -> list[tuple[FieldSchema, Any]]:
    """Pair fields by position, or raise `Unsupported` about the class `whose` if their numbers differ."""
    if len(theirs) != len(ours):
        raise Unsupported(
            f"{whose} has the fields {', '.join(field.name for field in theirs) or 'none'}, "
            f"the definition {', '.join(field.name for field in ours) or 'none'}"
        )
    return list(zip(ours, theirs, strict=True))


def spelling(name: str) -> str:
    """Return a name in lower case without underscores, for comparison."""
    return name.replace("_", "").lower()


def array(element: Conversion, make: type = list) -> Conversion:
    """Return the conversion of an array with such elements. The implementation holds the array in a `make`."""
    convert, convert_back = element

    def to(values: Any) -> Any:
        if type(values) is not list:
            return values
        return make(values if convert is None else converted(convert, values))

    def back(values: Any) -> Any:
        if values is None:
            return None
        return list(values) if convert_back is None else [convert_back(value) for value in values]

    return Conversion(to, back)


def converted(convert: Convert, values: list[Any]) -> list[Any]:
    """Convert each element. The path of an `Unrepresentable` gets the index of the element."""
    done: list[Any] = []
    try:
        for value in values:
            done.append(convert(value))  # noqa: PERF401  # its length is the index of the one that fails
    except Unrepresentable as error:
        raise error.under(f"[{len(done)}]") from None
    return done


def struct_to(fields: Sequence[Aligned], make: Callable[..., Any], check: Callable[[dict[str, Any]], None]) -> Convert:
    """Return a function from a struct's value to its object, a `make` with attributes by name.

    `check` raises `Unrepresentable` for a value with other fields, or too few.
    """
    steps = {field.name: (field.attribute, field.conversion.to) for field in fields}

    def to(value: Any) -> Any:
        if type(value) is not dict:
            return value
        check(value)
        attributes = {}
        name = ""
        try:
            for name, item in value.items():
                if name in steps:
                    attribute, convert = steps[name]
                    attributes[attribute] = item if convert is None else convert(item)
        except Unrepresentable as error:
            raise error.under(name) from None
        return make(**attributes)

    return to


def struct_back(fields: Sequence[Aligned]) -> Convert:
    """Return a function from an object to its struct's value. None stays None."""
    names = [field.name for field in fields]
    get = _getter([field.attribute for field in fields])
    differing = [(field.name, field.conversion.back) for field in fields if field.conversion.back is not None]

    def back(entity: Any) -> Any:
        if entity is None:
            return None
        value = dict(zip(names, get(entity), strict=True))
        for name, convert in differing:
            value[name] = convert(value[name])
        return value

    return back


def _getter(attributes: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(attributes) > 1:
        get: Callable[[Any], tuple[Any, ...]] = attrgetter(*attributes)
        return get
    return lambda entity: tuple(getattr(entity, attribute) for attribute in attributes)
