"""What runs kernels: Spark, or the processes of this machine to compare it with. Both are started, then given work."""

from __future__ import annotations

import multiprocessing
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from conformance.pipeline.parts import build_part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.pool import Pool
    from pathlib import Path

    import pyarrow as pa
    from pyspark.sql import SparkSession

    from conformance.pipeline.plan import Parameters


def map_on_spark(session: SparkSession, count: int, kernel: Callable[[int], dict[str, Any]], columns: str) -> list[Any]:
    """What `kernel` makes of each number below `count`, as Spark's rows, in order; every number is a partition.

    Args:
        session: see `session.spark_session`.
        count: how many numbers.
        kernel: from a number to one row, pure but for the files it writes; it must pickle.
        columns: of that row, as Spark's DDL has them: `number int, text string`.
    """

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa  # noqa: PLC0415  # this function travels to the workers by its code

        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield pa.RecordBatch.from_pylist([kernel(number)])

    return session.range(0, count, 1, count).mapInArrow(work, columns).collect() if count else []


def run_on_spark(session: SparkSession, parameters: Parameters, folder: Path, numbers: Sequence[int]) -> None:
    """Build parts of a corpus; the folder must be one that driver and workers share."""
    there = folder.absolute()
    map_on_spark(session, len(numbers), partial(_build_nth, parameters, there, tuple(numbers)), "part long")


def _build_nth(parameters: Parameters, folder: Path, numbers: Sequence[int], index: int) -> dict[str, Any]:
    build_part(parameters, folder, numbers[index])
    return {"part": numbers[index]}


@contextmanager
def processes(workers: int) -> Iterator[Pool]:
    """So many processes of this machine, each started anew as those of Spark are."""
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        yield pool


def run_in_processes(pool: Pool, parameters: Parameters, folder: Path, numbers: Sequence[int]) -> None:
    """Build parts of a corpus."""
    for _ in pool.imap_unordered(partial(build_part, parameters, folder), numbers):
        pass
