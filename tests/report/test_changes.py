import json

import pytest

from conformance.report.changes import baseline_for, compare
from conformance.report.facts import RunReport
from conformance.report.report_reading import report_from
from tests.helpers.releases import OLDEST
from tests.report.lines import FINDING, KNOWN, Event, report_of, text_of


def tried(*pairs: str) -> list[Event]:
    return [{"event": "pair", "pair": pair, "tests": {"test_edge_values": {"tried": 1}}} for pair in pairs]


def found(*pairs: str, event: Event = FINDING) -> Event:
    return {**event, "pairs": list(pairs)}


BOTH = ("VoteRequest-v0", "VoteRequest-v1")
OLD = report_of(*tried("VoteRequest-v0", "VoteRequest-v1", "HeartbeatRequest-v0"), found(*BOTH))
OTHER = {**FINDING, "cluster": "ValueError: *"}


def counts(report: RunReport, old: RunReport = OLD) -> dict[str, int]:
    """Return the number of causes in each list that has any."""
    changes = compare(old, report)
    names = ("new", "gone", "still", "untried_before", "untried_now")
    return {name: len(getattr(changes, name)) for name in names if getattr(changes, name)}


def test_cause_of_both_persists_even_as_a_known_failure() -> None:
    assert counts(report_of(found("VoteRequest-v0", event=KNOWN))) == {"still": 1}


def test_change_has_the_pairs_of_the_older_or_newer_run_alone() -> None:
    [change] = compare(OLD, report_of(found("VoteRequest-v1", "VoteRequest-v2"))).still
    assert (change.spread, change.fixed) == (("VoteRequest-v2",), ("VoteRequest-v0",))


def test_cause_is_gone_if_all_its_pairs_were_tried_again() -> None:
    assert counts(report_of(*tried(*BOTH))) == {"gone": 1}


def test_cause_with_an_untried_pair_is_not_gone() -> None:
    assert counts(report_of(*tried("VoteRequest-v0"))) == {"untried_now": 1}


def test_cause_is_new_if_the_older_run_tried_one_of_its_pairs() -> None:
    """Another error text is another cause."""
    new = report_of(*tried(*BOTH), found("HeartbeatRequest-v0", "FetchRequest-v4", event=OTHER))
    assert counts(new) == {"new": 1, "gone": 1}


def test_cause_in_pairs_that_the_older_run_did_not_try_is_not_new() -> None:
    new = report_of(*tried(*BOTH), found("FetchRequest-v4", event=OTHER))
    assert counts(new) == {"untried_before": 1, "gone": 1}


def test_run_of_some_tests_has_tried_no_pair_wholly() -> None:
    part = {"event": "extent", "state": "partial", "why": "some tests", "items": 1}
    lines = [part if line["event"] == "extent" else line for line in map(json.loads, text_of(*tried(*BOTH)))]
    report = report_from(map(json.dumps, lines), "part.jsonl")
    assert counts(report) == {"untried_now": 1}
    assert counts(OLD, report) == {"untried_before": 1}


@pytest.mark.parametrize(("pair", "tested"), [("int32-v0", "int32"), ("record-batches-v0", "zstd")])
def test_coverage_of_wire_types_and_batches_counts_for_their_findings(pair: str, tested: str) -> None:
    assert counts(report_of(*tried(tested)), report_of(found(pair))) == {"gone": 1}


def test_consequence_is_no_change_of_its_own() -> None:
    origin = {"rule": FINDING["rule"], "outcome": FINDING["outcome"], "cluster": "", "why": ""}
    follower = {**found("VoteRequest-v0"), "rule": "codec.round-trip", "follows": origin}
    assert counts(report_of(found("VoteRequest-v0"), follower)) == {"still": 1}


def test_baseline_is_of_the_same_implementation_and_release() -> None:
    new, others = report_of(implementation_version="2"), [report_of(release=OLDEST), report_of(implementation="kio")]
    assert baseline_for(new, others) is None
    assert baseline_for(new, [*others, OLD]) is OLD
