"""Checks on fields that a version lacks, for implementations that declare that they take such values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from conformance.checks.body_cases import ContentCase
from conformance.checks.unencodable_values import UnencodableCase
from conformance.findings.events import these_bytes
from conformance.findings.violations import Blame, Violation
from conformance.generate.unusual_values import absent_cases
from conformance.implementation.outcome import ABSENT, Kind
from reference import MessageSchema, Unencodable, decode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.adapter import Direction
    from conformance.implementation.session import Session


@dataclass(frozen=True)
class AbsentFieldCase(ContentCase):
    """A value with a field that only other versions have, and that is dropped: the rest is written."""

    kind: ClassVar[str] = "absent-field"
    directions: ClassVar[tuple[Direction, ...]] = ("encode",)
    rule: str

    def run(self, session: Session) -> Iterator[Violation]:
        """Check that it is written as the same value without the field is, rightly or not."""
        outcome = session.encode(self.target, self.content)
        session.count("encode", self.target, outcome)
        if outcome.kind in ABSENT:
            return
        session.tally.tried.add(self.rule)
        if outcome.wire == self.canonical:
            return
        without = decode(self.schema, self.canonical).value
        if outcome.kind is not Kind.BYTES or outcome.wire != session.encode(self.target, without).wire:
            yield self.violation(Blame(self.rule, self.path), outcome, these_bytes(self.canonical), "encode")


def absent_field_cases(schema: MessageSchema) -> Iterator[AbsentFieldCase | UnencodableCase]:
    """Yield each field of other versions: dropped if it is ignorable or at its default, else a reason to refuse."""
    for rule, variation in absent_cases(schema):
        case = AbsentFieldCase(schema, variation.name, variation.path, variation.value, rule)
        try:
            case.canonical  # noqa: B018  # raises where there are no bytes
        except Unencodable:
            yield UnencodableCase(schema, case.name, case.path, case.content, rule)
        else:
            yield case


def check_absent_fields(session: Session, schema: MessageSchema) -> Iterator[Violation]:
    """Check that an ignorable field is dropped, one at its default is not missed, any other is refused."""
    implementation = session.implementation
    if not (implementation.takes_absent_fields and implementation.offers("encode", schema)):
        return
    for case in session.ahead(absent_field_cases(schema), lambda case: case.requests(session)):
        session.tally.case("absent fields")
        yield from case.run(session)
