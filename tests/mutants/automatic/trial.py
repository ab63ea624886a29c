"""The suite's checks on copies of the reference, each up to its first violation and in a process of its own."""

from __future__ import annotations

import gc
from functools import cache
from itertools import chain
from math import ceil
from time import process_time
from typing import TYPE_CHECKING

from conformance.codec.session import Session
from conformance.judge.case import Violation
from conformance.judge.checks.check_list import BODIES, kinds_of, run_message
from conformance.judge.checks.wire_type_cases import primitive_cases
from conformance.judge.engine import run
from reference import load_release, primitives
from tests.helpers.releases import BASE, OLDEST
from tests.helpers.sweeps import cost, covering, wire_forms
from tests.mutants.around import FRAMES, STORED
from tests.mutants.automatic.copies import implementations_of
from tests.mutants.catalogue import MUTANTS
from tests.mutants.kit.pool import tried_within

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.codec.python_codec import PythonCodec
    from conformance.judge.case import Event
    from reference import MessageSchema, Release
    from tests.mutants.automatic.mutations import Mutant
    from tests.mutants.kit.pool import Answer

Pair = tuple["Release", "MessageSchema"]
TOLERANCE = 4
"""The limit of CPU time, as a multiple of the time of an unchanged copy. Beyond it a mutant hangs."""


class UnsoundCopy(Exception):
    """Raised when the suite finds a fault in an unchanged copy, so that no verdict has a meaning."""


def answers_of(mutants: Iterable[Mutant], workers: int) -> Iterator[Answer]:
    """Yield the first violation of each mutant, or None, as they come.

    Raises:
        UnsoundCopy: a copy without a change is found wrong.
    """
    begin = process_time()
    violation = first_violation(None)
    if violation is not None:
        raise UnsoundCopy(violation)
    cpu_seconds = ceil(TOLERANCE * (process_time() - begin))
    gc.freeze()
    yield from tried_within(cpu_seconds, first_violation, mutants, workers)


def violations(codec: PythonCodec) -> Iterator[Violation]:
    """Yield the violations of the deterministic checks, the quickest checks first."""
    return (event for event in _events(codec) if isinstance(event, Violation))


def _events(codec: PythonCodec) -> Iterator[Event]:
    for name in primitives():
        session = Session(codec, load_release(BASE))
        yield from run(session, primitive_cases(session, name))
    for release, schema in pairs():
        yield from run_message(Session(codec, release), schema, kinds_of(schema) - {BODIES})
    for release, schema in covering_pairs():
        yield from run_message(Session(codec, release), schema, frozenset({BODIES}))


@cache
def pairs() -> list[Pair]:
    """Return the messages of the mutants by hand, and one of an older release, the smallest first."""
    schemas = {(load_release(mutant.release), schema) for mutant in MUTANTS for schema in mutant.schemas()}
    schemas |= {(mutant.release, schema) for mutant in (*FRAMES, *STORED) for schema in mutant.schemas()}
    older = load_release(OLDEST)
    schemas.add((older, older.schema("ControlledShutdownResponse", 3)))  # the newest has no such API
    return sorted((pair for pair in schemas if not pair[0].proposed), key=_size)


@cache
def covering_pairs() -> list[Pair]:
    """Return few messages of the newest release with a field of every form, the smallest first."""
    release = load_release(BASE)
    return [(release, schema) for schema in covering(release.schemas(), wire_forms)]


def _size(pair: Pair) -> tuple[int, str, str]:
    """Return the approximate cost of a pair, and a tie-breaker."""
    release, schema = pair
    return cost(schema), str(schema), release.name


def first_violation(mutant: Mutant | None) -> str | None:
    """Return the first violation by a copy, or None."""
    try:
        implementations = implementations_of(mutant)
    except Exception as error:  # noqa: BLE001  # whatever the changed file does when it is imported
        return f"import: {error!r:.100}"
    violation = next(chain.from_iterable(map(violations, implementations)), None)
    return None if violation is None else f"{violation.rule}, {violation.outcome}"
