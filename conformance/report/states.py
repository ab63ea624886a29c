"""The state of a rule, and of a message in one version, in a run.

A rule is broken, known to be broken, kept, unspecified, not offered or not tested. An untested rule has a state of its
own, so that it never looks like a kept one.
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
    from conformance.report.facts import RunReport


class State(StrEnum):
    """The states, the most severe first."""

    FINDING = "finding"
    KNOWN = "known"
    BOTH = "accepts some"
    ACCEPTS = "accepts"
    REJECTS = "rejects"
    PART = "follows, partly tested"
    KEPT = "follows"
    SHARED = "the same"
    NOT_TESTED = "not tested"
    NOT_OFFERED = "no API for it"
    NOT_APPLICABLE = "does not apply"


MEANINGS = {
    State.FINDING: "A case breaks the rule, and the list of known failures does not have it.",
    State.KNOWN: "Cases break the rule, and the list of known failures has all of them, with a reason.",
    State.ACCEPTS: "The protocol does not specify it. The implementation accepts it.",
    State.REJECTS: "The protocol does not specify it. The implementation rejects it.",
    State.BOTH: "The protocol does not specify it. The implementation accepts some inputs and rejects others.",
    State.KEPT: "Cases tried the rule, and none broke it.",
    State.PART: "Cases tried the rule, and none broke it. Other cases could not be tried.",
    State.SHARED: "It is the same in the base release of the run, and tested there.",
    State.NOT_TESTED: "No case tried it.",
    State.NOT_OFFERED: "The adapter has no function for it, or the implementation none.",
    State.NOT_APPLICABLE: "It concerns another kind of program.",
}
"""The meaning of each state, for readers of pages."""


@dataclass(frozen=True)
class RuleState:
    """The state of a rule in a run.

    Attributes:
        state: the state.
        new, known: the numbers of distinct findings, by outcome and error of the implementation.
        pairs: the number of pairs with a deterministic case for the rule.
    """

    state: State
    new: int = 0
    known: int = 0
    pairs: int = 0


@dataclass(frozen=True)
class PairState:
    """The state of a pair in a run.

    Attributes:
        state: the state.
        cases: the number of cases tried, or of frames in a capture.
        failed, known: the numbers of distinct cases with a new finding and with a known failure.
    """

    state: State
    cases: int = 0
    failed: int = 0
    known: int = 0


def rule_state(run: RunReport, rule: Rule) -> RuleState:
    """Return the state of a rule in a run."""
    new, known = run.counts_by_rule.get(rule.id, (0, 0))
    pairs = run.tried.get(rule.id, 0)
    return RuleState(_state(run, rule, new, known, pairs), new, known, pairs)


def _state(run: RunReport, rule: Rule, new: int, known: int, pairs: int) -> State:
    if new or known:
        return State.FINDING if new else State.KNOWN
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
    new = {pair for finding in run.findings for pair in finding.pairs}
    known = {pair for finding in run.known for pair in finding.pairs}
    states = dict.fromkeys((*run.shared.pairs, *run.shared.others), PairState(State.SHARED))
    states |= {pair: PairState(State.FINDING if pair in new else State.KNOWN) for pair in new | known}
    for pair, tests in run.coverage.items():
        states[pair] = _of_coverage(total_of(tests.values()), pair in new, pair in known)
    for pair, frames in run.seen.items():
        before = states.get(pair)
        state = before.state if before else State.KEPT if frames.canonical else State.NOT_TESTED
        states[pair] = PairState(state, frames.frames, frames.departing)
    return states


def total_of(tests: Iterable[Coverage]) -> Coverage:
    """Return the sum of the coverage of tests."""
    total = Coverage()
    for each in tests:
        total = total.plus(each)
    return total


def coverage_state(coverage: Coverage) -> State:
    """Return the state of a pair from the coverage of one test."""
    return _of_coverage(coverage, coverage.failed > 0, coverage.known > 0).state


def _of_coverage(total: Coverage, is_new: bool, is_known: bool) -> PairState:  # noqa: FBT001  # two facts of a pair
    if is_new or is_known:
        state = State.FINDING if is_new else State.KNOWN
    elif total.tried:
        state = State.PART if total.skipped or total.inconclusive else State.KEPT
    else:
        state = State.NOT_TESTED
    return PairState(state, total.tried, total.failed, total.known)
