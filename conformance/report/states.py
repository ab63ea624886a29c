"""The state of a rule, and of a message in one version, in a run.

An untested rule has a state of its own, so that it never looks like a followed one. A broken rule is broken, whether or
not a file of known failures has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from conformance.judge.findings.lines import Coverage
from conformance.report.areas import CONNECTIONS, area_of, parts_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.definitions.catalogue import Rule
    from conformance.judge.findings.lines import FindingLine
    from conformance.report.facts import RunReport


class State(StrEnum):
    """The states, the most severe first."""

    BROKEN = "broken"
    BROKEN_SHOULD = "broken, should"
    BOTH = "accepts some"
    ACCEPTS = "accepts"
    REJECTS = "rejects"
    PART = "follows, partly tested"
    KEPT = "follows"
    SHARED = "the same"
    NOT_TESTED = "not tested"
    NOT_OFFERED = "no API for it"
    NOT_APPLICABLE = "does not apply"

    @property
    def is_broken(self) -> bool:
        """Whether a case broke a rule."""
        return self in {State.BROKEN, State.BROKEN_SHOULD}


MEANINGS = {
    State.BROKEN: "A case breaks a rule of level must.",
    State.BROKEN_SHOULD: "A case breaks a rule of level should, and no rule of level must.",
    State.ACCEPTS: "The protocol does not specify it. The implementation accepts it.",
    State.REJECTS: "The protocol does not specify it. The implementation rejects it.",
    State.BOTH: "The protocol does not specify it. The implementation accepts some inputs and rejects others.",
    State.KEPT: "Cases tried the rule, and none broke it.",
    State.PART: "Cases tried it, and none broke a rule. Others could not be tried.",
    State.SHARED: "It is the same in the base release of the run, and tested there.",
    State.NOT_TESTED: "No case tried it.",
    State.NOT_OFFERED: "The adapter has no function for it, or the implementation none.",
    State.NOT_APPLICABLE: "It concerns another kind of program.",
}
"""The meaning of each state, for readers of pages."""


@dataclass(frozen=True)
class RuleState:
    """The state of a rule in a run, its findings, and the number of pairs with a deterministic case for it."""

    state: State
    findings: tuple[FindingLine, ...] = ()
    pairs: int = 0

    @property
    def is_known(self) -> bool:
        """Whether the file of known failures has all that breaks it."""
        return bool(self.findings) and all(finding.entry for finding in self.findings)


@dataclass(frozen=True)
class PairState:
    """The state of a pair in a run, with the numbers of cases tried, or of frames, and of those that broke a rule."""

    state: State
    cases: int = 0
    broken: int = 0
    is_known: bool = False


def rule_state(run: RunReport, rule: Rule) -> RuleState:
    """Return the state of a rule in a run."""
    findings = tuple(finding for finding in run.all_findings if finding.rule == rule.id)
    pairs = run.tried.get(rule.id, 0)
    return RuleState(broken_state(findings) if findings else _state(run, rule, pairs), findings, pairs)


def broken_state(findings: Iterable[FindingLine]) -> State:
    """Return the state of what some findings break."""
    return State.BROKEN if any(finding.level == "must" for finding in findings) else State.BROKEN_SHOULD


def _state(run: RunReport, rule: Rule, pairs: int) -> State:
    if rule.id in run.profiles:
        return State(run.profiles[rule.id].text)
    if area_of(rule) == CONNECTIONS and run.kind in {"codec", "capture"}:
        return State.NOT_APPLICABLE
    if pairs:
        return State.NOT_TESTED if rule.is_open else State.KEPT
    if lacks_all_parts(run, rule.id):
        return State.NOT_OFFERED
    return State.SHARED if run.shared.pairs or run.shared.others else State.NOT_TESTED


def lacks_all_parts(run: RunReport, rule_id: str) -> bool:
    """Return whether a run lacks all parts of the suite for a rule."""
    lacking, needs = {what for what, _ in run.parts}, parts_for(rule_id)
    return bool(needs) and lacking.issuperset(needs)


def pair_states(run: RunReport) -> dict[str, PairState]:
    """Return the state of each pair in a report."""
    states = dict.fromkeys((*run.shared.pairs, *run.shared.others), PairState(State.SHARED))
    states |= {pair: coverage_state(total_of(tests.values())) for pair, tests in run.coverage.items()}
    for pair, frames in run.seen.items():
        states[pair] = PairState(State.KEPT if frames.canonical else State.NOT_TESTED, frames.frames, frames.departing)
    for pair, findings in findings_by_pair(run).items():
        before = states.get(pair, PairState(State.NOT_TESTED))
        is_known = all(finding.entry for finding in findings)
        states[pair] = PairState(broken_state(findings), before.cases, before.broken, is_known)
    return states


def findings_by_pair(run: RunReport) -> dict[str, list[FindingLine]]:
    """Return the findings of each pair in any."""
    found: dict[str, list[FindingLine]] = {}
    for finding in run.all_findings:
        for pair in finding.pairs:
            found.setdefault(pair, []).append(finding)
    return found


def total_of(tests: Iterable[Coverage]) -> Coverage:
    """Return the sum of the coverage of tests."""
    return Coverage(*map(sum, zip(Coverage(), *tests, strict=True)))


def coverage_state(counts: Coverage, broken: State = State.BROKEN) -> PairState:
    """Return the state of a pair from counts of cases, with the given state if some of them broke a rule."""
    if counts.failed or counts.known:
        state = broken
    elif counts.tried:
        state = State.PART if counts.skipped or counts.inconclusive else State.KEPT
    else:
        state = State.NOT_TESTED
    return PairState(state, counts.tried, counts.failed + counts.known, not counts.failed)
