"""Reduction of failing values and bytes, and the field that makes a value fail.

Hypothesis reduces its drawn values, but only up to a new finding. This reduces any value in a few dozen tries, by
setting one field after the other to its smallest value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate.adaptation import replacer, setter
from conformance.generate.drawn_values import section_of
from reference import TAGS, FieldSchema, MessageSchema
from reference.paths import joined
from reference.values.defaults import minimal_of

if TYPE_CHECKING:
    from collections.abc import Callable


MAXIMUM_TRIES = 300


def reduced(schema: MessageSchema, value: dict[str, Any], fails: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Return the smallest value found for which `fails` holds, or `value` itself if none is smaller."""
    result: dict[str, Any] = _Reducer(fails).struct(schema.body, value, lambda tried: tried)
    return result


class _Reducer:
    """One reduction, with a bound on the number of tries."""

    def __init__(self, fails: Callable[[dict[str, Any]], bool]) -> None:
        self._fails = fails
        self._tries = 0

    def _holds(self, message: dict[str, Any]) -> bool:
        self._tries += 1
        return self._tries <= MAXIMUM_TRIES and self._fails(message)

    def struct(self, struct: FieldSchema, value: dict[str, Any], whole: Callable[[Any], Any]) -> dict[str, Any]:
        """Reduce the fields one after the other.

        Args:
            struct: the definition.
            value: the struct.
            whole: puts a struct back into its message.
        """
        if value.get(TAGS):
            value = self._tags(value, bytes(section_of(struct).smallest_unknown), whole)
        for field in struct.fields:
            value = {**value, field.name: self._field(field, value[field.name], setter(whole, value, field.name))}
        return value

    def _tags(self, value: dict[str, Any], smallest: bytes, whole: Callable[[Any], Any]) -> dict[str, Any]:
        """Return the value without unknown tagged fields, else with few and small ones."""
        without = {name: item for name, item in value.items() if name != TAGS}
        if self._holds(whole(without)):
            return without
        for index in reversed(range(len(value[TAGS]))):
            tags = value[TAGS]
            for fewer in (
                tags[:index] + tags[index + 1 :],
                [*tags[:index], (tags[index][0], smallest), *tags[index + 1 :]],
            ):
                if fewer and fewer != tags and self._holds(whole({**value, TAGS: fewer})):
                    value = {**value, TAGS: fewer}
                    break
        return value

    def _field(self, field: FieldSchema, value: Any, whole: Callable[[Any], Any]) -> Any:
        smallest = minimal_of(field)
        if value == smallest or self._holds(whole(smallest)):
            return smallest
        if value is None:
            return None
        if field.element is not None:
            return self._array(field.element, value, whole)
        return self.struct(field, value, whole) if field.type == "struct" else value

    def _array(self, element: FieldSchema, value: list[Any], whole: Callable[[Any], Any]) -> list[Any]:
        value = self._shorter(value, whole)
        # All elements at once, before each is reduced by itself.
        smallest = [minimal_of(element)] * len(value)
        if len(value) > 1 and value != smallest and self._holds(whole(smallest)):
            return smallest
        for index in range(len(value)):
            before, after = value[:index], value[index + 1 :]
            item = self._field(element, value[index], replacer(whole, before, after))
            value = [*before, item, *after]
        return value

    def _shorter(self, value: list[Any], whole: Callable[[Any], Any]) -> list[Any]:
        """Return an array without needless pieces.

        Large pieces are tried first, those of each size from the end on.
        """
        # Rounded up, so that an array of one element is tried without it.
        size = -(-len(value) // 2)
        while size:
            end = len(value)
            while end > 0:
                shorter = value[: max(0, end - size)] + value[end:]
                value = shorter if self._holds(whole(shorter)) else value
                end -= size
            size //= 2
        return value


def reduced_bytes(wire: bytes, fails: Callable[[bytes], bool], tries: int = MAXIMUM_TRIES) -> bytes:
    """Return the shortest bytes found for which `fails` holds.

    Pieces are left out first, large ones before small ones; then single bytes are set to zero.
    """
    left, size = tries, len(wire) // 2
    while size and left > 0:
        start = 0
        while start < len(wire) and left > 0:
            shorter = wire[:start] + wire[start + size :]
            left -= 1
            if fails(shorter):
                wire = shorter
            else:
                start += size
        size //= 2
    for index in range(len(wire)):
        if left <= 0:
            break
        simpler = wire[:index] + b"\0" + wire[index + 1 :]
        if simpler != wire:
            left -= 1
            wire = simpler if fails(simpler) else wire
    return wire


def focus(schema: MessageSchema, value: dict[str, Any]) -> str:
    """Return the path of the first field that differs from the smallest value.

    Empty if there is none.
    """
    return _focus(schema.body, value)


def _focus(field: FieldSchema, value: Any) -> str:
    if isinstance(value, list) and field.element is not None:
        return joined("[0]", _focus(field.element, value[0])) if len(value) == 1 else ""
    if not isinstance(value, dict):
        return ""
    for each in field.fields:
        if value[each.name] != minimal_of(each):
            return joined(each.name, _focus(each, value[each.name]))
    return TAGS if TAGS in value else ""
