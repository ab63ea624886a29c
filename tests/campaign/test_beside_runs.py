"""A campaign beside runs of the suite, rule by rule."""

import pytest

from conformance.campaign.history import NotInCampaign, beside
from tests.campaign.test_history import night
from tests.report.lines import CASE, FINDING, KNOWN, report_of

RULE = str(FINDING["rule"])


@pytest.mark.parametrize(
    "finding",
    [FINDING, KNOWN, {**FINDING, "example": {**CASE, "kind": "frame"}}],
    ids=["of a body", "listed", "around a body"],
)
def test_cases_of_a_run_and_of_a_campaign_are_counted_by_rule(finding: dict[str, object]) -> None:
    """Known failures and those around bodies count as well."""
    in_run, in_campaign = beside(night(1, "a", RULE), report_of(finding, implementation="codec"))
    assert in_run == {RULE: finding["count"]}
    assert in_campaign == {"a": 1, RULE: 1}


def test_findings_of_other_implementations_do_not_count() -> None:
    with pytest.raises(NotInCampaign, match=r"run\.jsonl is of codec 1, but the campaign has other"):
        beside(night(1, RULE, implementation="other"), report_of(FINDING, implementation="codec"))
