"""Arrays with map keys that did not keep their elements: a map or a sorted set was made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reference import FieldSchema, MessageSchema


def lost_order(schema: MessageSchema, expected: Any, actual: Any, path: str) -> str | None:
    """The array on the way to `path` whose elements are in another order, or are one of each key; None: none is.

    Args:
        schema: the message at one version.
        expected: a sound value.
        actual: a value that differs from it at `path`.
        path: the first difference.
    """
    field, walked = schema.body, ""
    for step in path.split("."):
        name, _, index = step.removesuffix("]").partition("[")
        if not isinstance(actual, dict) or name not in expected:
            return None
        field = next(each for each in field.fields if each.name == name)
        expected, actual = expected[name], actual.get(name)
        walked = f"{walked}.{name}" if walked else name
        if field.element is None:
            continue
        if expected is None or not isinstance(actual, list):
            return None
        if _is_permutation(field.element, expected, actual) or _is_one_of_each_key(field.element, expected, actual):
            return walked
        if not index:
            return None
        field, expected, actual, walked = field.element, expected[int(index)], actual[int(index)], f"{walked}[{index}]"
    return None


def _is_permutation(element: FieldSchema, expected: list[Any], actual: list[Any]) -> bool:
    rest = list(expected)
    for item in actual:
        if item not in rest:
            return False
        rest.remove(item)
    return bool(_keys(element)) and not rest and expected != actual


def _is_one_of_each_key(element: FieldSchema, expected: list[Any], actual: list[Any]) -> bool:
    keys = {_key(element, item) for item in expected}
    return (
        bool(_keys(element))
        and len(actual) == len(keys) < len(expected)
        and all(item in expected for item in actual)
        and {_key(element, item) for item in actual} == keys
    )


def _keys(element: FieldSchema) -> list[str]:
    return [each.name for each in element.fields if each.map_key]


def _key(element: FieldSchema, item: dict[str, Any]) -> str:
    return repr([item[name] for name in _keys(element)])
