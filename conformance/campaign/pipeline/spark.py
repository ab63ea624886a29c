"""The engine on Spark, with a partition for each part of a plan, and Spark's own writers and committers."""

from __future__ import annotations

import os
import re
from concurrent.futures import Future, wait
from functools import partial, reduce
from itertools import islice
from threading import Thread
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from pyspark import inheritable_thread_target
from pyspark.errors import PySparkException

from conformance.campaign.pipeline.engines import AGAIN, BATCH, GO_ON, PART, Dataset, Work, parts_of
from conformance.campaign.pipeline.errors import JobFailed
from conformance.campaign.pipeline.spark_session import is_connect, reason_in
from conformance.campaign.pipeline.tables import ddl_of, pieces_of, rows_of
from reference.release import FURTHER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from conformance.campaign.pipeline.engines import KeptRows, Row

FORMATS = ("parquet", "delta")

WAVE = 4
"""The parts for each slot between two looks at a plan without an end."""

SLOTS = 8
"""The slots of Spark Connect, whose number is unknown."""

WIDTH = 500
"""The characters of a reason to show."""

_TRACEBACK = "Traceback (most recent call last)"
# A traceback names its exception at the beginning of a line, and indents all others.
_NAMED = re.compile(r"[\w.]+(?::|$)")


class SparkEngine:
    """An engine on a session of Spark, which it neither changes nor stops."""

    formats: Sequence[str] = FORMATS

    def __init__(self, session: SparkSession) -> None:
        self._session = session
        self._parts = 0
        self.name = f"Spark {session.version}"

    def rows(self, plan: Iterable[Row], work: Work) -> Iterator[list[Row]]:
        """Yield the rows of some parts after each other, as `Engine.rows`."""
        parts = parts_of(plan)
        slots = SLOTS if is_connect(self._session) else self._session.sparkContext.defaultParallelism
        while wave := [block for blocks in islice(parts, WAVE * slots) for block in blocks]:
            yield self._collected(partial(self._made, self._frame(wave), work), work.about, work.advice)

    def write(self, plan: Sequence[Row], work: Work, target: Dataset, given: KeptRows | None = None) -> None:
        """Write the rows of a plan, as `Engine.write`."""
        frame = self._frame(plan)
        if given is not None:
            frame = self._session.sql(given.sql, plan=frame, given=self._loaded(given.dataset))
        made = self._made(frame, work)
        self._run(lambda: _save(made, target), work.about, work.advice)

    def query(self, sql: str, **datasets: Dataset) -> list[Row]:
        """Return the rows of a query, as `Engine.query`."""
        about = f"query of {', '.join(str(each.place) for each in datasets.values())}"
        return self._collected(lambda: self._sql(sql, datasets), about)

    def publish(self, sql: str, target: Dataset, **datasets: Dataset) -> None:
        """Write the rows of a query, as `Engine.publish`."""
        self._run(lambda: _save(self._sql(sql, datasets), target), f"rows of {target.place}", GO_ON)

    def reduced(self, work: Work, sql: str, **datasets: Dataset) -> list[Row]:
        """Return the rows made of those of a query, as `Engine.reduced`."""
        return self._collected(lambda: _mapped(self._sql(sql, datasets), work), work.about, work.advice)

    def done(self) -> int:
        """Return the number of finished parts, as `Engine.done`."""
        if is_connect(self._session):
            return 0
        tracker = self._session.sparkContext.statusTracker()
        stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
        return max((each.numCompletedTasks for each in stages if each and each.numTasks == self._parts), default=0)

    def _frame(self, plan: Sequence[Row]) -> DataFrame:
        self._parts = len({block[PART] for block in plan})
        types = {name: "bigint" if isinstance(value, int) else "string" for name, value in plan[0].items()}
        return self._session.createDataFrame([tuple(block.values()) for block in plan], ddl_of(types))

    def _made(self, frame: DataFrame, work: Work) -> DataFrame:
        """Put each part in a partition."""
        places = [name for name in ("part", "block", "position") if name in frame.columns]
        return _mapped(frame.repartitionByRange(self._parts, PART).sortWithinPartitions(*places), work)

    def _loaded(self, dataset: Dataset) -> DataFrame:
        reader, place = self._session.read.format(dataset.format), str(dataset.place)
        if dataset.format == FORMATS[0]:
            return reader.schema(ddl_of(dataset.columns)).load(_as_pattern(place))
        if dataset.folders[:1] != (BATCH,):
            return reader.load(place)
        names = sorted(name for name in dataset.place.names() if name.startswith(f"{BATCH}="))
        from pyspark.sql.functions import lit  # noqa: PLC0415  # a session of Spark Connect has another one

        loaded = [reader.load(f"{place}/{name}").withColumn(BATCH, lit(int(name.partition("=")[2]))) for name in names]
        return reduce(lambda one, other: one.unionByName(other), loaded)

    def _sql(self, sql: str, datasets: dict[str, Dataset]) -> DataFrame:
        frames: dict[str, Any] = {name: self._loaded(each) for name, each in datasets.items()}
        return self._session.sql(sql, **frames)

    def _collected(self, frame: Callable[[], DataFrame], about: str, advice: str = AGAIN) -> list[Row]:
        return [row.asDict() for row in self._run(lambda: frame().collect(), about, advice)]

    def _run(self, action: Callable[[], Any], about: str, advice: str = AGAIN) -> Any:
        """Run it in a thread, to keep this thread open to interrupts. Control-C cancels it."""
        tag, result = f"kafka-wire-conformance {uuid4()}", Future[Any]()

        def run() -> None:
            try:
                self._tag(tag, about)
                result.set_result(action())
            except BaseException as error:  # noqa: BLE001  # it is raised in the other thread
                result.set_exception(error)

        Thread(target=inheritable_thread_target(self._session)(run), daemon=True).start()
        try:
            return result.result()
        except (KeyboardInterrupt, SystemExit):
            self._cancel(tag, result)
            raise
        except Exception as error:
            from py4j.protocol import Py4JError  # noqa: PLC0415  # a client of Spark Connect need not have it

            if not isinstance(error, PySparkException | Py4JError | ConnectionError):
                raise
            raise JobFailed(about, reason_of(reason_in(error)), advice) from error

    def _tag(self, tag: str, about: str) -> None:
        if is_connect(self._session):
            self._session.addTag(tag)
            return
        # A classic session does not find the jobs of its own tags.
        self._session.sparkContext.addJobTag(tag)
        self._session.sparkContext.setJobDescription(about)

    def _cancel(self, tag: str, result: Future[Any]) -> None:
        """Cancel an action repeatedly until it has ended, since it may not have begun."""
        while not result.done():
            if is_connect(self._session):
                self._session.interruptTag(tag)
            else:
                self._session.sparkContext.cancelJobsWithTag(tag)
            wait([result], 1)


def _save(frame: DataFrame, target: Dataset) -> None:
    # One path, whatever the session says: not all committers know an overwrite of some partitions.
    rows = frame.hint("rebalance", *target.folders) if target.folders else frame
    (
        rows.write.mode("overwrite")
        .option("partitionOverwriteMode", "static")
        .option("maxRecordsPerFile", target.most)
        .option("compression", "zstd")
        .partitionBy(*target.folders)
        .format(target.format)
        .save(str(target.place))
    )


def _as_pattern(path: str) -> str:
    """Return a path as a pattern that matches it alone, since the reader of Parquet takes patterns."""
    return re.sub(r"[][{}*?\\]", r"\\\g<0>", path)


def _mapped(frame: DataFrame, work: Work) -> DataFrame:
    # Workers do not have the environment of the driver, and must find the same further definitions.
    return frame.mapInArrow(partial(_made, work, os.environ.get(FURTHER, "")), ddl_of(work.columns))


def _made(work: Work, further: str, pieces: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    os.environ[FURTHER] = further
    return pieces_of(work.kernel(rows_of(pieces)), work.columns)


def reason_of(text: str) -> str:
    """Return the line with the reason of a failure in Spark's text, that of the worker's exception if it has one."""
    _, has_traceback, trace = text.rpartition(_TRACEBACK)
    named = [line for line in trace.splitlines() if _NAMED.match(line)] if has_traceback else []
    reason = [*named, *text.splitlines(), ""][0]
    return reason if len(reason) <= WIDTH else f"{reason[:WIDTH]}..."
