"""One run of the suite: the subject, the selection, and the findings so far in this process."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

from conformance.engine.recording import ItemRecord, KnownIndex
from conformance.findings.clusters import MAXIMUM_CLUSTERS
from conformance.implementation.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from conformance.findings.forms import Key
    from conformance.findings.known_failures import KnownFailure
    from conformance.findings.trials import Event
    from conformance.findings.violations import Violation
    from conformance.implementation.selection import Selection
    from conformance.implementation.tally import Tally
    from conformance.suite.found_cases import FoundCase
    from conformance.suite.subjects import Tested

SHRUNK_PER_FINDING = 2
"""In how many items of one test, in one process, random search reduces cases of a finding; the rest is only counted."""


class FoundViolation(Exception):
    """Ends a test in which random search found something; see `violation_class`."""


@cache
def violation_class(key: Key) -> type[FoundViolation]:
    """Return the exception class of a finding: always the same, since Hypothesis tells failures apart by class."""
    return type("Found_" + re.sub(r"\W+", "_", "_".join(key)), (FoundViolation,), {})


class Run:
    """The subject, the selection, and the record of the current item."""

    def __init__(
        self,
        subject: Tested,
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
        self._known = KnownIndex(self.known_failures)
        self.found_cases = tuple(found_cases)
        self.record = ItemRecord(self._known)
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
        self.record = ItemRecord(self._known)

    def end_item(self) -> ItemRecord:
        """Return the finished record of this item, with its hangs cut short."""
        for record in self.record.new.values():
            record.example = self.subject.shown(record.example)
        self._raised.update((self._test, key) for key in self.record.new)
        self._decided.update(key for key, record in self.record.new.items() if record.example.deterministic)
        return self.record

    def judge(self, events: Iterable[Event]) -> None:
        """Record what comes of deterministic checks; the item fails at its end."""
        self.record.judge(events)

    def judge_random(self, events: Iterable[Event]) -> None:
        """Record what comes of a random example, and raise the least-seen new finding, so that it is reduced.

        A finding of a deterministic case is not reduced: that case is the smaller one.

        Raises:
            FoundViolation: a subclass of its own for each finding.
        """
        candidates = [violation for violation in self.record.judge(events) if self._is_reduced(violation)]
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
