"""The page of campaigns: of each implementation a chart of its findings over time, and a table of the same facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.reports.facts import address_of
from conformance.reports.pages.charts import chart_of
from conformance.reports.pages.rendering import render

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.reports.trend import Trend

NAME = "campaigns.html"


def campaign_pages(trends: Sequence[Trend]) -> Iterator[tuple[str, str]]:
    """Yield name and text of the page, if there is a trend."""
    if trends:
        shown = [
            (each, anchor_of(each.implementation), chart_of([campaign.findings for campaign in each.campaigns]))
            for each in sorted(trends, key=lambda trend: trend.implementation)
        ]
        yield NAME, render("campaigns.html", "", trends=shown)


def anchor_of(implementation: str) -> str:
    """Return the name of an implementation's place on the page."""
    return f"i-{address_of(implementation)}"


def link_to(implementation: str, trends: Sequence[Trend]) -> str:
    """Return the address of an implementation's campaigns, from the folder of the site; empty if there are none."""
    has_any = any(each.implementation == implementation for each in trends)
    return f"{NAME}#{anchor_of(implementation)}" if has_any else ""
