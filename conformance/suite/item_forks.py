"""The loop of the suite's items in a fork of this process, so that an end of the codec does not end the run.

The first process, or a worker of xdist, sends the fork the number of an item and takes its reports. If the codec ends
the fork, the item is tried again in a new fork, with every call of the codec in a child process. There the end is the
outcome of one case. The other items go on in a further fork.
"""

from __future__ import annotations

import faulthandler
import json
import signal
import sys
import warnings
from functools import partial
from traceback import format_exc
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.runner import runtestprotocol
from xdist.remote import serialize_warning_message
from xdist.workermanage import unserialize_warning_message

from conformance.codec.bridge.harness_errors import Ending
from conformance.judge.findings.results import from_properties
from conformance.suite.hooks import SUITE, unit_of
from conformance.suite.options import AUTO
from conformance.suite.run_options import CHOSEN
from conformance.system.forks import CAN_FORK, Fork, has_more_threads

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pluggy

    from conformance.suite.suite_run import SuiteRun
    from conformance.system.forks import Beat, ForkReply

MOST_ENDS = 3
"""The number of forks that a codec may end. After that a child process answers all calls of the run, since each end
costs the start of two forks with their children.
"""

WITHOUT_LIMIT = {"items": 0}
"""The one phase of a fork, which may be silent for any time."""

REPORTS, WARNINGS, ENDS, ERROR = "reports", "warnings", "ends", "error"
"""The members of an answer."""

AT_END = "the process of this item ended"

UNFORKED = "isolation: the items run in this process ({}), so a codec that ends it ends the run"


class ItemProtocol:
    """Runs the items of the suite, in a fork if there is one, and reports them.

    A worker sends the controller one report of each item instead of three. A run has thousands of items of a few
    milliseconds each, and passed setups and teardowns need no report.
    """

    def __init__(self, forks: ItemForks | None, header: str = "", *, is_worker: bool) -> None:
        self._forks = forks
        self._is_worker = is_worker
        self._header = header

    def pytest_report_header(self) -> list[str]:
        """Return the reason why there is no fork, if there could be one."""
        return [self._header] if self._header else []

    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        """Run an item of the suite as pytest does, and leave others to pytest."""
        if item.path.parent != SUITE:
            return None
        if self._forks is not None and self._forks.inside is not None:
            self._forks.inside += runtestprotocol(item, log=False, nextitem=nextitem)
            return True
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        for report in self._reports(item, nextitem):
            if not self._is_worker or report.when == "call" or not report.passed:
                item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def _reports(self, item: pytest.Item, nextitem: pytest.Item | None) -> Iterable[pytest.TestReport]:
        if self._forks is None:
            return runtestprotocol(item, log=False, nextitem=nextitem)
        return self._forks.reports(item, nextitem)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """End the fork."""
        if self._forks is not None:
            self._forks.close()


def item_protocol(config: pytest.Config, run: SuiteRun, threads: int) -> ItemProtocol:
    """Return the plugin for the items of a run. `threads` is their number before the adapter was loaded."""
    is_worker = hasattr(config, "workerinput")
    if config.stash[CHOSEN].isolation != AUTO or not run.subject.is_called_here:
        return ItemProtocol(None, is_worker=is_worker)
    reasons = {
        "the system has no fork": not CAN_FORK,
        # A fork would have none of the adapter's threads, but all the locks that they held.
        "loading the adapter has started threads": has_more_threads(threads),
        "a debugger needs it": config.getoption("usepdb") or config.getoption("trace"),
        "--costs measures it": config.stash[CHOSEN].costs,
    }
    reason = next((reason for reason, holds in reasons.items() if holds), "")
    return ItemProtocol(None if reason else ItemForks(run), reason and UNFORKED.format(reason), is_worker=is_worker)


class ItemForks:
    """The fork that runs the items, replaced when the codec ends it."""

    def __init__(self, run: SuiteRun) -> None:
        self.run = run
        self._fork: Fork | None = None
        self._ends = 0
        self._places: dict[pytest.Item, int] = {}
        """The place of each item in the list of all, the same in every fork."""
        self.inside: list[pytest.TestReport] | None = None
        """In a fork, the reports of the current item."""
        self._done: list[tuple[str, Sequence[tuple[str, Any]]]] = []
        """The unit and the user properties of each report of the last fork."""

    def reports(self, item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[pytest.TestReport]:
        """Yield the reports of an item."""
        reply = self._ask(item, nextitem, isolate_all=self._ends >= MOST_ENDS)
        if reply.answer is not None:
            yield from self._taken(item, json.loads(reply.answer))
            return
        self._ends += 1
        ending = Ending(reply.status, "")
        again = self._ask(item, nextitem, isolate_all=True)
        if again.answer is None:
            yield _failed(item, f"{AT_END} ({ending.cause}), and again with all calls of the codec in a child process")
            return
        answer = json.loads(again.answer)
        yield from self._taken(item, answer)
        if not answer[ENDS] and not ending.is_from_outside:
            yield _failed(item, f"{AT_END} ({ending.cause}), but not the child process that got all its calls alone")
        if self._ends < MOST_ENDS:
            self.close()

    def close(self) -> None:
        """End the fork, if there is one."""
        if self._fork is not None:
            self._fork.close()
            self._fork = None

    def _ask(self, item: pytest.Item, nextitem: pytest.Item | None, *, isolate_all: bool) -> ForkReply:
        fork, self._fork = self._fork or self._begun(item.session, isolate_all=isolate_all), None
        reply = fork.ask(json.dumps([self._place(item), nextitem and self._place(nextitem)]).encode())
        if reply.answer is not None:
            self._fork = fork
        return reply

    def _begun(self, session: pytest.Session, *, isolate_all: bool) -> Fork:
        flush_streams()
        self._remember()
        return Fork(partial(_answers, self, session, isolate_all=isolate_all), WITHOUT_LIMIT)

    def _remember(self) -> None:
        """Take the findings of the last fork, which random search in the next one asks for."""
        for unit, properties in self._done:
            result = from_properties(properties)
            if result is not None:
                self.run.remember(unit, result)
        self._done.clear()

    def _place(self, item: pytest.Item) -> int:
        if not self._places:
            self._places = {each: place for place, each in enumerate(item.session.items)}
        return self._places[item]

    def _taken(self, item: pytest.Item, answer: dict[str, Any]) -> Iterator[pytest.TestReport]:
        """Repeat the warnings of an answer, and yield its reports."""
        for each in map(unserialize_warning_message, answer[WARNINGS]):
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
        if answer[ERROR]:
            yield _failed(item, answer[ERROR])
        for data in answer[REPORTS]:
            report = item.config.hook.pytest_report_from_serializable(config=item.config, data=data)
            self._done.append((unit_of(item.nodeid), report.user_properties))
            yield report


def _failed(item: pytest.Item, text: str) -> pytest.TestReport:
    """Return a report of an item whose own teardown could not be reached."""
    return pytest.TestReport(item.nodeid, item.location, {}, "failed", text, "teardown")


def _answers(
    forks: ItemForks, session: pytest.Session, requests: Iterable[bytes], _beat: Beat, *, isolate_all: bool
) -> Iterator[str]:
    faulthandler.disable()  # the report tells of an end
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # control-C is for the first process, which ends this one
    state = session._setupstate  # noqa: SLF001  # there is no other way to end fixtures in time
    # The fixtures set up so far belong to the process that this one is a fork of.
    for finalizers, _ in state.stack.values():
        finalizers.clear()
    if isolate_all:
        forks.run.subject.isolate_all()
    for request in requests:
        place, following = json.loads(request)
        item, nextitem = session.items[place], None if following is None else session.items[following]
        yield json.dumps(_answer(forks, item, nextitem), default=repr)
    state.teardown_exact(None)


def _answer(forks: ItemForks, item: pytest.Item, nextitem: pytest.Item | None) -> dict[str, Any]:
    child, error = forks.run.subject.session.child, ""
    ends = child.restarts if child else 0
    forks.inside = []
    with warnings.catch_warnings(record=True) as caught:
        try:
            _protocol(item.config)(item=item, nextitem=nextitem)
        except Exception:  # noqa: BLE001  # of pytest, or of another plugin
            error = format_exc()
    flush_streams()
    to_data = partial(item.config.hook.pytest_report_to_serializable, config=item.config)
    return {
        REPORTS: [to_data(report=report) for report in forks.inside],
        WARNINGS: [serialize_warning_message(each) for each in caught],
        ENDS: (child.restarts if child else 0) - ends,
        ERROR: error,
    }


def _protocol(config: pytest.Config) -> pluggy.HookCaller:
    manager = config.pluginmanager
    # The first process takes warnings, and the traces of faults.
    left_out = [manager.get_plugin(name) for name in ("warnings", "faulthandler")]
    return manager.subset_hook_caller("pytest_runtest_protocol", left_out)


def flush_streams() -> None:
    """Write what is buffered, which two processes would write otherwise, or none."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
