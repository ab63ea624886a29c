"""What a worker of pytest-xdist does otherwise than a process of its own: it tells the controller less."""

from __future__ import annotations

from typing import TYPE_CHECKING

from _pytest.runner import runtestprotocol

from conformance.suite.hooks import SUITE

if TYPE_CHECKING:
    import pytest


class WorkerReports:
    """Sends the controller one report of each item, instead of three.

    A run has thousands of items that take milliseconds, and pytest sends a report of each one's setup, of its call and
    of its teardown. Those of setup and teardown tell nothing if they passed.
    """

    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        """Run an item of the suite as pytest does; others are left to it."""
        if item.path.parent != SUITE:
            return None
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        for report in runtestprotocol(item, log=False, nextitem=nextitem):
            if report.when == "call" or not report.passed:
                item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True
