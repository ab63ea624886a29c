"""Everything that the items of a run found, put together; with xdist, from all workers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from conformance.checks.tally import Tally
from conformance.checks.violations import Findings, Violation
from conformance.known_failures import KnownFailure

PROPERTY = "kafka_conformance"
"""The name of the user property by which an item's record travels from worker to controller."""


class Results:
    """The sum of all items' records."""

    def __init__(self, known_failures: Sequence[KnownFailure]) -> None:
        self.known_failures = tuple(known_failures)
        self.tally = Tally()
        self.findings = Findings()
        self.violations: list[tuple[Violation, int]] = []
        self.known: Counter[int] = Counter()
        self.known_by_chance: Counter[int] = Counter()

    def add(self, event: dict[str, Any]) -> None:
        """Take in the record of one item."""
        self.tally.add(Tally.from_event(event["tally"]))
        for entry in event["violations"]:
            fields = dict(entry)
            count = fields.pop("count")
            violation = Violation(**fields)
            self.violations.append((violation, count))
            self.findings.add(violation, count)
        self.known.update({int(index): count for index, count in event["known"].items()})
        self.known_by_chance.update({int(index): count for index, count in event["known_by_chance"].items()})

    def stale(self) -> list[KnownFailure]:
        """Known failures that no deterministic check met."""
        return [entry for index, entry in enumerate(self.known_failures) if not self.known[index]]

    def seen(self) -> list[tuple[KnownFailure, int]]:
        """Known failures that are still there, and how often they were met."""
        return [(entry, self.known[index]) for index, entry in enumerate(self.known_failures) if self.known[index]]


def as_property(event: dict[str, Any]) -> tuple[str, str]:
    """An item's record as a user property."""
    return PROPERTY, json.dumps(event)


def from_properties(properties: Sequence[tuple[str, Any]]) -> dict[str, Any] | None:
    """The record among user properties, if there is one."""
    for name, value in properties:
        if name == PROPERTY:
            event: dict[str, Any] = json.loads(value)
            return event
    return None
