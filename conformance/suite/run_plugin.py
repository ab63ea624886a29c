"""The pytest plugin with the run of the suite, loaded by the run.ini of a command or by `conformance.suite.plugin`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from xdist.scheduler import LoadScopeScheduling

from conformance.codec.adapter_place import place_of
from conformance.suite.codec_run import limits_of, make_run
from conformance.suite.costs import Costs
from conformance.suite.hooks import ITEM, ConformancePlugin, unit_of
from conformance.suite.import_guard import refuse_hidden_adapter, refuse_other_copies
from conformance.suite.item_forks import item_protocol
from conformance.suite.run_options import (
    CHOSEN,
    INPUT,
    NOTHING_TO_TEST,
    check_options,
    prepare,
)
from conformance.suite.server_run import make_server_run
from conformance.suite.warnings_of_run import WarningsOfRun
from conformance.suite.watched import FILES, WatchedRun
from conformance.system.forks import thread_count
from conformance.system.own_processes import keep_children_safe, leave_children_alone
from conformance.system.parents import end_with
from conformance.system.printable import for_terminal
from conformance.system.system_errors import text_of
from conformance.targets.claims import is_over_stdio
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from conformance.suite.suite_run import SuiteRun

WITHOUT_IMPL = "without-impl"
"""The id of the only item of each test of the suite when there is nothing to test."""

EXAMPLES = {"quick": 20, "full": 100, "nightly": 1000}
"""The number of generated values per pair, by depth."""

PLUGIN = pytest.StashKey[ConformancePlugin]()

CONTROLLER = "kafka_controller"
"""The key of the controller's process id in the input of its workers."""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> Generator[None, object, object]:
    """Prepare the options."""
    prepare(config)
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Load the adapter and the release, before anything is collected."""
    worker, options = getattr(config, "workerinput", {}), config.stash[CHOSEN]
    is_worker = bool(worker)
    if is_worker:
        end_with(worker.get(CONTROLLER, os.getppid()))
        leave_children_alone()
    elif getattr(config.option, "tx", None):
        keep_children_safe()
    config.addinivalue_line("markers", "found_case: tries what earlier runs found (see --found)")
    refuse_other_copies(config.args, by_name=config.option.pyargs)
    if not options.impl and not options.names_server:
        return
    check_options(options, writes=not is_worker)
    if options.impl:
        refuse_hidden_adapter(options.impl, config.invocation_params.dir)
    watched, threads = _watched(config), thread_count()
    warnings_of_run = WarningsOfRun(config)
    config.pluginmanager.register(warnings_of_run, "kafka-conformance-warnings")
    try:
        with warnings_of_run.at_load():
            run = make_server_run(config) if options.names_server else make_run(options, limits_of(config))
        config.stash[PLUGIN] = ConformancePlugin(config, run)
    except (ConformanceError, OSError) as error:
        if watched:
            watched.write()
        text = text_of(error) if isinstance(error, OSError) else str(error)
        raise pytest.UsageError(for_terminal(text)) from error
    load_profile(options.depth)
    hide_failures(config)
    config.pluginmanager.register(config.stash[PLUGIN], "kafka-conformance-run")
    config.pluginmanager.register(item_protocol(config, config.stash[PLUGIN].run, threads), "kafka-conformance-items")
    if options.costs:
        module = "" if not options.impl or is_over_stdio(options.impl) else place_of(options.impl).module
        config.pluginmanager.register(Costs(module, is_worker=is_worker), "kafka-conformance-costs")


def _watched(config: pytest.Config) -> WatchedRun | None:
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
    """Refuse to run the suite without an implementation. During the collection this would show a traceback."""
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
    """Give a worker the options, and one of this machine the process to end with."""
    node.workerinput[INPUT] = msgspec.json.encode(node.config.stash[CHOSEN], enc_hook=str).decode()
    if node.gateway.spec.popen and not node.gateway.spec.via:
        node.workerinput[CONTROLLER] = os.getpid()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(ids: list[str]) -> None:
    """Refuse the same on the controller, which collects nothing itself."""
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


def load_profile(depth: str) -> None:
    """Load Hypothesis's settings.

    Quick and full draw the same examples every time, nightly draws new ones. The search continues after a finding, so
    Hypothesis has no failure to keep; found cases are kept instead.
    """
    settings.register_profile(
        "kafka-conformance",
        max_examples=EXAMPLES[depth],
        derandomize=depth != "nightly",
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    settings.load_profile("kafka-conformance")


def hide_failures(config: pytest.Config) -> None:
    """Hide pytest's own list of failures, with each finding for every pair. The summary shows it once."""
    arguments = {argument.partition("=")[0] for argument in config.invocation_params.args}
    config.addinivalue_line("filterwarnings", "ignore::hypothesis.errors.HypothesisWarning")
    if "--tb" not in arguments:
        config.option.tbstyle = "no"
    if not any(argument.startswith("-r") for argument in arguments):
        config.option.reportchars = ""
