"""Pages of a run.

They have its findings, changes, a heat map of messages and versions, its coverage and its cases.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from conformance.definitions.allocations import Allocation, allocation_of
from conformance.definitions.catalogue import catalogue
from conformance.judge.forms import as_json
from conformance.report.changes import baseline_for, compare
from conformance.report.facts import case_address, finding_address
from conformance.report.site.annotated import annotated, has_both_sides
from conformance.report.site.campaign_pages import link_to
from conformance.report.site.small_maps import is_small, small_maps
from conformance.report.site.templating import render
from conformance.report.states import PairState, State, coverage_state, pair_states, total_of
from reference import ConformanceError, load_release

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conformance.judge.findings.lines import Coverage, FindingLine
    from conformance.judge.forms import Broken, Key
    from conformance.report.changes import Trend
    from conformance.report.facts import RunReport
    from conformance.report.report_set import PublishedRun, ReportSet

ROOT, CASE_ROOT = "../", "../../"

NAMED = 10
"""The number of messages named for one reason of untested calls."""

ReplayOf: TypeAlias = "Callable[[RunReport, Broken], str]"
"""A function for the command that runs a case of a report again.

It returns "" if there is no such command, for example for an unknown release.
"""

IMPACTS = {
    "valid-rejected": "refuses sound bytes or values",
    "wrong-value": "reads a wrong value",
    "wrong-bytes": "writes wrong bytes",
    "fatal": "crashes, hangs or takes much memory",
    "invalid-accepted": "takes what is invalid",
}
"""The impacts of findings on users, in words."""


@dataclass(frozen=True)
class FindingRow:
    """A finding as a page shows it.

    Attributes:
        finding: the finding.
        anchor: its anchor on the page.
        first: whether it is the first finding of its rule.
        case: the relative path to the page of its example.
        replay: the replay line of its example.
        impact: its impact, in words.
        cases: the number of its cases in the report.
    """

    finding: FindingLine
    anchor: str
    first: bool
    case: str
    replay: str
    impact: str
    cases: int

    @property
    def beside(self) -> Allocation | None:
        """The allocation of Apache Kafka's own readers for these bytes, or None if there is none to compare."""
        found = self.finding.amplification
        return allocation_of(self.finding.rule) if found and found.memory else None


@dataclass(frozen=True)
class MapRow:
    """A message and its state in each version, None for a version without the message."""

    message: str
    cells: tuple[PairState | None, ...]


@dataclass(frozen=True)
class HeatMap:
    """Messages and all of their versions."""

    versions: tuple[int, ...]
    rows: tuple[MapRow, ...]

    @property
    def counts(self) -> Counter[State]:
        """The number of pairs in each state."""
        return Counter(cell.state for row in self.rows for cell in row.cells if cell)


def run_pages(
    shelf: ReportSet, baselines: Sequence[RunReport], trends: Sequence[Trend] = ()
) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of the page of each run, and of its coverage."""
    for placed in shelf.placed:
        yield run_name(placed), _run_page(placed, shelf, baselines, trends)
        if placed.run.coverage:
            yield coverage_name(placed), _coverage_page(placed)


def run_name(placed: PublishedRun) -> str:
    """Return the name of the page of a run."""
    return f"runs/{placed.slug}.html"


def coverage_name(placed: PublishedRun) -> str:
    """Return the name of the coverage page of a run."""
    return f"runs/{placed.slug}-coverage.html"


def cases_name(placed: PublishedRun) -> str:
    """Return the name of the page with the list of cases of a run."""
    return f"runs/{placed.slug}-cases.html"


def case_name(placed: PublishedRun, address: str) -> str:
    """Return the name of the page of a case."""
    return f"cases/{placed.slug}/{address}.html"


def _run_page(placed: PublishedRun, shelf: ReportSet, baselines: Sequence[RunReport], trends: Sequence[Trend]) -> str:
    run = placed.run
    old = baseline_for(run, baselines)
    return render(
        "run.html",
        ROOT,
        placed=placed,
        run=run,
        others=shelf.others(placed),
        findings=list(_finding_rows(placed)),
        changes=None if old is None else compare(old, run),
        is_compared=bool(baselines),
        heat=_heat_map(run),
        campaigns=link_to(run.implementation, trends) if run.kind == "codec" else "",
        small=small_maps(run),
        cases=cases_name(placed).removeprefix("runs/"),
        coverage=coverage_name(placed).removeprefix("runs/") if run.coverage else "",
        profiles=[(catalogue().get(rule), rule, profile) for rule, profile in sorted(run.profiles.items())],
        untested=_untested(run),
    )


def _finding_rows(placed: PublishedRun) -> Iterator[FindingRow]:
    """Yield new findings, then known failures, in the order of the report."""
    rules: set[str] = set()
    cases = Counter(finding_address(shown.finding) for shown in cases_of(placed.run) if shown.finding)
    for finding in placed.run.all_findings:
        case = ROOT + case_name(placed, case_address(finding.example))
        replay, impact = finding.replay, IMPACTS[finding.impact]
        address = finding_address(finding)
        anchor, count = f"f-{address}", cases[address]
        yield FindingRow(finding, anchor, finding.rule not in rules, case, replay, impact, count)
        rules.add(finding.rule)


def _heat_map(run: RunReport) -> HeatMap:
    """Return the heat map of a run.

    It has the messages of the release, and all others in the report.
    """
    states = _states_by_message(run)
    versions = tuple(sorted({version for each in states.values() for version in each}))
    rows = [MapRow(name, tuple(map(each.get, versions))) for name, each in sorted(states.items())]
    return HeatMap(versions, tuple(rows))


def _states_by_message(run: RunReport) -> dict[str, dict[int, PairState]]:
    versions: defaultdict[str, dict[int, PairState]] = defaultdict(dict)
    for message, version in _expected(run):
        versions[message][version] = PairState(State.NOT_OFFERED)
    for pair, state in pair_states(run).items():
        message, _, number = pair.rpartition("-v")
        if message and number.isdecimal() and not is_small(message):
            versions[message][int(number)] = state
    return versions


def _expected(run: RunReport) -> Iterator[tuple[str, int]]:
    """Yield the pairs expected in a run, from the definitions of its release.

    A codec may have all pairs, a server all requests. Clients and captures have no expected pairs.
    """
    if run.kind not in {"codec", "server"}:
        return
    try:
        schemas = list(load_release(run.release).schemas())
    except ConformanceError:
        return
    yield from ((each.message, each.version) for each in schemas if run.kind == "codec" or each.kind == "request")


def _untested(run: RunReport) -> list[dict[str, Any]]:
    """Return the untested calls by kind, with the messages of most of them."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for each in run.untested:
        counts[each.kind][each.message] += each.calls
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
    coverage = placed.run.coverage
    tests = sorted({test for each in coverage.values() for test in each})
    rows = [
        (pair, total_of(each.values()), [_cell(each.get(test)) for test in tests])
        for pair, each in sorted(coverage.items(), key=lambda entry: _in_order(entry[0]))
    ]
    names = [test.removeprefix("test_").replace("_", " ") for test in tests]
    return render("coverage.html", ROOT, placed=placed, run=placed.run, tests=names, rows=rows)


def _cell(coverage: Coverage | None) -> tuple[Coverage, State] | None:
    return None if coverage is None else (coverage, coverage_state(coverage))


def _in_order(pair: str) -> tuple[str, int]:
    message, _, version = pair.rpartition("-v")
    return (message, int(version)) if version.isdecimal() else (pair, 0)


@dataclass(frozen=True)
class ShownCase:
    """A case with its finding, or None if the report has no finding of it."""

    case: Broken
    finding: FindingLine | None


def cases_of(run: RunReport) -> list[ShownCase]:
    """Return every case of a report once.

    Each finding has its example first, then its cases of single items. Cases without a finding come last.
    """
    found: dict[Key, list[Broken]] = {}
    for case in run.violations:
        found.setdefault(case.key, []).append(case)
    order = [
        ShownCase(case, finding)
        for finding in run.all_findings
        for case in (finding.example, *found.pop(finding.key, ()))
    ]
    order += [ShownCase(case, None) for cases in found.values() for case in cases]
    # In reverse, so that the first of equal cases is kept: the example of a finding, and not its copy of a single item.
    return list({case_address(shown.case): shown for shown in reversed(order)}.values())[::-1]


def case_pages(shelf: ReportSet, replay_of: ReplayOf) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of the page of each case, then of the list of cases of each run."""
    for placed in shelf.placed:
        cases = cases_of(placed.run)
        for shown in cases:
            yield case_name(placed, case_address(shown.case)), _case_page(placed, shown, replay_of)
        if cases:
            rows = [(shown, ROOT + case_name(placed, case_address(shown.case))) for shown in cases]
            yield cases_name(placed), render("cases.html", ROOT, placed=placed, run=placed.run, rows=rows)


def _case_page(placed: PublishedRun, shown: ShownCase, replay_of: ReplayOf) -> str:
    case, finding = shown.case, shown.finding
    is_example = finding is not None and finding.example == case
    return render(
        "case.html",
        CASE_ROOT,
        placed=placed,
        run=placed.run,
        run_page=run_name(placed),
        case=case,
        finding=finding,
        blocks=annotated(case, placed.run.release),
        is_bytes=has_both_sides(case),
        replay=finding.replay if finding is not None and is_example else replay_of(placed.run, case),
        event=json.dumps(as_json(case), indent=2),
    )
