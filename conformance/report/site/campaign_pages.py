"""The page of campaigns, with a chart of the findings of each implementation over time, and a table of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformance.report.facts import address_of
from conformance.report.site.templating import render

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.report.changes import Trend

NAME = "campaigns.html"


def campaign_pages(trends: Sequence[Trend]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of the page, if there is a trend."""
    if trends:
        shown = [
            (each, anchor_of(each.implementation), chart_of([campaign.findings for campaign in each.campaigns]))
            for each in sorted(trends, key=lambda trend: trend.implementation)
        ]
        yield NAME, render("campaigns.html", "", trends=shown)


def anchor_of(implementation: str) -> str:
    """Return the anchor of an implementation on the page."""
    return f"i-{address_of(implementation)}"


def link_to(implementation: str, trends: Sequence[Trend]) -> str:
    """Return the address of the campaigns of an implementation in the folder of the site, or "" if it has none."""
    has_any = any(each.implementation == implementation for each in trends)
    return f"{NAME}#{anchor_of(implementation)}" if has_any else ""


WIDTH, HEIGHT = 600, 180
LEFT, RIGHT, TOP, BOTTOM = 48, 12, 12, 28
"""The margins, in pixels; they hold the labels."""

MAXIMUM_POINTS = 400
"""The number of points of a chart, counted from the newest."""


@dataclass(frozen=True)
class Point:
    """A value and its place in a chart."""

    x: float
    y: float
    value: int


@dataclass(frozen=True)
class Chart:
    """A line chart from 0 to `highest`, with its points from left to right, its size and edges in pixels."""

    points: tuple[Point, ...]
    highest: int
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM

    @property
    def line(self) -> str:
        """The places of all points, in the syntax of SVG's `polyline`."""
        return " ".join(f"{point.x},{point.y}" for point in self.points)


def chart_of(values: Sequence[int]) -> Chart:
    """Return the chart of values at equal distances, the newest at the right, or a single one in the middle."""
    shown = values[-MAXIMUM_POINTS:]
    highest = max(1, *shown, 1)  # twice 1, since `max` takes a single number for an iterable
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    step = width / (len(shown) - 1) if len(shown) > 1 else 0.0
    first = LEFT if len(shown) > 1 else LEFT + width / 2
    points = (
        Point(round(first + step * index, 1), round(TOP + height * (1 - value / highest), 1), value)
        for index, value in enumerate(shown)
    )
    return Chart(tuple(points), highest)
