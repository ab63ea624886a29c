"""The pytest plugin, with the options and the run of the suite.

There is no entry point: a project that installs this package has pytest runs of its own. In a checkout pyproject.toml
loads it; elsewhere `kafka-conformance run` does, or `pytest --pyargs conformance -p conformance.suite.plugin`. Without
--impl it does nothing, and tests of the suite are refused.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from xdist.scheduler import LoadScopeScheduling

from conformance.codec.adapter_place import place_of
from conformance.codec.loaded_adapter import is_over_stdio
from conformance.suite.costs import Costs
from conformance.suite.hooks import ITEM, ConformancePlugin, unit_of
from conformance.suite.import_guard import refuse_hidden_adapter, refuse_other_copies
from conformance.suite.invoker import refuse_unknown_options, refuse_workers, require_subject
from conformance.suite.item_forks import item_protocol
from conformance.suite.options import add_options, check_options, hide_failures, load_profile, make_run
from conformance.suite.project_arguments import TAKEN, add_project_arguments
from conformance.suite.server_run import make_server_run, names_server
from conformance.suite.warnings_of_run import WarningsOfRun
from conformance.suite.watched import FILES, WatchedRun
from conformance.system.forks import thread_count
from conformance.system.own_processes import keep_children_safe, leave_children_alone
from conformance.system.parents import end_with
from conformance.system.printable import for_terminal
from conformance.system.system_errors import text_of
from conformance.system.terminal import echo
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from conformance.suite.suite_run import SuiteRun

WITHOUT_IMPL = "without-impl"
"""The id of the only item of each test of the suite when there is nothing to test."""

NOTHING_TO_TEST = (
    "the conformance suite needs a codec, --impl ADAPTER, or a server, --broker HOST:PORT. ADAPTER is "
    "MODULE[:ATTRIBUTE], FILE.py[:ATTRIBUTE] or stdio:COMMAND; try --impl=conformance.adapters.reference"
)

PLUGIN = pytest.StashKey[ConformancePlugin]()

CONTROLLER = "kafka_controller"
"""The key of the controller's process id in the input of its workers."""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> Generator[None, object, object]:
    """Add the options of a conformance run.

    They come last of all, so that a clash with those of other plugins is reported here.
    """
    result = yield
    add_options(parser)
    refuse_unknown_options(early_config, parser, args)
    add_project_arguments(early_config, parser, args)
    try:
        require_subject(early_config, parser, args, NOTHING_TO_TEST)
        refuse_workers(parser, args)
    except pytest.UsageError:  # what is missing or wrong may be an option of the project
        _show_taken(early_config)
        raise
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Load the adapter and the release, before anything is collected."""
    if hasattr(config, "workerinput"):
        end_with(config.workerinput.get(CONTROLLER, os.getppid()))
        leave_children_alone()
    else:
        _begin(config)
    config.addinivalue_line("markers", "found_case: tries what earlier runs found (see --found)")
    refuse_other_copies(config.args, by_name=config.option.pyargs)
    impl, has_server = config.getoption("kafka_impl"), names_server(config)
    if not impl and not has_server:
        return
    if has_server and FILES in os.environ:
        raise pytest.UsageError("--watch is for a codec, whose files it watches: leave it out for a server")
    check_options(config)
    if impl:
        refuse_hidden_adapter(impl, config.invocation_params.dir)
    watched, threads = _watched(config), thread_count()
    warnings_of_run = WarningsOfRun(config)
    config.pluginmanager.register(warnings_of_run, "kafka-conformance-warnings")
    try:
        with warnings_of_run.at_load():
            run = make_server_run(config) if has_server else make_run(config)
        config.stash[PLUGIN] = ConformancePlugin(config, run)
    except (ConformanceError, OSError) as error:
        if watched:
            watched.write()
        text = text_of(error) if isinstance(error, OSError) else str(error)
        raise pytest.UsageError(for_terminal(text)) from error
    load_profile(config.getoption("kafka_depth"))
    hide_failures(config)
    config.pluginmanager.register(config.stash[PLUGIN], "kafka-conformance-run")
    is_worker = hasattr(config, "workerinput")
    config.pluginmanager.register(item_protocol(config, config.stash[PLUGIN].run, threads), "kafka-conformance-items")
    if config.getoption("kafka_costs"):
        module = "" if impl is None or is_over_stdio(impl) else place_of(impl).module
        config.pluginmanager.register(Costs(module, is_worker=is_worker), "kafka-conformance-costs")


def _show_taken(config: pytest.Config) -> None:
    if taken := config.stash.get(TAKEN, ""):
        echo(taken)


def _begin(config: pytest.Config) -> None:
    """Print the options from the user's project before anything else, and prepare for workers."""
    _show_taken(config)
    if getattr(config.option, "tx", None):
        keep_children_safe()


def _watched(config: pytest.Config) -> WatchedRun | None:
    """Return the plugin with the list of the implementation's files, or None unless the run is watched."""
    if FILES not in os.environ or hasattr(config, "workerinput"):
        return None
    plugin = WatchedRun()
    config.pluginmanager.register(plugin, "kafka-conformance-watched")
    return plugin


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Without an implementation, give each test of the suite one item as a sign of that."""
    is_own = metafunc.module.__name__.startswith("conformance.")
    if ITEM in metafunc.fixturenames and is_own and PLUGIN not in metafunc.config.stash:
        metafunc.parametrize(ITEM, [None], ids=[WITHOUT_IMPL])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuse to run the suite without an implementation.

    A refusal during the collection would show a traceback.
    """
    if not hasattr(config, "workerinput"):
        _check_impl(item.nodeid for item in items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> PairScheduling | None:
    """Give all tests of a (message, version) pair to one worker, unless --dist asks for something else."""
    is_run = PLUGIN in config.stash and config.getoption("dist") == "load"
    return PairScheduling(config, log) if is_run else None


class PairScheduling(LoadScopeScheduling):  # type: ignore[misc]  # xdist is not typed
    """Gives all tests of a (message, version) pair to one worker, in the order of collection.

    A codec loads the classes of a message when it first meets it, in the worker and in the child that decodes there.
    With pytest-xdist's own scheduling every worker meets nearly every pair.
    """

    def __init__(self, config: pytest.Config, log: Any) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:  # the hook that xdist documents for subclasses
        return unit_of(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Give a worker of this machine the process to end with."""
    if node.gateway.spec.popen and not node.gateway.spec.via:
        node.workerinput[CONTROLLER] = os.getpid()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(ids: list[str]) -> None:
    """Do the same on the controller, which collects nothing itself."""
    _check_impl(ids)


def _check_impl(ids: Iterable[str]) -> None:
    if any(node_id.endswith(f"[{WITHOUT_IMPL}]") for node_id in ids):
        raise pytest.UsageError(NOTHING_TO_TEST)


@pytest.fixture(scope="session")
def kafka_run(pytestconfig: pytest.Config) -> Iterator[SuiteRun]:
    """Return the run that this item belongs to."""
    run = pytestconfig.stash[PLUGIN].run
    yield run
    run.subject.close()
