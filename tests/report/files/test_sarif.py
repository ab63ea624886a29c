import json
from typing import Any

import pytest
from jsonschema import Draft7Validator
from syrupy.assertion import SnapshotAssertion

from conformance.judge.events import REFUSAL, REJECTION, Answered, Expectation
from conformance.judge.findings.lines import FindingLine
from conformance.report.facts import RunReport
from conformance.report.files.sarif import SourceLine, sarif
from tests.helpers.releases import NEWEST
from tests.helpers.schemas import sarif_schema
from tests.report.files.samples import broken, clean, hostile, known
from tests.report.lines import CASE, FINDING, FOLLOWER, KNOWN, report_of
from tests.report.lines import broken as broken_by


def beside(_report: RunReport, finding: FindingLine) -> SourceLine:
    return SourceLine("known_failures.toml", 7) if finding.entry else SourceLine("myproj/adapter.py")


def run_of(report: RunReport, site: str = "") -> dict[str, Any]:
    run: dict[str, Any] = json.loads(sarif([report], beside, site))["runs"][0]
    return run


def taken(
    rule: str = "length.within-input", impact: str = "invalid-accepted", expectation: Expectation = REJECTION
) -> RunReport:
    """Return a report of invalid bytes accepted by a reader, beside a finding without a weakness."""
    example = {**CASE, **broken_by(expectation, Answered("value")), "rule": rule, "direction": "decode"}
    return report_of(FINDING, {**FINDING, "rule": rule, "impact": impact, "example": example})


@pytest.mark.java
def test_report_is_valid_by_the_schema_of_oasis() -> None:
    """This holds for any text of an implementation."""
    validator = Draft7Validator(sarif_schema(), format_checker=Draft7Validator.FORMAT_CHECKER)
    document = json.loads(sarif([clean(), known(), broken(), hostile(), taken()], beside, "https://example.com/site"))
    assert [error.message for error in validator.iter_errors(document)] == []


def test_a_new_finding_is_an_error_at_the_adapter() -> None:
    result = run_of(broken())["results"][0]
    assert (result["ruleId"], result["level"]) == ("int.width-and-order", "error")
    location = result["locations"][0]["physicalLocation"]
    assert location == {"artifactLocation": {"uri": "myproj/adapter.py"}, "region": {"startLine": 1}}
    assert result["message"]["text"].splitlines()[-1] == FINDING["replay"]


def test_sarif_of_a_run(snapshot: SnapshotAssertion) -> None:
    assert run_of(broken()) == snapshot


def test_a_consequence_is_no_result_of_its_own() -> None:
    [result] = run_of(report_of(FINDING, FOLLOWER))["results"]
    assert FOLLOWER["rule"] in result["message"]["text"]


def test_a_rule_that_hostile_bytes_break_fatally_has_the_severity_of_a_denial_of_service() -> None:
    rules = run_of(taken(impact="fatal"))["tool"]["driver"]["rules"]
    assert [("security-severity" in rule["properties"]) for rule in rules] == [False, True]


def test_finding_under_a_should_rule_is_a_warning() -> None:
    report = report_of({**FINDING, "rule": "tag.default-omitted"}, FINDING)
    assert [result["level"] for result in run_of(report)["results"]] == ["warning", "error"]


def test_a_known_finding_is_suppressed_at_its_entry() -> None:
    result = run_of(known())["results"][0]
    assert result["suppressions"][0]["justification"] == KNOWN["reason"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 7}


def test_a_fingerprint_does_not_change_with_the_version_of_the_implementation() -> None:
    """Nor does it change with the number of cases, but with the words of the implementation."""

    def fingerprint(version: str, **changed: Any) -> str:
        result = run_of(report_of({**FINDING, **changed}, implementation_version=version))["results"][0]
        return str(result["partialFingerprints"]["primaryLocationLineHash"])

    assert fingerprint("1") == fingerprint("2", count=9)
    assert fingerprint("1") != fingerprint("1", cluster="KeyError")


def test_each_run_has_a_category_of_its_own() -> None:
    document = json.loads(sarif([clean("one"), clean("two")], beside))
    ids = [run["automationDetails"]["id"] for run in document["runs"]]
    assert ids == [f"kafka-wire-conformance/one/{NEWEST}/", f"kafka-wire-conformance/two/{NEWEST}/"]


def test_rules_have_the_address_of_their_page_on_a_named_site() -> None:
    rules = run_of(broken(), "https://example.com/site/")["tool"]["driver"]["rules"]
    assert rules[0]["helpUri"] == "https://example.com/site/rules/int.width-and-order.html"
    assert "helpUri" not in run_of(broken())["tool"]["driver"]["rules"][0]


def test_results_name_their_rule_by_its_place() -> None:
    run = run_of(broken())
    assert [run["tool"]["driver"]["rules"][each["ruleIndex"]]["id"] for each in run["results"]] == [
        each["ruleId"] for each in run["results"]
    ]


def test_rules_have_their_weaknesses_as_tags_of_three_digits() -> None:
    """GitHub's code scanning reads them so."""

    def tags(rule: str) -> list[str]:
        rules = run_of(taken(rule))["tool"]["driver"]["rules"]
        found = next(each for each in rules if each["id"] == rule)["properties"]["tags"]
        return [tag for tag in found if tag.startswith("external/")]

    assert tags("length.within-input") == ["external/cwe/cwe-130", "external/cwe/cwe-789"]
    assert tags("field.bad-batch-later") == ["external/cwe/cwe-020"]
    assert tags("null.not-allowed") == ["external/cwe/cwe-1284"]
    assert tags("bool.byte") == []


def test_rules_refer_to_their_weaknesses_in_the_taxonomy_of_the_run() -> None:
    run = run_of(taken("length.within-input"))
    [taxonomy] = run["taxonomies"]
    related = {
        rule["id"]: [each["target"] for each in rule["relationships"]] for rule in run["tool"]["driver"]["rules"]
    }
    assert [target["id"] for target in related["length.within-input"]] == ["130", "789"]
    assert [taxonomy["taxa"][target["index"]]["id"] for target in related["length.within-input"]] == ["130", "789"]
    assert related["int.width-and-order"] == []


def test_taxonomy_has_only_weaknesses_of_broken_rules(snapshot: SnapshotAssertion) -> None:
    [taxonomy] = run_of(taken("batch.crc"))["taxonomies"]
    assert taxonomy["name"] == "CWE"
    assert taxonomy["taxa"] == snapshot


@pytest.mark.parametrize(
    ("impact", "expectation", "labels"),
    [
        ("invalid-accepted", REJECTION, ["CWE-130", "CWE-789"]),
        ("fatal", REJECTION, ["CWE-130", "CWE-789"]),
        ("wrong-value", REJECTION, None),
        ("wrong-bytes", REJECTION, None),
        ("valid-rejected", REJECTION, None),
        ("invalid-accepted", REFUSAL, None),
    ],
    ids=["taken", "fatal", "wrong-value", "wrong-bytes", "refused", "taken by a writer"],
)
def test_a_finding_has_a_weakness_only_for_an_impact_of_hostile_bytes(
    impact: str, expectation: Expectation, labels: list[str] | None
) -> None:
    results = run_of(taken(impact=impact, expectation=expectation))["results"]
    found = next(each for each in results if each["ruleId"] == "length.within-input")
    assert found["properties"].get("cwe") == labels
