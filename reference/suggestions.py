"""Suggestions for misspelt names."""

from __future__ import annotations

from difflib import SequenceMatcher, get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MAXIMUM = 3
"""The number of names in a suggestion, at most."""

MARGIN = 0.1
"""The difference in likeness to the closest name, at most."""


def suggestion(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return the question about a close name, or another hint if no name is close."""
    close = close_names(name, known)
    return f"did you mean {' or '.join(close)}?" if close else otherwise


def close_names(name: str, known: Iterable[str]) -> list[str]:
    """Return the names almost as close as the closest, in order, or one that differs in case and underscores alone."""
    known = list(dict.fromkeys(known))
    respelt = [each for each in known if _letters(each) == _letters(name)]
    if respelt:
        return respelt
    close = get_close_matches(name, known, n=MAXIMUM)
    return [each for each in close if _likeness(name, each) > _likeness(name, close[0]) - MARGIN]


def _letters(name: str) -> str:
    return name.replace("_", "").lower()


def _likeness(name: str, other: str) -> float:
    return SequenceMatcher(None, other, name).ratio()


def as_sentence(hint: str) -> str:
    """Return a hint with a capital."""
    return f"{hint[:1].upper()}{hint[1:]}"


def closed(sentence: str) -> str:
    """Return a sentence with a full stop, unless it is a question."""
    return sentence if sentence.endswith("?") else f"{sentence}."
