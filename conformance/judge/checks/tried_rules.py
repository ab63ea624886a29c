"""The rules tested by a case.

A case tests a rule if it would show a violation of the rule. A run collects them, so that its report separates kept
rules from untested ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.generate.value_paths import tagged_ancestor
from conformance.judge.case import RulesTried
from conformance.targets.outcome import ABSENT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.codec.session import Session
    from conformance.judge.kinds import CodecCase
    from conformance.targets import Target
    from conformance.targets.outcome import Outcome
    from reference import MessageSchema

EQUAL_ELEMENTS = "elements-2"
"""The variation of an array with two equal elements."""
DESCENDING = "keys-descending"
WITH_OTHER_RULES = frozenset(("null", DESCENDING, EQUAL_ELEMENTS))
"""Variations that exercise other rules than the field's remaining values."""

OF_TAGGED_FIELDS = frozenset(("tag.default-omitted", "default.restored", "default.value"))
"""Rules on tagged fields at their defaults; every edge value has all but one of its fields there."""

OF_DIRECTION = {
    "encode": RulesTried.of("value.writable", "message.writable", "codec.round-trip"),
    "decode": RulesTried.of("value.accepted", "message.accepted", "codec.round-trip"),
}
"""The rules for accepting a valid value."""

LONGEST_TRACED = 4096
"""The largest number of bytes for which the rule of each byte is looked up."""

UNKNOWN_TAG = "tag.unknown-kept"
"""The rule of the bytes of an unknown tagged field."""


def rules_of_value(session: Session, case: CodecCase, direction: str, outcome: Outcome) -> Iterator[RulesTried]:
    """Yield the rules tested by an edge value, if the implementation gave an answer.

    They depend on the changed field, and little on its value, so they are computed once for each field.
    """
    if not case.deterministic or outcome.kind in ABSENT:
        return
    way = case.origin.way
    key = ("rules", str(case.schema), case.path, way if way in WITH_OTHER_RULES else "")
    found = session.once(key, lambda: RulesTried(frozenset(_of_value(case))))
    yield found
    yield OF_DIRECTION[direction]
    if direction == "decode" and UNKNOWN_TAG in found.rules:
        yield RulesTried.of("tag.unknown-accepted")
    if direction == "decode" and case.schema.absent_fields and session.claims.takes_absent_fields:
        yield RulesTried.of("default.restored")
    if outcome.consumed is not None:
        yield RulesTried.of("codec.consumed")


def rules_of_bytes(target: Target, wire: bytes) -> Iterator[RulesTried]:
    """Yield the rules of valid bytes around a body, of a wire type, or of record batches.

    Long bytes are left out: they have no rules beyond those of short ones, and their tracing takes long.
    """
    if len(wire) <= LONGEST_TRACED:
        yield RulesTried(frozenset(span.rule for span in target.spans(wire)))


def _of_value(case: CodecCase) -> Iterator[str]:
    """Yield the rules of all bytes of a value, and of its layout.

    The layout is the presence and the order of fields.
    """
    spans = case.target.spans(case.canonical)
    yield from (span.rule for span in spans)
    yield from rules_of_layout(case.schema)
    if tagged_ancestor(case.schema, case.path) is not None:
        yield from ("tag.non-default-written", "tag.known-accepted", "tag.number")
    if any(span.role == "marker" and tagged_ancestor(case.schema, span.path) is not None for span in spans):
        yield "struct.tagged-marker"
    if case.origin.way == DESCENDING:
        yield "array.map-key-order"
    if case.origin.way == EQUAL_ELEMENTS:
        yield "array.all-elements"


def rules_of_layout(schema: MessageSchema) -> Iterator[str]:
    """Yield the rules tested by every value of a message."""
    yield from ("message.nothing-else", "version.flexible", "tag.section")
    if schema.flexible:
        yield "varint.shortest"
    if schema.fields or schema.absent_fields:
        yield "version.field-presence"
    if len(schema.fields) > 1:
        yield "struct.field-order"
    if any(field.type == "struct" for field in schema.fields):
        yield "struct.marker"
    if any(field.tag is not None for field in schema.fields):
        yield from OF_TAGGED_FIELDS
