"""Patterns over messages and versions: `Fetch*`, `FetchRequest-v4..17`, `FetchRequest-v1[2-7]`."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING

from conformance.implementation.selection import BadSelection, Selector, parse_selection

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

Pair = tuple[str, int]
"""A message and a version; for a single wire type, its name and 0."""


@cache
def _selector(pattern: str) -> Selector:
    selector, *others = parse_selection([pattern])
    if others:
        raise BadSelection(f"{pattern!r}: globs are the members of a list, not separated by commas")
    return selector


def check_pattern(pattern: str) -> None:
    """Check the syntax of a pattern.

    Raises:
        BadSelection: it is empty, has a comma in it, or its versions run backwards.
    """
    _selector(pattern)


@cache
def matches(pattern: str, message: str, version: int) -> bool:
    """Return whether a pattern matches a pair: a glob over names, with or without versions, or over pairs."""
    return _selector(pattern).matches(message, version) or fnmatchcase(f"{message}-v{version}", pattern)


@cache
def matches_any(patterns: tuple[str, ...], message: str, version: int) -> bool:
    """Return whether one of some patterns matches a pair."""
    return any(matches(pattern, message, version) for pattern in patterns)


def patterns_for(pairs: Iterable[Pair], offered: Collection[Pair]) -> list[str]:
    """Return patterns that match exactly these pairs: a name if all offered versions are in, else ranges of versions.

    Versions that are not offered do not interrupt a range.
    """
    wanted = set(pairs)
    return [
        pattern
        for message, group in groupby(sorted({*wanted, *offered}), key=lambda pair: pair[0])
        for pattern in _of_message(message, [pair[1] for pair in group], wanted)
    ]


def _of_message(message: str, versions: list[int], wanted: set[Pair]) -> Iterator[str]:
    runs = [(hit, list(run)) for hit, run in groupby(versions, key=lambda version: (message, version) in wanted)]
    if [hit for hit, _ in runs] == [True]:
        yield message
        return
    for hit, run in runs:
        if hit:
            yield f"{message}-v{run[0]}" + (f"..{run[-1]}" if len(run) > 1 else "")
