"""Paths of fields, as users of this project and as construct write them.

A path is `Topics[0].Name` here and `(parsing) -> Topics -> 0 -> Name` in construct.

While a message is read or written a path is a linked pair `(parent, key)`. It is rendered only for an error or a span:
building `"Topics[3].Name"` for each field of each message would cost more than reading the field.
"""

from __future__ import annotations

import re
from typing import Any

_INDEX = re.compile(r"\[\d+\]")

Path = Any
"""The root, a text, or a pair `(parent, key)`; keys are names of fields and indexes of elements.

The root is empty where a wire type is called directly, and construct's own path where construct calls it.
"""


def render_path(path: Path) -> str:
    """Return a path as text, which is empty for an empty root alone.

    >>> render_path(((("", "Topics"), 0), "Name"))
    'Topics[0].Name'
    >>> render_path(((("(parsing) -> body", "Topics"), 0), "Name"))
    '(parsing) -> body -> Topics -> 0 -> Name'
    """
    keys: list[str | int] = []
    while isinstance(path, tuple):
        path, key = path
        keys.append(key)
    keys.reverse()
    if path:
        return " -> ".join((path, *map(str, keys)))
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys).removeprefix(".")


def joined(path: str, step: str) -> str:
    """Return the path one step below `path`.

    Args:
        path: the path of the parent; empty for the message.
        step: a name, an index as `[0]`, or a path of them.

    >>> joined("Topics[0]", "Name")
    'Topics[0].Name'
    """
    separator = "." if step and not step.startswith("[") else ""
    return f"{path}{separator}{step}"


def without_indexes(path: str) -> str:
    """Return a path with empty brackets.

    >>> without_indexes("Topics[3].Partitions[0].Name")
    'Topics[].Partitions[].Name'
    """
    return _INDEX.sub("[]", path)
