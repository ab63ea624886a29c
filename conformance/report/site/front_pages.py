"""Front pages, one for each release, for visitors who choose a library by what it follows, breaks and speaks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from conformance.report.report_set import slug_of
from conformance.report.site.campaign_pages import NAME as CAMPAIGNS
from conformance.report.site.cause_pages import cause_name
from conformance.report.site.maps import HeatMap, MapCell, heat_map
from conformance.report.site.rule_pages import TESTED, UNCOUNTED, matrix_name, rule_groups
from conformance.report.site.run_pages import IMPACTS, worst_of
from conformance.report.site.templating import render
from conformance.report.states import State, rule_state
from conformance.report.words import IMPACT_TEXTS
from reference.definitions.model import ranges_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from conformance.definitions.catalogue import Rule
    from conformance.judge.findings.lines import FindingLine
    from conformance.report.changes import Trend
    from conformance.report.report_set import PublishedRun, ReportSet

INDEX = "index.html"

MAIN_APIS = ("Produce", "Fetch", "Metadata", "ApiVersions")
"""The APIs named of each library."""

MAXIMUM_RULES = 10
"""The number of rules shown that most libraries break."""


@dataclass(frozen=True)
class Library:
    """One implementation on a front page. `must` has the numbers of its rules of that level by their state."""

    placed: PublishedRun
    must: Mapping[str, int]
    heat: HeatMap

    @cached_property
    def impacts(self) -> list[int]:
        """The number of causes with each impact."""
        counts = Counter[str](cause.finding.impact for cause in self.placed.run.all_causes)
        return [counts[impact] for impact in IMPACTS]

    @property
    def worst(self) -> FindingLine | None:
        """The worst finding, or None without any."""
        return worst_of(self.placed.run)

    @property
    def worst_page(self) -> str:
        """The name of the page of the worst finding."""
        return cause_name(self.placed, self.worst) if self.worst else ""

    @property
    def speaks(self) -> str:
        """The tested versions of the main APIs, like `Produce v3-13, Fetch v4-18`."""
        spoken = {name: versions_of(self.heat.rows.get(name, {})) for name in MAIN_APIS}
        return ", ".join(f"{name} {versions}" for name, versions in spoken.items() if versions)


def versions_of(cells: Mapping[int, MapCell]) -> str:
    """Return the tested versions of an API, like `v0-9`, or "" without any."""
    tried = [version for version, cell in cells.items() if cell.is_tried]
    return f"v{'+'.join(map(str, ranges_of(tried)))}" if tried else ""


def front_name(shelf: ReportSet, release: str) -> str:
    """Return the name of the front page of a release, for the newest one the first page of the site."""
    return INDEX if release == shelf.releases[0] else f"kafka-{slug_of(release)}.html"


def front_pages(shelf: ReportSet, trends: Sequence[Trend] = (), site_url: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name and the text of the front page of each release."""
    for release in shelf.releases:
        rules = [rule for group in rule_groups(release) for rule in group.rules]
        libraries = [_library(placed, rules) for placed in shelf.against(release)]
        # By what a visitor sees in the bar, so that neither many findings in much nor few in little come first.
        libraries.sort(key=lambda library: -library.must["followed"] / (sum(library.must.values()) or 1))
        text = render(
            "front.html",
            "",
            release=release,
            switch=[(each, front_name(shelf, each)) for each in shelf.releases],
            matrix=matrix_name(release),
            libraries=libraries,
            impacts=[IMPACT_TEXTS[impact] for impact in IMPACTS],
            apis=dict(_api_rows(libraries)),
            rules=_most_broken(rules, [library.placed for library in libraries]),
            cases=sum(sum(library.placed.run.cases.values()) for library in libraries),
            elsewhere=shelf.elsewhere(release),
            campaigns=CAMPAIGNS if trends else "",
            site_url=site_url,
        )
        yield front_name(shelf, release), text


def _library(placed: PublishedRun, rules: Sequence[Rule]) -> Library:
    states = [rule_state(placed.run, rule).state for rule in rules if rule.level == "must"]
    applying = [state for state in states if state not in UNCOUNTED]
    broken = sum(state.is_broken for state in applying)
    followed = sum(state in TESTED for state in applying) - broken
    must = {"followed": followed, "broken": broken, "not tested": len(applying) - followed - broken}
    return Library(placed, must, heat_map(placed.run))


def _api_rows(libraries: Sequence[Library]) -> Iterator[tuple[str, list[tuple[str, State]]]]:
    names = sorted({name for library in libraries for name in library.heat.rows})
    for name in names:
        rows = [library.heat.rows.get(name, {}) for library in libraries]
        if any("request" in cell.states or "response" in cell.states for row in rows for cell in row.values()):
            cells = [(versions_of(row), _worst(row)) for row in rows]
            if any(versions for versions, _ in cells):
                yield name, cells


def _worst(row: Mapping[int, MapCell]) -> State:
    tried = [cell.state for cell in row.values() if cell.is_tried]
    return min(tried, key=list(State).index) if tried else State.NOT_TESTED


def _most_broken(rules: Sequence[Rule], placed: Sequence[PublishedRun]) -> list[tuple[Rule, int, int]]:
    """Return the rules most broken, must first among equals, with the libraries that break and that test each."""
    rows = []
    for rule in rules:
        states = [rule_state(each.run, rule).state for each in placed]
        broken = sum(state.is_broken for state in states)
        if broken:
            rows.append((rule, broken, sum(state in TESTED for state in states)))
    return sorted(rows, key=lambda row: (-row[1], row[0].severity))[:MAXIMUM_RULES]
