"""Compares what a reader shows of a `records` field with what it must show."""

from __future__ import annotations

from typing import Any

from reference import Difference

LISTS = ("batches", "records", "messages", "headers")


def records_difference(expected: Any, actual: Any, path: str = "") -> Difference | None:
    """Return the first place where they differ; members that are not expected are not looked at.

    Args:
        expected: what `shown` returns; None if nothing is shown.
        actual: anything at all.
        path: where both are, as `batches[0].records[1]`.
    """
    if expected is None and not path:
        return None
    if isinstance(expected, dict):
        return _of_members(expected, actual, path)
    if isinstance(expected, list):
        return _of_items(expected, actual, path)
    if type(expected) is type(actual) and expected == actual:
        return None
    return Difference(path, expected, actual, "value" if type(expected) is type(actual) else "type")


def _of_members(expected: dict[str, Any], actual: Any, path: str) -> Difference | None:
    if not isinstance(actual, dict):
        return Difference(path, expected, actual, "type")
    for name, item in expected.items():
        place = f"{path}.{name}" if path else name
        if name not in actual:
            return Difference(place, item, None, "missing")
        difference = records_difference(item, actual[name], place)
        if difference is not None:
            return difference
    return None


def _of_items(expected: list[Any], actual: Any, path: str) -> Difference | None:
    if not isinstance(actual, list | tuple):
        return Difference(path, expected, actual, "type")
    if len(expected) != len(actual):
        return Difference(path, len(expected), len(actual), "length")
    for index, (first, second) in enumerate(zip(expected, actual, strict=True)):
        place = f"{path}[{index}]"
        if isinstance(first, tuple):
            difference = _of_headers(first, second, place)
        else:
            difference = records_difference(first, second, place)
        if difference is not None:
            return difference
    return None


def _of_headers(expected: tuple[Any, ...], actual: Any, path: str) -> Difference | None:
    if not isinstance(actual, list | tuple) or tuple(actual) != expected or _types(actual) != _types(expected):
        return Difference(path, expected, actual, "value")
    return None


def _types(items: Any) -> list[type]:
    return [type(item) for item in items]
