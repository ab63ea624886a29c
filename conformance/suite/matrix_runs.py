"""Parallel runs, each a child process with a report in a folder.

A report is NAME.jsonl in the folder. NAME.key beside it has the hash of its inputs and that of its content. A report
without it, or with another content, is made again. NAME.txt is the output of the run. A run writes into a folder of
its own, so an interrupted run does not affect the report of the next one. Only a finished run has a report.

The hash covers all inputs of a run's result: a report with the same hash need not be made again.
"""

from __future__ import annotations

import glob
import shutil
import signal
import sys
import tempfile
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from subprocess import STDOUT
from typing import TYPE_CHECKING

from conformance.codec.adapter_place import module_spec, place_of
from conformance.codec.bridge.harness_errors import Ending
from conformance.codec.bridge.loading import stdio_command
from conformance.definitions.named import release_of
from conformance.judge.findings.extent import extent_in
from conformance.suite.import_guard import HOME
from conformance.suite.matrix_plan import digest_of
from conformance.system.folders import claim, sha256_of
from conformance.system.import_path import current_folder
from conformance.system.own_processes import own_environment
from conformance.system.printable import printable_lines
from conformance.system.programs import start
from conformance.system.whole_files import explained, replacing, sync, write_text
from conformance.targets.claims import is_over_stdio

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from conformance.suite.matrix_plan import PlannedRun

KEPT, NEW = 0, 1
"""The exit statuses of a run with a report, without and with new findings."""

MARKER = "matrix.json"
FORMAT = 1

PAUSE = 0.1
GRACE = 20.0
"""Seconds given to runs to end, once they are asked to stop."""

LAST_LINES = 5
"""The number of lines shown of a failed run's output."""


@dataclass(frozen=True)
class RunResult:
    """The result of a run, a report or the failure with the end of the output. A kept report has no duration."""

    run: PlannedRun
    report: Path | None = None
    problem: str = ""
    seconds: float | None = None


class ReportFolder:
    """The folder of kept reports. It raises `NotOurs` for other contents, which it leaves, or `NotWritten`."""

    def __init__(self, folder: Path) -> None:
        claim(folder, MARKER, {"matrix": FORMAT}, "state of a matrix")
        self._folder = folder

    def report(self, run: PlannedRun) -> Path:
        """Return the place of a report."""
        return self._folder / f"{run.name}.jsonl"

    def output(self, run: PlannedRun) -> Path:
        """Return the place of a run's output."""
        return self._folder / f"{run.name}.txt"

    def _key(self, run: PlannedRun) -> Path:
        return self._folder / f"{run.name}.key"

    def has(self, run: PlannedRun, key: str) -> bool:
        """Return whether there is an unchanged report of the same inputs."""
        with suppress(OSError):
            return self._key(run).read_bytes() == _key_text(key, self.report(run)).encode()
        return False

    def forget(self, run: PlannedRun) -> None:
        """Remove the report and its key, and the folders of interrupted runs."""
        for path in (self.report(run), self._key(run)):
            path.unlink(missing_ok=True)
        for left in self._folder.glob(f".{glob.escape(run.name)}.run-*"):
            shutil.rmtree(left, ignore_errors=True)

    def own_folder(self, run: PlannedRun) -> Path:
        """Return a new folder for the files of a run."""
        return Path(tempfile.mkdtemp(dir=self._folder, prefix=f".{run.name}.run-"))

    def take(self, run: PlannedRun, key: str, written: Path) -> None:
        """Keep the report of a run, and write its key."""
        with explained(self.report(run)):
            sync(written)
            written.replace(self.report(run))
        write_text(self._key(run), _key_text(key, self.report(run)))


def _key_text(key: str, report: Path) -> str:
    return f"{key} {sha256_of(report)}\n"


class Running:
    """A run in progress."""

    def __init__(self, run: PlannedRun, kept: ReportFolder, key: str) -> None:
        self.run = run
        self._kept, self._key = kept, key
        with explained(kept.output(run)):
            kept.forget(run)
            self._folder = kept.own_folder(run)
        self._began = time.monotonic()
        with replacing(kept.output(run)) as temporary, temporary.open("wb") as output:
            self._program = start(
                run.command(self._written), environment=own_environment(), stdout=output.fileno(), stderr=STDOUT
            )

    @property
    def _written(self) -> Path:
        """The place of the report during the run."""
        return self._folder / "report.jsonl"

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self._program.status is not None

    def result(self) -> RunResult:
        """Return the result of a finished run, and keep its report from now on."""
        status, seconds = self._program.kill(), time.monotonic() - self._began
        extent = extent_in(self._written) if self._written.is_file() else None
        is_finished = status in {KEPT, NEW} and extent is not None and extent.is_finished
        try:
            if is_finished:
                self._kept.take(self.run, self._key, self._written)
                return RunResult(self.run, self._kept.report(self.run), seconds=seconds)
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)
        cause = Ending(status, "").cause + ("" if extent is None or extent.is_finished else f"; its report is {extent}")
        return RunResult(self.run, problem=self._problem(cause), seconds=seconds)

    def _problem(self, cause: str) -> str:
        output = self._kept.output(self.run)
        lines = printable_lines(output.read_text(encoding="utf-8", errors="replace")).strip().split("\n")
        return "\n    ".join([f"{cause}; the end of {output}:", *lines[-LAST_LINES:]])

    def stop(self) -> None:
        """Ask it to stop."""
        self._program.signal(signal.SIGINT)

    def kill(self) -> None:
        """End it, with all its child processes."""
        self._program.kill()
        shutil.rmtree(self._folder, ignore_errors=True)


def run_all(
    runs: Sequence[PlannedRun], kept: ReportFolder, jobs: int, *, again: bool = False
) -> Generator[RunResult | None, None, None]:
    """Yield the result of each run as soon as it is known, kept reports first, and None now and then meanwhile.

    At most `jobs` runs are in progress, and an early end of the iteration ends them. With `again` a run with a report
    is repeated.
    """
    waiting: deque[tuple[PlannedRun, str]] = deque()
    for run in runs:
        key = content_key(run)
        if kept.has(run, key) and not again:
            yield RunResult(run, kept.report(run))
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
    """End runs in progress by control-C, and after a while by force."""
    for each in running:
        each.stop()
    end = time.monotonic() + GRACE
    while time.monotonic() < end and not all(each.is_over for each in running):
        time.sleep(PAUSE)
    for each in running:
        each.kill()


SUITE = ("conformance", "reference")
WITHOUT_EFFECT = {"__pycache__", "node_modules", "target", "site"}
"""Folders of built files, and of the pages made of finished reports."""


def content_key(run: PlannedRun) -> str:
    """Return a hash of all known inputs of a report.

    It covers the options, the definitions of the release, the rules, the file of known failures, the suite, the package
    of the adapter, the files named by a command, and the versions of all installed distributions. It does not cover a
    codec built from sources beside its adapter's package, or a program started by a command's program.
    """
    return digest_of(_parts(run))


def _parts(run: PlannedRun) -> Iterator[bytes]:
    options = run.options
    yield repr((options.words(), run.words)).encode()
    yield from (b"installed", _installed(), b"suite", _suite())
    yield digest_of(_contents([Path(str(release_of(options.release).folder))])).encode()
    if options.known_failures:
        yield options.known_failures.read_bytes()
    yield digest_of(_contents(_adapter(options.impl))).encode()


@cache
def _installed() -> bytes:
    return "\n".join([sys.version, *sorted({f"{each.name} {each.version}" for each in distributions()})]).encode()


@cache
def _suite() -> bytes:
    rooms = sorted(place for name in SUITE for place in (HOME / name).iterdir())
    return digest_of(_contents([*rooms, HOME / "specs" / "rules.toml"])).encode()


def _adapter(impl: str) -> list[Path]:
    """Return the files and folders of an adapter, its top package, or the files named by a command."""
    if is_over_stdio(impl):
        return [Path(word) for word in stdio_command(impl) if Path(word).is_file()]
    place = place_of(impl)
    if place.file:
        return [place.file]
    top = place.module.partition(".")[0]
    spec = module_spec(top, current_folder()) if top not in SUITE else None
    if spec is None:
        return []
    folders = [Path(folder) for folder in spec.submodule_search_locations or ()]
    return folders or ([Path(spec.origin)] if spec.origin else [])


def _contents(places: Iterable[Path]) -> Iterator[bytes]:
    for place in places:
        files = sorted(file for file in place.rglob("*") if file.is_file()) if place.is_dir() else [place]
        for file in files:
            name = file.relative_to(place).as_posix() if file != place else file.name
            if not WITHOUT_EFFECT.intersection(file.relative_to(place.parent).parts):
                yield from (name.encode(), file.read_bytes())
