"""Every form of a report shows the extent of its run, and an unfinished run is not compared."""

import html
import json
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.commands.replay_cases import replay_of
from conformance.report.changes import NotComparable, compare
from conformance.report.facts import RunReport
from conformance.report.files.badges import badge_of
from conformance.report.files.junit import junit
from conformance.report.files.markdown import markdown
from conformance.report.files.sarif import SourceLine, sarif
from conformance.report.report_reading import BadReport, report_from
from conformance.report.site.site import site_pages
from tests.helpers.releases import NEWEST
from tests.report.lines import EXTENT, FINDING, RUN, SUMMARY, text_of

UNFINISHED = ["collected", "interrupted", "stopped"]
WHY = "for <some> reason"


def report_of(state: str, *events: dict[str, Any], why: str = WHY) -> RunReport:
    lines = (RUN, {**EXTENT, "state": state, "why": why}, *events, SUMMARY)
    return report_from([json.dumps(line) for line in lines], "run.jsonl")


@pytest.mark.parametrize("state", [*UNFINISHED, "partial"])
def test_every_format_shows_an_incomplete_run(state: str) -> None:
    report = report_of(state, FINDING)
    [suite] = ET.fromstring(junit([report])).findall("testsuite")  # noqa: S314  # our own
    [test] = [each for each in suite.findall("testcase") if each.get("name") == "the whole run"]
    assert (test.find("error") is not None) == (state in UNFINISHED)
    assert f"`{state}: {WHY}`" in markdown([report])
    [run] = json.loads(sarif([report], lambda *_: SourceLine("adapter.py")))["runs"]
    assert run["properties"]["extent"] == f"{state}: {WHY}"
    assert run["invocations"][0]["executionSuccessful"] == (state == "partial")
    assert state in badge_of(report).message


@pytest.mark.parametrize("state", [*UNFINISHED, "partial"])
def test_pages_show_an_incomplete_run(state: str) -> None:
    pages = dict(site_pages([report_of(state, FINDING)], replay_of))
    assert f"it is {state}: {html.escape(WHY)}" in pages[f"runs/honest-1-{NEWEST}-run.html"]
    assert f"<strong>{state}</strong>" in pages["index.html"]


def test_a_complete_run_is_shown_without_a_mark() -> None:
    report = report_of("complete", FINDING, why="without random search: test_generated_values")
    assert "whole run" not in markdown([report]) + junit([report])
    assert "complete" not in badge_of(report).message


@pytest.mark.parametrize("state", UNFINISHED)
def test_unfinished_run_is_no_baseline_and_has_none(state: str) -> None:
    """A finding missing there is not gone, and a finding of the other run is not new."""
    whole, part = report_of("complete", FINDING), report_of(state)
    for old, new in ((whole, part), (part, whole)):
        with pytest.raises(NotComparable, match=rf"^run\.jsonl cannot .*{state}"):
            compare(old, new)


def test_finding_outside_of_a_selection_of_tests_is_not_gone() -> None:
    """Its pairs were tried, and not by all tests."""
    tried = {"event": "pair", "pair": "HeartbeatResponse-v0", "tests": {"test_edge_values": {"tried": 1}}}
    old = report_of("complete", FINDING)
    assert compare(old, report_of("complete", tried)).gone
    of_messages, of_tests = "only some messages were selected", "test_framing did not run on everything"
    assert compare(old, report_of("partial", tried, why=of_messages)).gone
    assert compare(old, report_of("partial", tried, why=of_tests)).untried_now


def test_report_without_its_extent_is_refused(snapshot: SnapshotAssertion) -> None:
    lines = [line for line in text_of() if "extent" not in line]
    with pytest.raises(BadReport) as caught:
        report_from(lines, "old.jsonl")
    assert str(caught.value) == snapshot
