"""The page of each case: its bytes with their meaning, what was expected and what came, and how to try it again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from conformance.reports.pages.annotated import annotated, is_hex
from conformance.reports.pages.implementation import case_name, run_name
from conformance.reports.pages.rendering import render
from conformance.reports.replaying import replay_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.reports.facts import ReportedCase, ReportedFinding, RunReport
    from conformance.reports.shelf import Placed, Shelf

ROOT = "../../"


def case_pages(shelf: Shelf) -> Iterator[tuple[str, str]]:
    """Yield name and text of the page of each case."""
    for placed in shelf.placed:
        findings = {finding.key: finding for finding in placed.run.all_findings}
        for case in cases_of(placed.run).values():
            yield case_name(placed, case.address), _page(placed, case, findings.get(case.key))


def cases_of(run: RunReport) -> dict[str, ReportedCase]:
    """Return every case that a report has, by address: the examples of findings, then those of single items."""
    cases: dict[str, ReportedCase] = {}
    for case in (*(finding.example for finding in run.all_findings), *run.violations):
        cases.setdefault(case.address, case)
    return cases


def _page(placed: Placed, case: ReportedCase, finding: ReportedFinding | None) -> str:
    return render(
        "case.html",
        ROOT,
        placed=placed,
        run=placed.run,
        run_page=run_name(placed),
        case=case,
        finding=finding,
        blocks=annotated(case, placed.run.release),
        is_bytes=is_hex(case.expected) and is_hex(case.actual),
        replay=replay_of(placed.run, case),
        event=json.dumps(case.event, indent=2),
    )
