"""Checks on values for which the protocol specifies neither bytes nor a refusal.

Either is right, and belongs to the implementation's profile; but a crash is a failure on any value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from conformance.codec.outcome import Kind
from conformance.codec.session import ENCODE, has_form
from conformance.codec.targets import Body
from conformance.generate.unusual_values import unspecified_variations
from conformance.judge.case import Judged, LeftOpen, RulesTried
from conformance.judge.checks.body_cases import ContentCase
from conformance.judge.events import SURVIVAL
from conformance.judge.judgement import LEFT_OPEN as OPEN
from conformance.judge.judgement import Conclusion, judge
from conformance.judge.standing import Blame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.adapter import Direction
    from conformance.codec.driver import Implementation
    from conformance.codec.session import Answers, Session
    from conformance.judge.case import Event
    from conformance.judge.standing import Standing
    from reference import MessageSchema


CATEGORY = "unspecified values"


@dataclass(frozen=True)
class UnspecifiedValueCase(ContentCase):
    """A value that an implementation may write or refuse, with the rule that leaves it open.

    Some of these values have no JSON form, as a field of no version or a text for a number. Files have the name
    instead.
    """

    kind: ClassVar[str] = "unspecified-value"
    directions: ClassVar[tuple[Direction, ...]] = ("encode",)
    is_counted: ClassVar[bool] = False
    rule: str

    @property
    def wire(self) -> None:
        """None, since it may have no bytes."""

    @property
    def value(self) -> None:
        """None, since it may have no JSON form."""

    def replay_arguments(self, direction: str) -> list[str]:  # noqa: ARG002  # it is only ever written
        """Return its name."""
        return ["--case", self.name]

    def is_held(self, session: Session) -> bool:
        """Return whether the implementation declares support for values of this form."""
        return _is_taken(session.implementation, self.rule) and super().is_held(session)

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:  # noqa: ARG002
        """Yield whether it was written or refused."""
        if ENCODE not in answers:
            return
        outcome = answers[ENCODE]
        yield Judged(CATEGORY)
        yield RulesTried.of(self.rule)
        judgement = judge(session.implementation, self.target, OPEN, outcome)
        if judgement.is_wrong:
            yield self.violation(Blame(self.rule, self.path), outcome, SURVIVAL, ENCODE)
        elif judgement.conclusion is Conclusion.OPEN:
            yield LeftOpen((self.rule,), accepts=outcome.kind is Kind.BYTES)


def _is_taken(implementation: Implementation, rule: str) -> bool:
    """Return whether values of this form may be passed to an implementation.

    Unknown tags and missing fields need a declaration. Values of another form than the definition's need an adapter in
    Python, since the bridge cannot express them.
    """
    if rule == "tag.unknown-writable":
        return implementation.keeps_unknown_tags
    if not has_form(rule) and implementation.is_over_bridge:
        return False
    return rule != "value.complete" or implementation.takes_partial_values


def unspecified_value_cases(session: Session, schema: MessageSchema) -> Iterator[UnspecifiedValueCase]:
    """Yield each unspecified value of a message."""
    if Body(schema).is_offered(session.implementation, "encode"):
        yield from every_unspecified_value(schema)


def every_unspecified_value(schema: MessageSchema) -> Iterator[UnspecifiedValueCase]:
    """Yield each unspecified value of a message, even for an implementation without a writer."""
    for rule, variation in unspecified_variations(schema):
        yield UnspecifiedValueCase(schema, variation.name, variation.path, variation.value, rule)
