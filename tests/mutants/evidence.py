"""All mutants together as evidence of rules, as checks of a rule without a mutant may not bite."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.session import Session
from conformance.definitions.catalogue import Rule, rules_of
from tests.mutants import catalogue, records
from tests.mutants.around import FRAMES, STORED, WIRE_TYPES
from tests.mutants.mutant import Mutant

if TYPE_CHECKING:
    from conformance.judge.case import Event


class AnyMutant(Protocol):
    """The common interface of all mutants."""

    @property
    def name(self) -> str:
        """Return the name of the mutant."""

    @property
    def rule(self) -> str:
        """Return the rule broken by the mutant."""

    def adapter(self) -> LoadedAdapter:
        """Return the mutant as an adapter."""

    def check(self, session: Session) -> Iterator["Event"]:
        """Yield the events of the deterministic checks on its pairs."""


MUTANTS: tuple[AnyMutant, ...] = (
    *catalogue.MUTANTS,
    *WIRE_TYPES,
    *FRAMES,
    *STORED,
    *records.MUTANTS,
)

PROPOSED: tuple[Mutant, ...] = catalogue.PROPOSED
"""Mutants of the protocols of proposals, with no rules of releases."""

IMPLIED = {
    "codec.round-trip": (
        "Who writes the canonical bytes and reads them right has read what it wrote: to break this alone is not "
        "possible. It tells of a codec that writes other bytes whether it at least understands itself."
    )
}
"""Rules never broken alone, and the reasons. A mutant must break them together with another rule."""

_BYTES = "Key and value of a control record are bytes to an adapter: it neither writes nor reads their parts."
_PRODUCER = "An adapter writes `records` fields; which of them a producer sends it does not say."

UNREACHABLE = {
    "control.key": _BYTES,
    "control.end-transaction-marker": _BYTES,
    "control.kraft-value": _BYTES,
    "produce.base-offset": _PRODUCER,
    "produce.one-batch": _PRODUCER,
}
"""Rules about record batches beyond the reach of adapters by the contract, and the reasons."""


def wire_rules() -> Iterator[Rule]:
    """Return the rules for codecs, without those of definitions and servers and those left open."""
    for rule in rules_of().values():
        if rule.side in {"encode", "decode"} and rule.level != "unspecified":
            yield rule


def table() -> str:
    """Return the table of rules and their mutants, as Markdown."""
    lines = [
        "# Rules and the mutants that break them",
        "",
        "Written by `python -m tests.mutants --table`. The tests of this folder kill each mutant and see that its rule",
        "is blamed first; `make mutants` does so with the whole suite. TABLE.tsv has the actual results of each.",
        "",
        "| rule | level | side | mutants |",
        "|---|---|---|---|",
    ]
    for rule in wire_rules():
        names = ", ".join(mutant.name for mutant in MUTANTS if mutant.rule == rule.id)
        lines.append(f"| {rule.id} | {rule.level} | {rule.side} | {names or (IMPLIED | UNREACHABLE)[rule.id]} |")
    return "\n".join(lines) + "\n"
