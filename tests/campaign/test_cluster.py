"""A campaign on Spark's own cluster, with a lost worker. The processes of `kills` are lost on one machine."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from conformance.campaign.folder import manifest_of
from conformance.campaign.pipeline.storage import Storage
from tests.campaign.conftest import CATEGORIES, LIARS, campaign_of, run_all
from tests.helpers import requirements
from tests.helpers.releases import NEWEST
from tests.helpers.runs import ROOT
from tests.helpers.spark_cluster import cluster

pytestmark = pytest.mark.spark

DEADLINE = 400
IMPLS = [f"{LIARS}:{name}" for name in CATEGORIES]
CASES = ("--release", NEWEST, "--messages", "HeartbeatResponse-v0,ApiVersionsRequest-v3", "--generate", "600")


def test_killed_worker_does_not_change_the_outcomes(tmp_path: Path) -> None:
    """The other worker runs the parts begun by the first one."""
    requirements.spark()
    folder = tmp_path / "campaign"
    run = ("campaign", "run", *(f"--impl={impl}" for impl in IMPLS), *CASES, "--output", str(folder))
    with cluster(tmp_path) as running:
        words = [sys.executable, "-m", "tests.helpers.small_batches", *run, "--master", running.master]
        process = subprocess.Popen(words, cwd=ROOT)  # noqa: S603  # words of this test
        until = time.monotonic() + DEADLINE
        while not any(folder.glob("batches/*/_SUCCESS")):
            assert process.poll() is None
            assert time.monotonic() < until
            time.sleep(0.05)
        running.workers[0].kill()
        assert process.wait(DEADLINE) == 0
    undisturbed = run_all(campaign_of(*IMPLS, cases=600), tmp_path / "undisturbed")
    assert manifest_of(Storage(str(folder)))["hash"] == undisturbed["hash"]
