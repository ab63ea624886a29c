"""Runs that go on side by side: each is a child process with a report of its own, kept in a folder.

A report is in the folder as NAME.jsonl, and beside it NAME.key with the hash of what it rests on, written last: a run
that was interrupted has no key, and is run again. NAME.txt is what the run printed. A run writes into a folder of its
own: one whose parent was killed may go on for a while, and must not change the report of the run that follows it.
"""

from __future__ import annotations

import glob
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.bridge.errors import Ending
from conformance.files import replacing, write_atomically
from conformance.implementation.plain_values import printable_lines
from conformance.matrix.content import content_key

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from conformance.matrix.plan import PlannedRun

KEPT, NEW = 0, 1
"""The exit statuses of a run that has written its report: nothing new, new findings."""

PAUSE = 0.1
GRACE = 20.0
"""Seconds that runs have to end, once they are told to stop."""

LAST_LINES = 5
"""How many lines of what a run printed are shown if it fails."""


@dataclass(frozen=True)
class Result:
    """What came of a run.

    Attributes:
        report: the file; None: the run has failed.
        problem: how it failed, and the end of what it printed.
        seconds: how long it took; None: its report was there.
    """

    run: PlannedRun
    report: Path | None = None
    problem: str = ""
    seconds: float | None = None


class Kept:
    """The folder in which reports are kept."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def report(self, run: PlannedRun) -> Path:
        """Return the place of a report."""
        return self._folder / f"{run.name}.jsonl"

    def output(self, run: PlannedRun) -> Path:
        """Return the place of what a run prints."""
        return self._folder / f"{run.name}.txt"

    def _key(self, run: PlannedRun) -> Path:
        return self._folder / f"{run.name}.key"

    def has(self, run: PlannedRun, key: str) -> bool:
        """Return whether a report is there that rests on the same."""
        with suppress(OSError):
            return self.report(run).is_file() and self._key(run).read_text(encoding="utf-8") == f"{key}\n"
        return False

    def forget(self, run: PlannedRun) -> None:
        """Remove the key, so that the report no longer counts, and what interrupted runs have left."""
        self._key(run).unlink(missing_ok=True)
        for left in self._folder.glob(f".{glob.escape(run.name)}.run-*"):
            shutil.rmtree(left, ignore_errors=True)

    def own_folder(self, run: PlannedRun) -> Path:
        """Return a new folder for what a run writes."""
        return Path(tempfile.mkdtemp(dir=self._folder, prefix=f".{run.name}.run-"))

    def remember(self, run: PlannedRun, key: str) -> None:
        """Write the key of a report that is there."""
        write_atomically(self._key(run), f"{key}\n")


class Running:
    """A run that goes on."""

    def __init__(self, run: PlannedRun, kept: Kept, key: str) -> None:
        self.run = run
        self._kept, self._key = kept, key
        kept.forget(run)
        kept.report(run).unlink(missing_ok=True)
        self._folder = kept.own_folder(run)
        self._began = time.monotonic()
        with replacing(kept.output(run)) as temporary, temporary.open("wb") as output:
            self._process = subprocess.Popen(  # noqa: S603  # our own command
                run.command(self._written),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # control-C is for the parent, which stops its runs itself
            )

    @property
    def _written(self) -> Path:
        """Where the run writes its report."""
        return self._folder / "report.jsonl"

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self._process.poll() is not None

    def result(self) -> Result:
        """Return what came of a run that is over; its report counts from now on."""
        status, seconds = self._process.wait(), time.monotonic() - self._began
        report = self._kept.report(self.run)
        is_whole = status in {KEPT, NEW} and self._written.is_file()
        if is_whole:
            self._written.replace(report)
        shutil.rmtree(self._folder, ignore_errors=True)
        if is_whole:
            self._kept.remember(self.run, self._key)
            return Result(self.run, report, seconds=seconds)
        output = self._kept.output(self.run)
        lines = printable_lines(output.read_text(encoding="utf-8", errors="replace")).strip().split("\n")
        problem = "\n    ".join([f"{Ending(status, '').cause}; the end of {output}:", *lines[-LAST_LINES:]])
        return Result(self.run, problem=problem, seconds=seconds)

    def stop(self) -> None:
        """Tell it to stop."""
        self._process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """End it, with all that it has started."""
        if not self.is_over:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


def run_all(
    runs: Sequence[PlannedRun], kept: Kept, jobs: int, *, again: bool = False
) -> Generator[Result | None, None, None]:
    """Yield what comes of each run, as soon as it is known, and None now and then while runs go on.

    Runs whose report is there come first. Whatever ends the iteration early ends the runs that go on.

    Args:
        runs: what to run.
        kept: where the reports are.
        jobs: how many run at the same time.
        again: run what has a report, too.
    """
    waiting: deque[tuple[PlannedRun, str]] = deque()
    for run in runs:
        key = content_key(run)
        if kept.has(run, key) and not again:
            yield Result(run, kept.report(run))
        else:
            waiting.append((run, key))
    running: list[Running] = []
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                run, key = waiting.popleft()
                running.append(Running(run, kept, key))
            for each in [each for each in running if each.is_over]:
                running.remove(each)
                yield each.result()
            yield None
            time.sleep(PAUSE)
    finally:
        stop(running)


def stop(running: Sequence[Running]) -> None:
    """End runs that go on: by control-C, and by force those that do not end."""
    for each in running:
        each.stop()
    end = time.monotonic() + GRACE
    while time.monotonic() < end and not all(each.is_over for each in running):
        time.sleep(PAUSE)
    for each in running:
        each.kill()
