"""The results of all items of a run; with xdist, of all workers."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from conformance.findings.violations import Finding, Findings
from conformance.implementation.outcome import Kind
from conformance.implementation.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.findings.known_failures import KnownFailure
    from conformance.findings.patterns import Pair
    from conformance.findings.violations import Violation

PROPERTY = "kafka_conformance"
"""The name of the user property by which an item's record travels from worker to controller."""


class Results:
    """The sum of all items' records.

    Args:
        known_failures: the entries that are about this release.
        read: makes a violation of its event.
        declared: what the adapter says of its implementation: each a sort (`representation`, `note`) and a text.
    """

    def __init__(
        self,
        known_failures: Sequence[KnownFailure],
        read: Callable[[dict[str, Any]], Violation],
        declared: Sequence[tuple[str, str]] = (),
    ) -> None:
        self.declared = tuple(declared)
        self._read = read
        self.known_failures = tuple(known_failures)
        self.items: Counter[str] = Counter()
        """The number of items of each test that were run."""
        self.tally = Tally()
        self.findings = Findings()
        self.violations: list[tuple[Violation, int]] = []
        self.errors: list[tuple[str, str]] = []
        """Items that ended in an error of the suite: node id and traceback."""
        self.faults: dict[str, list[str]] = {}
        """Mistakes of the adapter itself, by kind."""
        self.known: dict[int, Finding] = {}
        """By the index of the entry of known failures."""
        self.met: defaultdict[int, Counter[Pair]] = defaultdict(Counter)
        """By the same index: the pairs with failures, and the number of deterministic cases of each."""

    def add(self, test: str, event: dict[str, Any]) -> None:
        """Add the record of one item of a test."""
        self.items[test] += 1
        for kind, text in event["faults"]:
            self.faults.setdefault(kind, []).append(text)
        self.tally.add(Tally.from_event(event["tally"]))
        for entry in event["violations"]:
            violation, count = self._read(entry), entry["count"]
            self.violations.append((violation, count))
            self.findings.add(violation, count)
        for entry in event["known"]:
            index, count = entry["index"], entry["count"]
            violation = self._read(entry)
            found = self.known.setdefault(index, Finding(violation.rule, violation.outcome, 0, set(), violation))
            found.add(violation, count)
            self.met[index][violation.message, violation.version] += count

    def all_faults(self) -> dict[str, list[str]]:
        """Return the mistakes of the adapter, and the directions in which no case succeeded."""
        faults = dict(self.faults)
        tried = self.tally.cases["edge values"] or self.tally.cases["generated values"]  # others may not succeed
        for direction, success in (("encode", Kind.BYTES), ("decode", Kind.VALUE)):
            kinds = {kind: count for (way, kind), count in self.tally.outcomes.items() if way == direction}
            if tried and kinds and not kinds.get(success):
                outcomes = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items()))
                text = f"{direction} never succeeded: {outcomes}. Try the adapter by hand on one message first"
                faults.setdefault("never-succeeds", []).append(text)
        if not self.tally.cases:
            faults["nothing-tested"] = ["nothing was tested: the adapter offers nothing of what was selected"]
        return faults

    def seen(self) -> list[tuple[KnownFailure, Finding]]:
        """Return the known failures that the run met, in the order of their file."""
        return [(self.known_failures[index], found) for index, found in sorted(self.known.items())]


def as_property(event: dict[str, Any]) -> tuple[str, str]:
    """Return an item's record as a user property."""
    return PROPERTY, json.dumps(event)


def from_properties(properties: Sequence[tuple[str, Any]]) -> dict[str, Any] | None:
    """Return the record among user properties, if there is one."""
    for name, value in properties:
        if name == PROPERTY:
            event: dict[str, Any] = json.loads(value)
            return event
    return None


def profile_texts(results: Results) -> dict[str, list[str]]:
    """Return what the implementation does where the protocol leaves it open: rules by `accepts`, `rejects` or both."""
    texts: dict[str, list[str]] = {}
    for rule in sorted({rule for rule, _ in results.tally.profiles}):
        accepts, rejects = (results.tally.profiles[rule, way] for way in (True, False))
        text = "accepts" if not rejects else "rejects" if not accepts else "accepts some and rejects some"
        texts.setdefault(text, []).append(rule)
    return texts
