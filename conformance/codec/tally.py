"""How much was tested, and how much was not: counts by direction, kind of outcome and message."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from conformance.codec.outcome import ABSENT, Kind, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable


UNASKED = "nothing more is asked: "
"""What the reason begins with for which a server was not asked at all."""

BY_KEYS = ("outcomes", "inconclusive", "not_tested", "profiles", "readings", "reasons")
BY_NAME = ("cases", "unclassified", "beyond")
SETS = ("adapted", "tried", "limits")
"""The counts of a tally: by several things, by one, and what only was or was not."""


class TallyCounts(Struct):
    """A tally, as it goes from one process to another: the attributes of `Tally`, counts behind their keys."""

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
    """Counts of cases, outcomes and refusals; may be added to another."""

    def __init__(self) -> None:
        self.outcomes: Counter[tuple[str, str]] = Counter()
        """(direction, kind of outcome)"""
        self.cases: Counter[str] = Counter()
        """by sort of case: generated, edge, broken, refusal"""
        self.inconclusive: Counter[tuple[str, str]] = Counter()
        """(sort of case, pair) of inputs that tell nothing, since the valid value behind them is refused as well"""
        self.adapted: set[tuple[str, str]] = set()
        """(pair, path without indices) where the values behind inputs are not the usual ones, which are refused"""
        self.tried: set[str] = set()
        """rules that a deterministic case tried: a departure from one of them alone would have been seen"""
        self.not_tested: Counter[tuple[str, str, str]] = Counter()
        """(kind, message, reason) of what an implementation does not offer or cannot hold"""
        self.profiles: Counter[tuple[str, bool]] = Counter()
        """(rule that leaves it open, whether the bytes were accepted)"""
        self.readings: Counter[tuple[str, str]] = Counter()
        """(rule that leaves it open, what is read) of accepted bytes that Apache Kafka reads as another value"""
        self.unclassified: Counter[str] = Counter()
        """types of exceptions that are not declared rejections"""
        self.beyond: Counter[str] = Counter()
        """by name of a declared limit: sound values beyond it that were refused"""
        self.limits: set[tuple[str, int, int, int]] = set()
        """(name of a limit, largest size taken, smallest refused or -1, declared or -1)"""
        self.waited = 0.0
        """seconds that inputs without an answer have taken"""
        self.reasons: Counter[tuple[str, str]] = Counter()
        """(the reference's reason, the one given) of rejected bytes"""

    def profile(self, rules: Iterable[str], *, accepts: bool) -> None:
        """Take in what was done with bytes that depart from just one rule which leaves it open."""
        distinct = set(rules)
        if len(distinct) == 1:
            self.profiles[distinct.pop(), accepts] += 1

    def count(self, direction: str, message: str, outcome: Outcome) -> None:
        """Take in one outcome."""
        self.outcomes[direction, str(outcome.kind)] += 1
        if outcome.kind in ABSENT:
            self.not_tested[str(outcome.kind), message, _shortened(outcome.text)] += 1
        elif outcome.kind is Kind.UNCLASSIFIED:
            self.unclassified[outcome.text.partition(":")[0]] += 1

    def case(self, category: str, count: int = 1) -> None:
        """Take in that many cases of a sort."""
        if count:
            self.cases[category] += count

    def count_inconclusive(self, category: str, pair: str, count: int = 1) -> None:
        """Take in that many cases of a sort that rest on a refused base."""
        if count:
            self.inconclusive[category, pair] += count

    def add(self, other: Tally) -> None:
        """Take in everything that `other` counted."""
        for name in (*BY_KEYS, *BY_NAME, *SETS):
            getattr(self, name).update(getattr(other, name))
        self.waited += other.waited

    def counts(self) -> TallyCounts:
        """Return everything in a form that JSON carries."""
        counts: dict[str, Any] = {name: dict(sorted(getattr(self, name).items())) for name in BY_NAME}
        counts |= {name: [(*key, count) for key, count in sorted(getattr(self, name).items())] for name in BY_KEYS}
        sets: dict[str, Any] = {name: sorted(getattr(self, name)) for name in SETS}
        return TallyCounts(**counts, **sets, waited=self.waited)

    @classmethod
    def of(cls, counts: TallyCounts) -> Tally:
        """Return the tally behind `counts`."""
        tally = cls()
        for name in BY_KEYS:
            getattr(tally, name).update({tuple(key): count for *key, count in getattr(counts, name)})
        for name in (*BY_NAME, *SETS):
            getattr(tally, name).update(getattr(counts, name))
        tally.waited = counts.waited
        return tally


def _shortened(reason: str) -> str:
    """A reason without the numbers that make each one different."""
    return reason[:120]
