"""Paths of fields, such as `Topics[0].Name`.

While a message is read or written a path is a linked pair `(parent, key)`. It is rendered only for an error or a span:
building `"Topics[3].Name"` for each field of each message would cost more than reading the field.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.schema import FieldSchema

_INDEX = re.compile(r"\[\d+\]")
_KEY = re.compile(r"\[(\d+)\]|[^.\[\]]+")

Path = Any
"""The root, a text, or a pair `(parent, key)`; keys are names of fields and indexes of elements."""


def render_path(path: Path) -> str:
    """Return a path as text.

    >>> render_path(((("", "Topics"), 0), "Name"))
    'Topics[0].Name'
    """
    steps = []
    while isinstance(path, tuple):
        path, key = path
        steps.append(f"[{key}]" if isinstance(key, int) else f".{key}")
    return "".join((path, *reversed(steps))).removeprefix(".")


def joined(path: str, step: str) -> str:
    """Return the path one step below `path`.

    Args:
        path: the path of the parent; empty for the message.
        step: a name, an index as `[0]`, or a path of them.

    >>> joined("Topics[0]", "Name")
    'Topics[0].Name'
    """
    separator = "." if path and step and not step.startswith("[") else ""
    return f"{path}{separator}{step}"


@lru_cache(maxsize=1 << 12)
def without_indexes(path: str) -> str:
    """Return a path with empty brackets.

    >>> without_indexes("Topics[3].Partitions[0].Name")
    'Topics[].Partitions[].Name'
    """
    return _INDEX.sub("[]", path)


def keys_of(path: str) -> Iterator[str | int]:
    """Yield the names and the indexes in a path.

    >>> list(keys_of("Topics[0].Name"))
    ['Topics', 0, 'Name']
    """
    for match in _KEY.finditer(path):
        yield match[0] if match[1] is None else int(match[1])


def field_at(around: FieldSchema, path: str) -> FieldSchema | None:
    """Return the field or the array element at a path in a struct, or None if the struct has none there."""
    field: FieldSchema | None = around
    for key in keys_of(path):
        if field is None:
            return None
        if isinstance(key, int):
            field = field.element
        else:
            field = next((each for each in field.fields if each.name == key), None)
    return field
