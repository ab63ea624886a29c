"""Campaigns on Spark, on this machine and on a cluster with a lost worker and a lost driver."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from conformance.campaign.attempts import TASKS, Watch
from conformance.campaign.folder import manifest_of
from conformance.campaign.spark.storage import Storage
from tests.campaign.conftest import CATEGORIES, LIARS
from tests.helpers import requirements
from tests.helpers.releases import NEWEST
from tests.helpers.runs import ROOT, command
from tests.helpers.spark_cluster import cluster

pytestmark = pytest.mark.spark

DEADLINE = 400
CASES = ("--release", NEWEST, "--messages", "HeartbeatResponse-v0,ApiVersionsRequest-v3", "--generate", "600")


def words(folder: Path, master: str) -> list[str]:
    impls = [word for name in CATEGORIES for word in ("--impl", f"{LIARS}:{name}")]
    return ["campaign", "run", *impls, *CASES, "--output", str(folder), "--master", master]


def begin(folder: Path, master: str) -> "subprocess.Popen[bytes]":
    """Start the campaign in a process group of its own."""
    return subprocess.Popen(  # noqa: S603  # the words are those of this test
        [sys.executable, "-m", "conformance", *words(folder, master)], cwd=ROOT, start_new_session=True
    )


def wait_for(folder: Path, parts: int, process: "subprocess.Popen[bytes]") -> None:
    """Wait until so many parts are finished, and the campaign goes on."""
    until = time.monotonic() + DEADLINE
    while Watch(Storage(str(folder))).finished() < parts:
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.05)
    assert process.poll() is None


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    requirements.spark()
    folder = tmp_path_factory.mktemp("undisturbed")
    command("-m", "conformance", *words(folder, "local[2]"), timeout=DEADLINE).ended(0)
    return manifest_of(Storage(str(folder)))


def same(folder: Path, undisturbed: dict[str, Any]) -> bool:
    manifest = manifest_of(Storage(str(folder)))
    return (manifest["rows"], manifest["sha256"]) == (undisturbed["rows"], undisturbed["sha256"])


def test_killed_worker_does_not_change_the_outcomes(tmp_path: Path, undisturbed: dict[str, Any]) -> None:
    """The other worker runs the tasks begun by the first one."""
    with cluster(tmp_path) as running:
        process = begin(tmp_path / "campaign", running.master)
        wait_for(tmp_path / "campaign", 2, process)
        running.workers[0].kill()
        assert process.wait(DEADLINE) == 0
    assert same(tmp_path / "campaign", undisturbed)


@pytest.mark.nightly
def test_killed_driver_is_started_again(tmp_path: Path, undisturbed: dict[str, Any]) -> None:
    """Finished parts are kept, the others are run on the same cluster, and the outcomes are the same."""
    folder = tmp_path / "campaign"
    with cluster(tmp_path) as running:
        process = begin(folder, running.master)
        wait_for(folder, 2, process)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        kept = {path: path.stat().st_mtime_ns for path in folder.joinpath(TASKS).iterdir()}
        assert 0 < len(kept) < len(undisturbed["tasks"])
        command("-m", "conformance", *words(folder, running.master), timeout=DEADLINE).ended(0)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert same(folder, undisturbed)


@pytest.mark.nightly
def test_killed_night_is_finished_by_the_same_command(tmp_path: Path) -> None:
    """No other night is begun before."""
    requirements.spark()
    night = ["nightly", "--impl", LIARS + ":Honest", "--impl", LIARS + ":Aborts", *CASES[:4], "--minutes", "1"]
    night += ["--master", "local[2]", "--state", str(tmp_path)]
    folder = tmp_path / "campaigns" / "000001"
    process = subprocess.Popen([sys.executable, "-m", "conformance", *night], cwd=ROOT, start_new_session=True)  # noqa: S603
    wait_for(folder, 1, process)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not (folder / "manifest.json").exists()
    done = command("-m", "conformance", *night, timeout=DEADLINE)
    assert [line.partition(":")[0] for line in done.text.splitlines()[-5:]] == [
        "new",
        "gone",
        "known",
        "cases",
        "deaths",
    ]
    assert manifest_of(Storage(str(folder)))["rows"] > 0
    assert not (tmp_path / "campaigns" / "000002").exists()
