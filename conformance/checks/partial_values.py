"""Checks on values that leave fields out, for implementations that declare that they take such values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.checks.body_cases import ContentCase
from conformance.engine.judgement import Conclusion, Due, judge
from conformance.findings.events import these_bytes
from conformance.findings.trials import Judged, RulesTried
from conformance.findings.violations import Blame
from conformance.generate.unusual_values import partial_cases
from conformance.implementation.asks import ENCODE
from conformance.implementation.outcome import NOT_ASKED
from reference import Malformed, MessageSchema, Result, decode, difference, encode, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.adapter import Direction
    from conformance.findings.trials import Event, Standing
    from conformance.implementation.asks import Answers
    from conformance.implementation.session import Session

RULE = "default.value"
SORT = "partial values"


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

    def is_held(self, session: Session) -> bool:
        """Return whether the implementation takes values that leave fields out."""
        return session.implementation.takes_partial_values and super().is_held(session)

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:  # noqa: ARG002
        """Judge whether the field is written as its default; how that is written is a matter of other rules."""
        outcome = answers.get(ENCODE, NOT_ASKED)
        yield Judged(SORT)
        judgement = judge(session.implementation, self.target, Due(Result.VALID, self.wire), outcome)
        if judgement.conclusion is Conclusion.NO_ANSWER:
            return
        yield RulesTried.of(RULE)
        if judgement.is_wrong and not (outcome.wire is not None and self._stands_for_whole(outcome.wire, session)):
            yield self.violation(Blame(RULE, self.path), outcome, these_bytes(self.wire), ENCODE)

    def _stands_for_whole(self, wire: bytes, session: Session) -> bool:
        """Return whether bytes read as the whole value, or are what the codec writes for that, rightly or not."""
        try:
            own = session.encode(self.target, self.whole).wire
            return wire == own or difference(self.schema, self.whole, decode(self.schema, wire).value) is None
        except Malformed:
            return False


def partial_value_cases(session: Session, schema: MessageSchema) -> Iterator[PartialCase]:
    """Yield each value of a message that lacks one field which has a default."""
    implementation = session.implementation
    if implementation.takes_partial_values and implementation.offers("encode", schema):
        for variation, whole in partial_cases(schema):
            yield PartialCase(schema, variation.name, variation.path, variation.value, whole)
