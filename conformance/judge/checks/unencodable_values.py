"""Checks on values that no writer may write, as null, too long, or out of range."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.codec.hidden import restored
from conformance.codec.outcome import Kind
from conformance.codec.session import ENCODE
from conformance.codec.targets import Body
from conformance.generate.unusual_values import NOT_FLEXIBLE, REFUSED, unencodable_variations
from conformance.generate.value_paths import DROPPED, fields_at, with_field
from conformance.judge.case import UNENCODABLE_VALUES, Judged, RulesTried, Skipped
from conformance.judge.checks.body_cases import ContentCase
from conformance.judge.events import REFUSAL
from conformance.judge.judgement import TO_BE_REFUSED, Conclusion, judge
from conformance.judge.standing import Blame
from reference import Malformed, decode, difference
from reference.values.defaults import minimal_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.adapter import Direction
    from conformance.codec.driver import Implementation
    from conformance.codec.outcome import Outcome
    from conformance.codec.session import Answers, Session
    from conformance.judge.case import Event
    from conformance.judge.standing import Standing
    from reference import MessageSchema


INDEX = r"\[\d+\]"


@dataclass(frozen=True)
class UnencodableCase(ContentCase):
    """A value that must be refused, with the rule for it."""

    kind: ClassVar[str] = "unencodable-value"
    directions: ClassVar[tuple[Direction, ...]] = ("encode",)
    rule: str
    category: str = ""
    """A further category in which it is counted."""

    @property
    def wire(self) -> None:
        """None, since it has no bytes."""

    def is_held(self, session: Session) -> bool:
        """Return whether the implementation can hold values refused by this rule."""
        return is_held(session.implementation, self.rule) and super().is_held(session)

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:  # noqa: ARG002
        """Judge whether the value is refused.

        A refusal is inconclusive if the same value with a valid item in this place is refused as well.
        """
        if ENCODE not in answers:
            return
        outcome = answers[ENCODE]
        if self.category:
            yield Judged(self.category)
        judgement = judge(session.implementation, self.target, TO_BE_REFUSED, outcome)
        if judgement.conclusion is Conclusion.NO_ANSWER:
            return
        if judgement.conclusion is Conclusion.KEPT and not self._is_written_otherwise(session):
            yield Skipped(UNENCODABLE_VALUES, str(self.schema))
            return
        yield Judged(UNENCODABLE_VALUES)
        yield RulesTried.of(self.rule)
        # Some adapters declare that null stands for another value, and may write it as that.
        if judgement.is_wrong and not is_represented(session.implementation, self.schema, self.content, outcome):
            yield self.violation(Blame(self.rule, self.path), outcome, REFUSAL, ENCODE)

    def _is_written_otherwise(self, session: Session) -> bool:
        """Return whether the same value is written with a valid item at the path.

        It is tried once in a run for all cases with that valid value.
        """
        # Without its index the path is that of the array, so the valid item of an element is an array.
        value = with_field(self.content, re.sub(INDEX, "", self.path), self._valid_item())
        key = "written", str(self.schema), repr(value)
        return session.once(key, lambda: session.encode(self.target, value).kind is Kind.BYTES)

    def _valid_item(self) -> Any:
        """Return a valid item at the path, or `DROPPED` if this version has no such field."""
        try:
            field = fields_at(self.schema, self.path)[-1]
        except LookupError:
            return DROPPED
        return [minimal_of(field.item)] if self.path.endswith("]") else minimal_of(field)


def is_held(implementation: Implementation, rule: str) -> bool:
    """Return whether an implementation can hold values refused by this rule."""
    if rule == NOT_FLEXIBLE:
        return implementation.keeps_unknown_tags
    return rule != REFUSED or implementation.takes_absent_fields


def is_represented(
    implementation: Implementation, schema: MessageSchema, content: dict[str, Any], outcome: Outcome
) -> bool:
    """Return whether null was written as its counterpart in this implementation.

    The bytes need only mean the counterpart: other cases check the bytes of the fields beside it.
    """
    value = restored(schema, content, implementation.adapter.representations)
    if value == content or outcome.wire is None:
        return False
    try:
        return difference(schema, value, decode(schema, outcome.wire).value) is None
    except Malformed:
        return False


def unencodable_cases(session: Session, schema: MessageSchema) -> Iterator[UnencodableCase]:
    """Yield every value of a message that must be refused."""
    if Body(schema).is_offered(session.implementation, "encode"):
        for rule, variation in unencodable_variations(schema):
            yield UnencodableCase(schema, variation.name, variation.path, variation.value, rule)
