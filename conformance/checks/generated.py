"""Checks on random values and random bytes of a message, which Hypothesis draws and shrinks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from conformance.checks.bases import bases_of
from conformance.checks.hostile_bytes import HostileBytesCase, check_hostile_cases
from conformance.checks.values import ValueCase, run_values
from conformance.generate.hostile import hostile_bytes
from conformance.generate.values import RecordsProfile, values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.findings.violations import Violation
    from conformance.implementation.session import Session
    from reference import MessageSchema

BATCH = 5
"""Values or inputs in one example of Hypothesis, asked for together: to begin and end an example takes longer."""


def check_generated_values(
    session: Session, schema: MessageSchema, draw: Callable[[Any], Any], records: RecordsProfile = "opaque"
) -> Iterator[Violation]:
    """Draw some values of a message, and write and read each; where all are the same, one of them."""
    drawn = draw(_several(values(schema, records)))
    chosen = drawn[:1] if all(value == drawn[0] for value in drawn) else drawn
    cases = [ValueCase(schema, "generated", "", value, deterministic=False, is_minimal=False) for value in chosen]
    yield from run_values(session, cases, "generated values")


def check_generated_bytes(session: Session, schema: MessageSchema, draw: Callable[[Any], Any]) -> Iterator[Violation]:
    """Draw some hostile inputs of a message, and judge each."""
    if not session.implementation.offers("decode", schema):
        return
    drawn = dict.fromkeys(draw(_several(hostile_bytes(schema, bases_of(session, schema).mask))))
    cases = [HostileBytesCase(schema, "generated", "", wire, deterministic=False) for wire in drawn]
    yield from check_hostile_cases(session, schema, cases)


def _several(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    """Return a strategy of so many as an example has: one draw of a test takes longer than to draw most values."""
    return st.tuples(*[strategy] * BATCH)
