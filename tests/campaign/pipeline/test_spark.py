"""Work on Spark, with the results of work in processes."""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import conformance
from conformance.campaign.pipeline.corpus import build, problems_of
from conformance.campaign.pipeline.engines import GO_ON, PART, Row, Work
from conformance.campaign.pipeline.errors import JobFailed
from conformance.campaign.pipeline.spark import WIDTH, SparkEngine, reason_of
from conformance.campaign.pipeline.spark_session import ARCHIVE, send_archive
from conformance.campaign.pipeline.storage import Storage
from conformance.campaign.vectors import plan_of, spark_groups
from conformance.vectors.enumeration.enumerate import built_groups
from conformance.vectors.enumeration.pairs import pairs
from conformance.vectors.tree.vector_files import read_file
from conformance.vectors.tree.vector_paths import committed_vectors
from reference.release import FURTHER
from tests.helpers.corpus import TINY, built
from tests.helpers.engines import HERE
from tests.helpers.over_connect import PROPOSAL
from tests.helpers.runs import ROOT, command

PLAN = [{PART: number} for number in range(2)]

OF_PYTHON = """An exception was thrown from the Python worker. Please see the stack trace below.
Traceback (most recent call last):
  File "/x/worker.py", line 1, in main
    process()
ModuleNotFoundError: No module named 'construct'

\tat org.apache.spark.api.python.BasePythonRunner(PythonRunner.scala:1)
"""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (OF_PYTHON, "ModuleNotFoundError: No module named 'construct'"),
        ("Connection refused\nmore", "Connection refused"),
        ("", ""),
        ("x" * 10_000, "x" * WIDTH + "..."),
    ],
)
def test_the_reason_is_one_line(text: str, reason: str) -> None:
    assert reason_of(text) == reason


def of(value: Any) -> Work:
    """Return work with one text for each block, by a closure, since workers have no tests."""

    def kernel(blocks: Iterable[Row]) -> Iterator[Row]:
        for block in blocks:
            yield {"text": str(value(block[PART]))}

    return Work(kernel, {"text": "string"}, "test", GO_ON)


def texts(session: SparkSession, value: Any) -> list[str]:
    return sorted(row["text"] for rows in SparkEngine(session).rows(PLAN, of(value)) for row in rows)


@pytest.mark.spark
def test_failure_is_its_error_and_a_line_on_how_to_go_on(spark: SparkSession) -> None:
    with pytest.raises(JobFailed) as caught:
        texts(spark, lambda number: 1 // number)
    problem = "the job (test) failed: ZeroDivisionError: integer division or modulo by zero"
    assert str(caught.value).splitlines() == [problem, GO_ON]


@pytest.fixture
def _hears_control_c() -> Iterator[None]:
    """Let control-C raise KeyboardInterrupt, as shells start background jobs with SIGINT ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.spark
@pytest.mark.usefixtures("_hears_control_c")
def test_control_c_leaves_no_running_job(spark: SparkSession) -> None:
    tracker = spark.sparkContext.statusTracker()

    def interrupt() -> None:
        while not tracker.getActiveJobsIds():
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        texts(spark, lambda _: time.sleep(60))
    assert not tracker.getActiveJobsIds()


@pytest.mark.spark
def test_jobs_have_a_description(spark: SparkSession) -> None:
    texts(spark, str)
    jobs = spark.sparkContext._jsc.sc().statusStore().jobsList(None)
    assert jobs.head().description().get() == "test"


@pytest.mark.spark
def test_workers_know_the_releases_of_folders(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FURTHER, "/some/folder")
    assert texts(spark, lambda _: os.environ["KAFKA_CONFORMANCE_DEFINITIONS"]) == ["/some/folder"] * 2


@pytest.mark.spark
def test_workers_import_the_archive_and_the_driver_does_not(spark: SparkSession) -> None:
    send_archive(spark)
    found = texts(spark, lambda _: getattr(PathFinder.find_spec("conformance"), "origin", ""))
    assert {text[-len(ARCHIVE) - 24 :] for text in found} == {f"{ARCHIVE}/conformance/__init__.py"}
    assert not [place for place in sys.path if place.endswith(ARCHIVE)]
    assert ARCHIVE not in conformance.__file__


@pytest.mark.spark
@pytest.mark.usefixtures("_seven_parts")
def test_a_corpus_has_the_rows_of_one_process(spark: SparkSession, tmp_path: Path) -> None:
    """Each engine reads the files of the other, and finds the same problems in its own."""
    here, there, engine = tmp_path / "here", tmp_path / "there", SparkEngine(spark)
    assert build(engine, TINY, Storage(str(there)), lambda _: None) == built(TINY, here)
    assert [*problems_of(HERE, Storage(str(there))), *problems_of(engine, Storage(str(here)))] == []
    for folder in (here, there):
        min(folder.joinpath("parts").glob("*.parquet")).unlink()
    found = [*problems_of(engine, Storage(str(there)))]
    assert len(found) == TINY.rows
    assert found == [*problems_of(HERE, Storage(str(here)))]


def test_the_plan_of_vectors_has_every_group_once() -> None:
    assert [pair for part in plan_of() for pair in part] == pairs()


@pytest.mark.spark
def test_vectors_are_those_of_processes(spark: SparkSession) -> None:
    assert spark_groups(SparkEngine(spark), (PROPOSAL,)) == [*built_groups(1, (PROPOSAL,))]


@pytest.mark.spark
@pytest.mark.nightly
def test_spark_builds_the_committed_vectors(has_spark: None, tmp_path: Path) -> None:  # noqa: ARG001  # asked for its skip
    """Two workers with other hashes build every file to the byte, and `make vectors-check` does in one process."""
    committed = committed_vectors()
    for name in ("ids.json", "retired.json"):  # a build goes on from what a folder has
        shutil.copy(committed / name, tmp_path)
    words = ["vectors", "build", "--output", str(tmp_path), "--master", "local[2]"]
    subprocess.run(  # noqa: S603  # the words are those of this test
        [sys.executable, "-m", "conformance", *words], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "1"}, check=True
    )
    for path in ["index.json", *read_file(committed / "index.json")["files"]]:
        assert (tmp_path / path).read_bytes() == (committed / path).read_bytes()


@pytest.mark.spark
def test_invalid_master_is_named(has_spark: None, tmp_path: Path) -> None:  # noqa: ARG001  # asked for its skip
    folder = str(tmp_path / "corpus")
    done = command("-m", "conformance", "corpus", "build", "--total", "10", "--output", folder, "--master", "nowhere")
    assert done.status == 1
    assert re.search(r"^Error: Spark .*'nowhere'", done.text, re.MULTILINE)
    assert "Traceback" not in done.text


@pytest.mark.spark
@pytest.mark.nightly
def test_master_of_spark_defaults_is_kept(has_spark: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001  # asked for its skip
    (tmp_path / "spark-defaults.conf").write_text("spark.master local[1]\nspark.ui.enabled false\n")
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    program = "with spark_session() as session: print(session.conf.get('spark.master'), session.range(3).count())"
    done = command("-c", f"from conformance.campaign.pipeline.spark_session import spark_session\n{program}")
    assert done.ended(0).splitlines()[-1] == "local[1] 3"
