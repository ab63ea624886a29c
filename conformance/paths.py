"""Paths of fields, as `Topics[0].Name`."""

from __future__ import annotations


def joined(path: str, step: str) -> str:
    """The path one step further down; `step` is a name, an index as `[0]`, or a path of them."""
    separator = "." if step and not step.startswith("[") else ""
    return f"{path}{separator}{step}"
