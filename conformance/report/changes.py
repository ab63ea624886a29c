"""Changes of causes between two runs of one implementation, and over the campaigns of a history.

A cause is new only if the older run has tried a pair of it, and gone only if the newer run has tried all of its pairs.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformance.targets import RECORD_BATCHES, RECORD_GROUPS
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from conformance.judge.findings.lines import FindingLine
    from conformance.judge.forms import Key
    from conformance.report.facts import RunReport


class NotComparable(ConformanceError):
    """A report of an unfinished run."""


@dataclass(frozen=True)
class CauseChange:
    """One cause, new or known, in two runs, with its sorted pairs in each, and its finding in the newer one if any."""

    finding: FindingLine
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def spread(self) -> tuple[str, ...]:
        """The pairs of the newer run alone."""
        return tuple(pair for pair in self.after if pair not in set(self.before))

    @property
    def fixed(self) -> tuple[str, ...]:
        """The pairs of the older run alone."""
        return tuple(pair for pair in self.before if pair not in set(self.after))


@dataclass(frozen=True)
class RunComparison:
    """The changes from one run to another, with causes in the order of their run.

    New causes have a pair that the older run has tried, and others are `untried_before`. Gone causes have every pair
    tried again, and others are `untried_now`. Those of `still` have a finding in both runs.
    """

    old: RunReport
    new: tuple[CauseChange, ...]
    gone: tuple[CauseChange, ...]
    still: tuple[CauseChange, ...]
    untried_before: tuple[CauseChange, ...]
    untried_now: tuple[CauseChange, ...]


def compare(old: RunReport, new: RunReport) -> RunComparison:
    """Return the changes from one run to another, or raise `NotComparable` if one of them is unfinished."""
    # A finding missing in an unfinished run is not gone, and one found there is not new.
    for run in (old, new):
        if not run.extent.is_finished:
            raise NotComparable(f"{run.source} cannot be compared: it is {run.extent}. Give a report of a whole run")
    before, after = _by_key(old.all_findings), _by_key(new.all_findings)

    def changes(run: RunReport) -> list[CauseChange]:
        heads = {cause.finding.key: cause.finding for cause in run.all_causes}
        return [CauseChange(head, before.get(key, ()), after.get(key, ())) for key, head in heads.items()]

    found = [change for change in changes(new) if not change.before]
    lost = [change for change in changes(old) if not change.after]
    before_pairs, now_pairs = _tried(old), _tried(new)
    return RunComparison(
        old,
        new=tuple(change for change in found if before_pairs.intersection(change.after)),
        gone=tuple(change for change in lost if now_pairs.issuperset(change.before)),
        still=tuple(change for change in changes(new) if change.before),
        untried_before=tuple(change for change in found if before_pairs.isdisjoint(change.after)),
        untried_now=tuple(change for change in lost if not now_pairs.issuperset(change.before)),
    )


def baseline_for(run: RunReport, baselines: Sequence[RunReport]) -> RunReport | None:
    """Return the baseline of a run, of the same kind, implementation and release, or None if it has none."""
    same = (run.kind, run.implementation, run.release)
    return next((each for each in baselines if (each.kind, each.implementation, each.release) == same), None)


def _by_key(findings: Iterable[FindingLine]) -> dict[Key, tuple[str, ...]]:
    pairs: defaultdict[Key, set[str]] = defaultdict(set)
    for finding in findings:
        pairs[finding.key].update(finding.pairs)
    return {key: tuple(sorted(each)) for key, each in pairs.items()}


def _tried(run: RunReport) -> set[str]:
    # A run with only some of the tests has tried no pair by all.
    if not run.extent.is_whole_for_each_pair:
        return set()
    tried = {pair for pair, tests in run.coverage.items() if any(each.tried for each in tests.values())}
    # As findings have it: wire types have a version, and record batches no group, other than in coverage.
    without_version = {f"{RECORD_BATCHES if pair in RECORD_GROUPS else pair}-v0" for pair in tried}
    return tried | without_version | set(run.seen)


@dataclass(frozen=True)
class CampaignFacts:
    """The findings of one campaign in one implementation, as numbers.

    `finished` is its end in UTC, as ISO 8601. Findings are distinct by rule, outcome and error. `new` and `gone` are
    None without a previous campaign, and the rate is None if the history does not have it.
    """

    finished: str
    version: str
    cases: int
    cases_per_second: float | None
    findings: int
    new: int | None = None
    gone: int | None = None


@dataclass(frozen=True)
class Trend:
    """The campaigns of one implementation, the oldest first."""

    implementation: str
    campaigns: tuple[CampaignFacts, ...]
