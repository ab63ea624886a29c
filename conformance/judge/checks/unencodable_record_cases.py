"""Checks on unencodable values of `records` fields."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.codec.outcome import NOT_ASKED, Kind
from conformance.codec.session import ENCODE, Ask, has_form
from conformance.codec.targets import RECORD_BATCHES, RecordsField
from conformance.definitions.catalogue import UNSPECIFIED, catalogue
from conformance.generate.records.records_edges import GROUPS, SMALLEST, records_edges
from conformance.generate.records.unencodable_records import UnencodableRecords, unencodable_records
from conformance.judge.case import Judged, RulesTried, Skipped
from conformance.judge.checks.record_scope import outside
from conformance.judge.checks.target_cases import TargetCase
from conformance.judge.events import REFUSAL
from conformance.judge.judgement import TO_BE_REFUSED, Conclusion, judge
from conformance.judge.standing import Blame

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.adapter import Direction
    from conformance.codec.session import Answers, Session
    from conformance.judge.case import Event
    from conformance.judge.standing import Standing

UNENCODABLE = "unencodable record batches"


@dataclass(frozen=True)
class RecordsRefusalCase(TargetCase[RecordsField]):
    """A value that must be refused, with the rule for it."""

    kind: ClassVar[str] = "records-unencodable"
    directions: ClassVar[tuple[Direction, ...]] = ("encode",)
    is_counted: ClassVar[bool] = True
    content: Any
    name: str
    path: str
    rule: str

    @property
    def value(self) -> str:
        """The JSON text of the value."""
        return json.dumps(self.target.to_json(self.content))

    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:  # noqa: ARG002
        """Return the request to write it."""
        is_asked = not answers and self.target.is_offered(session.implementation, ENCODE)
        return (Ask(ENCODE, self.target, self.content),) if is_asked else ()

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:  # noqa: ARG002
        """Judge whether the value is refused.

        A refusal is inconclusive if the smallest valid value is refused as well.
        """
        outcome = answers.get(ENCODE, NOT_ASKED)
        judgement = judge(session.implementation, self.target, TO_BE_REFUSED, outcome)
        if judgement.conclusion is Conclusion.NO_ANSWER:
            return
        is_kept = judgement.conclusion is Conclusion.KEPT
        # A writer without any accepted value refuses nothing for the right reason.
        if is_kept and not session.once(("written", RECORD_BATCHES), lambda: self._writes(session)):
            yield Skipped(UNENCODABLE, RECORD_BATCHES)
            return
        yield Judged(UNENCODABLE)
        yield RulesTried.of(self.rule)
        if judgement.is_wrong:
            yield self.violation(Blame(self.rule, self.path), outcome, REFUSAL, ENCODE)

    def _writes(self, session: Session) -> bool:
        smallest = next(edge.value for edge in records_edges() if edge.name == SMALLEST)
        return session.encode(self.target, smallest).kind is Kind.BYTES


def refused_records() -> Iterator[UnencodableRecords]:
    """Yield the values that every writer must refuse."""
    every = unencodable_records()
    return (one for one in every if catalogue()[one.rule].level_of(ENCODE) != UNSPECIFIED)


def unencodable_records_cases(session: Session, group: str) -> Iterator[RecordsRefusalCase]:
    """Yield every unencodable value with the first group, and none with the others."""
    target, claims = RecordsField(session.release.name), session.implementation.records
    if group != GROUPS[0] or not target.is_offered(session.implementation, ENCODE):
        return
    for one in refused_records():
        if one.group == "message-sets" and outside(claims, one.group, writing=True):
            continue
        if not has_form(one.rule) and session.implementation.is_over_bridge:
            continue  # over the bridge everything has the form of a value
        yield RecordsRefusalCase(target, one.value, one.name, one.path, one.rule)
