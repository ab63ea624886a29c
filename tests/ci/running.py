"""Runs of the steps of CI, and what they take.

A change stops at its first failed step. The night goes on, and fails at its end.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.system.terminal import echo
from tests.ci.steps import ROOT, steps_of
from tests.helpers.durations import FILE, FOLDER, Seconds, now, tables_of, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tests.ci.steps import Step


def run_steps(steps: Iterable[Step], *, go_on: bool) -> list[str]:
    """Run steps, by default up to the first that fails, and return the commands that failed."""
    failed = []
    for step in steps:
        echo(f"\n== {step.command}")
        if status_of(step) != 0:
            failed.append(step.command)
            if not go_on:
                break
    return failed


def status_of(step: Step, environment: Mapping[str, str] | None = None) -> int:
    """Run one step, without an input, and return its exit status."""
    return subprocess.run(  # noqa: S603  # a line of our own table
        ["bash", "-c", step.command],  # noqa: S607
        cwd=ROOT,
        env={**os.environ, "CI": "true", **(environment or {})},
        stdin=subprocess.DEVNULL,
        check=False,
    ).returncode


def measured_steps() -> dict[str, Seconds]:
    """Return what the steps of a change took by tests/durations.toml."""
    rows = tomllib.loads(FILE.read_text(encoding="utf-8"))["steps"]
    return {name: Seconds(**row) for name, row in rows.items()}


def plan(steps: Sequence[Step]) -> Iterator[str]:
    """Yield a line for each step, and their sum."""
    measured = measured_steps()
    for step in steps:
        yield f"{measured[step.name].cpu:7.1f} CPU s  {step.command}"
    yield f"{sum(measured[step.name].cpu for step in steps):7.1f} CPU s  {len(steps)} steps"


def measure() -> None:
    """Run every step of a change, even after a failed one, and write tests/durations.toml."""
    taken = {}
    with tempfile.TemporaryDirectory() as folder:
        for step in steps_of("change"):
            before = now()
            status = status_of(step, {FOLDER: folder} if not step.part_of else {})
            taken[step.name] = now() - before
            echo(f"{step.command}: {taken[step.name].cpu:.0f} CPU seconds, exit status {status}")
        FILE.write_text(written(taken, tables_of(Path(folder))), encoding="utf-8")
