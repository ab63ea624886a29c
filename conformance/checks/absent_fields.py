"""Checks on fields that a version lacks, for implementations that declare that they take such values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.checks.unencodable_values import UnencodableCase
from conformance.findings.violations import Blame, Case, Violation
from conformance.generate.absent_fields import absent_cases
from conformance.implementation.outcome import ABSENT, Kind
from conformance.implementation.targets import Body
from reference import MessageSchema, Unencodable, decode, encode, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.adapter import Direction
    from conformance.implementation.session import Session


@dataclass(frozen=True)
class AbsentFieldCase(Case):
    """A value with a field that only other versions have, and that is dropped: the rest is written."""

    kind: ClassVar[str] = "absent-field"
    directions: ClassVar[tuple[Direction, ...]] = ("encode",)
    schema: MessageSchema
    name: str
    path: str
    rule: str
    content: dict[str, Any]

    @property
    def target(self) -> Body:
        """The message's body."""
        return Body(self.schema)

    @cached_property
    def wire(self) -> bytes:
        """The canonical bytes, without the field."""
        return encode(self.schema, self.content)

    @cached_property
    def value(self) -> str:
        """The JSON text, with the field."""
        return json.dumps(to_json(self.schema, self.content))

    def run(self, session: Session) -> Iterator[Violation]:
        """Check that it is written as the same value without the field is, rightly or not."""
        outcome = session.encode(self.target, self.content)
        session.count("encode", self.target, outcome)
        if outcome.kind in ABSENT or outcome.wire == self.wire:
            return
        without = decode(self.schema, self.wire).value
        if outcome.kind is not Kind.BYTES or outcome.wire != session.encode(self.target, without).wire:
            yield self.violation(Blame(self.rule, self.path), outcome, self.wire.hex(), "encode")


def absent_field_cases(schema: MessageSchema) -> Iterator[AbsentFieldCase | UnencodableCase]:
    """Yield each field of other versions: dropped if it is ignorable or at its default, else a reason to refuse."""
    for rule, variation in absent_cases(schema):
        case = AbsentFieldCase(schema, variation.name, variation.path, rule, variation.value)
        try:
            encode(schema, case.content)
        except Unencodable:
            yield UnencodableCase(schema, case.name, case.path, rule, case.content)
        else:
            yield case


def check_absent_fields(session: Session, schema: MessageSchema) -> Iterator[Violation]:
    """Check that an ignorable field is dropped, one at its default is not missed, any other is refused."""
    implementation = session.implementation
    if not (implementation.takes_absent_fields and implementation.offers("encode", schema)):
        return
    for case in absent_field_cases(schema):
        session.tally.case("absent fields")
        yield from case.run(session)
