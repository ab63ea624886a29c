"""Campaigns on Spark's own cluster, with a lost worker and a lost driver."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.campaign.folder import manifest_of
from conformance.campaign.pipeline.storage import Storage
from tests.campaign.conftest import CATEGORIES, LIARS, campaign_of, run_all
from tests.helpers import requirements
from tests.helpers.releases import NEWEST
from tests.helpers.runs import ROOT, command
from tests.helpers.small_batches import BATCHES
from tests.helpers.spark_cluster import cluster

pytestmark = pytest.mark.spark

DEADLINE = 400
IMPLS = [f"{LIARS}:{name}" for name in CATEGORIES]
CASES = ("--release", NEWEST, "--messages", "HeartbeatResponse-v0,ApiVersionsRequest-v3", "--generate", "600")


def words(folder: Path, master: str) -> list[str]:
    """The command with small batches, as words of Python."""
    impls = [f"--impl={impl}" for impl in IMPLS]
    run = ("campaign", "run", *impls, *CASES, "--output", str(folder), "--master", master)
    return ["-m", "tests.helpers.small_batches", *run]


def begun(words: list[str], is_far: Callable[[], object]) -> "subprocess.Popen[bytes]":
    """Start a command in a process group of its own, and wait until it is far enough, but not at its end."""
    process = subprocess.Popen([sys.executable, *words], cwd=ROOT, start_new_session=True)  # noqa: S603
    until = time.monotonic() + DEADLINE
    while not is_far():
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.05)
    return process


def batches(folder: Path) -> list[Path]:
    """The files that mark finished batches."""
    return sorted(folder.glob("batches/*/_SUCCESS"))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The hash of the outcomes of one process."""
    requirements.spark()
    return str(run_all(campaign_of(*IMPLS, cases=600), tmp_path_factory.mktemp("undisturbed"))["hash"])


def hash_in(folder: Path) -> str:
    return str(manifest_of(Storage(str(folder)))["hash"])


def test_killed_worker_does_not_change_the_outcomes(tmp_path: Path, undisturbed: str) -> None:
    """The other worker runs the parts begun by the first one."""
    folder = tmp_path / "campaign"
    with cluster(tmp_path) as running:
        process = begun(words(folder, running.master), lambda: batches(folder))
        running.workers[0].kill()
        assert process.wait(DEADLINE) == 0
    assert hash_in(folder) == undisturbed


@pytest.mark.nightly
def test_killed_driver_is_started_again(tmp_path: Path, undisturbed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Finished batches are kept, and the others are run on the same cluster."""
    folder = tmp_path / "campaign"
    with cluster(tmp_path) as running:
        monkeypatch.setenv(BATCHES, "2")
        command(*words(folder, running.master), timeout=DEADLINE).ended(-signal.SIGKILL)
        assert len(batches(folder)) == 2
        command(*words(folder, running.master), timeout=DEADLINE).ended(0)  # the second batch is there
    assert hash_in(folder) == undisturbed


@pytest.mark.nightly
def test_killed_night_is_finished_by_the_same_command(tmp_path: Path) -> None:
    """No other night is begun before."""
    requirements.spark()
    night = ["nightly", "--impl", LIARS + ":Honest", "--impl", LIARS + ":Aborts", *CASES[:4], "--minutes", "1"]
    night += ["--master", "local[2]", "--state", str(tmp_path)]
    folder = tmp_path / "campaigns" / "000001"
    process = begun(["-m", "conformance", *night], lambda: [*folder.glob("parts/*.json")])
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not (folder / "manifest.json").exists()
    done = command("-m", "conformance", *night, timeout=DEADLINE)
    lines = [line.partition(":")[0] for line in done.text.splitlines()[-5:]]
    assert lines == ["new", "gone", "known", "cases", "deaths"]
    assert (folder / "manifest.json").exists()
    assert not (tmp_path / "campaigns" / "000002").exists()
