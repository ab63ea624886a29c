"""The blame for arrays without some of their elements, or with them in another order.

Either some elements were merged, as in a map, or all were sorted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate.value_paths import fields_along, item_at
from conformance.targets import Blame
from reference.values.comparison import same_value

if TYPE_CHECKING:
    from reference import FieldSchema, MessageSchema


def lost_elements(schema: MessageSchema, expected: Any, actual: Any, path: str) -> Blame | None:
    """Return the blame of an array with merged or reordered elements, or None.

    Only arrays on the way to `path` are tried.

    Args:
        schema: the message at one version.
        expected: a valid value.
        actual: a value that differs from it at `path`.
        path: the first difference.
    """
    for walked, field in fields_along(schema.body, path):
        if field.element is None:
            continue
        one, other = item_at(expected, walked), item_at(actual, walked)
        if not (isinstance(one, list) and isinstance(other, list)):
            return None
        if _are_reordered(one, other) or _are_merged(field.element, one, other):
            return Blame("array.map-key-order" if _keys(field.element) else "array.all-elements", walked)
    return None


def _are_reordered(expected: list[Any], actual: list[Any]) -> bool:
    rest = list(expected)
    for item in actual:
        at = _place(rest, item)
        if at is None:
            return False
        del rest[at]
    return not rest and not same_value(expected, actual)


def _place(items: list[Any], item: Any) -> int | None:
    return next((index for index, each in enumerate(items) if same_value(each, item)), None)


def _are_merged(element: FieldSchema, expected: list[Any], actual: list[Any]) -> bool:
    """Return whether there is one element for each key.

    Without keys, any common field of elements may be the key.
    """
    if not 0 < len(actual) < len(expected) or any(_place(expected, item) is None for item in actual):
        return False
    keys = [[field.name] for field in element.fields] if element.type == "struct" else [[]]
    return any(_one_of_each(names, expected, actual) for names in ([_keys(element)] if _keys(element) else keys))


def _one_of_each(names: list[str], expected: list[Any], actual: list[Any]) -> bool:
    """Return whether the remaining elements have each key once.

    Without names the key is the whole element.
    """
    keys, left = ({_key(names, item) for item in items} for items in (expected, actual))
    return len(actual) == len(keys) and left == keys


def _keys(element: FieldSchema) -> list[str]:
    return [each.name for each in element.fields if each.map_key]


def _key(names: list[str], item: Any) -> str:
    return repr([item[name] for name in names] if names else item)
