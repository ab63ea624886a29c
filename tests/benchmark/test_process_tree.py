import os
import subprocess
import sys

import pytest

from conformance.benchmark.corpus import PROC, process_tree

pytestmark = pytest.mark.skipif(not (PROC / "self" / "stat").exists(), reason="needs Linux's /proc")

PROGRAM = "data = b'x' * 200 * 2**20; del data; print('ready', flush=True); input()"
"""Allocates 200 MiB, frees them, and waits."""


def test_child_is_in_the_tree_with_its_peak_memory() -> None:
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:  # noqa: S603  # the program of this test
        assert child.stdout is not None
        child.stdout.readline()
        usages = {usage.pid: usage for usage in process_tree()}
        child.communicate(b"\n")
    assert 200 <= usages[child.pid].peak_mib < 300
    assert usages[child.pid].seconds > 0
    assert os.getpid() in usages


def test_parent_process_is_not_in_the_tree() -> None:
    assert os.getppid() not in {usage.pid for usage in process_tree()}
