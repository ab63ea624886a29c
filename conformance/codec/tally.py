"""Counts of tested and untested cases by direction, kind of outcome and message."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field, structs

from conformance.targets.outcome import ABSENT, Kind, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable


UNASKED = "nothing more is asked: "
"""The beginning of the reason for a server without any request."""

AFTER_DEATH = "after a death: "
"""The beginning of the reason for a request like one that ended a server."""

BY_NAME = frozenset(("cases", "unclassified", "beyond"))
Counts = dict[str, Any]
"""A `Tally` for another process: objects for counts by a name, else rows of the parts of a key and its count."""


class Tally(Struct):
    """Counts of cases, outcomes and refusals, to which another tally may be added.

    Attributes:
        outcomes: by direction and kind of outcome.
        cases: by category of cases: generated, edge, broken, refusal.
        inconclusive: by category and pair: inputs that prove nothing, since the valid value in them is refused as well.
        adapted: pair and path without indices of adapted base values, since the usual ones are refused or misread.
        tried: rules with a deterministic case, which would have shown a departure from this rule alone.
        not_tested: by kind, message and reason: cases that an implementation does not offer or cannot hold.
        profiles: by rule of unspecified behaviour, and whether the bytes were accepted.
        readings: by rule of unspecified behaviour and the value read: accepted bytes that Apache Kafka reads otherwise.
        unclassified: by type of an exception outside of the declared rejections.
        beyond: by name of a declared limit: valid values beyond it that were refused.
        limits: name of a limit, largest size accepted, smallest refused or -1, declared or -1.
        waited: seconds spent on inputs without an answer.
        reasons: by the reference's reason and the one given: rejected bytes.
    """

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    cases: Counter[str] = field(default_factory=Counter)
    inconclusive: Counter[tuple[str, str]] = field(default_factory=Counter)
    adapted: set[tuple[str, str]] = set()
    tried: set[str] = set()
    not_tested: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    profiles: Counter[tuple[str, bool]] = field(default_factory=Counter)
    readings: Counter[tuple[str, str]] = field(default_factory=Counter)
    unclassified: Counter[str] = field(default_factory=Counter)
    waited: float = 0.0
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    beyond: Counter[str] = field(default_factory=Counter)
    limits: set[tuple[str, int, int, int]] = set()

    def profile(self, rules: Iterable[str], *, accepts: bool) -> None:
        """Count the acceptance or refusal of bytes, if they depart from a single rule of unspecified behaviour."""
        distinct = set(rules)
        if len(distinct) == 1:
            self.profiles[distinct.pop(), accepts] += 1

    def count(self, direction: str, message: str, outcome: Outcome) -> None:
        """Count one outcome."""
        self.outcomes[direction, str(outcome.kind)] += 1
        if outcome.kind in ABSENT:
            self.not_tested[str(outcome.kind), message, _shortened(outcome.text)] += 1
        elif outcome.kind is Kind.UNCLASSIFIED:
            self.unclassified[outcome.text.partition(":")[0]] += 1

    def add(self, other: Tally) -> None:
        """Add all counts of `other`."""
        for name, counts in structs.asdict(other).items():
            if isinstance(counts, float):
                self.waited += counts
            else:
                getattr(self, name).update(counts)

    def counts(self) -> Counts:
        """Return everything in a form for JSON."""
        return {name: _rows(name, counts) for name, counts in structs.asdict(self).items()}

    @classmethod
    def of(cls, counts: Counts) -> Tally:
        """Return the tally with these counts."""
        tally = cls(waited=counts["waited"])
        for name, rows in counts.items():
            own = getattr(tally, name)
            if isinstance(own, set):
                own.update(each if isinstance(each, str) else tuple(each) for each in rows)
            elif isinstance(own, Counter):
                own.update(rows if name in BY_NAME else {tuple(key): count for *key, count in rows})
        return tally


def _rows(name: str, counts: Any) -> Any:
    if isinstance(counts, set):
        return sorted(counts)
    if not isinstance(counts, Counter) or name in BY_NAME:
        return dict(sorted(counts.items())) if name in BY_NAME else counts
    return [(*key, count) for key, count in sorted(counts.items())]


def _shortened(reason: str) -> str:
    """Return the first 120 characters of a reason. Those with a difference after these are counted as one."""
    return reason[:120]
