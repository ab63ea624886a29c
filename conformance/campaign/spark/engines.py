"""The kernels that run on Spark.

They build parts of a corpus, check a corpus, and make groups of the golden vectors.
"""

from __future__ import annotations

import json
import os
import zlib
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.campaign.spark.corpus_plan import TASKS_OF_A_SLOT, CorpusPlan, cut, width
from conformance.campaign.spark.jobs import AGAIN, GO_ON, collect, parallelism
from conformance.vectors.enumeration.enumerate import Built, built
from conformance.vectors.enumeration.pairs import Depth, Pair, depth_of, pairs
from reference import load_release
from reference.release import FURTHER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from conformance.campaign.spark.storage import Storage
    from conformance.campaign.spark.verification import Defect, Share
    from conformance.vectors.enumeration.pairs import Names


class Job(NamedTuple):
    """The work of a job on Spark.

    Attributes:
        kernel: makes a row of each number; it must be picklable, and free of side effects except for files.
        columns: the columns of the row in Spark's DDL: `number int, text string`.
        about: the name of the job in Spark's UI and in errors: `corpus of 4.3.0`.
        advice: how to continue after a failure.
    """

    kernel: Callable[[int], dict[str, Any]]
    columns: str
    about: str
    advice: str = AGAIN


def map_on_spark(session: SparkSession, count: int, job: Job) -> list[Any]:
    """Return the kernel's row for each number below `count`, in order.

    Every number is a partition. Control-C cancels the job.

    Raises:
        JobFailed: the job failed.
    """
    if not count:
        return []
    rows = batches_on_spark(session, count, partial(_one_row, job.kernel), job.columns)
    return collect(rows, f"{job.about}: {count} {'part' if count == 1 else 'parts'}", job.advice)


def _one_row(kernel: Callable[[int], dict[str, Any]], number: int) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa  # noqa: PLC0415  # an extra

    yield pa.RecordBatch.from_pylist([kernel(number)])


def batches_on_spark(
    session: SparkSession, count: int, kernel: Callable[[int], Iterable[pa.RecordBatch]], columns: str
) -> DataFrame:
    """Return a frame of the kernel's batches for each number below `count`.

    `count` is at least 1. Every number is a partition. The kernel and the columns are as in `Job`.
    """
    # Workers do not have the environment of the driver, and must find the same further definitions.
    further = os.environ.get(FURTHER, "")

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        os.environ[FURTHER] = further
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from kernel(number)

    return session.range(0, count, 1, count).mapInArrow(work, columns)


def run_on_spark(session: SparkSession, parameters: CorpusPlan, folder: Storage, numbers: Sequence[int]) -> None:
    """Build parts of a corpus on Spark.

    Driver and workers must share the folder.
    """
    kernel = partial(_build_nth, parameters, folder, tuple(numbers))
    map_on_spark(session, len(numbers), Job(kernel, "part long", f"corpus of {parameters.release}", GO_ON))


def _build_nth(parameters: CorpusPlan, folder: Storage, numbers: Sequence[int], index: int) -> dict[str, Any]:
    from conformance.campaign.spark.corpus_parts import build_part  # noqa: PLC0415  # pyarrow is an extra

    build_part(parameters, folder, numbers[index])
    return {"part": numbers[index]}


def check_on_spark(
    session: SparkSession, folder: Storage, shares: Sequence[Share], release: str | None
) -> Iterator[Defect]:
    """Yield the problems of parts of a corpus, as `verification.one_by_one` does.

    The whole kernel goes to every worker. So the shares of each task are packed, and a worker unpacks its own only.

    Raises:
        JobFailed: a part cannot be read, or the job failed.
    """
    from conformance.campaign.spark.verification import Defect  # noqa: PLC0415  # pyarrow is an extra

    costs = [1 + share.rows for share in shares]
    pieces = cut(shares, costs, TASKS_OF_A_SLOT * parallelism(session))
    packed = tuple(zlib.compress(json.dumps(piece).encode()) for piece in pieces)
    job = Job(partial(_check_nth, folder, release, packed), "problems string", f"check of {folder}")
    for row in map_on_spark(session, len(packed), job):
        yield from (Defect(*each) for each in json.loads(row.problems))


def _check_nth(folder: Storage, release: str | None, packed: Sequence[bytes], number: int) -> dict[str, Any]:
    """Return the problems of the parts of one task as text.

    Spark has no type for them.
    """
    from conformance.campaign.spark.verification import Share, one_by_one  # noqa: PLC0415  # pyarrow is an extra

    shares = [Share(*each) for each in json.loads(zlib.decompress(packed[number]))]
    return {"problems": json.dumps(list(one_by_one(folder, shares, release)))}


PARTITIONS = 16
"""Several for each worker, so no worker is idle for long."""

THOROUGH = 3
"""The cost of a message version with every case, relative to another one."""


def groups_on_spark(session: SparkSession, names: Names = ()) -> list[Built]:
    """Return every group of these sources.

    The groups and their order are those of `built_groups` in processes. The driver divides the plan: a worker would
    need the definitions of all sources for it.
    """
    pieces = plan(names)
    job = Job(partial(_groups, pieces), "groups string", f"golden vectors of {', '.join(names) or 'all releases'}")
    rows = map_on_spark(session, len(pieces), job)
    return [Built(*each) for row in rows for each in json.loads(row.groups)]


def plan(names: Names = ()) -> tuple[tuple[Pair, ...], ...]:
    """Return all message versions in order, in partitions of about equal cost."""
    everything = pairs(names)
    return cut(everything, [_cost(*pair) for pair in everything], PARTITIONS)


def _cost(release: str, message: str, version: int) -> int:
    """Return the approximate cost of a group.

    Every field has its own cases.
    """
    fields = width(load_release(release).schema(message, version).body)
    return fields * (THOROUGH if depth_of(release, message, version) is Depth.THOROUGH else 1)


def _groups(pieces: Sequence[Sequence[Pair]], number: int) -> dict[str, Any]:
    """Return the groups of one piece of the plan as text.

    Spark has no type for them.
    """
    return {"groups": json.dumps([built(pair) for pair in pieces[number]])}
