"""A campaign beside runs of the suite, rule by rule."""

import pytest

from conformance.campaign.history import NotInCampaign, RuleBeside, beside
from conformance.report.facts import RunReport
from tests.campaign.test_history import night
from tests.report.lines import CASE, FINDING, KNOWN, report_of

RULE = str(FINDING["rule"])


def run_of(kind: str = "value") -> RunReport:
    """Return a run of `codec` with one finding in a case of this kind."""
    return report_of({**FINDING, "example": {**CASE, "kind": kind}}, implementation="codec")


def test_rule_shown_only_by_the_run_is_missing() -> None:
    [each] = beside(night(1), run_of())
    assert each == RuleBeside(RULE, run=3, campaign=0)
    assert each.is_missing


def test_rule_shown_by_both_is_not_missing() -> None:
    [each] = beside(night(1, RULE), run_of())
    assert each == RuleBeside(RULE, run=3, campaign=1)
    assert not each.is_missing


def test_rule_shown_only_by_the_campaign_is_reported() -> None:
    assert [each.rule for each in beside(night(1, "a", RULE), run_of())] == ["a", RULE]


def test_known_failures_count_as_well() -> None:
    [each] = beside(night(1), report_of(KNOWN, implementation="codec"))
    assert each.is_missing


def test_rule_broken_around_a_body_is_missing() -> None:
    """A campaign has frames, too."""
    [each] = beside(night(1), run_of("frame"))
    assert each.is_missing


def test_findings_of_other_implementations_do_not_count() -> None:
    with pytest.raises(NotInCampaign, match=r"run\.jsonl is of codec 1, but the campaign has other"):
        beside(night(1, RULE, implementation="other"), run_of())
