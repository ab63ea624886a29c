"""Runs that never ran: results made from violations, for the ratchet to judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.findings.ratchet.scope import Scope
from conformance.findings.report.results import Results
from conformance.findings.violations import Violation
from conformance.implementation.driver import Implementation, offered
from conformance.implementation.loading import load_adapter
from conformance.suite.run import ItemRecord, Run
from conformance.suite.selection import Selection
from reference import load_release, newest_release, primitives

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from conformance.findings.known_failures import KnownFailure


def failing(messages: Iterable[str], version: int = 0, *, by_search: bool = False) -> list[Violation]:
    """The same departure in these messages."""
    return [
        Violation(
            rule="null.not-written",
            message=message,
            version=version,
            path="",
            outcome="bytes",
            direction="encode",
            case="a case",
            expected="refused",
            actual="00",
            wire="",
            deterministic=not by_search,
        )
        for message in messages
    ]


def scope_of(release: str = "") -> Scope:
    """A run of the reference over everything."""
    chosen = load_release(release or newest_release())
    implementation = Implementation(load_adapter("conformance.adapters.reference", chosen))
    selection = Selection(offered(implementation, chosen.schemas()), primitives())
    return Scope(Run(implementation, chosen, selection, [], None))


def results_of(scope: Scope, entries: Sequence[KnownFailure], violations: Iterable[Violation]) -> Results:
    """What a run over that scope gathers: one item for each violation."""
    results = Results([entry for entry in entries if entry.is_about(scope.run.release.name)])
    for violation in violations:
        record = ItemRecord()
        index = next((at for at, entry in enumerate(results.known_failures) if entry.covers(violation)), None)
        if index is None:
            record.add_new(violation)
        else:
            record.add_known(index, violation)
        results.add("test_edge_values", record.as_event())
    return results
