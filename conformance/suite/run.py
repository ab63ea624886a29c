"""One run of the suite: the session, the selection, and the findings so far in this process."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from conformance.checks.probe import Fault
from conformance.implementation.outcome import Kind
from conformance.implementation.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from conformance.findings.known_failures import KnownFailure
    from conformance.findings.violations import Violation
    from conformance.implementation.selection import Selection
    from conformance.implementation.session import Session
    from conformance.suite.found_cases import FoundCase

SHRUNK_PER_FINDING = 2
"""In how many items of one test, in one process, random search reduces cases of a finding; the rest is only counted."""


MAXIMUM_SHOWN = 80
"""Characters of an input that are shown with a mistake of the adapter."""


class FoundViolation(Exception):
    """Ends a test in which random search found something; see `violation_class`."""


@cache
def violation_class(rule: str, outcome: str) -> type[FoundViolation]:
    """Return the exception class of a finding: always the same, since Hypothesis tells failures apart by class."""
    return type("Found_" + f"{rule}_{outcome}".replace(".", "_").replace("-", "_"), (FoundViolation,), {})


@dataclass
class ItemRecord:
    """The findings of one pytest item."""

    tally: Tally = field(default_factory=Tally)
    new: dict[tuple[str, str], tuple[Violation, int]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    """Mistakes of the adapter itself."""
    known: dict[int, tuple[Violation, int]] = field(default_factory=dict)
    """By the index of the entry of known failures: the smallest violation, and how many deterministic ones."""

    def add_new(self, violation: Violation) -> None:
        """Keep the smallest violation of each finding; random ones count once, however often they are tried."""
        smallest, count = _smaller(self.new.get(violation.key), violation)
        self.new[violation.key] = (smallest, count + 1 if violation.deterministic else max(count, 1))

    def add_known(self, index: int, violation: Violation) -> None:
        """Keep the smallest violation of a known failure; random ones do not count."""
        smallest, count = _smaller(self.known.get(index), violation)
        self.known[index] = (smallest, count + violation.deterministic)

    def as_event(self) -> dict[str, Any]:
        """Return a form that JSON carries."""
        return {
            "tally": self.tally.as_event(),
            "faults": [list(fault) for fault in self.faults],
            "violations": [{**violation.as_event(), "count": count} for violation, count in self.new.values()],
            "known": [
                {**violation.as_event(), "count": count, "index": index}
                for index, (violation, count) in self.known.items()
            ],
        }


def _smaller(kept: tuple[Violation, int] | None, violation: Violation) -> tuple[Violation, int]:
    """Return the easier of two violations to read, and the count so far."""
    if kept is None:
        return violation, 0
    return (violation if violation.weight < kept[0].weight else kept[0]), kept[1]


class Run:
    """The session, the selection, and the record of the current item."""

    def __init__(
        self,
        session: Session,
        selection: Selection,
        known_failures: Sequence[KnownFailure],
        found_cases: Sequence[FoundCase] = (),
    ) -> None:
        self.session = session
        self.schemas = tuple(selection.schemas)
        self.wire_types = tuple(selection.wire_types)
        self.known_failures = tuple(known_failures)
        self.found_cases = tuple(found_cases)
        self.record = ItemRecord(session.tally)
        self._raised: Counter[tuple[str, tuple[str, str]]] = Counter()
        self._decided: set[tuple[str, str]] = set()
        self._test = ""

    @property
    def tally(self) -> Tally:
        """The counts of the current item."""
        return self.record.tally

    def begin_item(self, test: str = "") -> None:
        """Start a new record, of an item of that test."""
        self._test = test
        self.record = ItemRecord()
        self.session = replace(self.session, tally=self.record.tally)

    def end_item(self) -> ItemRecord:
        """Return the finished record of this item."""
        self._raised.update((self._test, key) for key in self.record.new)
        self._decided.update(key for key, (violation, _) in self.record.new.items() if violation.deterministic)
        return self.record

    def judge(self, violations: Iterable[Violation]) -> None:
        """Record the violations of deterministic checks; the item fails at its end."""
        for violation in violations:
            self._take(violation)

    def judge_random(self, violations: Iterable[Violation]) -> None:
        """Record the violations of a random example, and raise the least-seen new finding, so that it is reduced.

        A finding of a deterministic case is not reduced: that case is the smaller one.

        Raises:
            FoundViolation: a subclass of its own for each finding.
        """
        new = [violation for violation in violations if self._take(violation)]
        candidates = [violation for violation in new if self._is_reduced(violation)]
        if candidates:
            worst = min(candidates, key=lambda violation: (self._raised[self._test, violation.key], violation.key))
            raise violation_class(*worst.key)(f"{worst.rule} ({worst.outcome}) at {worst.path or 'the message'}")

    def _is_reduced(self, violation: Violation) -> bool:
        """Return whether a smaller example of a finding is looked for."""
        is_seldom = self._raised[self._test, violation.key] < SHRUNK_PER_FINDING
        return is_seldom and violation.key not in self._decided

    def _take(self, violation: Violation) -> bool:
        """Record one violation; return whether it is new. A result of another type is the adapter's fault."""
        for index, known in enumerate(self.known_failures):
            if known.covers(violation):
                self.record.add_known(index, violation)
                return False
        if violation.outcome == Kind.PROTOCOL_ERROR:
            if not self.record.faults:
                self.record.faults.append(_fault(violation))
            return False
        self.record.add_new(violation)
        return True

    def close(self) -> None:
        """End the child process."""
        if self.session.decoder is not None:
            self.session.decoder.close()


def _fault(violation: Violation) -> Fault:
    """Return a violation that is a mistake of the adapter, not of the codec."""
    event = violation.as_event()
    text = event["value"] or event["wire"] or "no bytes"
    content = text if len(text) <= MAXIMUM_SHOWN else f"{text[:MAXIMUM_SHOWN]}..."
    place = f"{violation.direction} of {violation.message}-v{violation.version}"
    return Fault(str(Kind.PROTOCOL_ERROR), f"{place}: {violation.actual} (given {content})")
