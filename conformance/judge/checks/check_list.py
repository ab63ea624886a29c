"""The list of checks, in the order of a run.

A check is a function that yields cases, and events for omitted ones; the engine runs them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.judge.checks.changed_bodies import hostile_cases, invalid_cases, trailing_cases
from conformance.judge.checks.frame_cases import frame_checks, is_framed
from conformance.judge.checks.hostile_record_cases import hostile_records
from conformance.judge.checks.record_cases import records_value_cases
from conformance.judge.checks.size_cases import limit_cases, limit_named, records_limit_cases
from conformance.judge.checks.special_values import (
    absent_field_cases,
    partial_value_cases,
    unencodable_cases,
    unspecified_value_cases,
)
from conformance.judge.checks.state_leaks import LEAK, leaks_of_reading, leaks_of_writing
from conformance.judge.checks.stored_cases import is_stored, stored_checks
from conformance.judge.checks.unencodable_record_cases import unencodable_records_cases
from conformance.judge.checks.value_cases import value_cases, values_of
from conformance.judge.checks.wire_type_cases import primitive_cases
from conformance.judge.engine import run
from conformance.judge.kinds import CodecCase
from conformance.targets import RECORD_BATCHES, RECORD_GROUPS, Body, RecordsField
from reference import primitives

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conformance.codec.session import Session
    from conformance.judge.case import Event
    from conformance.targets import Claims
    from reference import MessageSchema

    Cases = Callable[[Session, Any], Iterator[CodecCase | Event]]

BODIES, FRAMES, STORED, WIRE_TYPES, RECORDS = "bodies", "frames", "stored messages", "wire types", "record batches"
"""The subject of a check; its items are schemas, names of wire types, or groups of record batches."""


class Check(NamedTuple):
    """One check.

    Attributes:
        test: the test of the suite with this check.
        of: its subject.
        cases: yields its cases for one item.
    """

    test: str
    of: str
    cases: Cases


CHECKS: tuple[Check, ...] = (
    Check("test_edge_values", BODIES, value_cases),
    Check("test_unencodable_values", BODIES, leaks_of_writing),
    Check("test_unencodable_values", BODIES, unencodable_cases),
    Check("test_unencodable_values", BODIES, unspecified_value_cases),
    Check("test_invalid_input", BODIES, invalid_cases),
    Check("test_invalid_input", BODIES, trailing_cases),
    Check("test_invalid_input", BODIES, leaks_of_reading),
    Check("test_absent_fields", BODIES, absent_field_cases),
    Check("test_partial_values", BODIES, partial_value_cases),
    Check("test_hostile_input", BODIES, hostile_cases),
    Check("test_limits", BODIES, limit_cases),
    Check("test_framing", FRAMES, frame_checks),
    Check("test_stored", STORED, stored_checks),
    Check("test_primitives", WIRE_TYPES, primitive_cases),
    Check("test_record_values", RECORDS, records_value_cases),
    Check("test_record_values", RECORDS, unencodable_records_cases),
    Check("test_record_values", RECORDS, records_limit_cases),
    Check("test_hostile_records", RECORDS, hostile_records),
)
"""Every deterministic check."""


def checks_of(test: str) -> tuple[Check, ...]:
    """Return the checks of a test of the suite."""
    return tuple(check for check in CHECKS if check.test == test)


def kinds_of(schema: MessageSchema) -> frozenset[str]:
    """Return the subjects of checks on a message.

    They are its body, and its frames or its stored form if it has any.
    """
    of = {BODIES: True, FRAMES: is_framed(schema), STORED: is_stored(schema)}
    return frozenset(kind for kind, has in of.items() if has)


def run_other(session: Session, name: str) -> Iterator[Event]:
    """Run every deterministic check of a wire type, or of a group of record batches.

    The events of the checks are yielded.
    """
    kind = WIRE_TYPES if name in primitives() else RECORDS
    for check in CHECKS:
        if check.of == kind:
            yield from run(session, check.cases(session, name))


def offered_others(claims: Claims, names: Sequence[str]) -> list[str]:
    """Return the wire types, and the groups of record batches, that an implementation writes or reads."""
    types = [name for name in names if name != RECORD_BATCHES]
    groups = RECORD_GROUPS if RECORD_BATCHES in names else ()
    has_types = not claims.functions.isdisjoint(("encode_primitive", "decode_primitive"))
    has_records = not claims.functions.isdisjoint(("encode_records", "decode_records"))
    return [*(types if has_types else ()), *(groups if has_records else ())]


def cases_named(session: Session, of: str, item: Any, name: str) -> list[CodecCase]:
    """Return the deterministic cases of a name on a subject of checks.

    It is one, or for a state leak one for each direction that shows it.
    """
    limit = {BODIES: Body, RECORDS: RecordsField}.get(of)
    size = None if limit is None else limit_named(limit(item), name)
    if size is not None:
        return [size]
    found: list[CodecCase] = []
    session = replace(session, real_records=True)
    for case in (each for check in CHECKS if check.of == of for each in check.cases(session, item)):
        if not isinstance(case, CodecCase) or case.is_prerequisite:
            continue
        parts = values_of(case.schema, case.parts) if case.parts else ()
        found += [each for each in (case, *parts) if each.name == name]
        if found and found[-1].row is not LEAK:
            return found[:1]
    return found


def run_message(session: Session, schema: MessageSchema, kinds: frozenset[str] | None = None) -> Iterator[Event]:
    """Run the deterministic checks of a message, and yield the events.

    Args:
        session: the session with the implementation.
        schema: the message.
        kinds: the subjects of the checks to run; None for all.
    """
    selected = kinds_of(schema) if kinds is None else kinds
    for check in CHECKS:
        if check.of in selected:
            yield from run(session, check.cases(session, schema))
