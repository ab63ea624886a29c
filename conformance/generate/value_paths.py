"""Fields of a schema and items of a value, by their path.

A path with indexes, as `Topics[0].Name`, leads to one item. Without them, as `Topics.Name`, it leads to the first one
of each array, and a change is made in all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from reference.paths import joined, keys_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from reference import FieldSchema, MessageSchema

Value = TypeVar("Value")
DROPPED = object()
"""The absence of an item: its field is left out."""


def fields_along(body: FieldSchema, path: str) -> Iterator[tuple[str, FieldSchema]]:
    """Yield the fields on the way to a path in a struct, each with its path, as far as the struct has them."""
    field, walked = body, ""
    for step in path.split("."):
        name = step.partition("[")[0]
        found = next((each for each in field.item.fields if each.name == name), None)
        if found is None:
            return
        field = found
        yield joined(walked, name), field
        walked = joined(walked, step)


def fields_at(schema: MessageSchema, path: str) -> list[FieldSchema]:
    """Return the body of a message and the fields on the way to a path, its own last.

    Raises:
        LookupError: there is none, as in a header, or for unknown tags.
    """
    found = [field for _, field in fields_along(schema.body, path)]
    if len(found) != len(path.split(".")):
        raise LookupError(path)
    return [schema.body, *found]


def tagged_ancestor(schema: MessageSchema, path: str) -> str | None:
    """Return the path of the innermost tagged field at or around `path`, or None."""
    tagged = [walked for walked, field in fields_along(schema.body, path) if field.tag is not None]
    return tagged[-1] if tagged else None


def item_at(value: Any, path: str) -> Any:
    """Return the item at a path in anything, or `DROPPED` if there is none."""
    for key in keys_of(path):
        if isinstance(key, str) and isinstance(value, list) and value:
            value = value[0]
        keys = range(len(value)) if isinstance(value, list | tuple) else value if isinstance(value, dict) else ()
        if key not in keys:
            return DROPPED
        value = value[key]
    return value


def items_along(value: Any, names: Sequence[str], path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each item at the end of some names, with its path.

    Of an array these are the items in all of its elements, or its elements. Null has no items.
    """
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from items_along(item, names, f"{path}[{index}]")
    elif value is not None and names:
        yield from items_along(value.get(names[0]), names[1:], joined(path, names[0]))
    elif value is not None:
        yield path, value


def remade(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a value with each part of it changed, the inner ones first."""
    if isinstance(value, dict):
        value = {name: remade(item, change) for name, item in value.items()}
    elif isinstance(value, list):
        value = [remade(item, change) for item in value]
    return change(value)


def with_field(value: Value, path: str, item: Any) -> Value:
    """Return a value with `item` at a path, or without the item there if it is `DROPPED`."""
    return with_change(value, path, lambda _: item)


def with_change(value: Value, path: str, change: Callable[[Any], Any]) -> Value:
    """Return a value with another item at a path, made of the item there by `change`.

    The value stays as it is where it has nothing at the path.
    """
    changed: Value = _changed(value, [*keys_of(path)], change)
    return changed


def _changed(value: Any, keys: list[str | int], change: Callable[[Any], Any]) -> Any:
    if not keys:
        return change(value)
    key, *rest = keys
    if isinstance(value, list):
        chosen = range(len(value)) if isinstance(key, str) else [key]
        left = keys if isinstance(key, str) else rest
        return [_changed(each, left, change) if at in chosen else each for at, each in enumerate(value)]
    if not isinstance(value, dict) or key not in value:
        return value
    others = {name: each for name, each in value.items() if name != key}
    item = _changed(value[key], rest, change)
    return others if item is DROPPED else {**others, key: item}
