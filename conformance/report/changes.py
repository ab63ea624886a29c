"""What changed between two runs of one implementation: findings that are new, gone, still there, or not tested again.

A finding is gone only if the newer run has tried what it was found in.

A trend says how many findings each implementation had, from one campaign to the next. Its facts are those of a history
of campaigns, whoever has read it; pages draw them.
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
    """A report of a run that did not come to its end."""


@dataclass(frozen=True)
class FindingChange:
    """One finding in two runs; that it is a known failure makes no difference.

    Attributes:
        key: rule, outcome and what the implementation says.
        before, after: the pairs in which each of the runs has it, sorted.
    """

    key: Key
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def spread(self) -> tuple[str, ...]:
        """The pairs that the newer run alone has it in."""
        return tuple(pair for pair in self.after if pair not in set(self.before))

    @property
    def fixed(self) -> tuple[str, ...]:
        """The pairs that the older run alone has it in."""
        return tuple(pair for pair in self.before if pair not in set(self.after))


@dataclass(frozen=True)
class RunComparison:
    """What changed from one run to another.

    Attributes:
        old: the older run.
        new: findings of the newer run alone.
        gone: findings of the older run alone, of which every pair was tried again.
        untested: findings of the older run alone, of which some pair was not tried again, or nobody knows.
        still: findings of both.
    """

    old: RunReport
    new: tuple[FindingChange, ...]
    gone: tuple[FindingChange, ...]
    untested: tuple[FindingChange, ...]
    still: tuple[FindingChange, ...]


def compare(old: RunReport, new: RunReport) -> RunComparison:
    """Return what changed from one run to another.

    Raises:
        NotComparable: one of them did not come to its end: what it lacks is not gone, and what it has is not new.
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
    """Return the baseline of a run: that of the same sort and name, against the same release; None: there is none."""
    same = (run.kind, run.implementation, run.release)
    return next((each for each in baselines if (each.kind, each.implementation, each.release) == same), None)


def _by_key(findings: Iterable[FindingLine]) -> dict[Key, tuple[str, ...]]:
    pairs: defaultdict[Key, set[str]] = defaultdict(set)
    for finding in findings:
        pairs[finding.key].update(finding.pairs)
    return {key: tuple(sorted(each)) for key, each in pairs.items()}


def _is_tried(run: RunReport, pairs: Iterable[str]) -> bool:
    """Return whether a run has tried all of these pairs, as far as its report says, by all tests."""
    if not run.extent.is_whole_for_each_pair:
        return False
    tried = {pair for pair, tests in run.coverage.items() if any(each.tried for each in tests.values())}
    return tried.union(run.seen).issuperset(pairs)


@dataclass(frozen=True)
class CampaignFacts:
    """What one campaign found in one implementation.

    Attributes:
        finished: when, in UTC, as ISO 8601.
        version: of the implementation.
        cases: how many it was given.
        cases_per_second: None: the history does not say.
        findings: how many, told apart by rule, outcome and what the implementation says.
        new, gone: how many the campaign of it before did not have, and had alone; None: there was none.
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
