"""Changes of causes between two runs of one implementation, and over campaigns.

A cause is new, gone, still there, or not tried in one of the runs. It is new only if the older run has tried a pair of
it, and gone only if the newer run has tried all of its pairs.

A trend has the number of findings of an implementation in each campaign. Its facts come from a history of campaigns.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformance.generate.records.records_edges import GROUPS
from conformance.targets import RECORD_BATCHES
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
    """One cause in two runs.

    Known failures count as well.

    Attributes:
        finding: the finding of the cause, in the newer run if it has it.
        before, after: its pairs in the older and in the newer run, sorted.
    """

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
    """The changes from one run to another, each with causes in the order of their run.

    The newer run has those of `new`, `untried_before` and `still`; the older run alone has the others.

    Attributes:
        old: the older run.
        new: causes of the newer run alone, with a pair that the older run has tried.
        gone: causes of the older run alone, with every pair tried again.
        still: causes of the newer run with a finding in the older run.
        untried_before: causes of the newer run alone, without a pair that the older run has tried.
        untried_now: causes of the older run alone, with a pair not tried again.
    """

    old: RunReport
    new: tuple[CauseChange, ...]
    gone: tuple[CauseChange, ...]
    still: tuple[CauseChange, ...]
    untried_before: tuple[CauseChange, ...]
    untried_now: tuple[CauseChange, ...]


def compare(old: RunReport, new: RunReport) -> RunComparison:
    """Return the changes from one run to another.

    Raises:
        NotComparable: one of them is unfinished. A finding missing there is not gone, and one found there is not new.
    """
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
    """Return the baseline of a run, or None if it has none.

    A baseline has the same kind, implementation and release.
    """
    same = (run.kind, run.implementation, run.release)
    return next((each for each in baselines if (each.kind, each.implementation, each.release) == same), None)


def _by_key(findings: Iterable[FindingLine]) -> dict[Key, tuple[str, ...]]:
    pairs: defaultdict[Key, set[str]] = defaultdict(set)
    for finding in findings:
        pairs[finding.key].update(finding.pairs)
    return {key: tuple(sorted(each)) for key, each in pairs.items()}


def _tried(run: RunReport) -> set[str]:
    """Return the pairs that a run has tried by all tests, named as findings name them.

    A run with only some of the tests has none. Findings of wire types have a version and those of record batches no
    group, other than coverage.
    """
    if not run.extent.is_whole_for_each_pair:
        return set()
    tried = {pair for pair, tests in run.coverage.items() if any(each.tried for each in tests.values())}
    without_version = {f"{RECORD_BATCHES if pair in GROUPS else pair}-v0" for pair in tried}
    return tried | without_version | set(run.seen)


@dataclass(frozen=True)
class CampaignFacts:
    """The findings of one campaign in one implementation, as numbers.

    Attributes:
        finished: the end of the campaign in UTC, as ISO 8601.
        version: the version of the implementation.
        cases: the number of cases.
        cases_per_second: the rate, or None if the history does not have it.
        findings: the number of distinct findings, by rule, outcome and error of the implementation.
        new, gone: the numbers of findings of this campaign alone and of the previous one alone; None without a
            previous one.
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
