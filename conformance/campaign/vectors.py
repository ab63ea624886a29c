"""The golden vectors on Spark."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from conformance.campaign.pipeline.corpus_plan import cut, width
from conformance.campaign.pipeline.engines import PART, Work, parts_of
from conformance.generate.depth import Depth
from conformance.vectors.enumeration.enumerate import Built, built
from conformance.vectors.enumeration.pairs import Pair, depth_of, pairs
from reference import load_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.campaign.pipeline.engines import Engine, Row
    from conformance.vectors.enumeration.pairs import Names

# Several for each worker, so no worker is idle for long.
PARTS = 16

THOROUGH = 3
"""The cost of a message version with every case, relative to another one."""


def spark_groups(engine: Engine, names: Names = ()) -> list[Built]:
    """Return every group of these sources, in the order of `built_groups` in processes."""
    # The driver divides the plan: a worker would need the definitions of all sources for it.
    plan = [
        {PART: number, "block": place, "release": release, "message": message, "version": version}
        for number, piece in enumerate(plan_of(names))
        for place, (release, message, version) in enumerate(piece)
    ]
    work = Work(_groups, {PART: "bigint", "built": "string"}, f"golden vectors of {', '.join(names) or 'all releases'}")
    rows = [row for found in engine.rows(plan, work) for row in found]
    return [Built(*each) for row in sorted(rows, key=lambda row: int(row[PART])) for each in json.loads(row["built"])]


def plan_of(names: Names = ()) -> tuple[tuple[Pair, ...], ...]:
    """Return all message versions in order, in parts of about equal cost."""
    everything = pairs(names)
    return cut(everything, [_cost(*pair) for pair in everything], PARTS)


def _cost(release: str, message: str, version: int) -> int:
    # Every field has its own cases.
    fields = width(load_release(release).schema(message, version).body)
    return fields * (THOROUGH if depth_of(release, message, version) is Depth.THOROUGH else 1)


def _groups(blocks: Iterable[Row]) -> Iterator[Row]:
    """Yield the groups of each part as text, since Spark has no type for them."""
    for own in parts_of(blocks):
        found = [built((each["release"], each["message"], each["version"])) for each in own]
        yield {PART: own[0][PART], "built": json.dumps(found)}
