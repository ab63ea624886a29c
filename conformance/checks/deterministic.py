"""Every deterministic check of one message and version, in one go: what blame and known failures rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.absent_fields import check_absent_fields
from conformance.checks.hostile import check_hostile
from conformance.checks.invalid import check_broken, check_trailing, check_unwritable
from conformance.checks.partial_values import check_partial_values
from conformance.checks.state_leak import check_residue_of_reading, check_residue_of_writing
from conformance.checks.unspecified_values import check_open_values
from conformance.checks.valid import ValueCase, check_value
from conformance.generate.cases import edge_cases
from conformance.generate.invalid_bytes import broken_cases
from conformance.generate.unencodable_values import unwritable_cases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.bridge.isolation import IsolatedDecoder
    from conformance.findings.tally import Tally
    from conformance.findings.violations import Violation
    from conformance.implementation.driver import Implementation
    from reference import MessageSchema


def check_edges(implementation: Implementation, schema: MessageSchema, tally: Tally) -> Iterator[Violation]:
    """Every edge value, written and read."""
    for variation in edge_cases(schema):
        tally.case("edge values")
        case = ValueCase(schema, variation.name, variation.path, variation.value)
        yield from check_value(implementation, case, tally)


def check_refusals(implementation: Implementation, schema: MessageSchema, tally: Tally) -> Iterator[Violation]:
    """Every value that must not be written, and some that need not be."""
    if not implementation.offers("encode", schema):
        return
    yield from check_residue_of_writing(implementation, schema)
    for rule, variation in unwritable_cases(schema):
        tally.case("unwritable values")
        yield from check_unwritable(implementation, schema, rule, variation, tally)
    yield from check_open_values(implementation, schema, tally)


def check_broken_input(
    implementation: Implementation, decoder: IsolatedDecoder | None, schema: MessageSchema, tally: Tally
) -> Iterator[Violation]:
    """Every input that must not be read, and what may follow a message."""
    if not implementation.offers("decode", schema):
        return
    cases = list(broken_cases(schema))
    tally.case("broken inputs", len(cases))
    yield from check_broken(implementation, decoder, cases, tally)
    yield from check_trailing(implementation, decoder, schema, tally)
    yield from check_residue_of_reading(implementation, decoder, schema)


def check_all(
    implementation: Implementation, decoder: IsolatedDecoder | None, schema: MessageSchema, tally: Tally
) -> Iterator[Violation]:
    """All of the above."""
    yield from check_edges(implementation, schema, tally)
    yield from check_refusals(implementation, schema, tally)
    yield from check_broken_input(implementation, decoder, schema, tally)
    yield from check_absent_fields(implementation, schema, tally)
    yield from check_partial_values(implementation, schema, tally)
    yield from check_hostile(implementation, decoder, schema, tally)
