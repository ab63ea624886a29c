"""Findings, their order, and their examples."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from conformance.judge.case import Violation
from conformance.judge.events import (
    ACCEPTANCE,
    FRAME_REFUSAL,
    REJECTION,
    SURVIVAL,
    Answered,
    Differs,
    Expectation,
    Expected,
    Noted,
    Shown,
    number,
    these_bytes,
    value_at,
    wrote,
)
from conformance.judge.findings.finding import Findings, Impact, impact_of
from conformance.live.server.exchanges import ExchangeCase
from conformance.report.words import versions_text
from reference import Difference, load_release, newest_release
from tests.helpers.cases import Place, StubCase, violation

Facts = dict[str, Any]


def reading(expectation: Expectation, observation: Answered | Differs) -> Facts:
    """Return the expectation and the observation of a reader."""
    return {"direction": "decode", "expectation": expectation, "observation": observation}


VALID_REJECTED = reading(ACCEPTANCE, Answered("rejected", explanation="no"))
CRASHED = reading(SURVIVAL, Answered("crashed", explanation="end"))
IMPACTS: dict[Impact, Facts] = {
    Impact.VALID_REJECTED: VALID_REJECTED,
    Impact.WRONG_VALUE: reading(value_at("A", 1), Differs.of(Difference("A", 1, 2, "value"))),
    Impact.WRONG_BYTES: {"direction": "encode", "expectation": these_bytes(b"\0"), "observation": wrote(b"\1")},
    Impact.FATAL: CRASHED,
    Impact.INVALID_ACCEPTED: reading(REJECTION, Answered("value", value=Shown.of({}))),
}

RELEASE = load_release(newest_release())
CASE = ExchangeCase(RELEASE.schema("ApiVersionsRequest", 0), RELEASE, "header cut at 2", (b"\0\0\0\2\0\x12",))


@pytest.mark.parametrize(("impact", "facts"), IMPACTS.items(), ids=[impact.name for impact in Impact])
def test_a_violation_has_its_impact(impact: Impact, facts: dict[str, Any]) -> None:
    """It depends on the expectation, and on the side at fault."""
    assert impact_of(violation("null.not-written", "FetchRequest", **facts)) is impact


def test_a_crash_on_sound_bytes_is_as_bad_as_their_refusal() -> None:
    """Sound bytes suffice for it, without any attack."""
    facts = {**CRASHED, "expectation": ACCEPTANCE}
    assert impact_of(violation("null.not-written", "FetchRequest", **facts)) is Impact.VALID_REJECTED


def in_order(*violations: Violation) -> list[str]:
    """Return the rules of findings in their order, with each violation as often as its version."""
    findings = Findings()
    for each in violations:
        findings.add(each, each.version)
    return [finding.rule for finding in findings.ordered()]


def test_findings_are_ordered_by_impact_then_by_messages_then_by_cases() -> None:
    """The most frequent one is not the most severe."""
    assert in_order(
        violation("null.not-written", "VoteRequest", 1, **CRASHED),
        violation("string.too-long", "VoteRequest", 9, **CRASHED),
        violation("length.negative", "FetchRequest", 1, **CRASHED),
    ) == ["length.negative", "string.too-long", "null.not-written"]
    assert in_order(
        violation("null.not-written", "VoteRequest", 9),
        violation("tag.unknown-accepted", "VoteRequest", 1, **VALID_REJECTED),
    ) == ["tag.unknown-accepted", "null.not-written"]


@pytest.mark.parametrize("outcome", ["crashed", "timed-out", "exhausted-memory"])
def test_end_of_the_process_comes_first(outcome: str) -> None:
    """It precedes sound bytes refused in the most used message, though it is a consequence."""
    facts = reading(SURVIVAL, Answered(outcome, explanation="text"))
    assert in_order(
        violation("tag.unknown-accepted", "FetchRequest", 9, **VALID_REJECTED),
        violation("codec.survival", "VoteRequest", 1, **facts),
    ) == ["codec.survival", "tag.unknown-accepted"]


def test_shoulds_come_after_musts() -> None:
    """Their impact does not matter."""
    assert in_order(
        violation("message.accepted", "FetchRequest", 9, **VALID_REJECTED),
        violation("tag.default-omitted", "FetchRequest", 9),
        violation("null.not-written", "VoteRequest", 1, **CRASHED),
    ) == ["null.not-written", "message.accepted", "tag.default-omitted"]


def test_among_equal_impacts_a_consequence_comes_last() -> None:
    assert in_order(
        violation("message.accepted", "FetchRequest", 9, **VALID_REJECTED),
        violation("string.empty", "FetchRequest", 9, **VALID_REJECTED),
    ) == ["string.empty", "message.accepted"]


SMALLER_RANK = {
    "-1 before a short number": ("A=-1", "A=0", "rejected"),
    "null before the lowest length": ("minimal/0/length-null", "minimal/0/length-lowest", "value"),
    "the first error code before the lowest": ("ErrorCode=1", "ErrorCode=-32768", "rejected"),
    "a small number before a large one": ("A=255", "A=-32768", "rejected"),
    "a named case before a mutated one": ("A=null", "mutated-3", "value"),
    "the largest claim": ("minimal/0/varint-minus-one", "minimal/0/varint-one-more", "crashed"),
}


@pytest.mark.parametrize(("shown_case", "other", "outcome"), SMALLER_RANK.values(), ids=SMALLER_RANK)
def test_case_from_practice_is_shown(shown_case: str, other: str, outcome: str) -> None:
    """It is shown though it has more bytes."""
    facts = reading(REJECTION, Answered(outcome, explanation="text"))
    shown = violation("null.not-allowed", "FetchRequest", name=shown_case, wire=b"\1\2\3", **facts)
    hidden = violation("null.not-allowed", "FetchRequest", name=other, wire=b"\1", **facts)
    assert shown.weight < hidden.weight


def test_of_cases_of_one_rank_the_shortest_is_shown() -> None:
    """A deterministic one precedes all drawn by search."""
    long, short = (violation("null.not-allowed", "FetchRequest", wire=b"\1" * size) for size in (9, 2))
    drawn = violation("null.not-allowed", "FetchRequest", wire=b"", deterministic=False)
    assert min(long, short, drawn, key=lambda each: each.weight) is short


def test_fields_are_counted_without_indices() -> None:
    findings = Findings()
    for index in range(3):
        findings.add(violation("null.not-written", "FetchRequest", path=f"Topics[{index}].Name"))
    findings.add(violation("null.not-written", "FetchRequest", 1, path="Rack"))
    [finding] = findings.ordered()
    assert list(finding.totals.items()) == [("Topics[].Name", 3), ("Rack", 1)]
    assert finding.found().fields == [("FetchRequest", 0, {"Topics[].Name": 3}), ("FetchRequest", 1, {"Rack": 1})]


def test_the_pairs_of_a_finding_are_named_by_runs_of_versions() -> None:
    findings = Findings()
    for version in (0, 1, 2, 5):
        findings.add(violation("null.not-written", "FetchRequest", version, path="Rack"))
    findings.add(violation("null.not-written", "VoteRequest", 1, path="Rack"))
    [finding] = findings.ordered()
    assert versions_text(finding.pairs) == "FetchRequest v0-2+5, VoteRequest v1"


def test_a_finding_in_many_messages_names_the_first() -> None:
    findings = Findings()
    for name in "ABCDEFG":
        findings.add(violation("null.not-written", f"{name}Request", 1, path="Rack"))
    [finding] = findings.ordered()
    assert "ERequest v1, and 2 more" in versions_text(finding.pairs, maximum=5)


@pytest.mark.parametrize(
    ("rule", "outcome", "expectation", "impact"),
    [
        ("connection.refused", "value", FRAME_REFUSAL, Impact.INVALID_ACCEPTED),
        ("connection.refused", "timed-out", FRAME_REFUSAL, Impact.FATAL),
        ("connection.survival", "crashed", Expectation(Expected.NEXT_CONNECTION), Impact.FATAL),
        ("connection.claimed-size", "exhausted-memory", Expectation(Expected.OWN_MEMORY), Impact.FATAL),
        ("connection.answered", "rejected", number(Expected.RESPONSE, 3), Impact.VALID_REJECTED),
    ],
)
def test_bytes_outside_of_messages_are_not_called_sound(
    rule: str, outcome: str, expectation: Expectation, impact: Impact
) -> None:
    assert impact_of(Violation(rule, "", "frame", expectation, Noted(outcome), CASE)) is impact


class Tampered(StubCase):
    """A case of changed bytes."""

    is_tampered = True


def test_a_valid_value_of_tampered_bytes_alone_ranks_as_an_invalid_one() -> None:
    """Its impact is shown unchanged."""
    facts: dict[str, Any] = {"direction": "decode", "expectation": value_at("Epoch", 1)}
    unusual = violation("int.width-and-order", "VoteRequest", **facts, observation=Answered("value"))
    unusual = replace(unusual, case=Tampered(Place("VoteRequest", 0)))
    taken = violation("varint.too-long", "VoteRequest", direction="decode", expectation=REJECTION)
    findings = Findings()
    for each in (unusual, taken, taken):
        findings.add(each)
    assert [each.rule for each in findings.ordered()] == ["varint.too-long", "int.width-and-order"]
    assert findings.ordered()[1].impact is Impact.WRONG_VALUE
