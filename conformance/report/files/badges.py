"""A badge for each implementation and release.

A badge is a picture, and a file for an endpoint of shields.io. Its colour shows the most severe result, whether the
finding is known or new:

* red: a finding under a rule of level must;
* yellow: findings under rules of level should alone;
* green: no findings;
* grey: nothing was tested, or the run is unfinished.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from conformance.report.words import causes_text
from conformance.system.printable import printable
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.report.facts import RunReport

RED, YELLOW, GREEN, GREY = "#b42318", "#7a5c00", "#1a7f37", "#57606a"
"""White text on each of them has a contrast of 4.5 or more."""

CHARACTER = 6.6
"""The mean width of a character in pixels. A picture gives the length of texts, to which other fonts stretch."""

PADDING = 10
MAXIMUM_NAME = 40


class BadgeClash(ConformanceError):
    """Two reports have the same badge."""


class Badge(NamedTuple):
    """A label, a message and a colour."""

    label: str
    message: str
    color: str


def badges(reports: Sequence[RunReport]) -> dict[str, str]:
    """Return the texts of badges by file, like `kio-4.4.0.svg`, or raise `BadgeClash` if two have one name."""
    texts: dict[str, str] = {}
    sources: dict[str, str] = {}
    for report in reports:
        stem = stem_of(report)
        if stem in sources:
            raise BadgeClash(
                f"{sources[stem]} and {report.source} would both be the badge {stem}: give one report of each "
                "implementation and release"
            )
        sources[stem] = report.source
        badge = badge_of(report)
        texts |= {f"{stem}.json": _endpoint(badge), f"{stem}.svg": _picture(badge)}
    return texts


def stem_of(report: RunReport) -> str:
    """Return the name of a badge's files without the ending, the same for every version of the implementation."""
    return re.sub(r"[^A-Za-z0-9._]+", "-", f"{report.implementation}-{report.release}").strip("-.")


def badge_of(report: RunReport) -> Badge:
    """Return the badge of a run."""
    name = printable(report.implementation)
    name = name if len(name) <= MAXIMUM_NAME else f"{name[: MAXIMUM_NAME - 1]}…"
    message, color = _state(report)
    part = "" if report.extent.is_complete or not report.extent.is_finished else f" ({report.extent.state})"
    return Badge(f"{name} · Kafka {printable(report.release)}", f"{message}{part}", color)


def _state(report: RunReport) -> tuple[str, str]:
    # First, since an unfinished or failed run without findings must not look like a good one.
    if not report.extent.is_finished:
        return str(report.extent.state), GREY
    if report.faults or report.errors:
        return "the run failed", GREY
    if not sum(report.cases.values()) and not sum(counts.frames for counts in report.seen.values()):
        return f"the same as in {printable(report.shared.release)}" if report.shared.release else "not tested", GREY
    levels = {finding.level for finding in report.all_findings}
    return causes_text(report), RED if "must" in levels else YELLOW if levels else GREEN


def _endpoint(badge: Badge) -> str:
    facts = {"schemaVersion": 1, "label": badge.label, "message": badge.message, "color": badge.color.removeprefix("#")}
    return json.dumps(facts, ensure_ascii=False, indent=2) + "\n"


def _picture(badge: Badge) -> str:
    environment = Environment(
        loader=PackageLoader("conformance.report.files"), autoescape=True, undefined=StrictUndefined
    )
    widths = [round(len(text) * CHARACTER) for text in (badge.label, badge.message)]
    picture = environment.get_template("badge.svg").render(badge=badge, widths=widths, padding=PADDING)
    return f"{picture}\n"
