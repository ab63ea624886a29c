"""Every case that a report has, once, each with the finding that it belongs to, and the command that tries it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformance.judge.checks.all_cases import UnknownCase, case_from
from conformance.live.capture.capture_judgement import SeenCase, seen_from
from conformance.live.capture.defining_releases import Definitions
from conformance.live.client.answer_cases import AnswerCase, answer_from
from conformance.live.server.exchanges import ExchangeCase, exchange_from
from conformance.report.facts import case_address
from reference import CodecError, ConformanceError, Release, load_release

if TYPE_CHECKING:
    from conformance.judge.findings.forms import Broken, CaseForm, Key
    from conformance.judge.findings.lines import FindingLine
    from conformance.judge.findings.violations import Case
    from conformance.report.facts import RunReport


@dataclass(frozen=True)
class Shown:
    """A case with the finding that it belongs to; None: the report has no finding of it."""

    case: Broken
    finding: FindingLine | None


def cases_of(run: RunReport) -> list[Shown]:
    """Return every case that a report has, once: finding by finding its example, then those of single items."""
    found: dict[Key, list[Broken]] = {}
    for case in run.violations:
        found.setdefault(case.key, []).append(case)
    order = [
        Shown(case, finding) for finding in run.all_findings for case in (finding.example, *found.pop(finding.key, ()))
    ]
    order += [Shown(case, None) for cases in found.values() for case in cases]
    return list({case_address(shown.case): shown for shown in reversed(order)}.values())[::-1]


def replay_of(run: RunReport, case: Broken) -> str:
    """Return the command; empty if the case cannot be made, as of an unknown release."""
    try:
        made = _made(case, load_release(run.release))
    except (ConformanceError, CodecError, UnknownCase, ValueError, KeyError, TypeError):
        return ""
    return made.replay_line(run.impl, run.options, case.direction)


def _made(form: CaseForm, release: Release) -> Case:
    if form.kind == ExchangeCase.kind:
        return exchange_from(form)
    if form.kind == AnswerCase.kind:
        return answer_from(form, release)
    if form.kind == SeenCase.kind:
        return seen_from(form, Definitions([release]))
    return case_from(form, release)
