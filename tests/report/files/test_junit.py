import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.definitions.catalogue import catalogue
from conformance.report.facts import RunReport
from conformance.report.files.junit import junit
from conformance.report.report_reading import report_from
from tests.helpers.releases import NEWEST
from tests.helpers.schemas import junit_schema
from tests.report.files.samples import broken, clean, hostile, known, parsed
from tests.report.lines import EXTENT, FINDING, FOLLOWER, KNOWN, RUN, SUMMARY, report_of


def suite_of(report: RunReport) -> ET.Element:
    suite = parsed(junit([report])).find("testsuite")
    assert suite is not None
    return suite


def case_of(report: RunReport, name: str) -> ET.Element:
    return next(case for case in suite_of(report).findall("testcase") if case.get("name") == name)


@pytest.mark.node
def test_report_is_valid_by_the_schema_of_jenkins(tmp_path: Path) -> None:
    """This holds for any text of an implementation."""
    path = tmp_path / "junit.xml"
    path.write_text(junit([clean(), known(), broken(), hostile()]), encoding="utf-8")
    junit_schema().validate(path)


def test_each_run_is_a_suite() -> None:
    root = parsed(junit([clean("one"), broken("two")]))
    assert [suite.get("name") for suite in root] == [f"one 1 against Kafka {NEWEST}", f"two 1 against Kafka {NEWEST}"]


def test_junit_of_a_run(snapshot: SnapshotAssertion) -> None:
    assert junit([broken()]) == snapshot


def test_each_new_cause_is_one_failure_with_its_consequences() -> None:
    report = report_of(FINDING, FOLLOWER, {**FINDING, "cluster": "KeyError"})
    failures = [case.findall("failure") for case in suite_of(report).findall("testcase") if case.findall("failure")]
    assert [len(each) for each in failures] == [1, 1]
    assert FOLLOWER["rule"] in (failures[0][0].text or "")


def test_a_known_cause_is_skipped_with_its_reason() -> None:
    test = case_of(known(), "int.width-and-order (bytes)")
    assert [child.tag for child in test] == ["skipped"]
    assert KNOWN["reason"] in (test[0].text or "")


def test_tried_rule_passes() -> None:
    assert list(case_of(clean(), "int.width-and-order")) == []


def test_what_was_not_tested_is_said_once() -> None:
    """No test stands for an untried rule, or for a part that the adapter lacks."""
    suite = suite_of(broken())
    output = suite.findtext("system-out") or ""
    assert output.count("uuid.byte-order") == 1
    assert output.count("sizes (no size)") == 1
    assert not {"uuid.byte-order", "sizes"} & {case.get("name") for case in suite.findall("testcase")}


def test_unspecified_rule_is_no_test() -> None:
    names = {case.get("name") for case in suite_of(clean()).findall("testcase")}
    assert "int.width-and-order" in names
    assert "input.trailing-bytes" not in names


def test_a_stale_known_failure_is_a_failure() -> None:
    summary = {**SUMMARY, "stale": ["an entry"]}
    report = report_from([json.dumps(each) for each in (RUN, EXTENT, summary)], "run.jsonl")
    name = "the file of known failures"
    assert case_of(report, name).find("failure") is not None


def test_the_counts_are_those_of_the_tests() -> None:
    suite = suite_of(broken())
    tests = suite.findall("testcase")
    assert suite.get("tests") == str(len(tests))
    assert suite.get("failures") == "1"
    assert suite.get("skipped") == str(sum(test.find("skipped") is not None for test in tests))


def test_no_character_forbidden_in_xml_is_written() -> None:
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\u202e]", junit([hostile()]))


def test_report_without_tried_rules_has_no_passed_rule() -> None:
    assert not [test for test in suite_of(report_of()).findall("testcase") if test.get("name") in catalogue()]
