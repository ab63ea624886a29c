"""The pages of cases: the bytes of each with their meaning, and how to try it again; and a list of those of a run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from conformance.reports.cases import cases_of
from conformance.reports.pages.annotated import annotated, has_both_sides
from conformance.reports.pages.implementation import case_name, cases_name, run_name
from conformance.reports.pages.rendering import render
from conformance.reports.replaying import replay_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.reports.facts import ReportedCase, ReportedFinding
    from conformance.reports.shelf import Placed, Shelf

ROOT, ROOT_OF_LIST = "../../", "../"


def case_pages(shelf: Shelf) -> Iterator[tuple[str, str]]:
    """Yield name and text of the page of each case, then of the list of each run that has any."""
    for placed in shelf.placed:
        cases = cases_of(placed.run)
        for shown in cases:
            yield case_name(placed, shown.case.address), _page(placed, shown.case, shown.finding)
        if cases:
            rows = [(shown, ROOT_OF_LIST + case_name(placed, shown.case.address)) for shown in cases]
            yield cases_name(placed), render("cases.html", ROOT_OF_LIST, placed=placed, run=placed.run, rows=rows)


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
        is_bytes=has_both_sides(case),
        replay=replay_of(placed.run, case),
        event=json.dumps(case.event, indent=2),
    )
