"""What an implementation owes for fields that a version lacks; for those that say that they take such values."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from conformance.checks.invalid import check_unwritable
from conformance.checks.outcomes import ABSENT, Kind
from conformance.checks.violations import Violation
from conformance.generate.absent import absent_cases
from reference import MessageSchema, Unencodable, decode, encode, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.checks.implementation import Implementation
    from conformance.checks.outcomes import Outcome
    from conformance.checks.tally import Tally
    from conformance.generate.cases import Variation


def check_absent_fields(implementation: Implementation, schema: MessageSchema, tally: Tally) -> Iterator[Violation]:
    """An ignorable field is dropped, one at its default is not missed, any other is refused (README, `ignorable`)."""
    if not (implementation.takes_absent_fields and implementation.offers("encode", schema)):
        return
    for rule, variation in absent_cases(schema):
        tally.case("absent fields")
        try:
            wire = encode(schema, variation.value)
        except Unencodable:
            yield from check_unwritable(implementation, schema, rule, variation, tally)
            continue
        outcome = implementation.encode(schema, variation.value)
        tally.count("encode", schema, outcome)
        if outcome.kind in ABSENT or outcome.wire == wire:
            continue
        without = decode(schema, wire).value
        if outcome.kind is not Kind.BYTES or outcome.wire != implementation.encode(schema, without).wire:
            yield _not_dropped(schema, rule, variation, wire, outcome)


def _not_dropped(schema: MessageSchema, rule: str, variation: Variation, wire: bytes, outcome: Outcome) -> Violation:
    return Violation(
        rule=rule,
        message=schema.message,
        version=schema.version,
        path=variation.path,
        outcome=str(outcome.kind),
        direction="encode",
        case=variation.name,
        expected=wire.hex(),
        actual=str(outcome),
        wire=wire.hex(),
        value=json.dumps(to_json(schema, variation.value)),
    )
