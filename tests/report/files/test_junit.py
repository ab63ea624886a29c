import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from conformance.definitions.catalogue import catalogue
from conformance.report.facts import RunReport
from conformance.report.files.junit import junit
from conformance.report.report_reading import report_from
from tests.helpers.releases import NEWEST
from tests.helpers.schemas import junit_schema
from tests.report.files.samples import broken, clean, hostile, known, parsed
from tests.report.lines import EXTENT, RUN, SUMMARY, report_of


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


def test_a_new_finding_is_a_failure_with_its_bytes_and_a_replay_line() -> None:
    failure = case_of(broken(), "int.width-and-order").find("failure")
    assert failure is not None
    assert failure.get("message") == "int.width-and-order (must), outcome bytes: 3 cases in 1 message version"
    assert failure.text is not None
    assert "expected: 0001\nactual:   0100\n" in failure.text
    assert "kafka-conformance replay --impl myproj.adapter" in failure.text


def test_a_known_finding_is_skipped_with_its_reason() -> None:
    test = case_of(known(), "int.width-and-order")
    assert [child.tag for child in test] == ["skipped"]
    assert "writes the low byte first" in (test[0].text or "")


def test_tried_rule_passes() -> None:
    assert list(case_of(clean(), "int.width-and-order")) == []


def test_untried_rule_is_skipped() -> None:
    assert [child.text for child in case_of(clean(), "uuid.byte-order")] == ["not tested: No case tried it."]


def test_part_not_offered_is_skipped_with_the_reason() -> None:
    assert [child.text for child in case_of(broken(), "sizes")] == ["not tested: no size"]


def test_unspecified_rule_is_no_test() -> None:
    names = {case.get("name") for case in suite_of(clean()).findall("testcase")}
    assert "int.width-and-order" in names
    assert "input.trailing-bytes" not in names


def test_a_stale_known_failure_is_a_failure() -> None:
    summary = {**SUMMARY, "stale": ["an entry"]}
    report = report_from([json.dumps(each) for each in (RUN, EXTENT, summary)], "run.jsonl")
    assert case_of(report, "the file of known failures").find("failure") is not None


def test_the_counts_are_those_of_the_tests() -> None:
    suite = suite_of(broken())
    tests = suite.findall("testcase")
    assert suite.get("tests") == str(len(tests))
    assert suite.get("failures") == "1"
    assert suite.get("skipped") == str(sum(test.find("skipped") is not None for test in tests))


def test_no_character_forbidden_in_xml_is_written() -> None:
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\u202e]", junit([hostile()]))


def test_report_without_tried_rules_has_no_passed_rule() -> None:
    """All tests of rules are skipped."""
    tests = [test for test in suite_of(report_of()).findall("testcase") if test.get("name") in catalogue()]
    assert tests
    assert all(test.find("skipped") is not None for test in tests)
