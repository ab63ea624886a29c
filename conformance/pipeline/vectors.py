"""The groups of the golden vectors, built on Spark."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from conformance.golden.enumeration.enumerate import Built, built
from conformance.golden.enumeration.pairs import Depth, Pair, depth_of, pairs
from conformance.pipeline.engines import map_on_spark
from conformance.pipeline.plan import cut, width
from reference import load_release

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PARTITIONS = 16
"""Several for each worker, so that no worker is idle for long."""

THOROUGH = 3
"""The cost of a pair with every case, relative to another pair."""


def groups_on_spark(session: SparkSession) -> list[Built]:
    """Every group of every release: the same, in the same order, as `built_groups` makes in processes."""
    rows = map_on_spark(session, len(plan()), _groups, "groups string")
    return [Built(*each) for row in rows for each in json.loads(row.groups)]


@cache
def plan() -> tuple[tuple[Pair, ...], ...]:
    """Return all pairs in order, in partitions of about equal cost."""
    everything = pairs()
    return cut(everything, [_cost(*pair) for pair in everything], PARTITIONS)


def _cost(release: str, message: str, version: int) -> int:
    """Return the approximate cost of a group: every field has its cases."""
    fields = width(load_release(release).schema(message, version))
    return fields * (THOROUGH if depth_of(release, message, version) is Depth.THOROUGH else 1)


def _groups(number: int) -> dict[str, Any]:
    """Return the groups of one partition as text, because Spark has no type for them."""
    return {"groups": json.dumps([built(pair) for pair in plan()[number]])}
