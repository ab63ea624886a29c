"""Line charts as inline SVG: places of points and labels, computed here; templates draw them, without a script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 600, 180
LEFT, RIGHT, TOP, BOTTOM = 48, 12, 12, 28
"""The margins, in which labels stand."""

MAXIMUM_POINTS = 400
"""Points of a chart: the last ones of more."""


@dataclass(frozen=True)
class Point:
    """A value at its place."""

    x: float
    y: float
    value: int


@dataclass(frozen=True)
class Chart:
    """A line chart whose lowest value is 0.

    Attributes:
        highest: what the upper line stands for.
    """

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
        """The places of all points, as `polyline` takes them."""
        return " ".join(f"{point.x},{point.y}" for point in self.points)


def chart_of(values: Sequence[int]) -> Chart:
    """Return the chart of some values at equal distances, the last of them at the right; of one value in the middle."""
    shown = values[-MAXIMUM_POINTS:]
    highest = max(1, *shown, 1)
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    step = width / (len(shown) - 1) if len(shown) > 1 else 0.0
    first = LEFT if len(shown) > 1 else LEFT + width / 2
    points = (
        Point(round(first + step * index, 1), round(TOP + height * (1 - value / highest), 1), value)
        for index, value in enumerate(shown)
    )
    return Chart(tuple(points), highest)
