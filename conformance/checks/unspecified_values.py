"""Checks on values of which the protocol does not say whether they are written.

Either is right, and belongs to the implementation's profile; but a crash is a failure on any value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from conformance.checks.body_cases import ContentCase
from conformance.findings.events import SURVIVAL
from conformance.findings.violations import Blame, Violation
from conformance.generate.unusual_values import unspecified_variations
from conformance.implementation.outcome import ABSENT, FATAL, Kind
from conformance.implementation.targets import Body

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.adapter import Direction
    from conformance.implementation.driver import Implementation
    from conformance.implementation.session import Session
    from conformance.implementation.targets.base import Json
    from reference import MessageSchema


@dataclass(frozen=True)
class UnspecifiedValueCase(ContentCase):
    """A value that an implementation may write or refuse, and the rule that leaves it open.

    Not all of these values have a JSON form (a field that no version has, a text for a number): files have the name.
    """

    kind: ClassVar[str] = "unspecified-value"
    directions: ClassVar[tuple[Direction, ...]] = ("encode",)
    rule: str

    @property
    def wire(self) -> None:
        """It may have no bytes."""

    @property
    def value(self) -> None:
        """It may have no JSON form."""

    def replay_arguments(self, direction: str) -> list[str]:  # noqa: ARG002  # it is only ever written
        """By its name."""
        return ["--case", self.name]

    def requests(self, session: Session) -> Iterator[Json]:
        """Yield the request to write it, unless it is left out."""
        if _is_taken(session.implementation, self.rule):
            yield from super().requests(session)

    def run(self, session: Session) -> Iterator[Violation]:
        """Count what is done with it, if the implementation says that it takes values of that form."""
        if not _is_taken(session.implementation, self.rule):
            return
        session.tally.case("unspecified values")
        session.tally.tried.add(self.rule)
        outcome = session.encode(self.target, self.content)
        if outcome.kind in FATAL:
            yield self.violation(Blame(self.rule, self.path), outcome, SURVIVAL, "encode")
        elif outcome.kind not in ABSENT:
            session.tally.profile((self.rule,), accepts=outcome.kind is Kind.BYTES)


def _is_taken(implementation: Implementation, rule: str) -> bool:
    """Return whether values of this form may be handed over.

    Unknown tags and missing fields only to those that declare them. Values that do not have the form of the definition
    only in this process: over the bridge everything has it.
    """
    if rule == "tag.unknown-writable":
        return implementation.keeps_unknown_tags
    if rule.startswith("value.") and implementation.is_over_bridge:
        return False
    return rule != "value.complete" or implementation.takes_partial_values


def unspecified_value_cases(schema: MessageSchema) -> Iterator[UnspecifiedValueCase]:
    """Yield each such value of a message."""
    for rule, variation in unspecified_variations(schema):
        yield UnspecifiedValueCase(schema, variation.name, variation.path, variation.value, rule)


def check_unspecified_values(session: Session, schema: MessageSchema) -> Iterator[Violation]:
    """Hand every such value over."""
    if Body(schema).is_offered(session.implementation, "encode"):
        for case in session.ahead(unspecified_value_cases(schema), lambda case: case.requests(session)):
            yield from case.run(session)
