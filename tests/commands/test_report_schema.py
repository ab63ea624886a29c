"""Lines of reports are valid by the schema of `report --schema`, and broken lines are not."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from conformance.report.report_reading import KINDS
from tests.helpers.runs import WITHOUT_SEARCH, events, invoke, suite, suite_on
from tests.report.lines import CASE, FINDING, KNOWN, RUN, VIOLATION, Event, text_of

ENTRY = '[[failure]]\nrule = "int.width-and-order"\nmessages = "*"\noutcome = "bytes"\nreason = "because"\n'


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    done = invoke("report", "--schema")
    assert done.exit_code == 0, done.output
    document: dict[str, Any] = json.loads(done.stdout)
    return document


@pytest.fixture(scope="module")
def validator(schema: dict[str, Any]) -> Draft202012Validator:
    return Draft202012Validator(schema)


def problems(validator: Draft202012Validator, lines: list[Event]) -> list[str]:
    return [error.message for line in lines for error in validator.iter_errors(line)]


def test_it_is_a_sound_schema_and_indented(schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)
    assert invoke("report", "--schema").stdout == f"{json.dumps(schema, indent=2)}\n"


def test_it_has_every_kind_of_line_and_no_other(schema: dict[str, Any]) -> None:
    tags = [_defined(schema)[kind]["properties"]["event"]["enum"] for kind in _kinds(schema)]
    assert sorted(kind for [kind] in tags) == sorted(KINDS)


def _defined(schema: dict[str, Any]) -> dict[str, Any]:
    definitions: dict[str, Any] = schema["$defs"]
    return definitions


def _kinds(schema: dict[str, Any]) -> list[str]:
    return [each["$ref"].rpartition("/")[2] for each in schema["anyOf"]]


def test_every_line_of_a_report_of_the_reference_is_valid(validator: Draft202012Validator, tmp_path: Path) -> None:
    path = tmp_path / "reference.jsonl"
    suite(
        "--impl=conformance.adapters.reference", "--messages=ApiVersions*", f"--report={path}", *WITHOUT_SEARCH
    ).ended(0)
    assert problems(validator, events(path)) == []


def test_every_line_of_a_report_with_findings_is_valid(validator: Draft202012Validator, tmp_path: Path) -> None:
    """The report has new findings, one of them following from a known one, and violations."""
    path, known = tmp_path / "report.jsonl", tmp_path / "known.toml"
    known.write_text(ENTRY, encoding="utf-8")
    suite_on("LittleEndian", f"--report={path}", f"--known-failures={known}", *WITHOUT_SEARCH).ended(1)
    lines = events(path)
    assert {"violation", "finding", "known-failure"} <= {line["event"] for line in lines}
    assert problems(validator, lines) == []


def test_report_of_unrepresentable_values_is_valid(validator: Draft202012Validator, tmp_path: Path) -> None:
    path = tmp_path / "report.jsonl"
    suite_on("HoldsNoZero", f"--report={path}", *WITHOUT_SEARCH)
    lines = events(path)
    assert "unrepresentable" in {line["event"] for line in lines}
    assert problems(validator, lines) == []


def test_lines_in_tests_of_readers_are_valid(validator: Draft202012Validator) -> None:
    assert problems(validator, [json.loads(line) for line in text_of(FINDING, KNOWN, VIOLATION)]) == []


BROKEN: dict[str, Event] = {
    "another kind": {"event": "verdict"},
    "no kind": {name: fact for name, fact in RUN.items() if name != "event"},
    "a member is missing": {name: fact for name, fact in RUN.items() if name != "kind"},
    "a text for a number": {**FINDING, "count": "3"},
    "a count below zero": {**FINDING, "count": -1},
    "no hex": {**VIOLATION, "wire": "0g"},
    "an example without a version": {**FINDING, "example": {**CASE, "version": None}},
    "an expectation of another kind": {**VIOLATION, "expectation": {"what": "applause"}},
    "an observation of another kind": {**VIOLATION, "observation": {"type": "applause"}},
}


@pytest.mark.parametrize("line", BROKEN.values(), ids=BROKEN)
def test_a_broken_line_is_not_valid(validator: Draft202012Validator, line: Event) -> None:
    assert problems(validator, [line])


def test_a_schema_is_printed_without_a_report_and_a_site_is_not() -> None:
    assert invoke("report").exit_code == 2
    assert invoke("report", "--schema", "--format", "junit").exit_code == 0
