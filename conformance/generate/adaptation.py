"""Base values adapted to an implementation.

Inputs with an expected rejection are made from valid values. If an implementation refuses the valid value already, say
for an error code outside its enum, the inputs prove nothing. So each refused field of the value gets another value, and
the inputs are made from the result, which the implementation accepts.
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
Accepts = Callable[[Any], bool]

MAXIMUM_TRIES = 500
"""The number of values tried for one target value."""

NUMBERS = (5_000, 1, 0, -1)
"""Numbers tried in place of a refused one; 5000 is valid as a time, a duration, a size and an offset.

35 is not among them: with that error code ApiVersionsResponse may be read in version 0, and the suite does not judge
the result of such a reading.
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
    """The content of every number, text and array of a start value."""

    number: int
    text: str
    is_present: bool
    """Whether each array has an element, and each nullable struct is present."""
    is_tagged: bool
    """Whether each tagged field is set too. Otherwise it has its default, which may be refused."""


STARTS = tuple(
    StartContent(number, text, is_present, is_tagged)
    for is_tagged, number, text, is_present in product((False, True), NUMBERS[::-1], ("topic", "1", ""), (True, False))
)


def adapted(schema: MessageSchema, target: Value, accepts: Accepts) -> Value | None:
    """Return the accepted value nearest to `target`, or None if the search finds none.

    The search is deterministic: the same answers of `accepts` give the same value.
    """
    search = _Search(accepts)
    if search.holds(target):
        return target
    start = search.start(schema.body, lambda tried: tried, minimal(schema))
    return None if start is None else search.struct(schema.body, start, target, lambda tried: tried)


class _Search:
    """A search from an accepted value towards a target, with a bound on the number of tries."""

    def __init__(self, accepts: Accepts) -> None:
        self._accepts = accepts
        self._tries = 0

    def holds(self, message: Any) -> bool:
        self._tries += 1
        return self._tries <= MAXIMUM_TRIES and self._accepts(message)

    def start(self, field: FieldSchema, whole: Callable[[Any], Any], *first: Any) -> Any:
        """Return an accepted value of `field`, plain in all of its fields, or None if none is found."""
        has_tagged = any(each.tag is not None for _, each in field.within())
        choices = (choice for choice in STARTS if has_tagged or not choice.is_tagged)
        starts = (*first, *(_uniform(field, choice) for choice in choices))
        return next((value for value in starts if self.holds(whole(value))), None)

    def field(self, field: FieldSchema, current: Any, target: Any, whole: Callable[[Any], Any]) -> Any:
        """Return the accepted value of `field` nearest to `target`.

        The value `current` is accepted already.
        """
        if current == target or self.holds(whole(target)):
            return target
        if isinstance(target, list) and field.element is not None:
            return self._array(field.element, current, target, whole)
        if isinstance(target, dict):
            current = current or self.start(field, whole)
            return current if current is None else self.struct(field, current, target, whole)
        if target is None:
            return current
        others = (value for value in _others(field) if value != current and type(value) is type(target))
        return next((value for value in others if self.holds(whole(value))), current)

    def struct(self, struct: FieldSchema, current: Value, target: Value, whole: Callable[[Any], Any]) -> Value:
        for field in struct.fields:
            put = setter(whole, current, field.name)
            current = {**current, field.name: self.field(field, current[field.name], target[field.name], put)}
        tagged = {**current, **{name: tags for name, tags in target.items() if name == TAGS}}
        return tagged if tagged != current and self.holds(whole(tagged)) else current

    def _array(self, element: FieldSchema, current: Any, target: list[Any], whole: Callable[[Any], Any]) -> Any:
        """Return an array of the accepted elements nearest to the target's.

        It has at least one element if any element is accepted.
        """
        items: list[Any] = []
        for item in target:
            whole_array = replacer(whole, items, [])
            first = self.start(element, whole_array)
            if first is None:
                break
            items = [*items, self.field(element, first, item, whole_array)]
        return items or current


def setter(whole: Callable[[Any], Any], value: Value, name: str) -> Callable[[Any], Any]:
    """Return a function to put a member into a struct, and this into its message."""
    return lambda tried: whole({**value, name: tried})


def replacer(whole: Callable[[Any], Any], before: list[Any], after: list[Any]) -> Callable[[Any], Any]:
    """Return a function to put an element into an array between others, and this into its message."""
    return lambda tried: whole([*before, tried, *after])


def _uniform(field: FieldSchema, choice: StartContent) -> Any:
    if (field.tag is not None and not choice.is_tagged) or (field.nullable and not choice.is_present):
        return minimal_of(field)
    if field.element is not None:
        return [_uniform(each, choice) for each in (field.element_with_bytes,) if each and choice.is_present]
    if field.type == "struct":
        return {each.name: _uniform(each, choice) for each in field.fields}
    if field.type == "string":
        return choice.text
    return choice.number if field.type in INTEGER_RANGES and choice.number in _others(field) else minimal_of(field)


def _others(field: FieldSchema) -> tuple[Any, ...]:
    """Return the values to try in place of a refused scalar, the most realistic first."""
    if field.type not in INTEGER_RANGES:
        return _OTHERS[field.type]
    lowest, highest = INTEGER_RANGES[field.written_type]
    return tuple(number for number in (*NUMBERS, field.default) if lowest <= number <= highest)


def changes(target: Any, value: Any, path: str = "") -> Iterator[str]:
    """Yield the paths of the differences between a target and a value, without indices."""
    if isinstance(target, dict) and isinstance(value, dict):
        for name, item in target.items():
            yield from changes(item, value.get(name), joined(path, name))
    elif isinstance(target, list) and isinstance(value, list) and len(target) == len(value):
        for item, other in zip(target, value, strict=True):
            yield from changes(item, other, path)
    elif target != value:
        yield path
