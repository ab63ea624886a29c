"""The trend of each implementation, from a history of campaigns: for the page of the site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.campaign.history import news
from conformance.reports.trend import CampaignFacts, Trend

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.campaign.history import Night


def trends_of(nights: Sequence[Night]) -> list[Trend]:
    """Return the trends of a history, whose campaigns come oldest first."""
    found: dict[str, list[CampaignFacts]] = {}
    for index, night in enumerate(nights):
        for name, facts in _facts(night, nights[:index]).items():
            found.setdefault(name, []).append(facts)
    return [Trend(name, tuple(campaigns)) for name, campaigns in sorted(found.items())]


def _facts(night: Night, before: Sequence[Night]) -> dict[str, CampaignFacts]:
    """Return what a campaign says of each implementation, beside the one before of the same."""
    told = news(night, before)
    findings = [known.implementation for known in night.findings]
    new, gone = ([known.implementation for known in each] for each in (told.new, told.gone))
    return {
        name: CampaignFacts(
            night.finished,
            row["version"],
            row["cases"],
            row["cases_per_second"],
            findings.count(name),
            None if name in told.first else new.count(name),
            None if name in told.first else gone.count(name),
        )
        for name, row in night.implementations.items()
    }
