"""Engines that run kernels: Spark, and processes of this machine. Both are started first, then given work."""

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
    """Return what `kernel` makes of each number below `count`, as Spark's rows in order; every number is a partition.

    Args:
        session: as `session.spark_session` yields it.
        count: how many numbers.
        kernel: maps a number to one row; must be picklable, and free of side effects except for files.
        columns: the columns of that row in Spark's DDL: `number int, text string`.
    """

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa  # noqa: PLC0415  # this function is sent to the workers as code

        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield pa.RecordBatch.from_pylist([kernel(number)])

    return session.range(0, count, 1, count).mapInArrow(work, columns).collect() if count else []


def run_on_spark(session: SparkSession, parameters: Parameters, folder: Path, numbers: Sequence[int]) -> None:
    """Build parts of a corpus; driver and workers must share the folder."""
    map_on_spark(session, len(numbers), partial(_build_nth, parameters, folder.absolute(), tuple(numbers)), "part long")


def _build_nth(parameters: Parameters, folder: Path, numbers: Sequence[int], index: int) -> dict[str, Any]:
    build_part(parameters, folder, numbers[index])
    return {"part": numbers[index]}


@contextmanager
def processes(workers: int) -> Iterator[Pool]:
    """Start so many processes of this machine; each is a new interpreter, as Spark's workers are."""
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        yield pool


def run_in_processes(pool: Pool, parameters: Parameters, folder: Path, numbers: Sequence[int]) -> None:
    """Build parts of a corpus."""
    for _ in pool.imap_unordered(partial(build_part, parameters, folder), numbers):
        pass
