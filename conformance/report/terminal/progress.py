"""The terminal while the suite runs: one line that counts, in place of a dot for each item.

On a terminal the line is written over and over; elsewhere, as in a log, it grows by a word for every ten per cent.
With -q nothing is written until the end, unless the run breaks off: then all that pytest had to say is written.
"""

from __future__ import annotations

from io import StringIO
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from _pytest.terminal import TerminalReporter

    from conformance.judge.findings.results import Results

NAME = "kafka-conformance-progress"
"""The name of the plugin."""

STEP = 10
"""Per cent between two words of a line that cannot be written over."""

INTERVAL = 0.1
"""Seconds between two states of a line that can; the last state is written at once."""


def verbosity_of(config: pytest.Config) -> int:
    """Return how much the summary shows, and take it from what pytest shows.

    The first -v is for the summary: from the second on pytest shows each item. With -q pytest shows nothing.
    """
    verbosity: int = getattr(config.option, "verbose", 0)  # without pytest's terminal there is no such option
    config.option.verbose = verbosity - 1 if verbosity else 0
    return verbosity


def hide_places(reporter: TerminalReporter) -> None:
    """Have pytest write neither the files of items nor its own count of them."""
    reporter.showfspath = False
    reporter._show_progress_info = False  # noqa: SLF001  # an option of the ini file only, which other tests read


class Progress:
    """Counts items, on the controller.

    Attributes:
        reporter: pytest's own, which the line is written by.
        results: what was found so far.
        quiet: whether nothing is written but the last line.
    """

    def __init__(self, reporter: TerminalReporter, results: Results, *, quiet: bool) -> None:
        self._reporter = reporter
        self._results = results
        self._quiet = quiet
        self._total = 0
        self._done = 0
        self._begun = self._written = monotonic()
        self._writer = reporter._tw  # noqa: SLF001  # there is no other way to take what is written
        hide_places(reporter)
        if quiet:
            self._withheld = StringIO()
            reporter._tw = type(self._writer)(self._withheld)  # noqa: SLF001

    @property
    def seconds(self) -> float:
        """How long the run has taken so far."""
        return monotonic() - self._begun

    @pytest.hookimpl(wrapper=True)
    def pytest_report_teststatus(self) -> Generator[None, Any, tuple[str, str, str]]:
        """Count an item as pytest does, but write neither letter nor word."""
        status = yield
        return status[0], "", ""

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Learn how many items there are."""
        self._total = len(session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Learn it from a worker: each of them collects all items."""
        self._total = len(ids)

    def pytest_runtest_logfinish(self) -> None:
        """Write how far the run is."""
        self._done += 1
        if self._quiet or not self._total:
            return
        if self._reporter.isatty():
            self._rewrite()
        elif self._percent(self._done) // STEP > self._percent(self._done - 1) // STEP:
            self._reporter.write(f"{self._percent(self._done) // STEP * STEP} % ", flush=True)

    def _percent(self, done: int) -> int:
        return 100 * done // self._total

    def _rewrite(self) -> None:
        now = monotonic()
        if now - self._written >= INTERVAL or self._done == self._total:
            self._written = now
            self._reporter.rewrite(self._line()[: self._writer.fullwidth - 1], erase=True)

    def _line(self) -> str:
        new = len(self._results.findings)
        findings = f"{new} new finding{'s' if new > 1 else ''}" if new else "nothing new"
        minutes, seconds = divmod(int(self.seconds), 60)
        share = self._percent(self._done)
        waited = self._results.tally.waited
        hangs = f"  waiting for hangs: {waited:.0f} s" if waited else ""
        return f"{share:3} %  {self._done:,} of {self._total:,} items  {findings}{hangs}  {minutes}:{seconds:02}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """End the line, before anything else is written; of a run that broke off, write what was withheld."""
        if self._quiet and exitstatus not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
            self._give_back()
            self._reporter.write(self._withheld.getvalue())
        elif self._total and not self._quiet:
            self._end_line()

    @pytest.hookimpl(tryfirst=True)
    def pytest_terminal_summary(self) -> None:
        """Let the summary be written."""
        self._give_back()

    def _give_back(self) -> None:
        self._reporter._tw = self._writer  # noqa: SLF001

    def _end_line(self) -> None:
        if self._reporter.isatty():
            self._reporter.rewrite("", erase=True)
        else:
            self._reporter.write_line("")
