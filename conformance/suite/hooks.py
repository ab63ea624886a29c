"""The hooks of a run of the suite, for collection, records of items, and reports."""

from __future__ import annotations

import gc
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from traceback import format_exception
from typing import TYPE_CHECKING, Any

import pytest

from conformance.adapter import AdapterError
from conformance.codec.bridge.harness_errors import HarnessError
from conformance.codec.corrections import Fault
from conformance.definitions.named import remarks
from conformance.judge.count_lines import UNASKED, NotRun
from conformance.judge.findings.extent import SOME_MESSAGES, Completeness, Extent, beside_text, place_for
from conformance.judge.findings.lines import Remark
from conformance.judge.findings.ratchet_update import Ratchet
from conformance.judge.findings.results import as_property, from_properties
from conformance.report.files.found_cases import write_found_cases
from conformance.report.report_reading import report_of
from conformance.report.run_lines import EndedRun, lines_of, write_lines
from conformance.report.terminal.progress import NAME as PROGRESS_NAME
from conformance.report.terminal.progress import Progress, hide_places, verbosity_of
from conformance.report.terminal.run_summary import TerminalForm, one_line, run_summary, verdict_style
from conformance.report.words import FAILED, INTERRUPTED, PASSED, UPDATED, counted, verdict_of
from conformance.suite.codec_run import HANGS, limits_of
from conformance.suite.costs import slowness
from conformance.suite.registry import (
    DETERMINISTIC,
    NAMES,
    TESTS,
    is_by_pair,
    is_chosen,
    items_of,
    leaves_everything,
)
from conformance.suite.run_options import CHOSEN, command_options
from conformance.suite.server_run import SHARED
from conformance.system.printable import for_terminal
from conformance.system.whole_files import NotWritten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from conformance.judge.findings.lines import Line, Run
    from conformance.report.facts import RunReport
    from conformance.suite.suite_run import SuiteRun

SUITE = Path(__file__).parent
"""The folder of the suite's tests."""

ITEM = "kafka_item"
"""The fixture by which a test of the suite asks for its items."""

GARBAGE = 20_000
"""Objects that are made, beyond those that go, between two runs of the garbage collector.

Python's own number is 700, at which it takes a twelfth of a worker's time: a message has many parts, and none refers
to itself.
"""

WORDS = {
    pytest.ExitCode.OK: PASSED,
    pytest.ExitCode.TESTS_FAILED: FAILED,
    pytest.ExitCode.INTERRUPTED: INTERRUPTED,
    pytest.ExitCode.INTERNAL_ERROR: "ERROR",
    pytest.ExitCode.USAGE_ERROR: FAILED,
}
"""How the last line begins, by the exit status."""

NO_CHILD = "see that the adapter can be loaded by two processes at a time; --isolation never does without the child"


class ConformancePlugin:
    """One run, on the controller and on each worker."""

    def __init__(self, config: pytest.Config, run: SuiteRun) -> None:
        self.run = run
        self.config = config
        self.options = options = config.stash[CHOSEN]
        self.results = run.subject.results(run.known_failures, run.shared)
        self.ratchet = Ratchet(run.scope, options.known_failures, update=options.update_known_failures)
        self._unwritten: list[NotWritten] = []
        """The outputs that could not be written."""
        self._remarks: list[Remark] = []
        """Remarks about the run as a whole."""
        self._report: RunReport | None = None
        """The facts of the run, once it is over."""
        self._beside = ""
        """The text about a report that was written beside one of a larger extent."""
        self._verbosity = verbosity_of(config)
        self._progress: Progress | None = None
        self._began = monotonic()
        self._ran_foreign_tests = False
        """Whether tests were run that are not of the suite."""
        self._word = ""
        """How the last line begins."""
        self._shared = TemporaryDirectory(prefix="kafka-conformance-") if self._is_controller else None
        """A folder of the controller, for what its workers share."""

    @property
    def _is_controller(self) -> bool:
        return not hasattr(self.config, "workerinput")

    @property
    def _named(self) -> str:
        """The release as it was named, by a name or by the path of a folder."""
        return self.options.release or self.run.subject.release.name

    @property
    def _about(self) -> Run:
        subject = self.run.subject
        return subject.about(
            implementation=subject.name,
            implementation_version=subject.version,
            options=["--release", self._named, *limits_of(self.config).options, *subject.options],
            depth=self.options.depth,
            pairs=self.run.shared.selected or len(self.run.schemas),
        )

    def pytest_report_header(self) -> str:
        """Return the implementation and the release, and the requests to be sent to a server."""
        about, release = self._about, self.run.subject.release
        name = f"{about.implementation} {about.implementation_version}".strip()
        versions = counted(int(about.pairs or 0), "message version")
        facts = f"kafka-conformance {about.suite}: {name} against {release.title}, {versions}, {about.depth}"
        sent = self.run.subject.preface(self.run.schemas)
        if sent and self.run.found_cases:
            sent.append(f"found cases, sent first as far as the tier allows: {len(self.run.found_cases)}")
        return for_terminal("\n".join([facts, *sent, *remarks(release)]))

    def pytest_pycollect_makeitem(self, collector: pytest.Module | pytest.Class, name: str) -> list[pytest.Item] | None:
        """Leave out tests of parts missing in the adapter, as listed in the summary."""
        is_test = collector.path.parent == SUITE and name in NAMES
        if not is_test:
            return None
        is_left_out = not is_chosen(name, self.options.only) or not items_of(name, self.run)
        return [] if is_left_out else None

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make one item for each selected pair, or for six of them if the adapter itself is tested."""
        if ITEM in metafunc.fixturenames and metafunc.module.__name__.startswith("conformance."):
            items = items_of(metafunc.function.__name__, self.run)
            metafunc.parametrize(ITEM, items, ids=[str(item) for item in items])

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Order tests by name, with found cases first and random search last."""
        items.sort(key=lambda item: item.name.partition("[")[0])
        # Random search makes smaller cases only of findings that no deterministic test has.
        items.sort(key=lambda item: item.get_closest_marker("hypothesis") is not None)
        items.sort(key=lambda item: item.get_closest_marker("found_case") is None)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self) -> None:
        """Keep the definitions and the items from the garbage collector, as they live as long as the run."""
        gc.freeze()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Give a worker the shared folder, and the file there for counting the hangs of the run."""
        if self._shared is not None:
            node.workerinput[SHARED] = self._shared.name
            node.workerinput[HANGS] = str(Path(self._shared.name) / HANGS)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Keep an item's record, and fail the item if it found anything new."""
        run = self.run
        run.begin_item(unit_of(item.nodeid))
        error = ""
        try:
            run.record.faults += run.faults_of_every_value()
            yield
        except HarnessError as unavailable:
            run.record.faults.append(Fault("no-child", f"{unavailable}; {NO_CHILD}"))
        except AdapterError as unusable:  # a harness that is not started any more
            run.record.faults.append(Fault("unusable", " ".join(str(unusable).split())))
        except BaseException as raised:
            error = "".join(format_exception(raised))
            raise
        finally:
            item.user_properties.append(as_property(run.end_item().result(error)))
        if run.record.faults:
            pytest.fail("; ".join(fault.text for fault in run.record.faults), pytrace=False)
        if run.record.new:
            keys = ", ".join(str(key) for key in sorted(run.record.new))
            pytest.fail(f"{len(run.record.new)} new findings: {keys}", pytrace=False)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """On the controller, take the record from a report."""
        if not self._is_controller:
            return
        test = report.nodeid.rpartition("::")[2].partition("[")[0]
        self._ran_foreign_tests |= test not in NAMES
        result = from_properties(report.user_properties) if report.when == "call" else None
        if result is not None:
            self.results.add(test, result, unit_of(report.nodeid) if is_by_pair(test) else "")
            if result.error:
                self.results.errors.append((report.nodeid, result.error))
        elif report.failed:
            self.results.errors.append((report.nodeid, report.longreprtext))

    def pytest_sessionstart(self) -> None:
        """Collect garbage seldom, and show one line of progress, unless pytest shows each item."""
        gc.set_threshold(GARBAGE)
        reporter: Any = self.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None and self._is_controller and self._verbosity == 0:
            self._write_header(reporter)
        if reporter is not None and not self._is_controller:
            hide_places(reporter)  # nobody sees what a worker prints
        elif reporter is not None:
            reporter.summary_stats = partial(self._close, reporter, reporter.summary_stats)
            if command_options(self.config):  # its folder has nothing to do with that of the user
                vars(self.config)["cwd_relative_nodeid"] = _as_it_is
            if self.config.option.verbose <= 0:
                self._progress = Progress(reporter, self.results, quiet=self._verbosity < 0)
                self.config.pluginmanager.register(self._progress, PROGRESS_NAME)

    def _write_header(self, reporter: Any) -> None:
        """Write the header lines of the suite alone, without those of pytest and of other plugins."""
        hook = self.config.hook.pytest_report_header
        for each in hook.get_hookimpls():
            if type(each.plugin).__module__.startswith("conformance."):
                lines: Any = each.function()
                for line in [lines] if isinstance(lines, str) else lines:
                    reporter.write_line(line)
        self.config.option.no_header = True

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the reports, and set the exit status, as a run can fail without a failed item."""
        if self._is_controller:
            self._finish(session)
        # Pytest calls the garbage collector ten times at its end; it need not look at the objects of the run.
        gc.freeze()

    def _finish(self, session: pytest.Session) -> None:
        results, ratchet = self.results, self.ratchet
        if session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and leaves_everything(self.run):
            session.exitstatus = pytest.ExitCode.OK
        extent = self._extent(session)
        if extent.items == 0 and not extent.is_complete:
            results.is_reported = False
            self._remarks = [Remark(f"nothing was tested: {extent.why}")]
        ratchet.finish(results, self._why_partial(session))
        if ratchet.covers_all and session.exitstatus == pytest.ExitCode.TESTS_FAILED:
            session.exitstatus = pytest.ExitCode.OK
        if (ratchet.objections or ratchet.refusal or results.all_faults()) and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        notes = (*self.run.subject.clean_up(), *slowness(self.config, results.tally, monotonic() - self._began))
        results.declared = (*(("note", text) for text in notes), *results.declared)
        lines = list(lines_of(self._ended(extent)))
        self._report = report_of(lines)
        self._unwritten = [*([ratchet.unwritten] if ratchet.unwritten else []), *self._write_results(lines, extent)]
        if self._unwritten:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR  # it says nothing about what was tested
        self._word = WORDS.get(pytest.ExitCode(session.exitstatus), "") if extent.items else ""
        if self._word == PASSED and ratchet.covers_all and results.causes:
            self._word = UPDATED

    def _ended(self, extent: Extent) -> EndedRun:
        parts = self.run.subject.not_offered()
        remarks = (*self._remarks, *self.ratchet.remarks(self.results))
        return EndedRun(self._about, self.results, extent, self.ratchet.objections, parts, remarks)

    def _write_results(self, lines: Sequence[Line], extent: Extent) -> Iterator[NotWritten]:
        results = self.results
        path, folder = self.options.report, self.options.found
        try:
            if path:
                place = path if self.options.replace_report else place_for(path, extent)
                write_lines(place, lines)
                self._beside = beside_text(path, place, extent)
        except NotWritten as error:
            yield error
        try:
            if folder:
                subject = self.run.subject
                options = ["--release", self._named, *subject.options]
                write_found_cases(folder, results.findings.ordered(), self._about, subject.release, options)
        except NotWritten as error:
            yield error

    def _why_partial(self, session: pytest.Session) -> str:
        """Return the reason why a run cannot find stale known failures, or an empty text if it can."""
        if self.options.messages or self.options.smoke:
            return SOME_MESSAGES
        if session.exitstatus not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
            return "the run did not come to its end"
        if self.results.errors:
            return f"{len(self.results.errors)} items ended in errors"
        if self.results.faults:
            return "the adapter itself is at fault"
        return self._why_incomplete()

    def _why_incomplete(self) -> str:
        unasked = next((text for _, text in self.results.tally.of(NotRun) if text.startswith(UNASKED)), "")
        return unasked.removeprefix(UNASKED) or self._missing(DETERMINISTIC)

    def _missing(self, tests: Iterable[str]) -> str:
        missing = [test for test in tests if self.results.items[test] != len(items_of(test, self.run))]
        return f"{', '.join(missing)} did not run on everything" if missing else ""

    def _extent(self, session: pytest.Session) -> Extent:
        items, missing = self.results.items.total(), self._missing(test.name for test in TESTS)
        if self.config.getoption("collectonly"):
            return Extent(Completeness.COLLECTED, "nothing was run", items)
        if session.shouldfail and missing:
            return Extent(Completeness.STOPPED, str(session.shouldfail), items)
        if session.exitstatus in {pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR}:
            text = session.shouldstop if isinstance(session.shouldstop, str) else "ended from outside, or by an error"
            return Extent(Completeness.INTERRUPTED, text, items)
        why = self._why_selected()
        if why:
            return Extent(Completeness.SELECTION, why, items)
        return Extent(Completeness.COMPLETE, f"without random search: {missing}" if missing else "", items)

    def _why_selected(self) -> str:
        is_some = self.options.messages or self.options.smoke
        return self._why_incomplete() or (SOME_MESSAGES if is_some else "")

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the findings."""
        if self._report is None:
            return
        if self._verbosity < 0 and self._progress is not None:
            terminalreporter.write_line(one_line(self._report, self._word, self._progress.seconds))
            return
        writer = terminalreporter._tw  # noqa: SLF001  # the only way to learn width and colours
        form = TerminalForm(writer.fullwidth, color=writer.hasmarkup, verbose=self._verbosity > 0)
        terminalreporter.write(run_summary(self._report, form))

    def _close(self, reporter: Any, count_items: Callable[[], None]) -> None:
        """Write the verdict as the last line, in place of pytest's count of items."""
        # A run that also has tests of others has both.
        if self._ran_foreign_tests or not self._word:
            count_items()
        if self._beside:
            reporter.write_line(for_terminal(self._beside))
        if self._report is not None and self._word and (self._verbosity >= 0 or self._unwritten):
            for error in self._unwritten:
                reporter.write_line(for_terminal(f"NOT WRITTEN: {error}"), bold=True, red=True)
            why = "an output could not be written, see above" if self._unwritten else ""
            verdict = verdict_of(self._report, self._word, why, monotonic() - self._began)
            reporter.write_line(str(verdict), **dict.fromkeys(verdict_style(verdict).split(), True))

    def pytest_unconfigure(self) -> None:
        """Remove the shared files of the workers, and without a terminal name the unwritten outputs."""
        if self._shared is not None:
            self._shared.cleanup()
        if self.config.pluginmanager.get_plugin("terminalreporter") is None and self._is_controller:
            remarks = self._report.remarks if self._report else ()
            for problem in (*(remark.text for remark in remarks if remark.is_fault), *map(str, self._unwritten)):
                sys.stderr.write(f"FAILED: {problem}\n")


def _as_it_is(node: Any) -> Any:
    """Return the id of an item, relative to the suite's own home."""
    return node


def unit_of(nodeid: str) -> str:
    """Return the pair in the brackets of a test's id, or the id without brackets."""
    return nodeid.rpartition("[")[2].removesuffix("]")
