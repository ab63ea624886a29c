"""Changes of findings between two runs of one implementation, and over campaigns.

A finding is new, gone, still there, or not tested again. It is gone only if the newer run has tried all of its pairs.

A trend has the number of findings of an implementation in each campaign. Its facts come from a history of campaigns.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from conformance.judge.findings.lines import FindingLine
    from conformance.judge.forms import Key
    from conformance.report.facts import RunReport


class NotComparable(ConformanceError):
    """A report of an unfinished run."""


@dataclass(frozen=True)
class FindingChange:
    """One finding in two runs.

    Known failures count as findings here.

    Attributes:
        key: the rule, the outcome and the error of the implementation.
        before, after: its pairs in the older and in the newer run, sorted.
    """

    key: Key
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
    """The changes from one run to another.

    Attributes:
        old: the older run.
        new: findings of the newer run alone.
        gone: findings of the older run alone, with every pair tried again.
        untested: findings of the older run alone, with a pair not tried again, as far as the newer report says.
        still: findings of both runs.
    """

    old: RunReport
    new: tuple[FindingChange, ...]
    gone: tuple[FindingChange, ...]
    untested: tuple[FindingChange, ...]
    still: tuple[FindingChange, ...]


def compare(old: RunReport, new: RunReport) -> RunComparison:
    """Return the changes from one run to another.

    Raises:
        NotComparable: one of them is unfinished. A finding missing there is not gone, and one found there is not new.
    """
    for run in (old, new):
        if not run.extent.is_finished:
            raise NotComparable(f"{run.source} cannot be compared: it is {run.extent}. Give a report of a whole run")
    before, after = _by_key(old.all_findings), _by_key(new.all_findings)
    changes = [FindingChange(key, before.get(key, ()), after.get(key, ())) for key in sorted({*before, *after})]
    lost = [change for change in changes if not change.after]
    gone = [change for change in lost if _is_tried(new, change.before)]
    return RunComparison(
        old,
        new=tuple(change for change in changes if not change.before),
        gone=tuple(gone),
        untested=tuple(change for change in lost if change not in gone),
        still=tuple(change for change in changes if change.before and change.after),
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


def _is_tried(run: RunReport, pairs: Iterable[str]) -> bool:
    """Return whether a run has tried all of these pairs by all tests.

    A run with only some of the tests has not.
    """
    if not run.extent.is_whole_for_each_pair:
        return False
    tried = {pair for pair, tests in run.coverage.items() if any(each.tried for each in tests.values())}
    return tried.union(run.seen).issuperset(pairs)


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
