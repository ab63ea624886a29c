from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.judge.case import Violation
from conformance.judge.count_lines import NotRun
from conformance.judge.events import Answered
from conformance.judge.findings.known_failures import KnownFailure
from conformance.judge.findings.ratchet import EntryFault, objections
from tests.helpers.ratchet_runs import entry, failing, harness_scope_of, requests_of, results_of, scope_of

SCOPE = scope_of("4.3.0")
OLDER = scope_of("3.9.1")
MANY = requests_of(SCOPE)


def faults(known: KnownFailure, violations: list[Violation], *, whole: bool = True) -> list[tuple[str, EntryFault]]:
    found = objections(results_of(SCOPE, [known], violations), SCOPE, whole=whole)
    return [(each.pattern, each.fault) for each in found]


def test_entry_met_by_a_deterministic_check_stays() -> None:
    assert faults(entry("VoteRequest"), failing(["VoteRequest"])) == []


def test_entry_without_a_failure_is_stale() -> None:
    assert faults(entry("VoteRequest", "Fetch*"), failing(["VoteRequest"])) == [("Fetch*", EntryFault.STALE)]


def test_entry_met_by_search_alone_needs_a_deterministic_case() -> None:
    met = failing(["VoteRequest"], by_search=True)
    assert faults(entry("VoteRequest"), met) == [("VoteRequest", EntryFault.SEARCH_ONLY)]
    assert faults(entry("VoteRequest"), [*met, *failing(["VoteRequest"])]) == []


def test_partial_run_reports_no_stale_entry() -> None:
    assert faults(entry("Fetch*"), [], whole=False) == []
    assert faults(entry("VoteRequest"), failing(["VoteRequest"], by_search=True), whole=False) == []


@pytest.mark.parametrize("by_search", [False, True])
def test_a_glob_may_hide_ten_messages(by_search: bool) -> None:  # noqa: FBT001
    assert faults(entry("*Request"), failing(MANY[:10], by_search=by_search), whole=False) == []
    wide = failing(MANY, by_search=by_search)
    assert faults(entry("*Request"), wide, whole=False) == [("*Request", EntryFault.TOO_WIDE)]
    assert faults(entry(*MANY), wide, whole=False) == []


def test_entry_may_allow_a_number_of_messages_for_its_glob() -> None:
    """`at_most` allows this number of messages, and not one more."""
    assert faults(entry("*Request", at_most=11), failing(MANY)) == []
    assert faults(entry("*Request", at_most=10), failing(MANY)) == [("*Request", EntryFault.TOO_WIDE)]
    assert faults(entry("*Request", at_most=2), failing(MANY[:3])) == [("*Request", EntryFault.TOO_WIDE)]


def test_entry_for_a_message_of_another_release_is_not_stale() -> None:
    """LeaderAndIsrRequest is gone from 4.3.0, so a run against 4.3.0 says nothing about it."""
    known = entry("LeaderAndIsrRequest")
    assert objections(results_of(SCOPE, [known], []), SCOPE, whole=True) == []
    [objection] = objections(results_of(OLDER, [known], []), OLDER, whole=True)
    assert objection.fault is EntryFault.STALE


def test_entry_for_a_harness_with_messages_of_another_release_is_not_stale() -> None:
    """A harness lists its messages of the run's release, without LeaderAndIsrRequest, gone from 4.3.0."""
    scope = harness_scope_of("4.3.0")
    known = [entry("LeaderAndIsrRequest"), entry("VoteRequest")]
    found = objections(results_of(scope, known, []), scope, whole=True)
    assert [objection.pattern for objection in found] == ["VoteRequest"]


def test_entry_for_a_message_of_no_release_is_stale() -> None:
    assert faults(entry("Nope*"), []) == [("Nope*", EntryFault.STALE)]
    assert faults(entry("LeaderAndIsrRequest", release="4.*"), []) == [("LeaderAndIsrRequest", EntryFault.STALE)]


def test_entry_covered_by_an_earlier_one_is_double(snapshot: SnapshotAssertion) -> None:
    """It still fails, so to call it stale would be wrong."""
    first, second = entry("VoteRequest"), entry("Vote*")
    [objection] = objections(results_of(SCOPE, [first, second], failing(["VoteRequest"])), SCOPE, whole=True)
    assert (objection.fault, objection.index, objection.earlier) == (EntryFault.DOUBLE, 1, first)
    assert str(objection) == snapshot


def test_a_stale_entry_may_be_for_a_found_case(snapshot: SnapshotAssertion) -> None:
    """The text names the option for it."""
    [objection] = objections(results_of(SCOPE, [entry("VoteRequest")], []), SCOPE, whole=True)
    assert str(objection) == snapshot


def test_objection_to_a_too_wide_entry_names_its_limit(snapshot: SnapshotAssertion) -> None:
    [objection] = objections(results_of(SCOPE, [entry("*")], failing(MANY)), SCOPE, whole=True)
    assert str(objection) == snapshot


def test_an_entry_of_a_hang_may_be_for_all_messages() -> None:
    """The order of the items decides about the messages waited for."""
    hangs = [replace(met, observation=Answered("timed-out")) for met in failing(MANY)]
    assert faults(entry("*", outcome="timed-out"), hangs) == []


def test_an_entry_of_a_hang_is_stale_only_if_nothing_hung() -> None:
    known = entry("*", outcome="timed-out")
    results = results_of(SCOPE, [known], [])
    assert [each.fault for each in objections(results, SCOPE, whole=True)] == [EntryFault.STALE]
    results.tally.waited = 3.5
    assert objections(results, SCOPE, whole=True) == []


def test_an_entry_is_not_stale_where_cases_were_skipped() -> None:
    """After a hang, inputs of its group are skipped, depending on the order of the items."""
    known = entry("MetadataRequest")
    results = results_of(SCOPE, [known], [])
    assert [each.fault for each in objections(results, SCOPE, whole=True)] == [EntryFault.STALE]
    results.tally.take(NotRun("MetadataRequest", "a hang before it", 1))
    results.tally.waited = 3.5
    assert objections(results, SCOPE, whole=True) == []


def test_entry_met_sometimes_is_not_stale() -> None:
    assert faults(entry("VoteRequest", sometimes=True), []) == []
