"""One run of the suite: the subject, the selection, and the findings so far in this process."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from conformance.checks.probe import Fault
from conformance.engine.counting import counted
from conformance.findings.clusters import MAXIMUM_CLUSTERS
from conformance.findings.report.results import FoundInItem, ItemResult
from conformance.findings.report.wording import actual_text
from conformance.findings.violations import Violation
from conformance.implementation.outcome import OF_THE_ADAPTER, Kind
from conformance.implementation.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from conformance.findings.forms import Broken, Key
    from conformance.findings.known_failures import KnownFailure
    from conformance.findings.trials import Event
    from conformance.implementation.selection import Selection
    from conformance.suite.found_cases import FoundCase
    from conformance.suite.subjects import Subject

SHRUNK_PER_FINDING = 2
"""In how many items of one test, in one process, random search reduces cases of a finding; the rest is only counted."""


MAXIMUM_FINDINGS = 100
"""Findings of one item that are kept apart; of those beyond, only rule and outcome tell."""

MAXIMUM_SHOWN = 80
"""Characters of an input that are shown with a mistake of the adapter."""


class FoundViolation(Exception):
    """Ends a test in which random search found something; see `violation_class`."""


@cache
def violation_class(key: Key) -> type[FoundViolation]:
    """Return the exception class of a finding: always the same, since Hypothesis tells failures apart by class."""
    return type("Found_" + re.sub(r"\W+", "_", "_".join(key)), (FoundViolation,), {})


@dataclass
class Record:
    """The violations of one finding in one item."""

    example: Violation
    """The most telling one."""
    count: int = 0
    fields: Counter[str] = field(default_factory=Counter)
    """The number of violations in each field."""

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

    def result(self, index: int = -1) -> FoundInItem:
        """Return a form that JSON carries; `index` is that of the entry of known failures that covers them."""
        return FoundInItem(self.example.event(), self.count, dict(self.fields), index)


@dataclass
class ItemRecord:
    """The findings of one pytest item."""

    tally: Tally = field(default_factory=Tally)
    new: dict[Key, Record] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    """Mistakes of the adapter itself."""
    known: dict[tuple[int, Key], Record] = field(default_factory=dict)
    """By the index of the entry of known failures, and by finding."""
    failed: set[str] = field(default_factory=set)
    """The cases that broke a rule, and not only as known failures do; of random search the findings."""
    covered: set[str] = field(default_factory=set)
    """The cases that broke a rule as known failures do, likewise."""

    def add_new(self, violation: Violation) -> None:
        """Take in a violation that no entry of known failures covers."""
        self.failed.add(_case_of(violation))
        key = _bounded(violation.key, self.new, violation.key)
        self.new.setdefault(key, Record(violation)).add(violation, random_once=True)

    def add_known(self, index: int, violation: Violation) -> None:
        """Take in a violation that an entry covers."""
        self.covered.add(_case_of(violation))
        key = _bounded(violation.key, self.known, (index, violation.key))
        self.known.setdefault((index, key), Record(violation)).add(violation, random_once=False)

    def result(self, error: str = "") -> ItemResult:
        """Return a form that JSON carries; `error` is the traceback of an error of the suite."""
        return ItemResult(
            self.tally.counts(),
            [(fault.kind, fault.text) for fault in self.faults],
            [record.result() for record in self.new.values()],
            [record.result(index) for (index, _), record in self.known.items()],
            len(self.failed),
            len(self.covered - self.failed),
            error,
        )


def _case_of(violation: Violation) -> str:
    """Return what tells the case of a violation from the others of an item."""
    return violation.case.name if violation.deterministic else str(violation.key)


def _bounded(key: Key, records: Mapping[Any, Record], place: Any) -> Key:
    """Return the key under which a violation is recorded: without its cluster if there are too many already."""
    return key if place in records or len(records) < MAXIMUM_FINDINGS else key._replace(cluster="")


class Run:
    """The subject, the selection, and the record of the current item."""

    def __init__(
        self,
        subject: Subject,
        selection: Selection,
        known_failures: Sequence[KnownFailure],
        found_cases: Sequence[FoundCase[Any]] = (),
        known_of_base: Sequence[KnownFailure] = (),
    ) -> None:
        self.subject = subject
        self.schemas = tuple(selection.schemas)
        self.probed = tuple(selection.probed)
        """The pairs on which the adapter itself is tried."""
        self.others = tuple(selection.others)
        self.shared = selection.shared
        self.known_of_base = tuple(known_of_base)
        """The known failures by which the run of the base release decides about what is shared with it."""
        self.known_failures = tuple(known_failures)
        self._known_by_end: defaultdict[tuple[str, str], list[tuple[int, KnownFailure]]] = defaultdict(list)
        for index, entry in enumerate(self.known_failures):
            self._known_by_end[entry.rule, entry.outcome].append((index, entry))
        self.found_cases = tuple(found_cases)
        self.record = ItemRecord()
        self._raised: Counter[tuple[str, Key]] = Counter()
        self._decided: set[Key] = set()
        self._test = ""

    @property
    def tally(self) -> Tally:
        """The counts of the current item."""
        return self.record.tally

    def begin_item(self, test: str = "") -> None:
        """Start a new record, of an item of that test."""
        self._test = test
        self.record = ItemRecord()

    def end_item(self) -> ItemRecord:
        """Return the finished record of this item, with its hangs cut short."""
        for record in self.record.new.values():
            record.example = self.subject.shown(record.example)
        self._raised.update((self._test, key) for key in self.record.new)
        self._decided.update(key for key, record in self.record.new.items() if record.example.deterministic)
        return self.record

    def judge(self, events: Iterable[Event]) -> None:
        """Record what comes of deterministic checks; the item fails at its end."""
        for violation in counted(events, self.tally):
            self._take(violation)

    def judge_random(self, events: Iterable[Event]) -> None:
        """Record what comes of a random example, and raise the least-seen new finding, so that it is reduced.

        A finding of a deterministic case is not reduced: that case is the smaller one.

        Raises:
            FoundViolation: a subclass of its own for each finding.
        """
        new = [violation for violation in counted(events, self.tally) if self._take(violation)]
        candidates = [violation for violation in new if self._is_reduced(violation)]
        if candidates:
            worst = min(candidates, key=lambda violation: (self._raised[self._test, violation.key], violation.key))
            raise violation_class(worst.key)(f"{worst.key} at {worst.path or 'the message'}")

    def _is_reduced(self, violation: Violation) -> bool:
        """Return whether a smaller example of a finding is looked for.

        Of few clusters, as all texts may differ; and not of hangs, of which each attempt takes seconds.
        """
        key = violation.key
        if violation.outcome == Kind.TIMED_OUT:
            return False
        is_seldom = self._raised[self._test, key] < SHRUNK_PER_FINDING
        alike = {other for test, other in self._raised if test == self._test and other[:2] == key[:2]}
        return is_seldom and key not in self._decided and len(alike - {key}) < MAXIMUM_CLUSTERS

    def _take(self, violation: Violation) -> bool:
        """Record one violation; return whether it is new. A result of another type is the adapter's fault."""
        for index, known in self._known_by_end.get((violation.rule, violation.outcome), ()):
            if known.covers(violation):
                self.record.add_known(index, violation)
                return False
        if violation.outcome in OF_THE_ADAPTER:
            if not self.record.faults:
                self.record.faults.append(_fault(violation))
            return False
        self.record.add_new(violation)
        return True

    def violation_of(self, event: Broken) -> Violation:
        """Return the violation behind an event of this run."""
        return Violation.of(event, self.subject.case_of(event))


def _fault(violation: Violation) -> Fault:
    """Return a violation that is a mistake of the adapter, not of the codec."""
    event = violation.event()
    text = event.value or event.wire or "no bytes"
    content = text if len(text) <= MAXIMUM_SHOWN else f"{text[:MAXIMUM_SHOWN]}..."
    place = f"{violation.direction} of {violation.message}-v{violation.version}"
    return Fault(violation.outcome, f"{place}: {actual_text(event.observation)} (given {content})")
