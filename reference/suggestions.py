"""Suggestions for misspelt names."""

from __future__ import annotations

from difflib import SequenceMatcher, get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MAXIMUM = 3
"""How many names a suggestion has at most."""

MARGIN = 0.1
"""How much less alike than the closest name another one may be."""


def suggestion(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return the question whether a name close to the given one is meant, or another hint if none is close."""
    close = close_names(name, known)
    return f"did you mean {' or '.join(close)}?" if close else otherwise


def close_names(name: str, known: Iterable[str]) -> list[str]:
    """Return the names that are close to the given one, the closest first; none that is much less close than that."""
    close = get_close_matches(name, dict.fromkeys(known), n=MAXIMUM)
    return [each for each in close if _likeness(name, each) > _likeness(name, close[0]) - MARGIN]


def _likeness(name: str, other: str) -> float:
    return SequenceMatcher(None, other, name).ratio()


def as_sentence(hint: str) -> str:
    """Return a hint with a capital."""
    return f"{hint[:1].upper()}{hint[1:]}"
