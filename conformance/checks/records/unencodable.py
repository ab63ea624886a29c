"""Checks on values of `records` fields that no writer may write."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.checks.records.scope import outside
from conformance.checks.target_cases import TargetCase
from conformance.findings.events import REFUSAL
from conformance.findings.violations import Blame, Violation
from conformance.generate.records.edges import SMALLEST, records_edges
from conformance.generate.records.unencodable import unencodable_records
from conformance.implementation.outcome import ABSENT, REFUSALS, Kind
from conformance.implementation.targets import RECORD_BATCHES, RecordsField

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.adapter import Direction
    from conformance.implementation.session import Session

UNENCODABLE = "unencodable record batches"


@dataclass(frozen=True)
class RecordsRefusalCase(TargetCase[RecordsField]):
    """A value that must be refused, and the rule that says so."""

    kind: ClassVar[str] = "records-unencodable"
    directions: ClassVar[tuple[Direction, ...]] = ("encode",)
    content: Any
    name: str
    path: str
    rule: str

    @property
    def value(self) -> str:
        """The JSON text."""
        return json.dumps(self.target.to_json(self.content))

    def run(self, session: Session) -> Iterator[Violation]:
        """Check that the value is refused; where the smallest valid one is as well, that shows nothing."""
        outcome = session.encode(self.target, self.content)
        session.count("encode", self.target, outcome)
        if outcome.kind in ABSENT:
            return
        if outcome.kind in REFUSALS and not session.once(("written", RECORD_BATCHES), lambda: self._writes(session)):
            session.tally.rest(UNENCODABLE, RECORD_BATCHES)
            return
        session.tally.case(UNENCODABLE)
        session.tally.tried.add(self.rule)
        if outcome.kind not in REFUSALS:
            yield self.violation(Blame(self.rule, self.path), outcome, REFUSAL, "encode")

    def _writes(self, session: Session) -> bool:
        smallest = next(edge.value for edge in records_edges() if edge.name == SMALLEST)
        return session.encode(self.target, smallest).kind is Kind.BYTES


def check_unencodable_records(session: Session) -> Iterator[Violation]:
    """Check that every such value is refused."""
    target, claims = RecordsField(session.release.name), session.implementation.records
    if not target.is_offered(session.implementation, "encode"):
        return
    for one in unencodable_records():
        if one.group == "message-sets" and outside(claims, one.group, writing=True):
            continue
        if one.rule.startswith("value.") and session.implementation.is_over_bridge:
            continue  # over the bridge everything has the form of a value
        yield from RecordsRefusalCase(target, one.value, one.name, one.path, one.rule).run(session)
