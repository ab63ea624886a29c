"""What a reader expects that misreads or refuses sound bytes: which wrong bytes it reads.

A reader that refuses everything says nothing of why. So it is given what writers write that are wrong in one way; the
one whose bytes it reads, with the value that they were made of, has the same mistake.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.blame.bodies import adapted, explains_reading, explains_writing
from conformance.blame.fault_models import hypotheses
from conformance.checks.bases import bases_of
from conformance.findings.violations import Blame
from conformance.generate.cases import Bases
from conformance.implementation.asks import DECODE, ENCODE
from conformance.implementation.outcome import Kind
from conformance.implementation.targets import Body
from reference import TAGS, Unencodable, difference, encode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.blame.fault_models import Hypothesis
    from conformance.implementation.outcome import Outcome
    from conformance.implementation.session import Session
    from reference import MessageSchema


def blame_reader(session: Session, schema: MessageSchema, wire: bytes) -> Blame | None:
    """Return which mistake makes a reader refuse or misread sound bytes; None if it expects none that is tried."""
    mistake = session.once(("a reader's mistake", str(schema)), lambda: _expected(session, schema))
    if mistake is None or not explains_reading(mistake, schema, wire):
        return None
    return Blame(mistake.rule, mistake.path)


def is_refuted(session: Session, schema: MessageSchema, mistake: Hypothesis, direction: str) -> bool:
    """Return whether an implementation does right with a base what it would do wrong if it made a mistake."""
    taken = bases_of(session, schema, DECODE if direction == DECODE else ENCODE)
    values = {name: value for name, value in taken.bases._asdict().items() if value is not None}
    right = [value for name, value in values.items() if name not in taken.refused]
    if direction == DECODE:
        return any(explains_reading(mistake, schema, encode(schema, value)) for value in right)
    return any(explains_writing(mistake, schema, value) for value in right)


def _expected(session: Session, schema: MessageSchema) -> Hypothesis | None:
    """Return the mistake that a reader expects in the populated value, unless it reads that as it should."""
    populated = Bases.usual(schema).populated
    for value in (populated, _modest(populated)):
        canonical = encode(schema, value)
        [outcome] = session.decode_many(Body(schema), [canonical])
        if _is_same(schema, value, outcome):
            return None
        tried = list(_written(schema, value, canonical))
        outcomes = session.decode_many(Body(schema), [wire for _, wire in tried])
        for (mistake, _), outcome in zip(tried, outcomes, strict=True):
            if _is_same(mistake.schema, value, outcome) and not is_refuted(session, schema, mistake, DECODE):
                return mistake
    return None


MODEST = 100


def _modest(value: Any) -> Any:
    """Return a value with numbers that are above 0 and fit in a byte, whatever their type."""
    if isinstance(value, dict):
        return {name: item if name == TAGS else _modest(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_modest(item) for item in value]
    return 1 + value % MODEST if type(value) is int else value


def _written(schema: MessageSchema, value: dict[str, Any], canonical: bytes) -> Iterator[tuple[Hypothesis, bytes]]:
    """Yield each mistake that changes the bytes of a value, and the bytes."""
    for mistake in hypotheses(schema):
        try:
            wire = mistake.wire_type.write(adapted(mistake.schema, value))
        except Unencodable:
            continue
        if wire != canonical:
            yield mistake, wire


def _is_same(schema: MessageSchema, value: dict[str, Any], outcome: Outcome) -> bool:
    """Return whether a value was read that is the same in the fields of a schema."""
    if outcome.kind is not Kind.VALUE:
        return False
    try:
        return difference(schema, adapted(schema, value), adapted(schema, outcome.value)) is None
    except (AttributeError, TypeError, KeyError):  # of whatever an implementation returns
        return False
