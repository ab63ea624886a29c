"""What an implementation owes after a failure: the next message is written and read as if nothing had been before."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from conformance.checks.invalid import decode_all
from conformance.findings.violations import Violation
from conformance.generate.cases import populated
from conformance.generate.invalid_bytes import broken_cases
from conformance.generate.unencodable_values import unwritable_cases
from conformance.implementation.outcome import REFUSALS, Kind, Outcome
from reference import MessageSchema, difference, encode, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.bridge.isolation import IsolatedDecoder
    from conformance.implementation.driver import Implementation

RULE = "codec.no-residue"
AFTER = "after "
"""The name of a case: this, and the rule that was broken before."""


def check_residue_of_writing(implementation: Implementation, schema: MessageSchema) -> Iterator[Violation]:
    """A sound value is written, and sound bytes are read, after one refused value of each kind as before them."""
    value = populated(schema)
    wire = encode(schema, value)
    implementation.encode(schema, value)  # takes what an earlier failure may have left behind
    writes = implementation.encode(schema, value).wire == wire
    reads = implementation.offers("decode", schema) and _reads(implementation, schema, value, wire)
    for case, refused in {rule: variation.value for rule, variation in unwritable_cases(schema)}.items():
        if writes:
            implementation.encode(schema, refused)
            outcome = implementation.encode(schema, value)
            if outcome.wire != wire:
                yield _violation(schema, AFTER + case, value, wire, outcome)
        if reads:
            implementation.encode(schema, refused)
            outcome = implementation.decode(schema, wire)
            if not _is_right(schema, value, outcome):
                yield _violation(schema, AFTER + case, None, wire, outcome)


def check_residue_of_reading(
    implementation: Implementation, decoder: IsolatedDecoder | None, schema: MessageSchema
) -> Iterator[Violation]:
    """Sound bytes are read after one broken input of each kind as before them: in the process that read those."""
    value = populated(schema)
    wire = encode(schema, value)
    if not _reads(implementation, schema, value, wire):
        return
    broken = {case.rule: case.wire for case in broken_cases(schema)}
    inputs = [(schema, each) for cut in broken.values() for each in (cut, wire)]
    outcomes = decode_all(implementation, decoder, inputs)
    for case, failed, outcome in zip(broken, outcomes[::2], outcomes[1::2], strict=True):
        if failed.kind in REFUSALS and not _is_right(schema, value, outcome):
            yield _violation(schema, AFTER + case, None, wire, outcome)


def _reads(implementation: Implementation, schema: MessageSchema, value: dict[str, Any], wire: bytes) -> bool:
    """Whether it reads these bytes when nothing failed before."""
    implementation.decode(schema, wire)
    return _is_right(schema, value, implementation.decode(schema, wire))


def _is_right(schema: MessageSchema, value: dict[str, Any], outcome: Outcome) -> bool:
    return outcome.kind is Kind.VALUE and difference(schema, value, outcome.value) is None


def _violation(
    schema: MessageSchema, case: str, value: dict[str, Any] | None, wire: bytes, outcome: Outcome
) -> Violation:
    """`value` is what was to be written; None if `wire` was to be read."""
    return Violation(
        rule=RULE,
        message=schema.message,
        version=schema.version,
        path="",
        outcome=str(outcome.kind),
        direction="decode" if value is None else "encode",
        case=case,
        expected="the same value as before" if value is None else wire.hex(),
        actual=str(outcome),
        wire=wire.hex(),
        value="" if value is None else json.dumps(to_json(schema, value)),
    )
