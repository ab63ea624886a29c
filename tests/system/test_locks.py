"""Folders for one process at a time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.system.folders import InUse, alone

HOLDS = """
import sys, time
from pathlib import Path
from conformance.system.folders import alone
with alone(Path(sys.argv[1]), "night"):
    print("held", flush=True)
    time.sleep(600)
"""


def test_a_folder_in_use_is_refused_and_its_holder_named(tmp_path: Path) -> None:
    """Two nights at once on one state would write over each other's results."""
    with (
        alone(tmp_path, "night"),
        pytest.raises(InUse, match=f"another night, process {os.getpid()}"),
        alone(tmp_path, "night"),
    ):
        raise AssertionError("held twice")


def test_a_folder_is_free_after_its_holder(tmp_path: Path) -> None:
    with alone(tmp_path, "night"):
        pass
    with alone(tmp_path, "night"):
        assert (tmp_path / ".lock").read_text() == f"{os.getpid()}\n"


def test_a_folder_is_free_after_its_holder_was_killed(tmp_path: Path) -> None:
    """Nobody has to remove a file by hand after `kill -9`."""
    words = [sys.executable, "-c", HOLDS, str(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as holder:  # noqa: S603  # the words are those of this test
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(InUse, match=f"process {holder.pid}"), alone(tmp_path, "night"):
            raise AssertionError("held twice")
        holder.kill()
    with alone(tmp_path, "night"):
        pass
