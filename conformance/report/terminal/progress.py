"""The progress of a run, as one line with a count instead of a dot for each item.

On a terminal the line is written over. In a log it grows by a word for every ten per cent. With -q nothing is written
until the end. If the run breaks off, all output of pytest is written then.
"""

from __future__ import annotations

from io import StringIO
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest

from conformance.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from _pytest.terminal import TerminalReporter

    from conformance.judge.findings.results import Results

NAME = "kafka-conformance-progress"
"""The name of the plugin."""

STEP = 10
"""The per cent between two words of a growing line."""

INTERVAL = 0.1
"""The seconds between two states of a line written over; the last state is written at once."""


def verbosity_of(config: pytest.Config) -> int:
    """Return the verbosity of the summary, and lower that of pytest by one, as the first -v is for the summary."""
    verbosity: int = getattr(config.option, "verbose", 0)  # without pytest's terminal there is no such option
    config.option.verbose = verbosity - 1 if verbosity else 0
    return verbosity


def hide_places(reporter: TerminalReporter) -> None:
    """Stop pytest from writing the files of items and its own count of them."""
    reporter.showfspath = False
    reporter._show_progress_info = False  # noqa: SLF001  # an option of the ini file only, which other tests read


class Progress:
    """A plugin of pytest on the controller that counts items. With `quiet` only the last line of a run is written."""

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
        """The seconds since the beginning of the run."""
        return monotonic() - self._begun

    @pytest.hookimpl(wrapper=True)
    def pytest_report_teststatus(self) -> Generator[None, Any, tuple[str, str, str]]:
        """Count an item like pytest, without a letter or a word for it."""
        status = yield
        return status[0], "", ""

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Take the number of items from the collection of this process."""
        self._total = len(session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Take the number of items from a worker, each of which collects all of them."""
        self._total = len(ids)

    def pytest_runtest_logfinish(self) -> None:
        """Write the progress of the run."""
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
        findings = counted(new, "new finding") if new else "nothing new"
        minutes, seconds = divmod(int(self.seconds), 60)
        share = self._percent(self._done)
        waited = self._results.tally.waited
        hangs = f"  waiting for hangs: {waited:.0f} s" if waited else ""
        return f"{share:3} %  {self._done:,} of {self._total:,} items  {findings}{hangs}  {minutes}:{seconds:02}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """End the line before other output, or write the withheld output of a run that broke off."""
        if self._quiet and exitstatus not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
            self._give_back()
            self._reporter.write(self._withheld.getvalue())
        elif self._total and not self._quiet:
            self._end_line()

    @pytest.hookimpl(tryfirst=True)
    def pytest_terminal_summary(self) -> None:
        """Give pytest its terminal back, so that it can write the summary."""
        self._give_back()

    def _give_back(self) -> None:
        self._reporter._tw = self._writer  # noqa: SLF001

    def _end_line(self) -> None:
        if self._reporter.isatty():
            self._reporter.rewrite("", erase=True)
        else:
            self._reporter.write_line("")
