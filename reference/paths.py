"""Paths of fields: `Topics[0].Name` for users of this project, `(parsing) -> Topics -> 0 -> Name` for construct's.

While a message is read or written a path is a linked pair `(parent, key)`. It is rendered only for an error or a span:
to build `"Topics[3].Name"` for each field of each message would cost more than to read the field.
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
    """Return a path as text; that of the root alone is empty.

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
    """Return the path one step below `path`; `step` is a name, an index as `[0]`, or a path of them.

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
