"""A campaign on a cluster without our Python, with the environment and the adapter sent by spark-submit."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from conformance.campaign.folder import manifest_of
from conformance.campaign.pipeline.storage import Storage
from conformance.commands import submit
from tests.campaign.conftest import RELEASE, campaign_of, run_all
from tests.helpers import requirements
from tests.helpers.packed_environment import pack
from tests.helpers.runs import Finished, program
from tests.helpers.spark_cluster import HOME, LOOPBACK, cluster

pytestmark = [pytest.mark.spark, pytest.mark.nightly]

DEADLINE = 300
ADAPTER = "sent_adapter"
MESSAGES = "HeartbeatResponse-v0,ApiVersionsRequest-v3"


@pytest.fixture
def adapter(tmp_path: Path) -> Path:
    """A module outside of the project, in a folder unknown to the processes of the cluster."""
    file = tmp_path / "adapters" / f"{ADAPTER}.py"
    file.parent.mkdir()
    file.write_text("from conformance.adapters import reference as adapter\n", encoding="utf-8")
    return file


@pytest.fixture
def submitted(adapter: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Finished]]:
    """A function to run a command by spark-submit on a cluster whose own Python ends at once."""
    requirements.spark()
    folder = tmp_path_factory.mktemp("cluster")
    pack(folder / "environment.tar.gz", folder / "environment")
    python = folder / "bin" / "python3"
    python.parent.mkdir()
    python.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    python.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{python.parent}{os.pathsep}{os.environ['PATH']}")
        patch.delenv("PYSPARK_PYTHON", raising=False)
        with cluster(folder, 1) as running:
            yield partial(_submit, running.master, folder / "environment.tar.gz", adapter)
    shutil.rmtree(folder)  # it has the environment twice


def _submit(master: str, archive: Path, adapter: Path, *words: str) -> Finished:
    """Run the command in the archive's folder, with the output of spark-submit and the driver in one text."""
    options = ["--master", master, "--archives", f"{archive}#environment", "--py-files", str(adapter)]
    for setting in ("python=./environment/bin/python", f"driver.python={sys.executable}"):
        options += ["--conf", f"spark.pyspark.{setting}"]
    environment = {**os.environ, "SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": LOOPBACK}
    command = [str(HOME / "bin" / "spark-submit"), *options, submit.__file__, *words]
    return program(command, archive.parent, environment, DEADLINE)


def test_a_campaign_has_the_outcomes_of_one_process(
    submitted: Callable[..., Finished], adapter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("--impl", ADAPTER, "--messages", MESSAGES, "--generate", "300", "--output", str(tmp_path / "sent"))
    submitted("campaign", "run", "--release", RELEASE, *words).ended(0)
    monkeypatch.syspath_prepend(adapter.parent)
    expected = run_all(campaign_of(ADAPTER, cases=300), tmp_path / "here")["hash"]
    assert manifest_of(Storage(str(tmp_path / "sent")))["hash"] == expected
