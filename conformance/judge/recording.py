"""What came of one item of a run: its counts, and the most telling violation of each finding."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from conformance.codec.outcome import OF_THE_ADAPTER, Kind
from conformance.codec.tally import Tally
from conformance.judge.case import Tried, Violation
from conformance.judge.engine import counted
from conformance.judge.findings.results import Fault, FoundInItem, ItemResult
from conformance.judge.findings.wording import actual_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from conformance.judge.case import Case, Event
    from conformance.judge.findings.known_failures import KnownFailure
    from conformance.judge.findings.results import Results
    from conformance.judge.forms import Key

SUCCESSES = frozenset((Kind.BYTES, Kind.VALUE))
"""The outcomes of what was taken."""

MINIMUM_TAKEN = 3
"""Of fewer values that were taken nothing can be told of what they lack."""

MAXIMUM_FINDINGS = 100
"""Findings of one item that are kept apart; of those beyond, only rule and outcome tell."""

MAXIMUM_SHOWN = 80
"""Characters of an input that are shown with a mistake of the adapter."""


class KnownIndex:
    """The known failures of a run, by what they say of rule and outcome."""

    def __init__(self, entries: Sequence[KnownFailure]) -> None:
        self._by_end: defaultdict[tuple[str, str], list[tuple[int, KnownFailure]]] = defaultdict(list)
        for index, entry in enumerate(entries):
            self._by_end[entry.rule, entry.outcome].append((index, entry))

    def of(self, violation: Violation) -> int | None:
        """Return the place of the first entry that covers a violation; None: none does."""
        entries = self._by_end.get((violation.rule, violation.outcome), ())
        return next((index for index, entry in entries if entry.covers(violation)), None)


@dataclass
class FindingRecord:
    """The violations of one finding in one item."""

    example: Violation
    """The most telling one."""
    count: int = 0
    fields: Counter[str] = field(default_factory=Counter)
    """The number of violations in each field."""

    traits: frozenset[str] | None = None
    """What the values of all of them have."""
    directions: set[str] = field(default_factory=set)

    def add(self, violation: Violation, *, random_once: bool) -> None:
        """Take in one violation; random ones count once, however often they are tried, or not at all."""
        if violation.weight < self.example.weight:
            self.example = violation
        if violation.deterministic:
            self.count += 1
            self.fields[violation.field] += 1
        elif random_once:
            self.count = max(self.count, 1)
            self.fields[violation.field] = max(self.fields[violation.field], 1)

    def add_traits(self, violation: Violation) -> None:
        """Take in what the value of a violation has."""
        traits = frozenset() if self.traits == frozenset() else violation.case.traits
        self.traits = traits if self.traits is None else self.traits & traits
        self.directions.add(violation.direction)

    def result(self, taken: Taken, index: int = -1) -> FoundInItem:
        """Return a form that JSON carries.

        Args:
            taken: the values that broke no rule.
            index: of the entry of known failures that covers them; -1: none does.
        """
        common, is_reported = self.traits or frozenset(), True
        for direction in self.directions if common else ():
            common -= taken.traits(direction)
            is_reported = is_reported and taken.has_many(direction)
        return FoundInItem(self.example.event(), self.count, dict(self.fields), index, common, is_reported)


class Taken:
    """The sound values of an item that broke no rule, and what they have."""

    def __init__(self) -> None:
        self._cases: defaultdict[str, list[Case]] = defaultdict(list)
        self._traits: dict[str, frozenset[str]] = {}

    def watched(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield the events as they are, and take in each case that has been tried once it is known to be sound."""
        tried: list[Tried] = []
        failed: set[str] = set()
        for event in events:
            if isinstance(event, Tried):
                if tried and event.case is not tried[0].case:
                    self._take(tried, failed)
                    tried, failed = [], set()
                tried.append(event)
            elif isinstance(event, Violation):
                failed.add(event.direction)
            yield event
        self._take(tried, failed)

    def _take(self, tried: Sequence[Tried], failed: set[str]) -> None:
        for each in tried:
            if each.case.is_sound and each.ask.what not in failed and each.outcome.kind in SUCCESSES:
                self._cases[each.ask.what].append(each.case)

    def traits(self, direction: str) -> frozenset[str]:
        """Return what the values that were taken in a direction have. Asked for once all of them are taken."""
        if direction not in self._traits:
            self._traits[direction] = frozenset().union(*(case.traits for case in self._cases[direction]))
        return self._traits[direction]

    def has_many(self, direction: str) -> bool:
        """Return whether so many values were taken that what they lack tells something."""
        return len(self._cases[direction]) >= MINIMUM_TAKEN


@dataclass
class ItemRecord:
    """The counts and findings of one item."""

    entries: KnownIndex
    """The known failures of the run."""
    tally: Tally = field(default_factory=Tally)
    taken: Taken = field(default_factory=Taken)
    new: dict[Key, FindingRecord] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    """Mistakes of the adapter itself."""
    known: dict[tuple[int, Key], FindingRecord] = field(default_factory=dict)
    """By the index of the entry of known failures, and by finding."""
    failed: set[str] = field(default_factory=set)
    """The cases that broke a rule, and not only as known failures do; of random search the findings."""
    covered: set[str] = field(default_factory=set)
    """The cases that broke a rule as known failures do, likewise."""

    def judge(self, events: Iterable[Event]) -> None:
        """Record what comes of cases."""
        for violation in counted(self.taken.watched(events), self.tally):
            self._take(violation)

    def _take(self, violation: Violation) -> None:
        """Record one violation. A result of another type is the adapter's fault."""
        index = self.entries.of(violation)
        if index is not None:
            self.covered.add(_case_of(violation))
            key = _bounded(violation.key, self.known, (index, violation.key))
            self.known.setdefault((index, key), FindingRecord(violation)).add(violation, random_once=False)
        elif violation.outcome in OF_THE_ADAPTER:
            self.faults += [] if self.faults else [_fault(violation)]
        else:
            self.failed.add(_case_of(violation))
            key = _bounded(violation.key, self.new, violation.key)
            record = self.new.setdefault(key, FindingRecord(violation))
            record.add(violation, random_once=True)
            record.add_traits(violation)

    def result(self, error: str = "") -> ItemResult:
        """Return a form that JSON carries; `error` is the traceback of an error of the suite."""
        return ItemResult(
            self.tally.counts(),
            self.faults,
            [record.result(self.taken) for record in self.new.values()],
            [record.result(self.taken, index) for (index, _), record in self.known.items()],
            len(self.failed),
            len(self.covered - self.failed),
            error,
        )


def record(results: Results, test: str, pair: str, events: Iterable[Event]) -> None:
    """Add what comes of one item, in a run without pytest, to the results."""
    item = ItemRecord(KnownIndex(results.known_failures))
    item.judge(events)
    results.add(test, item.result(), pair)


def _case_of(violation: Violation) -> str:
    """Return what tells the case of a violation from the others of an item."""
    return violation.case.name if violation.deterministic else str(violation.key)


def _bounded(key: Key, records: Mapping[Any, FindingRecord], place: Any) -> Key:
    """Return the key under which a violation is recorded: without its cluster if there are too many already."""
    return key if place in records or len(records) < MAXIMUM_FINDINGS else key._replace(cluster="")


def _fault(violation: Violation) -> Fault:
    """Return a violation that is a mistake of the adapter, not of the codec."""
    event = violation.event()
    text = event.value or event.wire or "no bytes"
    content = text if len(text) <= MAXIMUM_SHOWN else f"{text[:MAXIMUM_SHOWN]}..."
    place = f"{violation.direction} of {violation.message}-v{violation.version}"
    return Fault(violation.outcome, f"{place}: {actual_text(event.observation)} (given {content})")
