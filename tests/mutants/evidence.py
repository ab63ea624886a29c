"""All mutants together, and what they are evidence of: a rule that no mutant breaks may not bite."""

from collections.abc import Iterator
from typing import Protocol

from conformance.catalogue.rules import Rule, rules_of
from conformance.implementation.loaded_adapter import LoadedAdapter
from tests.mutants import catalogue as messages
from tests.mutants import framing, stored, wire_types


class AnyMutant(Protocol):
    """What all mutants have, whatever they are wrong about."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def rule(self) -> str:
        """The rule that it breaks."""

    def adapter(self) -> LoadedAdapter:
        """The mutant as an adapter."""


MUTANTS: tuple[AnyMutant, ...] = (*messages.MUTANTS, *wire_types.MUTANTS, *framing.MUTANTS, *stored.MUTANTS)

IMPLIED = {
    "codec.round-trip": (
        "Who writes the canonical bytes and reads them right has read what it wrote: to break this alone is not "
        "possible. It tells of a codec that writes other bytes whether it at least understands itself."
    )
}
"""Rules that cannot be broken alone, and why. A mutant must break them together with another rule."""


def wire_rules() -> Iterator[Rule]:
    """The rules that an implementation can break: not those about definitions, nor those that leave it open.

    Those about record batches are not among them, for adapters do not read batches.
    """
    for rule in rules_of().values():
        if rule.side != "definition" and rule.level != "unspecified" and rule.example.target != "records":
            yield rule


def table() -> str:
    """Which mutants are evidence of which rule, as Markdown."""
    lines = [
        "# Rules and the mutants that break them",
        "",
        "Written by `python -m tests.mutants --table`. The tests of this folder kill each mutant and see that its rule",
        "is blamed first; `make mutants` does so with the whole suite.",
        "",
        "| rule | level | side | mutants |",
        "|---|---|---|---|",
    ]
    for rule in wire_rules():
        names = ", ".join(mutant.name for mutant in MUTANTS if mutant.rule == rule.id)
        lines.append(f"| {rule.id} | {rule.level} | {rule.side} | {names or IMPLIED.get(rule.id, '')} |")
    return "\n".join(lines) + "\n"
