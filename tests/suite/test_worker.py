"""What workers tell the controller: one report of each item, and whatever did not pass."""

import re
from types import SimpleNamespace
from typing import Any, cast

import pytest

from conformance.suite import plugin
from conformance.suite.hooks import SUITE
from conformance.suite.plugin import WorkerReports
from tests.helpers.runs import suite_on


def test_items_that_pass_have_one_report_each() -> None:
    text = suite_on("Honest", "-n1", "--durations=0", "--durations-min=0", "-k", "test_edge_values").ended(0)
    assert re.findall(r"s (setup|call|teardown) ", text) == ["call", "call"]


def reported(monkeypatch: pytest.MonkeyPatch, *phases: tuple[str, bool]) -> list[tuple[str, Any]]:
    """Return the events of an item of the suite, by the outcomes of its phases."""
    events: list[tuple[str, Any]] = []
    hook = SimpleNamespace(
        pytest_runtest_logstart=lambda **facts: events.append(("start", facts["nodeid"])),
        pytest_runtest_logreport=lambda report: events.append(("report", report.when)),
        pytest_runtest_logfinish=lambda **facts: events.append(("finish", facts["nodeid"])),
    )
    reports = [SimpleNamespace(when=when, passed=passed) for when, passed in phases]
    monkeypatch.setattr(plugin, "runtestprotocol", lambda *_, **__: reports)
    item = SimpleNamespace(path=SUITE / "test_stored.py", nodeid="item", location=("", 0, ""), ihook=hook)
    assert WorkerReports().pytest_runtest_protocol(cast("pytest.Item", item), None)
    return events


def test_a_phase_that_did_not_pass_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    events = reported(monkeypatch, ("setup", False), ("teardown", True))
    assert events == [("start", "item"), ("report", "setup"), ("finish", "item")]


def test_a_call_is_reported_whether_it_passed_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    events = reported(monkeypatch, ("setup", True), ("call", False), ("teardown", True))
    assert events == [("start", "item"), ("report", "call"), ("finish", "item")]


def test_items_of_other_suites_are_left_to_pytest() -> None:
    item = SimpleNamespace(path=SUITE.parent / "test_other.py")
    assert WorkerReports().pytest_runtest_protocol(cast("pytest.Item", item), None) is None
