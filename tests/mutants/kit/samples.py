"""Samples equal at each run, as items are drawn by their names."""

from __future__ import annotations

from collections import defaultdict
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

Item = TypeVar("Item")
Groups = list[list[Item]]


def rank(item: object) -> bytes:
    """Return the rank of an item in the draw."""
    return sha256(str(item).encode()).digest()


def drawn(items: Iterable[Item], count: int | None = None) -> list[Item]:
    """Return so many items, or all, in the order of the draw."""
    return sorted(items, key=rank)[:count]


def of_each(items: Iterable[Item], kind: Callable[[Item], Hashable], name: Callable[[Item], object]) -> Groups[Item]:
    """Return the items of each kind, in the order of the draw."""
    groups: dict[Hashable, list[Item]] = defaultdict(list)
    for item in items:
        groups[kind(item)].append(item)
    return [sorted(group, key=lambda item: rank(name(item))) for group in groups.values()]
