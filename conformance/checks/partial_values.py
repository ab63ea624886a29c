"""Checks on values that leave fields out, for implementations that declare that they take such values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.checks.body_cases import ContentCase
from conformance.findings.events import these_bytes
from conformance.findings.violations import Blame, Violation
from conformance.generate.unusual_values import partial_cases
from conformance.implementation.outcome import ABSENT
from reference import Malformed, MessageSchema, decode, difference, encode, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.adapter import Direction
    from conformance.implementation.session import Session

RULE = "default.value"


@dataclass(frozen=True)
class PartialCase(ContentCase):
    """A value without one of its fields, and the whole value that it stands for: with that field at its default."""

    kind: ClassVar[str] = "partial-value"
    directions: ClassVar[tuple[Direction, ...]] = ("encode",)
    whole: dict[str, Any]

    @cached_property
    def wire(self) -> bytes:
        """The canonical bytes of the whole value."""
        return encode(self.schema, self.whole)

    def extras(self) -> dict[str, Any]:
        """The whole value as well."""
        return {"whole": to_json(self.schema, self.whole)}

    def replay_arguments(self, direction: str) -> list[str]:  # noqa: ARG002  # it is only ever written
        """By its name: a value that lacks fields is none for other checks."""
        return ["--case", self.name]

    def run(self, session: Session) -> Iterator[Violation]:
        """Check that the field is written as its default; how a default is written is a matter of other rules."""
        outcome = session.encode(self.target, self.content)
        session.count("encode", self.target, outcome)
        if outcome.kind in ABSENT:
            return
        session.tally.tried.add(RULE)
        if outcome.wire == self.wire:
            return
        if outcome.wire is None or not self._stands_for_whole(outcome.wire, session):
            yield self.violation(Blame(RULE, self.path), outcome, these_bytes(self.wire), "encode")

    def _stands_for_whole(self, wire: bytes, session: Session) -> bool:
        """Return whether bytes read as the whole value, or are what the codec writes for that, rightly or not."""
        try:
            own = session.encode(self.target, self.whole).wire
            return wire == own or difference(self.schema, self.whole, decode(self.schema, wire).value) is None
        except Malformed:
            return False


def partial_value_cases(schema: MessageSchema) -> Iterator[PartialCase]:
    """Yield each value of a message that lacks one field which has a default."""
    for variation, whole in partial_cases(schema):
        yield PartialCase(schema, variation.name, variation.path, variation.value, whole)


def check_partial_values(session: Session, schema: MessageSchema) -> Iterator[Violation]:
    """Check that a field that is left out is written as its default."""
    implementation = session.implementation
    if not (implementation.takes_partial_values and implementation.offers("encode", schema)):
        return
    for case in session.ahead(partial_value_cases(schema), lambda case: case.requests(session)):
        session.tally.case("partial values")
        yield from case.run(session)
