"""The vectors of one target, and the groups of bodies of all pairs, made in this process or in several.

A group depends on the definitions alone: it is the same in any process, on Spark, and with any order of sets.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.golden.enumeration.byte_cases import byte_cases
from conformance.golden.enumeration.frames import frame_cases, stored_cases
from conformance.golden.enumeration.pairs import depth_of, pairs
from conformance.golden.enumeration.promoted import promoted_cases
from conformance.golden.enumeration.value_cases import value_cases
from conformance.golden.enumeration.vector import vectors_of
from conformance.golden.enumeration.wire_types import wire_type_cases
from conformance.implementation.targets import Body, StoredForm, WholeFrame, WireType
from reference import load_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.golden.enumeration.pairs import Names, Pair
    from conformance.golden.enumeration.vector import Case
    from conformance.implementation.targets import Target

Json = dict[str, Any]
CHUNK = 16
"""Pairs that a worker gets at a time."""


class Built(NamedTuple):
    """The group of vectors of a body, and its pair."""

    release: str
    message: str
    version: int
    group: Json
    """The vectors: see `group`."""


def built_groups(workers: int = 1, names: Names = ()) -> Iterator[Built]:
    """Yield the groups of all bodies, in the order of `pairs`, whatever the number of workers."""
    if workers == 1:
        yield from map(built, pairs(names))
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(built, pairs(names), chunksize=CHUNK)


def built(pair: Pair) -> Built:
    """Return the group of one pair."""
    return Built(*pair, group(*pair))


def group(release: str, message: str, version: int) -> Json:
    """Return the vectors of the body of one pair, as `group_of` does."""
    return group_of(release, Body(load_release(release).schema(message, version)))


def group_of(release: str, target: Target, cases: Iterable[Case] | None = None) -> Json:
    """Return the vectors of a target, ready for JSON: `{"version", "flexible", "vectors": [...]}`.

    Frames have `headerVersion` too. See vectors/README.md. `cases`: other ones than those of all targets of its class.

    Raises:
        InternalError: two vectors would have the same id.
    """
    flexible = isinstance(target, Body | WholeFrame | StoredForm) and target.schema.flexible
    head: Json = {"version": target.version, "flexible": flexible}
    if isinstance(target, WholeFrame):
        head["headerVersion"] = target.header.version
    return {**head, "vectors": vectors_of(release, target, _cases(release, target) if cases is None else cases)}


def _cases(release: str, target: Target) -> Iterator[Case]:
    """Yield the cases of a target: each class of targets has its own generator."""
    match target:
        case Body(schema):
            depth = depth_of(release, schema.message, schema.version)
            own = [*value_cases(schema, depth), *byte_cases(schema, depth)]
            yield from own
            yield from promoted_cases(release, schema.message, schema.version, (case.wire for case in own))
        case WholeFrame():
            yield from frame_cases(target)
        case StoredForm():
            yield from stored_cases(target)
        case WireType():
            yield from wire_type_cases(target)
        case _:
            raise TypeError(f"no generator of cases for {target!r}")
