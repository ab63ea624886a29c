"""Spark's jobs and their failures.

A job has a name in Spark's UI. Control-C ends it. Its failure is one line with advice.
"""

from __future__ import annotations

import re
from concurrent.futures import Future, wait
from threading import Thread
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from conformance.campaign.spark.spark_errors import JobFailed
from conformance.campaign.spark.spark_session import is_connect

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame, SparkSession

AGAIN = "Run the same command again."
GO_ON = "The same command goes on from the parts that are kept."

WIDTH = 500
"""The characters of a reason to show."""

_TRACEBACK = "Traceback (most recent call last)"
_NAMED = re.compile(r"[\w.]+(?::|$)")
_LOST = re.compile(r"most recent failure: (.*)")


def collect(frame: DataFrame, job: str, advice: str = AGAIN) -> list[Any]:
    """Return the rows of a frame.

    Control-C cancels the job.

    Args:
        frame: a frame of any session.
        job: the name of the job in Spark's UI and in errors.
        advice: how to continue after a failure.

    Raises:
        JobFailed: the job failed, or Spark is gone.
    """
    session, tag = frame.sparkSession, f"kafka-wire-conformance {uuid4()}"
    rows = _begin(session, lambda: _collect_tagged(frame, tag, job))
    try:
        return rows.result()
    except (KeyboardInterrupt, SystemExit):
        _cancel(session, tag, rows)
        raise
    except Exception as error:
        if not _is_of_spark(error):
            raise
        raise JobFailed(job, reason_of(str(error)), advice) from error


def _begin(session: SparkSession, work: Callable[[], list[Any]]) -> Future[list[Any]]:
    """Begin some work in a thread, to keep this thread open to interrupts.

    The work has the job properties of this thread.
    """
    from pyspark import inheritable_thread_target  # noqa: PLC0415  # an extra

    result = Future[list[Any]]()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:  # noqa: BLE001  # it is raised in the other thread
            result.set_exception(error)

    Thread(target=inheritable_thread_target(session)(run), daemon=True).start()
    return result


def _collect_tagged(frame: DataFrame, tag: str, job: str) -> list[Any]:
    """Collect the rows of a frame in the current thread.

    The tag and the description of the job end with the thread.
    """
    session = frame.sparkSession
    if is_connect(session):
        session.addTag(tag)
    else:  # a classic session does not find the jobs of its own tags
        session.sparkContext.addJobTag(tag)
        session.sparkContext.setJobDescription(job)
    return frame.collect()


def _cancel(session: SparkSession, tag: str, rows: Future[list[Any]]) -> None:
    """Cancel a job repeatedly until it has ended.

    At the first time it may not have begun.
    """
    cancel = session.interruptTag if is_connect(session) else session.sparkContext.cancelJobsWithTag
    cancel(tag)
    while not wait([rows], 1).done:
        cancel(tag)


def _is_of_spark(error: Exception) -> bool:
    """Return whether Spark or the connection to it failed."""
    from py4j.protocol import Py4JError  # noqa: PLC0415  # an extra
    from pyspark.errors import PySparkException  # noqa: PLC0415  # an extra

    return isinstance(error, PySparkException | Py4JError | ConnectionError)


def reason_of(text: str) -> str:
    """Return the line with the reason of a failure in Spark's text.

    It is the exception of the worker, or the reason for the loss of the worker.
    """
    _, has_traceback, trace = text.rpartition(_TRACEBACK)
    lines = [line for line in trace.splitlines() if _NAMED.match(line)]
    lost = _LOST.findall(text)
    found = lines[0] if has_traceback and lines else lost[-1] if lost else text.strip().partition("\n")[0]
    return found if len(found) <= WIDTH else f"{found[:WIDTH]}..."


def parallelism(session: SparkSession) -> int:
    """Return the number of tasks that a session runs in parallel."""
    if not is_connect(session):
        return session.sparkContext.defaultParallelism
    from pyspark.sql.functions import spark_partition_id  # noqa: PLC0415  # an extra

    # Spark Connect has no such number, but divides a large range into one partition for each slot.
    return session.range(1 << 20).select(spark_partition_id()).distinct().count()
