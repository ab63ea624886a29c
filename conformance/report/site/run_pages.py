"""Pages of a run, with its causes, changes, a heat map of APIs and versions, and its coverage."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.definitions.catalogue import catalogue
from conformance.report.changes import baseline_for, compare
from conformance.report.facts import causes_in, key_address
from conformance.report.files.badges import badges
from conformance.report.site.campaign_pages import link_to
from conformance.report.site.cause_pages import cause_name
from conformance.report.site.maps import heat_map, small_maps
from conformance.report.site.templating import render
from conformance.report.states import State, broken_state, coverage_state, findings_by_pair, total_of
from conformance.report.words import sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.judge.findings.lines import FindingLine
    from conformance.report.changes import Trend
    from conformance.report.facts import ReportedCause, RunReport
    from conformance.report.report_set import PublishedRun, ReportSet

ROOT = "../"

IMPACTS = ("fatal", "valid-rejected", "wrong-value", "wrong-bytes", "invalid-accepted")
"""The impacts of findings, the worst for users first."""

NAMED = 6
"""The number of messages named for one reason of untested calls."""


@dataclass(frozen=True)
class CauseRow:
    """A cause in a table, with the anchor that also its page's address has, and the rules it breaks first."""

    cause: ReportedCause
    anchor: str
    page: str
    rules: tuple[str, ...]


def run_pages(
    shelf: ReportSet, baselines: Sequence[RunReport], trends: Sequence[Trend] = (), site_url: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of the page of each run, of its coverage and of its picture."""
    for placed in shelf.placed:
        yield run_name(placed), _run_page(placed, shelf, baselines, trends, site_url)
        yield picture_name(placed), next(text for name, text in badges([placed.run]).items() if name.endswith(".svg"))
        if placed.run.coverage:
            yield coverage_name(placed), _coverage_page(placed)


def run_name(placed: PublishedRun) -> str:
    """Return the name of the page of a run."""
    return f"runs/{placed.slug}.html"


def picture_name(placed: PublishedRun) -> str:
    """Return the name of the badge of a run."""
    return f"runs/{placed.slug}.svg"


def coverage_name(placed: PublishedRun) -> str:
    """Return the name of the coverage page of a run."""
    return f"runs/{placed.slug}-coverage.html"


def _run_page(
    placed: PublishedRun, shelf: ReportSet, baselines: Sequence[RunReport], trends: Sequence[Trend], site_url: str
) -> str:
    run = placed.run
    old = baseline_for(run, baselines)
    rows, worst = list(_rows(placed, run.all_causes)), worst_of(run)
    return render(
        "run.html",
        ROOT,
        placed=placed,
        run=run,
        image=picture_name(placed),
        site_url=site_url,
        others=shelf.others(placed),
        worst=sentence(run, worst) if worst else "",
        rows=rows,
        following=list(_rows(placed, causes_in(run.following))),
        changes=None if old is None else compare(old, run),
        page_of={row.cause.finding.key: row.page for row in rows},
        heat=heat_map(run),
        campaigns=link_to(run.implementation, trends) if run.kind == "codec" else "",
        small=small_maps(run),
        coverage=coverage_name(placed).removeprefix("runs/") if run.coverage else "",
        profiles=[(catalogue().get(rule), rule, profile) for rule, profile in sorted(run.profiles.items())],
        untested=_untested(run),
    )


def worst_of(run: RunReport) -> FindingLine | None:
    """Return the worst finding of a run, new or known, or None without any."""
    heads = [cause.finding for cause in run.all_causes]
    return min(heads, key=lambda finding: IMPACTS.index(finding.impact), default=None)


def _rows(placed: PublishedRun, causes: Iterable[ReportedCause]) -> Iterator[CauseRow]:
    anchors: set[str] = set()
    rules: set[str] = set()
    for cause in causes:
        address = key_address(cause.finding.key)
        # A cause that is both new and known has one page, and an anchor at its first row.
        anchor = "" if address in anchors else f"c-{address}"
        first = dict.fromkeys(finding.rule for finding in cause.findings if finding.rule not in rules)
        yield CauseRow(cause, anchor, cause_name(placed, cause.finding), tuple(first))
        anchors.add(address)
        rules.update(first)


def _untested(run: RunReport) -> list[dict[str, Any]]:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for each in run.untested:
        counts[each.kind][each.message] += each.count
    return [
        {
            "kind": kind,
            "calls": messages.total(),
            "messages": messages.most_common(NAMED),
            "more": max(0, len(messages) - NAMED),
        }
        for kind, messages in counts.items()
    ]


def _coverage_page(placed: PublishedRun) -> str:
    coverage, findings = placed.run.coverage, findings_by_pair(placed.run)
    tests = sorted({test for each in coverage.values() for test in each})
    rows = []
    for pair, each in sorted(coverage.items(), key=lambda entry: _in_order(entry[0])):
        broken = broken_state(findings[pair]) if pair in findings else State.BROKEN
        cells = [(each[test], coverage_state(each[test], broken).state) if test in each else None for test in tests]
        rows.append((pair, total_of(each.values()), cells))
    names = [test.removeprefix("test_").replace("_", " ") for test in tests]
    return render("coverage.html", ROOT, placed=placed, run=placed.run, tests=names, rows=rows)


def _in_order(pair: str) -> tuple[str, int]:
    message, _, version = pair.rpartition("-v")
    return (message, int(version)) if version.isdecimal() else (pair, 0)
