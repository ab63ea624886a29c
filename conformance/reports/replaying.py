"""The command that tries a case again: as the report has it, or made of the case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.cases import UnknownCase, case_from
from conformance.live.broker.cases import exchange_from
from conformance.live.client.cases import answer_from
from conformance.live.judging.definitions import Definitions
from conformance.live.traffic.judgement import seen_from
from reference import CodecError, ConformanceError, Release, load_release

if TYPE_CHECKING:
    from conformance.findings.violations import Case
    from conformance.reports.facts import Json, ReportedCase, RunReport


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
