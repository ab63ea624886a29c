"""What is wrong with a tree of vectors, one thing at a time."""

from __future__ import annotations

from typing import NamedTuple


class Problem(NamedTuple):
    """One thing that is wrong, and where."""

    path: str
    line: int
    """From 1; 0 if it is about the whole file."""
    id: str
    """Of the vector; empty if it is about no one vector."""
    what: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.id}: {self.what}" if self.id else f"{place}: {self.what}"
