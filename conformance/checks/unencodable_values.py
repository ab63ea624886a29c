"""Checks on values that no writer may write: null, too long, out of range."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from conformance.checks.body_cases import ContentCase
from conformance.findings.violations import Blame, Violation
from conformance.generate.unusual_values import unencodable_variations
from conformance.implementation.outcome import ABSENT, REFUSALS
from conformance.implementation.targets import Body

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.adapter import Direction
    from conformance.implementation.session import Session
    from reference import MessageSchema


@dataclass(frozen=True)
class UnencodableCase(ContentCase):
    """A value that must be refused, and the rule that says so."""

    kind: ClassVar[str] = "unencodable-value"
    directions: ClassVar[tuple[Direction, ...]] = ("encode",)
    rule: str

    @property
    def wire(self) -> None:
        """It has no bytes."""

    def run(self, session: Session) -> Iterator[Violation]:
        """Check that the value is refused."""
        outcome = session.encode(self.target, self.content)
        session.count("encode", self.target, outcome)
        if outcome.kind not in REFUSALS and outcome.kind not in ABSENT:
            yield self.violation(Blame(self.rule, self.path), outcome, "refused", "encode")


def unencodable_cases(schema: MessageSchema) -> Iterator[UnencodableCase]:
    """Yield every value of a message that must be refused."""
    for rule, variation in unencodable_variations(schema):
        yield UnencodableCase(schema, variation.name, variation.path, variation.value, rule)


def check_unencodable_values(session: Session, schema: MessageSchema) -> Iterator[Violation]:
    """Check that every such value of a message is refused."""
    if not Body(schema).is_offered(session.implementation, "encode"):
        return
    for case in unencodable_cases(schema):
        session.tally.case("unencodable values")
        yield from case.run(session)
