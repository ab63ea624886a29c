"""Every case that a report has, once, each with the finding that it belongs to, and the command that tries it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformance.checks.cases import UnknownCase, case_from
from conformance.live.broker.cases import exchange_from
from conformance.live.client.cases import answer_from
from conformance.live.judging.definitions import Definitions
from conformance.live.traffic.judgement import seen_from
from reference import CodecError, ConformanceError, Release, load_release

if TYPE_CHECKING:
    from conformance.findings.violations import Case
    from conformance.reports.facts import FindingKey, Json, ReportedCase, ReportedFinding, RunReport


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


def replay_of(run: RunReport, case: ReportedCase) -> str:
    """Return the command; empty if the case cannot be made, as of an unknown release."""
    if case.replay:
        return case.replay
    try:
        made = _made(case.event, load_release(run.release))
    except (ConformanceError, CodecError, UnknownCase, ValueError, KeyError):
        return ""
    return made.replay_line(run.impl, run.options, case.direction)


def _made(event: Json, release: Release) -> Case:
    if event["kind"] == "exchange":
        return exchange_from(event)
    if event["kind"] == "answer":
        return answer_from(event, release).case
    if event["kind"] == "seen":
        return seen_from(event, Definitions([release])).case
    return case_from(event, release)
