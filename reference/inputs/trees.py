"""Documents as trees of objects, arrays and scalars, with their bounds and paths."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

Steps = tuple[str | int, ...]
"""The keys and indexes from the top of a document to a value."""

DEPTH = 100
"""The greatest depth of objects and arrays. Python's own limit depends on its version and on the caller."""

DIGITS = 100
"""The greatest number of digits of an integer. Python's own limit is a setting."""


SHOWN = 80
"""The greatest number of characters of a key in a path."""


def values_in(tree: Any) -> Iterator[tuple[Steps, Any]]:
    """Yield the steps to each value of a tree, and the value, in the order of the text."""
    waiting: list[tuple[Steps, Any]] = [((), tree)]
    while waiting:
        steps, value = waiting.pop()
        yield steps, value
        if isinstance(value, dict):
            waiting += [((*steps, key), inner) for key, inner in reversed(value.items())]
        elif isinstance(value, list):
            waiting += [((*steps, index), value[index]) for index in reversed(range(len(value)))]


def path_of(steps: Steps) -> str:
    """Return steps from the top of a document as a path such as `$.a[3].b`."""
    return "$" + "".join(map(_step, steps[:DEPTH])) + ("…" if len(steps) > DEPTH else "")


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if step.isidentifier() and len(step) <= SHOWN else f"[{json.dumps(step[:SHOWN])}]"
