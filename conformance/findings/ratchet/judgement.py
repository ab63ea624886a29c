"""Which entries of a file of known failures do not deserve their place.

An entry stands for what deterministic checks meet; a case in the folder of --found is one of them. What random search
meets under the same rule, message and outcome is covered as well, but says nothing about whether an entry is stale:
search may miss tomorrow what it met today. A wildcard is a promise about messages that nobody has named, so it may
cover only a few, unless the entry says how many.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from conformance.findings.patterns import matches

if TYPE_CHECKING:
    from conformance.findings.known_failures import KnownFailure
    from conformance.findings.patterns import Pair
    from conformance.findings.ratchet.scope import Scope
    from conformance.findings.report.results import Results

MAXIMUM_MESSAGES = 10
"""How many messages one glob may cover, unless its entry has `at_most`."""


class Fault(StrEnum):
    """What may be wrong with one glob of an entry."""

    STALE = "stale"
    """Nothing meets it."""
    SEARCH_ONLY = "search-only"
    """Only random search meets it."""
    TOO_WIDE = "too-wide"
    """It covers more messages than one glob may."""


@dataclass(frozen=True)
class Objection:
    """One glob of one entry, and what is wrong with it."""

    fault: Fault
    index: int
    """Of the entry, among those that are about the run's release."""
    entry: KnownFailure
    pattern: str
    messages: int
    """How many messages it covers."""

    @property
    def place(self) -> str:
        """Rule, outcome and glob."""
        return f"{self.entry.rule} ({self.entry.outcome}) in {self.pattern}"

    def __str__(self) -> str:
        if self.fault is Fault.STALE:
            return f"stale known failure: {self.place} is gone, or never was; remove it from its entry"
        if self.fault is Fault.SEARCH_ONLY:
            return (
                f"known failure without a deterministic case: {self.place} is met by random search alone, which would "
                "not tell when it is gone; take it out, run with --found=DIR, and keep the case in every later run"
            )
        allowed = self.entry.at_most or MAXIMUM_MESSAGES
        return (
            f"known failure too wide: {self.place} hides failures of {self.messages} messages, and may of {allowed}; "
            f"name them (--update-known-failures does), or set at_most = {self.messages}"
        )


def objections(results: Results, scope: Scope, *, whole: bool) -> list[Objection]:
    """Everything that is wrong with the entries of a run, in the order of their file; one thing for each glob.

    Args:
        results: what the run met.
        scope: what it was about.
        whole: whether all deterministic checks were run on everything: only then can anything be stale.
    """
    found = []
    for index, entry in enumerate(results.known_failures):
        for pattern in entry.messages:
            met = {pair: count for pair, count in results.met[index].items() if matches(pattern, *pair)}
            messages = len({message for message, _ in met})
            fault = _fault(met, messages, entry, whole=whole)
            if fault is not None and not (fault is Fault.STALE and scope.is_elsewhere(entry, pattern)):
                found.append(Objection(fault, index, entry, pattern, messages))
    return found


def _fault(met: dict[Pair, int], messages: int, entry: KnownFailure, *, whole: bool) -> Fault | None:
    if whole and not any(met.values()):
        return Fault.SEARCH_ONLY if met else Fault.STALE
    return Fault.TOO_WIDE if messages > (entry.at_most or MAXIMUM_MESSAGES) else None
