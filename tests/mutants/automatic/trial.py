"""The suite's checks on one copy, up to its first violation."""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from conformance.codec.session import Session
from conformance.judge.checks.check_list import BODIES, kinds_of, run_message
from conformance.judge.checks.wire_type_cases import primitive_cases
from conformance.judge.engine import run
from conformance.judge.findings.violations import Violation
from reference import load_release, primitives
from tests.helpers.sweeps import cost, covering, wire_forms
from tests.mutants import catalogue, framing, stored
from tests.mutants.automatic.copies import implementations_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.codec.driver import Implementation
    from conformance.judge.findings.trials import Event
    from reference import MessageSchema, Release
    from tests.mutants.automatic.mutations import Mutant

Pair = tuple["Release", "MessageSchema"]


def violations(implementation: Implementation) -> Iterator[Violation]:
    """Yield what the deterministic checks find, the quickest checks first."""
    return (event for event in _events(implementation) if isinstance(event, Violation))


def _events(implementation: Implementation) -> Iterator[Event]:
    for name in primitives():
        session = Session(implementation, framing.NEWEST)
        yield from run(session, primitive_cases(session, name))
    for release, schema in pairs():
        yield from run_message(Session(implementation, release), schema, kinds_of(schema) - {BODIES})
    for release, schema in covering_pairs():
        yield from run_message(Session(implementation, release), schema, frozenset({BODIES}))


@cache
def pairs() -> list[Pair]:
    """Return the messages of the mutants that were written by hand, and one of an older release, the smallest first."""
    schemas = {(load_release(mutant.release), schema) for mutant in catalogue.MUTANTS for schema in mutant.schemas()}
    schemas |= {(mutant.release, schema) for mutant in framing.MUTANTS for schema in mutant.schemas()}
    schemas |= {(stored.RELEASE, schema) for mutant in stored.MUTANTS for schema in mutant.schemas()}
    schemas.add((framing.OLDER, framing.OLDER.schema("ControlledShutdownResponse", 3)))  # the newest has no such API
    return sorted((pair for pair in schemas if not pair[0].proposed), key=_size)


@cache
def covering_pairs() -> list[Pair]:
    """Return as few messages of the newest release as have a field of every form, the smallest first."""
    return [(framing.NEWEST, schema) for schema in covering(framing.NEWEST.schemas(), wire_forms)]


def _size(pair: Pair) -> tuple[int, str, str]:
    """Return what a pair costs, about, and what makes an order of it."""
    release, schema = pair
    return cost(schema), str(schema), release.name


def first_violation(mutant: Mutant | None) -> str | None:
    """Return what the suite says of a copy first; None if it finds nothing wrong."""
    try:
        implementations = implementations_of(mutant)
    except Exception as error:  # noqa: BLE001  # whatever the changed file does when it is imported
        return f"import: {error!r:.100}"
    violation = next(chain.from_iterable(map(violations, implementations)), None)
    return None if violation is None else f"{violation.rule}, {violation.outcome}"
