"""Suggestions for misspelt names."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MAXIMUM = 3
"""How many names a suggestion has at most."""


def suggestion(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return the question whether a name close to the given one is meant, or another hint if none is close."""
    close = get_close_matches(name, dict.fromkeys(known), n=MAXIMUM)
    return f"did you mean {' or '.join(close)}?" if close else otherwise


def as_sentence(hint: str) -> str:
    """Return a hint with a capital, and without its question mark, for errors that add a full stop."""
    return f"{hint[:1].upper()}{hint[1:].removesuffix('?')}"
