import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import conformance
from conformance.campaign.spark.corpus import build, finished
from conformance.campaign.spark.corpus_plan import CorpusPlan, part_path, parts, record_name
from conformance.campaign.spark.engines import Job, check_on_spark, map_on_spark, plan, run_on_spark
from conformance.campaign.spark.spark_session import ARCHIVE, spark_session
from conformance.campaign.spark.storage import Storage
from conformance.campaign.spark.verification import problems_of
from conformance.vectors.enumeration.pairs import pairs
from conformance.vectors.tree.vector_files import read_file
from conformance.vectors.tree.vector_paths import committed_vectors
from tests.helpers.corpus import in_order
from tests.helpers.releases import BASE
from tests.helpers.runs import ROOT, command

pytestmark = pytest.mark.spark

SMALL = CorpusPlan(BASE, 60_000, "1")
"""Six parts."""

DEADLINE = 300


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return build(SMALL, Storage(str(tmp_path_factory.mktemp("undisturbed"))), in_order)


def spy() -> Job:
    """A job to find the place of a worker's import of this project, as a closure, since workers have no tests."""

    def where(number: int) -> dict[str, Any]:
        from importlib.machinery import PathFinder  # noqa: PLC0415  # on the worker

        found = PathFinder.find_spec("conformance")
        return {"number": number, "file": found and found.origin}

    return Job(where, "number long, file string", "places of imports")


def test_the_driver_imports_from_where_it_did(spark: SparkSession) -> None:  # noqa: ARG001  # the session is there
    assert not [place for place in sys.path if place.endswith(ARCHIVE)]


def test_workers_of_an_active_session_import_the_archive(spark: SparkSession) -> None:  # noqa: ARG001  # it is
    here = Path(conformance.__file__)
    with spark_session() as active:
        rows = map_on_spark(active, 2, spy())
    for row in rows:
        assert Path(row.file) != here
        assert row.file.endswith("kafka_wire_conformance.zip/conformance/__init__.py")


def test_rows_come_back_in_order(spark: SparkSession) -> None:
    rows = map_on_spark(spark, 9, spy())
    assert [row.number for row in rows] == list(range(9))


def test_no_work_is_no_job(spark: SparkSession) -> None:
    assert map_on_spark(spark, 0, spy()) == []


def test_spark_and_one_process_build_the_same_rows(
    spark: SparkSession, tmp_path: Path, undisturbed: dict[str, Any]
) -> None:
    assert build(SMALL, Storage(str(tmp_path)), partial(run_on_spark, spark)) == undisturbed
    assert list(problems_of(Storage(str(tmp_path)))) == []


def test_spark_and_one_process_find_the_same_problems(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order is the same, even with more parts than tasks of Spark."""
    monkeypatch.setattr("conformance.campaign.spark.corpus_plan.PART_COST", 1_000)
    spoiled, folder = CorpusPlan(BASE, 739, "spoiled"), Storage(str(tmp_path))
    build(spoiled, folder, in_order)
    part_path(tmp_path, 3).unlink()
    (tmp_path / record_name(7)).write_text("{}", encoding="utf-8")
    part_path(tmp_path, len(parts(spoiled)) - 1).write_bytes(b"PAR1")
    here = list(problems_of(folder))
    assert list(problems_of(folder, partial(check_on_spark, spark))) == here
    assert len(here) == 5
    assert len(parts(spoiled)) > 16


@pytest.mark.nightly
def test_killed_build_goes_on(spark: SparkSession, tmp_path: Path, undisturbed: dict[str, Any]) -> None:
    """Kill -9 of the driver and its Java leaves the finished parts, and the rows of an undisturbed build."""
    kill_at_half(tmp_path)
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("part-*.json")}
    assert 0 < len(kept) < len(parts(SMALL))
    assert build(SMALL, Storage(str(tmp_path)), partial(run_on_spark, spark)) == undisturbed
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert list(problems_of(Storage(str(tmp_path)))) == []


def kill_at_half(folder: Path) -> None:
    """Begin the corpus in a process group of its own, one part after the other, and kill it when half are there."""
    words = ["--release", SMALL.release, "--total", str(SMALL.rows), "--output", str(folder), "--master", "local[1]"]
    with subprocess.Popen(  # noqa: S603  # the words are those of this test
        [sys.executable, "-m", "conformance", "corpus", "build", *words], cwd=ROOT, start_new_session=True
    ) as builder:
        deadline = time.monotonic() + DEADLINE
        while finished(Storage(str(folder))) < len(parts(SMALL)) // 2:
            assert builder.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        os.killpg(builder.pid, signal.SIGKILL)


def test_invalid_master_is_named(has_spark: None, tmp_path: Path) -> None:  # noqa: ARG001  # asked for its skip
    folder = str(tmp_path / "corpus")
    done = command("-m", "conformance", "corpus", "build", "--total", "10", "--output", folder, "--master", "nowhere")
    assert done.status == 1
    assert "Error: Spark does not start with master 'nowhere'" in done.text
    assert "Traceback" not in done.text


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
    paths = ["index.json", *read_file(committed / "index.json")["files"]]
    assert hashes(tmp_path) == {path: sha256((committed / path).read_bytes()).hexdigest() for path in paths}


def hashes(folder: Path) -> dict[str, str]:
    """Every file's SHA-256, by path."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files}


def test_the_plan_has_every_group_once() -> None:
    assert [pair for partition in plan() for pair in partition] == pairs()
