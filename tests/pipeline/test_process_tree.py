"""What processes have taken, as Linux tells."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from conformance.pipeline.process_tree import PROC, family

pytestmark = pytest.mark.skipif(not (PROC / "self" / "stat").exists(), reason="needs Linux's /proc")

PROGRAM = "data = b'x' * 200 * 2**20; del data; print('ready', flush=True); input()"
"""Takes 200 MiB for a moment, and waits."""


def test_a_child_is_of_the_family_with_the_most_it_ever_had() -> None:
    """Though it has given the memory back."""
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:  # noqa: S603  # the program of this test
        assert child.stdout is not None
        child.stdout.readline()
        members = {member.pid: member for member in family()}
        child.communicate(b"\n")
    assert 200 <= members[child.pid].peak_mib < 300
    assert members[child.pid].seconds > 0
    assert os.getpid() in members


def test_other_processes_are_not_of_the_family() -> None:
    """The one that started this one, for example."""
    assert os.getppid() not in {member.pid for member in family()}
