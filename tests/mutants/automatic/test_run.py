"""Runs of one small file, and of an endless mutant."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

from tests.mutants.automatic.mutations import ROOT, mutants_of
from tests.mutants.automatic.trial import first_violation
from tests.mutants.kit.pool import tried_within

FILE = "reference/protocols.py"


def test_every_mutant_of_a_file_is_killed_or_explained() -> None:
    """The run ends well, and counts them."""
    command = [sys.executable, "-m", "tests.mutants.automatic", "--file", FILE]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603  # our own
    assert done.returncode == 0, done.stdout
    assert f"{len(list(mutants_of(FILE)))} mutants" in done.stdout


def test_endless_mutant_is_killed() -> None:
    """The system kills it at the limit of CPU seconds."""
    endless = replace(next(mutants_of(FILE)), text="while True: pass")
    [answer] = tried_within(2, first_violation, [endless], workers=1)
    assert str(answer.result).endswith(" exit code -9")
