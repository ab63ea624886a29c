"""What an implementation owes for fields that a version lacks; for those that say that they take such values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.invalid import check_unwritable, wrongly_encoded
from conformance.generate.absent_fields import absent_cases
from conformance.implementation.outcome import ABSENT, Kind
from reference import MessageSchema, Unencodable, decode, encode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.findings.tally import Tally
    from conformance.findings.violations import Violation
    from conformance.implementation.driver import Implementation


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
            yield wrongly_encoded(schema, rule, variation, outcome, wire)
