"""What an implementation owes for values that leave fields out; for those that say that they take such values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.checks.invalid import wrongly_encoded
from conformance.generate.cases import Variation
from conformance.generate.partial_values import partial_cases
from conformance.implementation.outcome import ABSENT
from reference import Malformed, MessageSchema, decode, difference, encode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.findings.tally import Tally
    from conformance.findings.violations import Violation
    from conformance.implementation.driver import Implementation

RULE = "default.value"


def check_partial_values(implementation: Implementation, schema: MessageSchema, tally: Tally) -> Iterator[Violation]:
    """A field that is left out is written as its default; how a default is written is a matter of other rules."""
    if not (implementation.takes_partial_values and implementation.offers("encode", schema)):
        return
    for variation, whole in partial_cases(schema):
        tally.case("partial values")
        wire = encode(schema, whole)
        outcome = implementation.encode(schema, variation.value)
        tally.count("encode", schema, outcome)
        if outcome.kind in ABSENT or outcome.wire == wire:
            continue
        if outcome.wire is None or not _says(schema, whole, outcome.wire, implementation.encode(schema, whole).wire):
            stands_for = Variation(variation.path, variation.what, whole)  # a partial value has no JSON form
            yield wrongly_encoded(schema, RULE, stands_for, outcome, wire)


def _says(schema: MessageSchema, whole: dict[str, Any], wire: bytes, own: bytes | None) -> bool:
    """Whether bytes stand for the whole value: they read so, or are what the codec writes for it, rightly or not."""
    try:
        return wire == own or difference(schema, whole, decode(schema, wire).value) is None
    except Malformed:
        return False
