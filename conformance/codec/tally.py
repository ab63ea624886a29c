"""Counts of tested and untested cases by direction, kind of outcome and message."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from conformance.codec.outcome import ABSENT, Kind, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable


UNASKED = "nothing more is asked: "
"""The beginning of the reason for a server without any request."""

AFTER_DEATH = "after a death: "
"""The beginning of the reason for a request like one that ended a server."""

BY_KEYS = ("outcomes", "inconclusive", "not_tested", "profiles", "readings", "reasons")
BY_NAME = ("cases", "unclassified", "beyond")
SETS = ("adapted", "tried", "limits")
"""The counts of a tally: by a key of several parts, by a name, and as sets."""


class TallyCounts(Struct):
    """The attributes of a `Tally` in a form for another process.

    A count is the last member of its row, after the parts of its key.
    """

    outcomes: list[tuple[str, str, int]]
    cases: dict[str, int]
    inconclusive: list[tuple[str, str, int]]
    adapted: list[tuple[str, str]]
    tried: list[str]
    not_tested: list[tuple[str, str, str, int]]
    profiles: list[tuple[str, bool, int]]
    readings: list[tuple[str, str, int]]
    unclassified: dict[str, int]
    waited: float
    reasons: list[tuple[str, str, int]]
    beyond: dict[str, int]
    limits: list[tuple[str, int, int, int]]


class Tally:
    """Counts of cases, outcomes and refusals.

    One tally may be added to another.
    """

    def __init__(self) -> None:
        self.outcomes: Counter[tuple[str, str]] = Counter()
        """(direction, kind of outcome)"""
        self.cases: Counter[str] = Counter()
        """by category of cases: generated, edge, broken, refusal"""
        self.inconclusive: Counter[tuple[str, str]] = Counter()
        """(category, pair) of inputs that prove nothing, since the valid value in them is refused as well"""
        self.adapted: set[tuple[str, str]] = set()
        """(pair, path without indices) with adapted base values, since the usual ones are refused or misread"""
        self.tried: set[str] = set()
        """rules with a deterministic case: a departure from such a rule alone would have been noticed"""
        self.not_tested: Counter[tuple[str, str, str]] = Counter()
        """(kind, message, reason) of cases that an implementation does not offer or cannot hold"""
        self.profiles: Counter[tuple[str, bool]] = Counter()
        """(rule of unspecified behaviour, whether the bytes were accepted)"""
        self.readings: Counter[tuple[str, str]] = Counter()
        """(rule of unspecified behaviour, the value read) of accepted bytes that Apache Kafka reads as another value"""
        self.unclassified: Counter[str] = Counter()
        """types of exceptions outside of the declared rejections"""
        self.beyond: Counter[str] = Counter()
        """by name of a declared limit: valid values beyond it that were refused"""
        self.limits: set[tuple[str, int, int, int]] = set()
        """(name of a limit, largest size accepted, smallest refused or -1, declared or -1)"""
        self.waited = 0.0
        """seconds spent on inputs without an answer"""
        self.reasons: Counter[tuple[str, str]] = Counter()
        """(the reference's reason, the one given) of rejected bytes"""

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

    def case(self, category: str, count: int = 1) -> None:
        """Count a number of cases in a category."""
        if count:
            self.cases[category] += count

    def count_inconclusive(self, category: str, pair: str, count: int = 1) -> None:
        """Count a number of inconclusive cases in a category, whose base value is refused."""
        if count:
            self.inconclusive[category, pair] += count

    def add(self, other: Tally) -> None:
        """Add all counts of `other`."""
        for name in (*BY_KEYS, *BY_NAME, *SETS):
            getattr(self, name).update(getattr(other, name))
        self.waited += other.waited

    def counts(self) -> TallyCounts:
        """Return everything in a form for JSON."""
        counts: dict[str, Any] = {name: dict(sorted(getattr(self, name).items())) for name in BY_NAME}
        counts |= {name: [(*key, count) for key, count in sorted(getattr(self, name).items())] for name in BY_KEYS}
        sets: dict[str, Any] = {name: sorted(getattr(self, name)) for name in SETS}
        return TallyCounts(**counts, **sets, waited=self.waited)

    @classmethod
    def of(cls, counts: TallyCounts) -> Tally:
        """Return the tally with these counts."""
        tally = cls()
        for name in BY_KEYS:
            getattr(tally, name).update({tuple(key): count for *key, count in getattr(counts, name)})
        for name in (*BY_NAME, *SETS):
            getattr(tally, name).update(getattr(counts, name))
        tally.waited = counts.waited
        return tally


def _shortened(reason: str) -> str:
    """Return the first 120 characters of a reason.

    Reasons with a difference after these are counted as one.
    """
    return reason[:120]
