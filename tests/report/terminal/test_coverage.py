from conformance.judge.case import Judged, RulesTried
from conformance.judge.count_lines import Inconclusive, UnrepresentableLine
from conformance.judge.findings.lines import Pair, RuleTried, TestCounts
from conformance.judge.findings.results import ItemResult, RunCoverage
from conformance.judge.tally import Sum


def item(
    *tried: str, cases: int = 0, failed: int = 0, covered: int = 0, skipped: int = 0, inconclusive: int = 0
) -> ItemResult:
    """Return the result of an item of the suite."""
    sums: list[Sum] = [
        Judged("edge values", cases),
        RulesTried.of(*tried),
        UnrepresentableLine("FetchRequest", "no null", skipped),
        Inconclusive("hostile inputs", "FetchRequest-v4", inconclusive),
    ]
    return ItemResult(sums, [], failed=failed, covered=covered)


def events(coverage: RunCoverage) -> list[Pair | RuleTried]:
    return list(coverage.events())


def test_items_of_a_pair_are_added_up_by_test() -> None:
    coverage = RunCoverage()
    coverage.add("test_edge_values", "FetchRequest-v4", item(cases=3, failed=1))
    coverage.add("test_edge_values", "FetchRequest-v4", item(cases=2, skipped=4))
    coverage.add("test_hostile_input", "FetchRequest-v4", item(cases=7, covered=2, inconclusive=1))
    tests = {
        "test_edge_values": TestCounts(tried=5, failed=1, skipped=4),
        "test_hostile_input": TestCounts(tried=7, known=2, inconclusive=1),
    }
    assert events(coverage) == [Pair("FetchRequest-v4", tests)]


def test_rule_counts_its_tried_pairs() -> None:
    """A pair counts once, for any number of tests."""
    coverage = RunCoverage()
    coverage.add("test_edge_values", "FetchRequest-v4", item("bool.byte"))
    coverage.add("test_hostile_input", "FetchRequest-v4", item("bool.byte"))
    coverage.add("test_hostile_input", "FetchRequest-v5", item("bool.byte"))
    assert events(coverage) == [RuleTried("bool.byte", 2)]


def test_untried_pair_has_no_event() -> None:
    coverage = RunCoverage()
    coverage.add("test_edge_values", "FetchRequest-v4", item())
    assert events(coverage) == []
