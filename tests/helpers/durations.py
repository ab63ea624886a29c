"""Seconds of CPU and of the clock, by step of CI and by test, in tests/durations.toml.

`make durations` runs each step of a change once and writes the file, by `tests.ci.running`. Processes started by a test
count for the test: ended ones by the records of the system, running ones (servers, a JVM, children that decode) by
/proc, if there is one.
The file determines which tests are `slow`; no test fails for being slow.
"""

from __future__ import annotations

import json
import os
import resource
import time
import tomllib
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
FILE = TESTS / "durations.toml"
FOLDER = "TEST_DURATIONS"
"""The environment variable with the folder for the files of a measured run's processes."""

# Mutants take 0.3 seconds each, and belong into every run; tests of twice that are left to `make test-rest`.
SLOW_CPU = 0.7
"""The seconds of CPU from which an item of a test function, or a set-up of a file, is slow."""

SLOW_CLOCK = 4.0
"""The same in seconds of the clock, for tests that wait."""

KEPT = 0.5
"""The seconds from which functions and set-ups have a line of their own; shorter ones are in the sum of their file."""

HEAD = """\
# Seconds of CPU and of the clock: of steps of a change; of files of tests; of test functions, the mean of their items;
# and of what tests of a file set up, the largest. Below half a second, the last two are not listed.
# Written by `make durations`. tests/helpers/durations.py says which tests are slow for it.
"""


class Seconds(NamedTuple):
    """The duration of an action, with all processes started by it."""

    cpu: float
    clock: float

    def __sub__(self, other: Seconds) -> Seconds:
        """Return the seconds since another measurement.

        A program that ended before its parent waited for it takes its seconds with it.
        """
        return Seconds(max(self.cpu - other.cpu, 0), self.clock - other.clock)

    def is_slow(self) -> bool:
        """Return whether tests of this duration are marked `slow`."""
        return self.cpu >= SLOW_CPU or self.clock >= SLOW_CLOCK


TABLES: dict[str, Callable[[list[Seconds]], Seconds]] = {
    "files": lambda of_tests: Seconds(*map(sum, zip(*of_tests, strict=True))),
    "functions": lambda of_items: Seconds(*map(fmean, zip(*of_items, strict=True))),
    "set-up": lambda of_tests: Seconds(*map(max, zip(*of_tests, strict=True))),
}
"""The tables of tests, with the function for the seconds of one file or function."""


def slow_tests() -> set[str]:
    """Return the tests left by `make test` to `make test-rest`, as files or as `file::function`."""
    measured = tomllib.loads(FILE.read_text(encoding="utf-8"))
    rows = {**measured["functions"], **measured["set-up"]}
    return {name for name, row in rows.items() if Seconds(**row).is_slow()}


def now() -> Seconds:
    """Return the seconds of this process and its descendants so far, and the time."""
    ended = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return Seconds(sum(use.ru_utime + use.ru_stime for use in ended) + _running(os.getpid()), time.perf_counter())


def _running(process: int) -> float:
    """Return the CPU seconds of the running descendants of a process."""
    return sum(_taken(child) + _running(child) for child in _children(process))


def _children(process: int) -> list[int]:
    try:
        texts = [file.read_text() for file in Path(f"/proc/{process}/task").glob("*/children")]
    except OSError:  # it has just ended
        return []
    return [int(number) for text in texts for number in text.split()]


def _taken(process: int) -> float:
    """Return the CPU seconds of a process and of its ended children, by proc_pid_stat(5)."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has just ended
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


class Recorder:
    """A plugin of pytest that writes a line for each phase of each test of this process."""

    def __init__(self, folder: str) -> None:
        self.file = Path(folder, f"{os.getpid()}.jsonl")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        yield from self._measured(item, "setup")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        yield from self._measured(item, "call")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Iterator[None]:
        yield from self._measured(item, "teardown")

    def _measured(self, item: pytest.Item, phase: str) -> Iterator[None]:
        before = now()
        try:
            return (yield)
        finally:
            took = now() - before
            row = {"test": _name(item), "phase": phase, "cpu": took.cpu, "clock": took.clock}
            with self.file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(row) + "\n")


def _name(item: pytest.Item) -> str:
    """Return `file::function` of a test, relative to the folder of the tests."""
    return f"{item.path.relative_to(TESTS).as_posix()}::{item.name.partition('[')[0]}"


def tables_of(folder: Path) -> dict[str, dict[str, Seconds]]:
    """Return the tables of tests from the files that recorders wrote into a folder."""
    lines = [line for file in folder.iterdir() for line in file.read_text(encoding="utf-8").splitlines()]
    return summed(map(json.loads, lines))


def summed(rows: Iterable[dict[str, Any]]) -> dict[str, dict[str, Seconds]]:
    """Return the sum of each file, the mean of the items of each function, and the largest set-up in each file."""
    taken: dict[str, dict[str, list[Seconds]]] = {table: defaultdict(list) for table in TABLES}
    for row in rows:
        file = row["test"].partition("::")[0]
        own = ("functions", row["test"]) if row["phase"] == "call" else ("set-up", file)
        for table, name in (("files", file), own):
            taken[table][name].append(Seconds(row["cpu"], row["clock"]))
    tables = {table: {name: TABLES[table](all_of) for name, all_of in names.items()} for table, names in taken.items()}
    for table in ("functions", "set-up"):
        tables[table] = {name: took for name, took in tables[table].items() if max(took) >= KEPT}
    return tables


def written(steps_taken: dict[str, Seconds], tables: dict[str, dict[str, Seconds]]) -> str:
    """Return the text of tests/durations.toml."""
    rows = {table: dict(sorted(names.items())) for table, names in tables.items()}
    lines = [HEAD]
    for table, names in {"steps": steps_taken, **rows}.items():
        lines.append(f"\n[{table}]\n")
        lines += [
            f"{json.dumps(name)} = {{ cpu = {cpu:.1f}, clock = {clock:.1f} }}\n" for name, (cpu, clock) in names.items()
        ]
    return "".join(lines)
