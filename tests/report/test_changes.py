from conformance.report.changes import baseline_for, compare
from conformance.report.facts import RunReport
from tests.helpers.releases import OLDEST
from tests.report.lines import FINDING, KNOWN, Event, report_of


def tried(*pairs: str) -> list[Event]:
    return [{"event": "pair", "pair": pair, "tests": {"test_edge_values": {"tried": 1}}} for pair in pairs]


def found(*pairs: str, event: Event = FINDING) -> Event:
    return {**event, "pairs": list(pairs)}


OLD = report_of(found("VoteRequest-v0", "VoteRequest-v1"))


def counts(report: RunReport) -> tuple[int, ...]:
    """Return how many findings are new, gone, not tested again, still there."""
    changes = compare(OLD, report)
    return len(changes.new), len(changes.gone), len(changes.untested), len(changes.still)


def test_finding_of_both_persists_even_as_a_known_failure() -> None:
    assert counts(report_of(found("VoteRequest-v0", event=KNOWN))) == (0, 0, 0, 1)


def test_a_change_has_the_pairs_of_a_new_or_gone_finding() -> None:
    [change] = compare(OLD, report_of(found("VoteRequest-v1", "VoteRequest-v2"))).still
    assert (change.spread, change.fixed) == (("VoteRequest-v2",), ("VoteRequest-v0",))


def test_finding_is_gone_if_all_its_pairs_were_tried_again() -> None:
    assert counts(report_of(*tried("VoteRequest-v0", "VoteRequest-v1"))) == (0, 1, 0, 0)


def test_finding_with_an_untried_pair_is_not_gone() -> None:
    assert counts(report_of(*tried("VoteRequest-v0"))) == (0, 0, 1, 0)


def test_another_cluster_is_another_finding() -> None:
    other = {**found("VoteRequest-v0", "VoteRequest-v1"), "cluster": "ValueError: *"}
    assert counts(report_of(*tried("VoteRequest-v0", "VoteRequest-v1"), other)) == (1, 1, 0, 0)


def test_the_baseline_is_of_the_same_implementation_and_release() -> None:
    new, others = report_of(implementation_version="2"), [report_of(release=OLDEST), report_of(implementation="kio")]
    assert baseline_for(new, others) is None
    assert baseline_for(new, [*others, OLD]) is OLD
