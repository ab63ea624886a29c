"""Values as near to a wanted one as an implementation takes: what it refuses is replaced, field by field.

Inputs that must be rejected are made from valid ones. If an implementation refuses the valid one already, say for an
error code outside its enum, the inputs prove nothing. So they are made from a value that it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple
from uuid import UUID

from conformance.generate.edges import FLOATS
from reference import TAGS, FieldSchema, MessageSchema, minimal
from reference.definitions.model import INTEGER_RANGES
from reference.paths import joined
from reference.values.defaults import minimal_of

Value = dict[str, Any]
Takes = Callable[[Any], bool]

DROPPED = object()
"""No item: the field is left out."""

MAXIMUM_TRIES = 500
"""The number of values that are tried for one wanted value."""

NUMBERS = (5_000, 1, 0, -1)
"""Numbers that are tried in place of a refused one; 5000 is sound as a time, a duration, a size, an offset.

35 is none: with that error code ApiVersionsResponse may be read in version 0, and what is made of it is not judged.
"""

_OTHERS: dict[str, tuple[Any, ...]] = {
    "bool": (True, False),
    "float64": (FLOATS["one-and-a-half"], 0.0),
    "string": ("a", "1", ""),
    "uuid": (UUID(int=1), UUID(int=0)),
    "bytes": (b"\0", b""),
    "records": (b"",),
}


class StartContent(NamedTuple):
    """What every number, text and array of a start value is."""

    number: int
    text: str
    is_present: bool
    """Whether each array has an element, and each struct that may be null is present."""
    is_tagged: bool
    """Whether each tagged field is set, too: else it is read at its default, which may be refused."""


STARTS = tuple(
    StartContent(number, text, is_present, is_tagged)
    for is_tagged, number, text, is_present in product((False, True), NUMBERS[::-1], ("topic", "1", ""), (True, False))
)


def adapted(schema: MessageSchema, wanted: Value, takes: Takes) -> Value | None:
    """Return the value nearest to `wanted` that is found for which `takes` holds; None if none is found.

    Deterministic: the same for the same answers of `takes`.
    """
    search = _Search(takes)
    if search.holds(wanted):
        return wanted
    start = search.start(schema.body, lambda tried: tried, minimal(schema))
    return None if start is None else search.struct(schema.body, start, wanted, lambda tried: tried)


class _Search:
    """Moves a value that is taken towards a wanted one, with a bound on the number of tries."""

    def __init__(self, takes: Takes) -> None:
        self._takes = takes
        self._tries = 0

    def holds(self, message: Any) -> bool:
        self._tries += 1
        return self._tries <= MAXIMUM_TRIES and self._takes(message)

    def start(self, field: FieldSchema, whole: Callable[[Any], Any], *first: Any) -> Any:
        """Return a value of `field` that is taken, plain in all of its fields; None if there is none."""
        choices = (choice for choice in STARTS if not choice.is_tagged or _has_tagged(field))
        starts = (*first, *(_uniform(field, choice) for choice in choices))
        return next((value for value in starts if self.holds(whole(value))), None)

    def field(self, field: FieldSchema, current: Any, wanted: Any, whole: Callable[[Any], Any]) -> Any:
        """Return the value of `field` nearest to `wanted` that is taken; `current` is."""
        if current == wanted or self.holds(whole(wanted)):
            return wanted
        if isinstance(wanted, list) and field.element is not None:
            return self._array(field.element, current, wanted, whole)
        if isinstance(wanted, dict):
            current = current or self.start(field, whole)
            return current if current is None else self.struct(field, current, wanted, whole)
        if wanted is None:
            return current
        others = (value for value in _others(field) if value != current and type(value) is type(wanted))
        return next((value for value in others if self.holds(whole(value))), current)

    def struct(self, struct: FieldSchema, current: Value, wanted: Value, whole: Callable[[Any], Any]) -> Value:
        for field in struct.fields:
            setter = _setter(whole, current, field.name)
            current = {**current, field.name: self.field(field, current[field.name], wanted[field.name], setter)}
        tagged = {**current, **{name: tags for name, tags in wanted.items() if name == TAGS}}
        return tagged if tagged != current and self.holds(whole(tagged)) else current

    def _array(self, element: FieldSchema, current: Any, wanted: list[Any], whole: Callable[[Any], Any]) -> Any:
        """Return an array with the wanted elements as far as they are taken; at least one, if any is."""
        items: list[Any] = []
        for item in wanted:
            behind = _appender(whole, items)
            first = self.start(element, behind)
            if first is None:
                break
            items = [*items, self.field(element, first, item, behind)]
        return items or current


def _setter(whole: Callable[[Any], Any], value: Value, name: str) -> Callable[[Any], Any]:
    return lambda tried: whole({**value, name: tried})


def _appender(whole: Callable[[Any], Any], items: list[Any]) -> Callable[[Any], Any]:
    return lambda tried: whole([*items, tried])


def _has_tagged(field: FieldSchema) -> bool:
    return any(each.tag is not None or _has_tagged(each) for each in field.item.fields)


def _uniform(field: FieldSchema, choice: StartContent) -> Any:
    if (field.tag is not None and not choice.is_tagged) or (field.nullable and not choice.is_present):
        return minimal_of(field)
    if field.element is not None:
        return [_uniform(field.element, choice)] if choice.is_present else []
    if field.type == "struct":
        return {each.name: _uniform(each, choice) for each in field.fields}
    if field.type == "string":
        return choice.text
    return choice.number if field.type in INTEGER_RANGES and choice.number in _others(field) else minimal_of(field)


def _others(field: FieldSchema) -> tuple[Any, ...]:
    """Return what may stand in place of a refused scalar, the most telling first."""
    if field.type not in INTEGER_RANGES:
        return _OTHERS[field.type]
    lowest, highest = INTEGER_RANGES[field.written_type]
    return tuple(number for number in (*NUMBERS, field.default) if lowest <= number <= highest)


def changes(wanted: Any, value: Any, path: str = "") -> Iterator[str]:
    """Yield the paths, without indices, where a value is not the wanted one."""
    if isinstance(wanted, dict) and isinstance(value, dict):
        for name, item in wanted.items():
            yield from changes(item, value.get(name), joined(path, name) if path else name)
    elif isinstance(wanted, list) and isinstance(value, list) and len(wanted) == len(value):
        for item, other in zip(wanted, value, strict=True):
            yield from changes(item, other, path)
    elif wanted != value:
        yield path


def with_field(value: Any, path: str, item: Any) -> Any:
    """Return a value with `item` at a path without indices, in every array element; `DROPPED` leaves it out."""
    return _with_field(value, path.split("."), item)


def _with_field(value: Any, steps: list[str], item: Any) -> Any:
    if isinstance(value, list):
        return [_with_field(element, steps, item) for element in value]
    if not isinstance(value, dict) or steps[0] not in value:
        return value
    rest = {name: other for name, other in value.items() if name != steps[0]}
    if len(steps) > 1:
        return {**rest, steps[0]: _with_field(value[steps[0]], steps[1:], item)}
    return rest if item is DROPPED else {**rest, steps[0]: item}


def item_at(value: Any, path: str) -> Any:
    """Return what is at a path without indices, in the first element of each array; `DROPPED` if nothing is."""
    for name in path.split("."):
        value = value[0] if isinstance(value, list) and value else value
        if not isinstance(value, dict) or name not in value:
            return DROPPED
        value = value[name]
    return value
