"""Warnings of the implementation in a run of pytest, as one line.

While a plugin is configured, pytest shows each warning at each call. During tests it keeps each, for a summary of its
own, and sends it from the workers to the controller.
"""

from __future__ import annotations

import sys
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.config import apply_warning_filters

from conformance.suite.import_guard import PACKAGE
from conformance.system.foreign_warnings import ForeignWarning, ForeignWarnings

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

OUTPUT = "kafka_warnings"
"""The key of a worker's warnings in its output."""

SUITE = PACKAGE / "suite"


class WarningsOfRun:
    """A plugin for the warnings of the implementation."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._is_worker = hasattr(config, "workerinput")
        self._is_verbose = getattr(config.option, "verbose", 0) > 0
        self._seen = ForeignWarnings()
        self._chosen = [*sys.warnoptions, *(config.getoption("pythonwarnings", None) or ())]
        """The filters of the user. With one of them, the warnings are left to Python and pytest."""

    @contextmanager
    def at_load(self) -> Iterator[None]:
        """Take the warnings while the adapter is loaded. A worker's are the same as those of its controller."""
        if not self._chosen:
            with (ForeignWarnings() if self._is_worker else self._seen).taken():
                yield
            return
        with warnings.catch_warnings():
            apply_warning_filters([], self._chosen)
            yield

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """Take the warnings of an item of the suite."""
        if self._chosen or item.path.parent != SUITE:
            return (yield)
        with self._seen.taken():
            return (yield)

    def pytest_sessionfinish(self) -> None:
        """Hand the warnings of a worker to the controller."""
        if self._is_worker:
            self._config.workeroutput[OUTPUT] = [(tuple(seen), count) for seen, count in self._seen.counts.items()]  # type: ignore[attr-defined]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add the warnings of a worker."""
        found = getattr(node, "workeroutput", {}).get(OUTPUT, [])
        self._seen.add((ForeignWarning(*facts), count) for facts, count in found)

    @pytest.hookimpl(wrapper=True)
    def pytest_terminal_summary(self) -> Generator[None, object, object]:
        """Print the line after the summary and before the verdict."""
        result = yield
        if not self._is_worker:
            sys.stdout.flush()  # the streams may go to one file
            self._seen.show(verbose=self._is_verbose, hint="-v shows each")
        return result
