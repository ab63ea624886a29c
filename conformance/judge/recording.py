"""The record of one item of a run.

It has the counts of the item, and one example of each finding.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from conformance.codec.corrections import Fault
from conformance.judge.case import Ended, Tried, Violation
from conformance.judge.engine import counted
from conformance.judge.findings.following import is_raised_by_adapter
from conformance.judge.findings.results import FoundInItem, ItemResult
from conformance.judge.findings.wording import actual_text
from conformance.judge.tally import Tally
from conformance.targets.outcome import OF_THE_ADAPTER, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from conformance.judge.case import Case, Event
    from conformance.judge.findings.known_failures import KnownFailure
    from conformance.judge.findings.results import Results
    from conformance.judge.forms import Key

SUCCESSES = frozenset((Kind.BYTES, Kind.VALUE))
"""The outcomes of accepted inputs."""

MINIMUM_TAKEN = 3
"""The smallest number of accepted values from which missing traits are significant."""

MAXIMUM_FINDINGS = 100
"""The largest number of findings in one item.

Further violations are recorded by rule and outcome only.
"""

MAXIMUM_SHOWN = 80
"""Characters of an input that are shown with a mistake of the adapter."""


class KnownIndex:
    """The known failures of a run, indexed by rule and outcome."""

    def __init__(self, entries: Sequence[KnownFailure]) -> None:
        self._by_end: defaultdict[tuple[str, str], list[tuple[int, KnownFailure]]] = defaultdict(list)
        for index, entry in enumerate(entries):
            self._by_end[entry.rule, entry.outcome].append((index, entry))

    def of(self, violation: Violation) -> int | None:
        """Return the index of the first entry that covers a violation, or None if none does."""
        entries = self._by_end.get((violation.rule, violation.outcome), ())
        return next((index for index, entry in entries if entry.covers(violation)), None)


@dataclass
class FindingRecord:
    """The violations of one finding in one item."""

    example: Violation
    """The violation with the smallest weight."""
    count: int = 0
    fields: Counter[str] = field(default_factory=Counter)
    """The number of violations in each field."""

    traits: frozenset[str] | None = None
    """The common traits of the values of all violations; None before the first one."""
    directions: set[str] = field(default_factory=set)

    def add(self, violation: Violation, *, random_once: bool) -> None:
        """Add one violation.

        Random ones count at most once, however often they are tried; without `random_once` they do not count.
        """
        if violation.weight < self.example.weight:
            self.example = violation
        if violation.deterministic:  # the number of random ones depends on the length of the search
            self.count += 1
            self.fields[violation.field] += 1
        elif random_once:
            self.count = max(self.count, 1)
            self.fields[violation.field] = max(self.fields[violation.field], 1)

    def add_traits(self, violation: Violation) -> None:
        """Add the traits of a violation's value."""
        # If nothing is in common any more, spare the computation of further traits.
        traits = frozenset() if self.traits == frozenset() else violation.case.traits
        self.traits = traits if self.traits is None else self.traits & traits
        self.directions.add(violation.direction)

    def result(self, taken: Taken, index: int = -1) -> FoundInItem:
        """Return the finding in a form for JSON.

        Args:
            taken: the values without a violation.
            index: the index of the covering entry of known failures; -1 if none covers them.
        """
        common, is_reported = self.traits or frozenset(), True
        for direction in self.directions if common else ():
            common -= taken.traits(direction)
            is_reported = is_reported and taken.has_many(direction)
        return FoundInItem(self.example.event(), self.count, dict(self.fields), index, common, is_reported)


class Taken:
    """The valid values of an item without a violation, and their traits."""

    def __init__(self) -> None:
        self._cases: defaultdict[str, list[Case]] = defaultdict(list)
        self._traits: dict[str, frozenset[str]] = {}

    def watched(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield the events unchanged, and collect each case without a violation at its end."""
        tried: list[Tried] = []
        failed: set[str] = set()
        for event in events:
            if isinstance(event, Tried):
                tried.append(event)
            elif isinstance(event, Violation):
                failed.add(event.direction)
            elif isinstance(event, Ended):
                self._take(tried, failed)
                tried, failed = [], set()
            yield event

    def _take(self, tried: Sequence[Tried], failed: set[str]) -> None:
        for each in tried:
            if each.case.is_sound and each.ask.what not in failed and each.outcome.kind in SUCCESSES:
                self._cases[each.ask.what].append(each.case)

    def traits(self, direction: str) -> frozenset[str]:
        """Return the traits of the values accepted in a direction.

        Call it after the last value: the result is cached.
        """
        if direction not in self._traits:
            self._traits[direction] = frozenset().union(*(case.traits for case in self._cases[direction]))
        return self._traits[direction]

    def has_many(self, direction: str) -> bool:
        """Return whether enough values were accepted to make missing traits significant."""
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
    """The known findings, by the index of their entry of known failures and by their key."""
    failed: set[str] = field(default_factory=set)
    """The names of cases with a new violation; for random search the keys of findings."""
    covered: set[str] = field(default_factory=set)
    """The names of cases with a known violation; for random search the keys of findings."""

    def judge(self, events: Iterable[Event]) -> None:
        """Record the events of cases."""
        for violation in counted(self.taken.watched(events), self.tally):
            self._take(violation)

    def _take(self, violation: Violation) -> None:
        """Record one violation.

        A result of the wrong type is the adapter's fault.
        """
        index = self.entries.of(violation)
        if index is not None:
            self.covered.add(_case_of(violation))
            key = _bounded(violation.key, self.known, (index, violation.key))
            self.known.setdefault((index, key), FindingRecord(violation)).add(violation, random_once=False)
        elif violation.outcome in OF_THE_ADAPTER:
            # One example in each item is enough.
            self.faults += [] if self.faults else [_fault(violation)]
        else:
            self.faults += [] if not is_raised_by_adapter(violation) else [_own_exception(violation)]
            self.failed.add(_case_of(violation))
            key = _bounded(violation.key, self.new, violation.key)
            record = self.new.setdefault(key, FindingRecord(violation))
            record.add(violation, random_once=True)
            record.add_traits(violation)

    def result(self, error: str = "") -> ItemResult:
        """Return the item in a form for JSON.

        Args:
            error: the traceback of an error of the suite.
        """
        return ItemResult(
            self.tally.events(),
            self.faults,
            [record.result(self.taken) for record in self.new.values()],
            [record.result(self.taken, index) for (index, _), record in self.known.items()],
            len(self.failed),
            # A case with new and known violations counts as failed.
            len(self.covered - self.failed),
            error,
        )


def record(results: Results, test: str, pair: str, events: Iterable[Event]) -> None:
    """Add the events of one item to the results, in a run without pytest."""
    item = ItemRecord(KnownIndex(results.known_failures))
    item.judge(events)
    results.add(test, item.result(), pair)


def _case_of(violation: Violation) -> str:
    """Return an id of a violation's case, unique within an item."""
    # All drawn cases of a kind have the same name.
    return violation.case.name if violation.deterministic else str(violation.key)


def _bounded(key: Key, records: Mapping[Any, FindingRecord], place: Any) -> Key:
    """Return the key under which a violation is recorded.

    It lacks the cluster if there are too many records.
    """
    return key if place in records or len(records) < MAXIMUM_FINDINGS else key._replace(cluster="")


def _own_exception(violation: Violation) -> Fault:
    """Return an exception of the adapter's own code as its mistake."""
    place = f"{violation.direction} of {violation.message}-v{violation.version}"
    text = f"{place} raises in the adapter's own code: {actual_text(violation.observation)}"
    return Fault("raises-itself", text, violation.side)


def _fault(violation: Violation) -> Fault:
    """Return a violation as a mistake of the adapter."""
    event = violation.event()
    text = event.value or event.wire or "no bytes"
    content = text if len(text) <= MAXIMUM_SHOWN else f"{text[:MAXIMUM_SHOWN]}..."
    place = f"{violation.direction} of {violation.message}-v{violation.version}"
    return Fault(violation.outcome, f"{place}: {actual_text(event.observation)} (given {content})")
