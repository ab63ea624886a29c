"""The groups of the golden vectors, made on Spark."""

from __future__ import annotations

import json
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.golden.files import Built
from conformance.golden.identities import Depth, depth_of
from conformance.golden.kernel import group, identities
from conformance.pipeline.engines import map_on_spark
from conformance.pipeline.plan import cut, width
from reference import load_release

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PARTITIONS = 16
"""Some for each worker, so that none waits long for another."""

THOROUGH = 3
"""How much dearer a pair is that gets every case."""


class Identity(NamedTuple):
    """What one group is of."""

    release: str
    message: str
    version: int


def build_on_spark(session: SparkSession, releases: tuple[str, ...]) -> list[Built]:
    """Every group of these releases, by release, message and version."""
    count = len(plan(releases))
    rows = map_on_spark(session, count, partial(_groups, releases), "groups string")
    return [Built(*built) for row in rows for built in json.loads(row.groups)]


@lru_cache(maxsize=1)
def plan(releases: tuple[str, ...]) -> tuple[tuple[Identity, ...], ...]:
    """What is built, in order, in partitions of about equal cost."""
    everything = [Identity(release, *pair) for release in releases for pair in identities(release)]
    return cut(everything, [_cost(each) for each in everything], PARTITIONS)


def _cost(identity: Identity) -> int:
    """About how long a group takes: every field has its cases."""
    fields = width(load_release(identity.release).schema(identity.message, identity.version))
    return fields * (THOROUGH if depth_of(*identity) is Depth.THOROUGH else 1)


def _groups(releases: tuple[str, ...], number: int) -> dict[str, Any]:
    """The groups of one partition, as text, for Spark has no type for them."""
    return {"groups": json.dumps([[*identity, group(*identity)] for identity in plan(releases)[number]])}
