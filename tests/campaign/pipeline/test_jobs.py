import os
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from pyspark.sql import SparkSession

from conformance.campaign.spark.engines import Job, map_on_spark
from conformance.campaign.spark.jobs import GO_ON, WIDTH, parallelism, reason_of
from conformance.campaign.spark.spark_errors import JobFailed
from reference.release import FURTHER

OF_PYTHON = """An exception was thrown from the Python worker. Please see the stack trace below.
Traceback (most recent call last):
  File "/x/worker.py", line 1, in main
    process()
ModuleNotFoundError: No module named 'construct'

\tat org.apache.spark.api.python.BasePythonRunner(PythonRunner.scala:1)
"""
LOST = """Job aborted due to stage failure: Task 0 in stage 1.0 failed 4 times, most recent failure: Lost task 0.3
Driver stacktrace:
"""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (OF_PYTHON, "ModuleNotFoundError: No module named 'construct'"),
        (LOST, "Lost task 0.3"),
        ("Connection refused\nmore", "Connection refused"),
        ("", ""),
    ],
)
def test_the_reason_is_one_line(text: str, reason: str) -> None:
    assert reason_of(text) == reason


def test_a_long_reason_is_cut() -> None:
    assert len(reason_of("x" * 10_000)) == WIDTH + 3


@pytest.mark.spark
def test_failure_is_its_error_and_a_line_on_how_to_go_on(spark: SparkSession) -> None:
    def kernel(number: int) -> dict[str, Any]:
        return {"number": 1 // number}

    with pytest.raises(JobFailed) as caught:
        map_on_spark(spark, 1, Job(kernel, "number long", "division", GO_ON))
    assert str(caught.value).splitlines() == [
        "Spark's job (division: 1 part) failed: ZeroDivisionError: integer division or modulo by zero",
        GO_ON,
    ]


@pytest.fixture
def _hears_control_c() -> Iterator[None]:
    """Let control-C raise KeyboardInterrupt, as shells start background jobs with SIGINT ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.spark
@pytest.mark.usefixtures("_hears_control_c")
def test_control_c_leaves_no_running_job(spark: SparkSession) -> None:
    def kernel(number: int) -> dict[str, Any]:
        time.sleep(60)
        return {"number": number}

    tracker = spark.sparkContext.statusTracker()

    def interrupt() -> None:
        while not tracker.getActiveJobsIds():
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        map_on_spark(spark, 1, Job(kernel, "number long", "sleep"))
    assert not tracker.getActiveJobsIds()


@pytest.mark.spark
def test_workers_know_the_releases_of_folders(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    def kernel(_number: int) -> dict[str, Any]:
        return {"folders": os.environ["KAFKA_CONFORMANCE_DEFINITIONS"]}

    monkeypatch.setenv(FURTHER, "/some/folder")
    assert map_on_spark(spark, 1, Job(kernel, "folders string", "folders"))[0].folders == "/some/folder"


@pytest.mark.spark
def test_parallelism_is_taken_from_the_session(spark: SparkSession) -> None:
    assert parallelism(spark) == 2
