"""Pages of causes, with the example byte by byte, then the findings that follow from it, then other cases as rows.

A row has the address of its case as its id. The page of all addresses leads from a case to its cause.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from conformance.judge.forms import as_json
from conformance.report.facts import case_address, causes_in, key_address
from conformance.report.site.annotated import annotated, first_wrong, has_both_sides
from conformance.report.site.templating import render
from conformance.report.words import sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from conformance.judge.findings.lines import FindingLine
    from conformance.judge.forms import Broken, Key
    from conformance.report.facts import RunReport
    from conformance.report.report_set import PublishedRun, ReportSet

ROOT = "../../"
CASES = "cases.html"

MAXIMUM_ROWS = 150
"""The number of other cases shown of a cause."""

MAXIMUM_REPLAY = 500
"""The number of characters of a replay line in a row. The report has longer ones."""

ReplayOf: TypeAlias = "Callable[[RunReport, Broken], str]"
"""A function for the command that runs a case of a report again, or "", for example for an unknown release."""


Case: TypeAlias = "tuple[Broken, str]"
"""A case, and its replay line as far as the report has it."""


class ShownCase(NamedTuple):
    """A case with its finding, its address, and its replay line, or "" for an unknown one."""

    finding: FindingLine
    case: Broken
    address: str
    replay: str


@dataclass(frozen=True)
class CausePage:
    """All findings of a run with one cause, with their cases, of which the example of the cause is the first.

    A new and a known cause with the same rule, outcome and error text share a page.
    """

    placed: PublishedRun
    findings: tuple[FindingLine, ...]
    cases: tuple[ShownCase, ...]
    entries: tuple[FindingLine, ...]

    @property
    def finding(self) -> FindingLine:
        """The finding of the cause."""
        return self.findings[0]

    @property
    def name(self) -> str:
        """The name of the page."""
        return cause_name(self.placed, self.finding)


def cause_name(placed: PublishedRun, finding: FindingLine) -> str:
    """Return the name of the page of a cause, the same whether it is new or known."""
    return f"causes/{placed.slug}/{key_address(finding.key)}.html"


def pages_of(placed: PublishedRun) -> Iterator[CausePage]:
    """Yield the page of each cause of a run, also of those that follow from errors of the adapter."""
    run = placed.run
    cases = _cases_by_key(run)
    by_key: defaultdict[Key, dict[Key, FindingLine]] = defaultdict(dict)
    for cause in (*run.all_causes, *causes_in(run.following)):
        for finding in cause.findings:
            by_key[cause.finding.key].setdefault(finding.key, finding)
    for findings in by_key.values():
        rows: dict[str, ShownCase] = {}
        for finding in findings.values():
            for case, replay in ((finding.example, finding.replay), *cases[finding.key]):
                address = case_address(case)
                rows.setdefault(address, ShownCase(finding, case, address, replay))
        entries = tuple(known for known in run.known if known.key in findings)
        yield CausePage(placed, tuple(findings.values()), tuple(rows.values()), entries)


def _cases_by_key(run: RunReport) -> defaultdict[Key, list[Case]]:
    found: defaultdict[Key, list[Case]] = defaultdict(list)
    for finding in (*run.all_findings, *run.following):
        found[finding.key].append((finding.example, finding.replay))
    for case in run.violations:
        found[case.key].append((case, ""))
    return found


def cause_pages(
    shelf: ReportSet, replay_of: ReplayOf, site_url: str = "", maximum: int = MAXIMUM_ROWS
) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of the page of each cause, then of the page of all addresses of cases."""
    places: defaultdict[str, list[CausePage]] = defaultdict(list)
    for placed in shelf.placed:
        for page in pages_of(placed):
            yield page.name, render("cause.html", ROOT, **_facts(page, replay_of, maximum), site_url=site_url)
            for shown in page.cases:
                places[shown.address].append(page)
    yield CASES, render("cases.html", "", groups=list(_groups(places)))


def _groups(places: Mapping[str, Sequence[CausePage]]) -> Iterator[tuple[Sequence[CausePage], list[str]]]:
    """Yield causes with the addresses of the cases that are in all of them and in no others."""
    groups: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for address, pages in places.items():
        groups[tuple(page.name for page in pages)].append(address)
    for addresses in groups.values():
        yield places[addresses[0]], addresses


def _facts(page: CausePage, replay_of: ReplayOf, maximum: int) -> dict[str, Any]:
    run, finding = page.placed.run, page.finding
    blocks = annotated(finding.example, run.release)
    others = page.cases[1:]
    # Commands are made for the rows shown only, since a report may have thousands of cases.
    rows = [shown._replace(replay=_replay(run, shown, replay_of)) for shown in others[:maximum]]
    return {
        "page": page,
        "placed": page.placed,
        "run": run,
        "run_page": f"runs/{page.placed.slug}.html",
        "image": f"runs/{page.placed.slug}.svg",
        "finding": finding,
        "case": finding.example,
        "sentence": sentence(run, finding),
        "first_wrong": first_wrong(blocks),
        "blocks": blocks,
        "is_bytes": has_both_sides(finding.example),
        "rows": rows,
        "others": len(others),
        "event": json.dumps(as_json(finding.example), indent=2),
    }


def _replay(run: RunReport, shown: ShownCase, replay_of: ReplayOf) -> str:
    line = shown.replay or replay_of(run, shown.case)
    return line if len(line) <= MAXIMUM_REPLAY else ""
