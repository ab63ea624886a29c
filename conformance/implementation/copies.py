"""Copies of values: one that an adapter may do to what it likes, and one without unknown tagged fields."""

from __future__ import annotations

from typing import Any

from reference import TAGS

_CONTAINERS = (dict, list)


def copy_of(value: Any) -> Any:
    """A copy of a value, dicts and lists anew, so that an adapter may do to it what it likes."""
    if isinstance(value, dict):
        return {key: copy_of(item) if isinstance(item, _CONTAINERS) else item for key, item in value.items()}
    if isinstance(value, list):
        return [copy_of(item) if isinstance(item, _CONTAINERS) else item for item in value]
    return value


def without_tags(value: Any) -> Any:
    """Return the value without unknown tagged fields, at every level; the same object if there are none."""
    return _without_tags(value) if _has_tags(value) else value


def _has_tags(value: Any) -> bool:
    if isinstance(value, dict) and TAGS in value:
        return True
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for item in items:  # noqa: SIM110  # `any` would make a generator at every level of every value
        if isinstance(item, _CONTAINERS) and _has_tags(item):
            return True
    return False


def _without_tags(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_tags(item) for key, item in value.items() if key != TAGS}
    return [_without_tags(item) for item in value] if isinstance(value, list) else value
