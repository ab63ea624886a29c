"""The comparison of a made-up report with the counted causes, and the file of causes."""

import json
import tomllib
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.definitions.catalogue import catalogue
from tests.old_releases.comparison import (
    CAUSES,
    CountedCause,
    Library,
    Part,
    differences,
    load_libraries,
    mixed_findings,
)

NULLS = CountedCause("nulls", frozenset({"null.not-allowed"}), (Part(rule="null.*"),))
FIELD = CountedCause("field", frozenset({"struct.field-order"}), (Part(message="HeartbeatRequest-v[01]"),))
WIDTH = CountedCause("width", frozenset({"int.width-and-order"}), (Part(message="FetchRequest-v*", field="MaxBytes"),))
LIBRARY = Library("1.0", "4.4.0", (NULLS, FIELD, WIDTH))


def finding(
    rule: str, message: str, version: int, field: str = "", *, follows: str | None = None
) -> list[dict[str, Any]]:
    """Return the two lines of a finding with one example."""
    key = {"rule": rule, "outcome": "value", "cluster": ""}
    place = {"message": message, "version": version, "direction": "decode", "fields": {field: 1}, "case": "minimal"}
    head = {"follows": {**key, "rule": follows}} if follows else {}
    return [{"event": "violation", **key, **place}, {"event": "finding", **key, **head}]


def report(*findings: list[dict[str, Any]]) -> list[str]:
    return [json.dumps(event) for lines in findings for event in lines]


SOUND = (
    finding("null.not-allowed", "HeartbeatRequest", 0, "GroupId"),
    finding("struct.field-order", "HeartbeatRequest", 1),
    finding("int.width-and-order", "FetchRequest", 4, "MaxBytes"),
    finding("codec.consumed", "FetchRequest", 4, "MaxBytes", follows="int.width-and-order"),
)


def test_a_report_of_the_counted_causes_does_not_differ() -> None:
    assert differences(LIBRARY, report(*SOUND)) == []
    assert mixed_findings(LIBRARY, report(*SOUND)) == []


def test_a_cause_more_is_no_difference_and_two_are_one(snapshot: SnapshotAssertion) -> None:
    further = [finding(rule, "HeartbeatRequest", 0) for rule in ("array.count", "string.utf8")]
    assert differences(LIBRARY, report(*SOUND, further[0])) == []
    assert differences(LIBRARY, report(*SOUND, *further)) == snapshot


def test_finding_without_a_counted_cause_is_named(snapshot: SnapshotAssertion) -> None:
    lines = report(*SOUND, finding("string.utf8", "FetchRequest", 4, "RackId"))
    assert differences(LIBRARY, lines) == snapshot


def test_cause_under_a_rule_of_another_is_named(snapshot: SnapshotAssertion) -> None:
    lines = report(SOUND[0], finding("array.count", "HeartbeatRequest", 1), SOUND[2])
    assert differences(LIBRARY, lines) == snapshot


def test_cause_without_a_head_is_named_with_its_head(snapshot: SnapshotAssertion) -> None:
    lines = report(SOUND[0], finding("struct.field-order", "HeartbeatRequest", 1, follows="null.not-allowed"), SOUND[2])
    assert differences(LIBRARY, lines) == snapshot


def test_a_finding_of_two_causes_is_mixed(snapshot: SnapshotAssertion) -> None:
    both = finding("array.count", "HeartbeatRequest", 0) + finding("array.count", "FetchRequest", 4, "MaxBytes")
    assert mixed_findings(LIBRARY, report(*SOUND, both)) == snapshot


@pytest.mark.parametrize("name", load_libraries())
def test_the_file_names_rules_of_the_catalogue_and_each_cause_once(name: str) -> None:
    library = load_libraries()[name]
    assert {rule for cause in library.causes for rule in cause.rules} <= catalogue().keys()
    assert len({cause.name for cause in library.causes}) == len(library.causes)


@pytest.mark.parametrize("name", load_libraries())
def test_each_cause_of_the_file_has_its_place_and_its_fact(name: str) -> None:
    for cause in tomllib.loads(CAUSES.read_text(encoding="utf-8"))[name]["causes"]:
        assert cause["place"]
        assert cause["fact"].endswith(".")
        assert cause["parts"]


def test_split_causes_of_today_are_counted_ones() -> None:
    for name, table in tomllib.loads(CAUSES.read_text(encoding="utf-8")).items():
        assert set(table["today"]["split"]) <= {cause.name for cause in load_libraries()[name].causes}
