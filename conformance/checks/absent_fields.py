"""Checks on fields that a version lacks, for implementations that declare that they take such values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from conformance.checks.body_cases import ContentCase
from conformance.checks.unencodable_values import UnencodableCase
from conformance.engine.judgement import Conclusion, Due, judge
from conformance.findings.events import these_bytes
from conformance.findings.trials import Judged, RulesTried
from conformance.findings.violations import Blame
from conformance.generate.unusual_values import absent_cases
from conformance.implementation.asks import ENCODE
from conformance.implementation.outcome import NOT_ASKED, Kind
from reference import MessageSchema, Result, Unencodable, decode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.adapter import Direction
    from conformance.findings.trials import Event, Standing
    from conformance.implementation.asks import Answers
    from conformance.implementation.outcome import Outcome
    from conformance.implementation.session import Session


SORT = "absent fields"


@dataclass(frozen=True)
class AbsentFieldCase(ContentCase):
    """A value with a field that only other versions have, and that is dropped: the rest is written."""

    kind: ClassVar[str] = "absent-field"
    directions: ClassVar[tuple[Direction, ...]] = ("encode",)
    rule: str

    def is_held(self, session: Session) -> bool:
        """Return whether the implementation takes fields of other versions."""
        return session.implementation.takes_absent_fields and super().is_held(session)

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:  # noqa: ARG002
        """Judge whether it is written as the same value without the field is, rightly or not."""
        outcome = answers.get(ENCODE, NOT_ASKED)
        yield Judged(SORT)
        judgement = judge(session.implementation, self.target, Due(Result.VALID, self.canonical), outcome)
        if judgement.conclusion is Conclusion.NO_ANSWER:
            return
        yield RulesTried.of(self.rule)
        if judgement.is_wrong and not self._is_written_alike(session, outcome):
            yield self.violation(Blame(self.rule, self.path), outcome, these_bytes(self.canonical), ENCODE)

    def _is_written_alike(self, session: Session, outcome: Outcome) -> bool:
        without = decode(self.schema, self.canonical).value
        return outcome.kind is Kind.BYTES and outcome.wire == session.encode(self.target, without).wire


def absent_field_cases(session: Session, schema: MessageSchema) -> Iterator[AbsentFieldCase | UnencodableCase]:
    """Yield each field of other versions: dropped if it is ignorable or at its default, else a reason to refuse."""
    implementation = session.implementation
    if not (implementation.takes_absent_fields and implementation.offers("encode", schema)):
        return
    for rule, variation in absent_cases(schema):
        case = AbsentFieldCase(schema, variation.name, variation.path, variation.value, rule)
        try:
            case.canonical  # noqa: B018  # raises where there are no bytes
        except Unencodable:
            yield UnencodableCase(schema, case.name, case.path, case.content, rule, sort=SORT)
        else:
            yield case
