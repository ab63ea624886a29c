"""The pytest plugin: options, what is tested, and the findings at the end.

There is no entry point: a project that installs this package has pytest runs of its own. In a checkout pyproject.toml
loads it; elsewhere `kafka-conformance run` does, or `pytest --pyargs conformance -p conformance.plugin`. Without --impl
it does nothing.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from traceback import format_exception
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.database import DirectoryBasedExampleDatabase

from conformance.__about__ import __version__
from conformance.adapter import AdapterError
from conformance.bridge.errors import HarnessError
from conformance.bridge.isolation import IsolatedDecoder
from conformance.bridge.loading import load_adapter
from conformance.checks.cases import violation_from
from conformance.checks.probe import Fault
from conformance.findings.known_failures import BadKnownFailures, load_known_failures
from conformance.findings.ratchet.scope import Scope
from conformance.findings.ratchet.session import Ratchet
from conformance.findings.report.json_lines import write_report
from conformance.findings.report.progress import NAME as PROGRESS_NAME
from conformance.findings.report.progress import Progress, verbosity_of
from conformance.findings.report.results import Results, as_property, from_properties
from conformance.findings.report.summary import Summary, one_line
from conformance.implementation.driver import Implementation, offered
from conformance.implementation.selection import (
    BadSelection,
    Selection,
    parse_selection,
    select,
    select_primitives,
    smoke,
)
from conformance.implementation.session import Session
from conformance.suite.found_cases import BadFoundCase, FoundCase, FoundCases, load_found_cases, write_found_cases
from conformance.suite.import_guard import refuse_hidden_adapter, refuse_other_copies
from conformance.suite.options import EXAMPLES, add_options
from conformance.suite.registry import DETERMINISTIC, Part, items_of, not_offered
from conformance.suite.run import FoundViolation, Run
from conformance.suite.scheduling import PairScheduling
from reference import Release, UnknownRelease, load_release, newest_release, primitives
from reference.definitions.errors import DefinitionError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

WITHOUT_IMPL = "without-impl"
"""The id of the only item of each test of the suite when there is nothing to test."""

SUITE = Path(__file__).parent / "suite"
"""The folder of the suite's tests."""

NO_CHILD = "see that the adapter can be loaded by two processes at a time; --isolation never does without the child"

FOUND = "kafka-conformance-found"
"""The name of the plugin that brings found cases in."""

RUN = pytest.StashKey[Run]()
RESULTS = pytest.StashKey[Results]()
RATCHET = pytest.StashKey[Ratchet]()
VERBOSITY = pytest.StashKey[int]()
PROGRESS = pytest.StashKey[Progress]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser
) -> Generator[None, object, object]:
    """Add the options of a conformance run: last of all, so that it is here that a clash with others' shows."""
    result = yield
    add_options(parser, early_config.pluginmanager)
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Load the adapter and the release, before anything is collected."""
    config.addinivalue_line("markers", "found_case: tries what earlier runs found (see --found)")
    refuse_other_copies(config.args, by_name=config.option.pyargs)
    impl = config.getoption("kafka_impl")
    if not impl:
        config.pluginmanager.register(FoundCases(), FOUND)
        return
    if config.getoption("kafka_update_known_failures") and not config.getoption("kafka_known_failures"):
        raise pytest.UsageError("--update-known-failures rewrites the file of --known-failures=FILE: name one")
    for option in ("report", "found", "known_failures"):
        path = config.getoption(f"kafka_{option}")
        if path and not path.absolute().parent.is_dir():
            raise pytest.UsageError(f"--{option.replace('_', '-')}={path}: there is no folder {path.parent}")
        if path and path.exists() and path.is_dir() != (option == "found"):
            raise pytest.UsageError(
                f"--{option.replace('_', '-')}={path}: there is {'a file' if option == 'found' else 'a folder'} there"
            )
    refuse_hidden_adapter(impl, config.invocation_params.dir)
    try:
        run = _make_run(config, impl)
        config.pluginmanager.register(FoundCases(_found(config, run)), FOUND)
    except (AdapterError, BadFoundCase, BadKnownFailures, BadSelection, UnknownRelease, DefinitionError) as error:
        raise pytest.UsageError(str(error)) from error
    config.stash[RUN] = run
    config.stash[RESULTS] = Results(run.known_failures, partial(violation_from, release=run.session.release))
    update = config.getoption("kafka_update_known_failures")
    config.stash[RATCHET] = Ratchet(Scope(run), config.getoption("kafka_known_failures"), update=update)
    _load_profile(config.getoption("kafka_depth"), config.getoption("kafka_database"))
    _be_brief(config)
    config.stash[VERBOSITY] = verbosity_of(config)


def _make_run(config: pytest.Config, impl: str) -> Run:
    release = load_release(config.getoption("kafka_release") or newest_release())
    implementation = Implementation(load_adapter(impl, release))
    selection = _selected(config, implementation, release)
    path = config.getoption("kafka_known_failures")
    is_new = path and config.getoption("kafka_update_known_failures") and not path.exists()
    entries = load_known_failures(path) if path and not is_new else []
    known = [entry for entry in entries if entry.is_about(release.name)]
    isolated = config.getoption("kafka_isolation") != "never" and not implementation.adapter.is_over_stdio
    decoder = IsolatedDecoder(impl, release.name) if isolated else None
    isolate_all = config.getoption("kafka_isolation") == "always"
    return Run(Session(implementation, release, decoder, isolate_all), selection, known)


def _found(config: pytest.Config, run: Run) -> list[FoundCase]:
    """Return the found cases that are about a selected pair or wire type."""
    folder = config.getoption("kafka_found")
    cases = load_found_cases(folder, run.session.release) if folder else ()
    selected = {(schema.message, schema.version) for schema in run.schemas} | {(name, 0) for name in run.wire_types}
    return [found for found in cases if (found.case.target.message, found.case.target.version) in selected]


def _selected(config: pytest.Config, implementation: Implementation, release: Release) -> Selection:
    selectors = parse_selection(config.getoption("kafka_messages"))
    schemas = select(list(release.schemas()), selectors, primitives())
    found = offered(implementation, schemas)
    if schemas and not found:
        raise BadSelection(
            f"{implementation.name} offers none of the {len(schemas)} selected pairs of {release.title}: "
            "look at what its supported() returns"
        )
    pairs = smoke(found) if config.getoption("kafka_smoke") else found
    return Selection(pairs, select_primitives(primitives(), selectors))


def _load_profile(depth: str, database: Path) -> None:
    """Hypothesis's settings: quick and full give the same examples every time; nightly looks for new ones.

    Hypothesis would turn its database off where CI is set, so nightly names one itself.
    """
    is_nightly = depth == "nightly"
    settings.register_profile(
        "kafka-conformance",
        max_examples=EXAMPLES[depth],
        derandomize=not is_nightly,
        database=DirectoryBasedExampleDatabase(database) if is_nightly else None,
        deadline=None,
        phases=(*((Phase.reuse,) if is_nightly else ()), Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    settings.load_profile("kafka-conformance")


def _be_brief(config: pytest.Config) -> None:
    """Findings are told once, in the summary: pytest's own list of failures would tell each of them for every pair."""
    given = {argument.partition("=")[0] for argument in config.invocation_params.args}
    config.addinivalue_line("filterwarnings", "ignore::hypothesis.errors.HypothesisWarning")
    if "--tb" not in given:
        config.option.tbstyle = "no"
    if not any(argument.startswith("-r") for argument in given):
        config.option.reportchars = ""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the tests of what the adapter does not offer; the summary says so."""
    run = config.stash.get(RUN, None)
    is_test = collection_path.parent == SUITE and collection_path.name.startswith("test_")
    return True if run is not None and is_test and not items_of(collection_path.stem, run) else None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One item for each selected (message, version) pair; for what is about the adapter, for a handful of them."""
    fixture = next((name for name in ("schema", "probed_schema", "wire_type") if name in metafunc.fixturenames), None)
    if fixture is None or not metafunc.module.__name__.startswith("conformance."):
        return
    run = metafunc.config.stash.get(RUN, None)
    items = [None] if run is None else items_of(metafunc.function.__name__, run)
    metafunc.parametrize(fixture, items, ids=[WITHOUT_IMPL] if run is None else [str(each) for each in items])


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuse to run the suite without an implementation: here, for a collector would show a traceback.

    Random search comes last: it reduces only what no deterministic test has found.
    """
    if RUN in config.stash:
        items.sort(key=lambda item: item.get_closest_marker("hypothesis") is not None)
    if not hasattr(config, "workerinput"):
        _check_impl(item.nodeid for item in items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> PairScheduling | None:
    """Give all tests of a (message, version) pair to one worker, unless --dist asks for something else."""
    is_usual = RUN in config.stash and config.getoption("dist") == "load"
    return PairScheduling(config, log) if is_usual else None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(ids: list[str]) -> None:
    """The same on the controller, which collects nothing itself."""
    _check_impl(ids)


def _check_impl(ids: Iterable[str]) -> None:
    if any(each.endswith(f"[{WITHOUT_IMPL}]") for each in ids):
        raise pytest.UsageError(
            "the conformance suite needs --impl=MODULE[:ATTRIBUTE], the adapter of the implementation to test; "
            "try --impl=conformance.adapters.reference"
        )


@pytest.fixture(scope="session")
def kafka_run(pytestconfig: pytest.Config) -> Iterator[Run]:
    """The run that this item belongs to."""
    run = pytestconfig.stash[RUN]
    yield run
    run.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Keep an item's record, and fail the item if it found anything new."""
    run = item.config.stash.get(RUN, None)
    if run is None:
        yield
        return
    run.begin_item(item.name.partition("[")[0])
    error = ""
    try:
        yield
    except HarnessError as unavailable:
        run.record.faults.append(Fault("no-child", f"{unavailable}; {NO_CHILD}"))
    except BaseException as raised:
        if not _is_finding(raised):  # a finding fails the item below, without a traceback to be rendered
            error = "".join(format_exception(raised))
            raise
    finally:
        event = {**run.end_item().as_event(), "error": error}
        item.user_properties.append(as_property(event))
    if run.record.faults:
        pytest.fail("; ".join(fault.text for fault in run.record.faults), pytrace=False)
    if run.record.new:
        found = ", ".join(f"{rule} ({outcome})" for rule, outcome in sorted(run.record.new))
        pytest.fail(f"{len(run.record.new)} new findings: {found}", pytrace=False)


def _is_finding(error: BaseException) -> bool:
    """Whether a test ended because it found something, and not by an error of its own."""
    if isinstance(error, BaseExceptionGroup):
        return all(_is_finding(each) for each in error.exceptions)
    return isinstance(error, FoundViolation)


class Collector:
    """Gathers the records of all items, on the controller."""

    def __init__(self, results: Results) -> None:
        self._results = results

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take in the record that came with a report."""
        event = from_properties(report.user_properties) if report.when == "call" else None
        if event is not None:
            self._results.add(report.nodeid.rpartition("::")[2].partition("[")[0], event)
            if event["error"]:
                self._results.errors.append((report.nodeid, event["error"]))
        elif report.failed:
            self._results.errors.append((report.nodeid, report.longreprtext))


def pytest_sessionstart(session: pytest.Session) -> None:
    """On the controller, start to gather."""
    config = session.config
    if RESULTS in config.stash and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Collector(config.stash[RESULTS]), "kafka-conformance-collector")
        _show_progress(config)


def _show_progress(config: pytest.Config) -> None:
    """Have one line of progress, unless there is no terminal reporter or pytest is to show each item."""
    reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and config.option.verbose <= 0:
        progress = Progress(reporter, config.stash[RESULTS], quiet=config.stash[VERBOSITY] < 0)
        config.stash[PROGRESS] = progress
        config.pluginmanager.register(progress, PROGRESS_NAME)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write what is to be written, and settle the exit status: not all that fails a run is an item that failed."""
    config = session.config
    if RESULTS not in config.stash or hasattr(config, "workerinput"):
        return
    results, ratchet = config.stash[RESULTS], config.stash[RATCHET]
    ratchet.finish(results, _why_partial(session))
    if ratchet.covers_all and session.exitstatus == pytest.ExitCode.TESTS_FAILED:
        session.exitstatus = pytest.ExitCode.OK
    if (ratchet.objections or ratchet.refusal or results.all_faults()) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    path = config.getoption("kafka_report")
    if path:
        write_report(path, _about(config), results, ratchet.objections, _not_offered(config))
    folder = config.getoption("kafka_found")
    if folder:
        violations = [violation for violation, _ in results.violations]
        write_found_cases(folder, violations, _about(config), config.stash[RUN].session.release)


def _why_partial(session: pytest.Session) -> str:
    """Why a run cannot tell whether known failures are gone; empty if it can."""
    config = session.config
    results, run = config.stash[RESULTS], config.stash[RUN]
    if config.getoption("kafka_messages") or config.getoption("kafka_smoke"):
        return "only some messages were selected"
    if session.exitstatus not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
        return "the run did not come to its end"
    if results.errors:
        return f"{len(results.errors)} items ended in errors"
    if results.faults:
        return "the adapter itself is at fault"
    missing = [test for test in DETERMINISTIC if results.items[test] != len(items_of(test, run))]
    return f"{', '.join(missing)} did not run on everything" if missing else ""


def _not_offered(config: pytest.Config) -> list[Part]:
    return not_offered(config.stash[RUN].session.implementation)


def _about(config: pytest.Config) -> dict[str, Any]:
    run = config.stash[RUN]
    return {
        "suite": __version__,
        "implementation": run.session.implementation.name,
        "implementation_version": run.session.implementation.version,
        "impl": config.getoption("kafka_impl"),
        "release": run.session.release.name,
        "depth": config.getoption("kafka_depth"),
        "pairs": len(run.schemas),
    }


def pytest_report_header(config: pytest.Config) -> str | None:
    """Which implementation is tested against which release."""
    if RUN not in config.stash:
        return None
    about = _about(config)
    return (
        f"kafka wire conformance {about['suite']}: {about['implementation']} {about['implementation_version']} "
        f"against Apache Kafka {about['release']}, {about['pairs']} (message, version) pairs, {about['depth']}"
    )


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print the findings."""
    if RESULTS not in config.stash or hasattr(config, "workerinput"):
        return
    session = config.stash[RUN].session
    release = "" if session.release.name == newest_release() else session.release.name
    results = config.stash[RESULTS]
    title = f"{session.implementation.name} {session.implementation.version} against {session.release.title}"
    remarks = list(config.stash[RATCHET].remarks(results))
    if config.stash[VERBOSITY] < 0:
        terminalreporter.write_line(one_line(results, title, remarks, config.stash[PROGRESS].seconds))
        return
    writer = terminalreporter._tw  # noqa: SLF001  # the only way to learn width and colours
    summary = Summary(
        impl=config.getoption("kafka_impl"),
        release=release,
        width=writer.fullwidth,
        color=writer.hasmarkup,
        verbose=config.stash[VERBOSITY] > 0,
    )
    terminalreporter.write(summary.render(results, title, remarks, _not_offered(config)))
