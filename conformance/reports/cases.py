"""Every case that a report has, once, each with the finding that it belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conformance.reports.facts import FindingKey, ReportedCase, ReportedFinding, RunReport


@dataclass(frozen=True)
class Shown:
    """A case with the finding that it belongs to; None: the report has no finding of it."""

    case: ReportedCase
    finding: ReportedFinding | None


def cases_of(run: RunReport) -> list[Shown]:
    """Return every case that a report has, once: finding by finding its example, then those of single items."""
    found: dict[FindingKey, list[ReportedCase]] = {}
    for case in run.violations:
        found.setdefault(case.key, []).append(case)
    order = [
        Shown(case, finding) for finding in run.all_findings for case in (finding.example, *found.pop(finding.key, ()))
    ]
    order += [Shown(case, None) for cases in found.values() for case in cases]
    return list({shown.case.address: shown for shown in reversed(order)}.values())[::-1]
