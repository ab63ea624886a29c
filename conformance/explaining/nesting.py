"""The parts of an explanation as rows, in which the fields of a struct stand below it, one step to the right."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from conformance.explaining.explanation import NOT_READ, TRAILING
from conformance.explaining.fields import keys_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.explaining.explanation import Part

SECTION_ROLES = frozenset(("tag-count", "tag", "tag-header", "tag-end"))
"""Roles of parts that belong to the tag section of the struct that their path names."""


class Row(NamedTuple):
    """A part, or a struct or element that has parts below it.

    Attributes:
        depth: how many steps to the right.
        name: the last step of the path.
        part: the part; None for what only has parts below it.
    """

    depth: int
    name: str
    part: Part | None


def rows(parts: Iterable[Part]) -> Iterator[Row]:
    """Yield a row for each part, and before it one for each struct that begins with it."""
    before: list[str] = []
    for part in parts:
        parents, name = _place(part)
        for depth in range(_shared(before, parents), len(parents)):
            yield Row(depth, parents[depth], None)
        yield Row(len(parents), name, part)
        before = [*parents, name]


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many steps two paths have in common from the beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _place(part: Part) -> tuple[list[str], str]:
    """Return what a part is below of, and its name there."""
    steps = _steps(part.path)
    if part.role in SECTION_ROLES:
        return steps, "tags" if part.role == "tag-count" else "tag"
    if part.role in {NOT_READ, TRAILING}:
        return [], ""
    return steps[:-1], steps[-1] if steps else ""


def _steps(path: str) -> list[str]:
    """Return the steps of a path: an index belongs to the name before it.

    >>> _steps("body.Topics[0].Name")
    ['body', 'Topics[0]', 'Name']
    """
    steps: list[str] = []
    for key in keys_of(path):
        if isinstance(key, int) and steps:
            steps[-1] += f"[{key}]"
        else:
            steps.append(str(key))
    return steps
