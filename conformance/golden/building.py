"""Building every group in this process, or in a pool of them: the same groups, in the same order, either way."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

from conformance.golden import kernel
from conformance.golden.documents import Built
from conformance.golden.identities import sources

if TYPE_CHECKING:
    from collections.abc import Iterator

Pair = tuple[str, str, int]
CHUNK = 16
"""Pairs that a worker gets at a time."""


def pairs() -> list[Pair]:
    """Every (release, message, version) that has vectors, proposals included, by release, name and version."""
    return [(release, *pair) for release in sources() for pair in kernel.identities(release)]


def built_groups(workers: int = 1) -> Iterator[Built]:
    """Every group of every release, in the order of `pairs`."""
    if workers == 1:
        yield from map(built, pairs())
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(built, pairs(), chunksize=CHUNK)


def built(pair: Pair) -> Built:
    """The group of one pair."""
    return Built(*pair, kernel.group(*pair))
