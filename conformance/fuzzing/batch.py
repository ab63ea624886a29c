"""One batch of a nightly run: the suite's random tests on a few pairs, in a process of its own, which may crash."""

from __future__ import annotations

import json
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import STDOUT
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from conformance.processes.own import COMMAND, own_environment
from conformance.processes.programs import start

SEARCH = "hypothesis"
"""The marker of every random test: Hypothesis's own pytest plugin sets it."""

FOUND = "found_case"
"""The marker of the test of found cases."""

GRACE = 20.0
"""Seconds that a batch has for its report, once it is told to stop."""

ENDED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
MAXIMUM_OUTPUT = 2_000


@dataclass(frozen=True)
class Plan:
    """The options that all batches of a nightly run have in common."""

    impl: str
    release: str
    state: Path
    known_failures: Path | None = None

    @property
    def found(self) -> Path:
        """The folder of found cases."""
        return self.state / "found"

    def command(self, pairs: list[str], marker: str, report: Path) -> list[str]:
        """Return the command line of one batch."""
        known = [f"--known-failures={self.known_failures}"] if self.known_failures else []
        words = [f"--impl={self.impl}", f"--release={self.release}", f"--messages={','.join(pairs)}", "--depth=nightly"]
        words += [f"--database={self.state / 'examples'}", f"--found={self.found}", f"--report={report}", *known]
        words += ["-m", marker, "-q", f"--override-ini=cache_dir={self.state / 'cache'}"]
        return [*COMMAND, "run", *words]


class Batch:
    """A batch that is running."""

    def __init__(self, plan: Plan, pairs: list[str], marker: str = SEARCH) -> None:
        self.pairs = pairs
        self.marker = marker
        self._folder = TemporaryDirectory(prefix="kafka-conformance-")
        self._report = Path(self._folder.name) / "report.jsonl"
        self._output = Path(self._folder.name) / "output.txt"
        self._began = time.monotonic()
        self._told_to_stop: float | None = None
        with self._output.open("wb") as output:
            self._program = start(
                plan.command(pairs, marker, self._report),
                environment=own_environment(),
                stdout=output.fileno(),
                stderr=STDOUT,
            )

    @property
    def is_running(self) -> bool:
        """Whether it has not ended; a batch that does not stop within `GRACE` is killed."""
        if self._told_to_stop is not None and time.monotonic() - self._told_to_stop > GRACE:
            self._program.kill()
        return self._program.status is None

    def stop(self) -> None:
        """Tell it to stop and to write its report."""
        if self._told_to_stop is None:
            self._told_to_stop = time.monotonic()
            self._program.signal(signal.SIGINT)

    def result(self) -> BatchResult:
        """Wait for its end, and return what it reported."""
        status = self._program.wait() or 0
        lines = self._report.read_text(encoding="utf-8").splitlines() if self._report.exists() else []
        output = self._output.read_text(encoding="utf-8", errors="replace")[-MAXIMUM_OUTPUT:]
        self._folder.cleanup()
        seconds = time.monotonic() - self._began
        stopped = self._told_to_stop is not None
        return BatchResult(
            self.pairs, self.marker, status, seconds, stopped, [json.loads(line) for line in lines], output
        )


@dataclass(frozen=True)
class BatchResult:
    """The outcome of a batch that has ended."""

    pairs: list[str]
    marker: str
    status: int
    seconds: float
    stopped: bool
    """Whether it was told to stop: not all of its pairs were searched."""
    events: list[dict[str, Any]] = field(repr=False)
    output: str = field(repr=False)

    @property
    def has_died(self) -> bool:
        """Whether it ended as no run of pytest ends: by a signal, or by a call of exit in the codec."""
        return not self.stopped and (self.status not in ENDED or (not self.events and self.status != ENDED[-1]))

    @property
    def is_refused(self) -> bool:
        """Whether pytest refused its options, as it would those of the next batch."""
        return self.status == pytest.ExitCode.USAGE_ERROR
