"""Checks on each wire type alone: canonical bytes, the same value back, refusals."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.blame.bodies import blame_bytes
from conformance.checks.target_cases import TargetCase, WireCase
from conformance.checks.tried import try_bytes
from conformance.findings.events import REFUSAL, REJECTION, SURVIVAL, Counted, Expected, number, these_bytes, value_at
from conformance.findings.violations import Blame, Violation
from conformance.generate.primitives import broken_primitives, primitive_values
from conformance.implementation.outcome import ABSENT, FATAL, REFUSALS, Kind, Outcome
from conformance.implementation.targets import WireType
from reference import Malformed, Primitive, Unencodable
from reference.primitives import VALUE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.implementation.session import Session
    from conformance.implementation.targets.base import Json

NAME = "primitive"
"""The name of every case: its value or its bytes say which it is."""

RULES = {
    "unsigned-varint": "varint.shortest",
    "unsigned-varlong": "varint.shortest",
    "varint": "varint.signed",
    "varlong": "varint.signed",
    "tag-section": "tag.section",
}
"""What the bytes of a wire type are about that is no type of a field."""


@dataclass(frozen=True)
class PrimitiveValueCase(TargetCase[WireType]):
    """A value of a wire type, valid or not: the reference says which."""

    kind: ClassVar[str] = "primitive"
    content: Any
    name: str = NAME
    path: str = ""

    @property
    def wire(self) -> bytes | None:
        """The canonical bytes; None if the value must be refused."""
        try:
            return self.target.write(self.content)
        except Unencodable:
            return None

    @property
    def value(self) -> str:
        """The JSON text."""
        return json.dumps(self.target.to_json(self.content))

    def requests(self, session: Session) -> Iterator[Json]:
        """Yield the requests of the bridge protocol that `run` makes."""
        wire = self.wire
        if wire is not None:
            yield from session.requests(self.target, self.content, wire)
        elif self.target.is_offered(session.implementation, "encode"):
            yield self.target.write_request(self.content)

    def run(self, session: Session) -> Iterator[Violation]:
        """Check that the value is written canonically and read back, or refused."""
        try:
            wire = self.target.write(self.content)
        except Unencodable as error:
            yield from self._check_refused(session, error)
            return
        try_bytes(session, self.target, wire)
        yield from self._check_written(session, wire)
        yield from _check_read(session, self, wire, session.decode(self.target, wire))

    def _check_written(self, session: Session, wire: bytes) -> Iterator[Violation]:
        outcome = session.encode(self.target, self.content)
        if outcome.kind not in ABSENT and self.target.primitive.schema is None:
            session.tally.tried.add(RULES[self.target.primitive.name])
        if outcome.kind not in ABSENT and outcome.wire != wire:
            rule = _rule_of_written(self.target.primitive, self.content, wire, outcome)
            yield self.violation(Blame(rule), outcome, these_bytes(wire), "encode")

    def _check_refused(self, session: Session, error: Unencodable) -> Iterator[Violation]:
        outcome = session.encode(self.target, self.content)
        if outcome.kind in ABSENT:
            return
        session.tally.tried.add(error.rule)
        if outcome.kind not in REFUSALS:
            yield self.violation(Blame(error.rule), outcome, REFUSAL, "encode")


@dataclass(frozen=True)
class PrimitiveBytesCase(WireCase[WireType]):
    """Bytes of a wire type, valid or not: the reference says which."""

    kind: ClassVar[str] = "primitive-bytes"

    def run(self, session: Session) -> Iterator[Violation]:
        """Check that the bytes are read, or rejected."""
        yield from _check_bytes(session, [self])


def check_primitive(session: Session, primitive: Primitive) -> Iterator[Violation]:
    """Run every check that one wire type allows."""
    target = WireType(primitive)
    cases = (PrimitiveValueCase(target, value) for value in primitive_values(primitive))
    for case in session.ahead(cases, lambda case: case.requests(session)):
        session.tally.case("primitive values")
        yield from case.run(session)
    if target.is_offered(session.implementation, "decode"):
        invalid = [PrimitiveBytesCase(target, NAME, wire) for wire in broken_primitives(primitive)]
        session.tally.case("invalid primitives", len(invalid))
        yield from _check_bytes(session, invalid)


def _check_bytes(session: Session, cases: Sequence[PrimitiveBytesCase]) -> Iterator[Violation]:
    """Check that invalid bytes are rejected and valid ones read; unspecified ones go either way, but do no harm."""
    outcomes = session.decode_many(cases[0].target, [case.data for case in cases])
    for case, outcome in zip(cases, outcomes, strict=True):
        try:
            case.target.read(case.data)
        except Malformed as error:
            if outcome.kind not in ABSENT:
                session.tally.tried.add(error.rule)
            yield from _check_rejected(case, error, outcome)
        else:
            yield from _check_read(session, case, case.data, outcome)


def _check_rejected(case: PrimitiveBytesCase, error: Malformed, outcome: Outcome) -> Iterator[Violation]:
    if error.reason is None:
        if outcome.kind in FATAL:
            yield case.violation(Blame("message.accepted"), outcome, SURVIVAL, "decode")
    elif outcome.kind not in REFUSALS and outcome.kind not in ABSENT:
        yield case.violation(Blame(error.rule), outcome, REJECTION, "decode")


def _check_read(
    session: Session, case: PrimitiveValueCase | PrimitiveBytesCase, wire: bytes, outcome: Outcome
) -> Iterator[Violation]:
    """Check what was read of valid bytes."""
    if outcome.kind in ABSENT:
        return
    primitive = case.target.primitive
    expected = primitive.decode(wire)
    found = case.target.difference(session.implementation, expected.value, outcome.value)
    if outcome.kind is not Kind.VALUE or found is not None:
        yield case.violation(Blame(_rule_of(primitive, wire)), outcome, value_at("", expected.value), "decode")
    elif outcome.consumed is not None and outcome.consumed != expected.consumed:
        wrong = Counted("consumed", outcome.consumed)
        yield case.violation(Blame("codec.consumed"), wrong, number(Expected.CONSUMPTION, expected.consumed), "decode")


def _rule_of_written(primitive: Primitive, value: Any, wire: bytes, outcome: Outcome) -> str:
    """Return the rule that wrong bytes break, or a refusal."""
    if primitive.schema is None:
        return RULES.get(primitive.name, "message.writable")
    if outcome.wire is None:
        return _rule_of(primitive, wire)
    return blame_bytes(primitive.schema, {VALUE: value}, wire, outcome.wire).rule


def _rule_of(primitive: Primitive, wire: bytes) -> str:
    """Return what the last bytes of a wire type are about: its payload if it has one."""
    return RULES[primitive.name] if primitive.schema is None else primitive.spans(wire)[-1].rule
