"""Measures the processor time of a run by the owner of the running code.

Owners are the implementation, the adapter, the oracle, the suite, its frameworks, and child processes. A signal comes
for each hundredth of a second of processor time. The innermost frame of an owner decides: frames of the standard
library, or of a library used by both, count for their caller. A codec's code in C or Rust has no frames, and counts as
its adapter's. A harness, and what reads hostile bytes, is a child process: its time is the implementation's, too.
"""

from __future__ import annotations

import signal
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from conformance.judge.count_lines import OutcomeCount
from conformance.system.programs import seconds_of_programs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from conformance.judge.tally import Tally

INTERVAL = 0.01
COSTS = "kafka_costs"
"""The key of a worker's figures for the controller."""

IMPLEMENTATION, ADAPTER, ORACLE, SUITE = "implementation", "adapter", "oracle", "suite"
FRAMEWORKS = "pytest and Hypothesis"
PROGRAMS = "child processes with the implementation"
OWNERS = (IMPLEMENTATION, ADAPTER, ORACLE, SUITE, FRAMEWORKS, PROGRAMS)

_PACKAGES = {
    "reference": ORACLE,
    "specs": ORACLE,
    "conformance": SUITE,
    "tests": SUITE,
    **dict.fromkeys(("hypothesis", "pytest", "_pytest", "pluggy", "xdist", "execnet"), FRAMEWORKS),
}


def owner_of(modules: Iterator[str], adapter: str) -> str:
    """Return the owner of the running code, by the modules of a stack's frames, the innermost first."""
    is_foreign = False
    for name in modules:
        package = name.partition(".")[0]
        if name == adapter or name.startswith((f"{adapter}.", "conformance.adapters.")):
            return IMPLEMENTATION if is_foreign else ADAPTER
        if package in _PACKAGES:
            return _PACKAGES[package]
        is_foreign |= package not in sys.stdlib_module_names
    return SUITE


def _modules(frame: FrameType | None) -> Iterator[str]:
    while frame is not None:
        yield str(frame.f_globals.get("__name__", ""))
        frame = frame.f_back


class Costs:
    """Counts processor time by owner in this process and its workers, and shows it at the end of a run."""

    def __init__(self, adapter: str, *, is_worker: bool) -> None:
        self._adapter = adapter
        self._is_worker = is_worker
        self.seconds: Counter[str] = Counter()

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Begin to count, or raise `pytest.UsageError` if the system has no timer of processor time."""
        if not hasattr(signal, "setitimer"):
            raise pytest.UsageError("--costs needs a timer of processor time, which this system lacks: leave it out")
        signal.signal(signal.SIGPROF, self._sample)
        signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)

    def _sample(self, _number: int, frame: FrameType | None) -> None:
        self.seconds[owner_of(_modules(frame), self._adapter)] += INTERVAL  # type: ignore[assignment]  # of a Counter

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Stop counting, and on a worker report the figures to the controller."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        self.seconds[PROGRAMS] += seconds_of_programs()  # type: ignore[assignment]  # as above
        if self._is_worker:
            output: Any = getattr(session.config, "workeroutput", {})
            output[COSTS] = dict(self.seconds)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add the figures of a worker."""
        self.seconds.update(getattr(node, "workeroutput", {}).get(COSTS, {}))

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Show it."""
        if not self._is_worker:
            terminalreporter.write_line(self.text())

    def text(self) -> str:
        """Return it in a line, less the owners without a sample."""
        total = sum(self.seconds.values()) or 1.0
        seconds = {owner: self.seconds[owner] for owner in OWNERS if self.seconds[owner]}
        parts = [f"{owner} {own:.1f} ({100 * own / total:.0f} %)" for owner, own in seconds.items()]
        return f"CPU seconds: {', '.join(parts)}; in all {total:.1f}"


MANY_CALLS, SLOW = 100, 20
"""The calls from which their mean time is noted, and the milliseconds above which it is."""


def slowness(config: pytest.Config, tally: Tally, seconds: float) -> Iterator[str]:
    """Yield a note if the calls of a run of that many seconds take long."""
    workers, calls = len(getattr(config.option, "tx", None) or [None]), tally.of(OutcomeCount).total()
    milliseconds = 1000 * workers * (seconds - tally.waited) / max(calls, 1)
    if calls >= MANY_CALLS and milliseconds > SLOW:
        text = f"slow: a call takes {milliseconds:.0f} ms, the suite's own work included, and there are {calls:,}"
        yield f"{text}; look at what the adapter does in each call, as imports or a new process"
