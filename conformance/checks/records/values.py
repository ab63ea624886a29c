"""Checks on values of `records` fields: canonical bytes, or a sound stream of them, and the same value back."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from conformance.adapter import DIRECTIONS
from conformance.blame.records.bytes import blame_records_bytes, wrong_forms
from conformance.blame.records.values import SURE, Read, blame_records_value
from conformance.checks.records.scope import count_outside, outside, result_for
from conformance.checks.target_cases import TargetCase
from conformance.findings.events import ACCEPTANCE, OWN_VALUE, SOME_BYTES, these_bytes, value_at
from conformance.findings.violations import Blame, Violation
from conformance.generate.records.edges import records_edges
from conformance.implementation.outcome import ABSENT, FATAL, REFUSALS, Kind, Outcome
from conformance.implementation.records.shown import comparable, records_difference
from conformance.implementation.targets import RECORD_BATCHES, RecordsField
from reference import Result, encode_records, judge_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.generate.records.edges import RecordsEdge
    from conformance.implementation.records.claims import RecordsClaims
    from conformance.implementation.session import Session

VALUES = "values of record batches"
ZIGZAG = "varint.zigzag"
SMALLEST_RULES = frozenset(("batch.header-layout", "message.layout"))
"""What the first edges are about: a difference in one tells more by its place."""


class Written(NamedTuple):
    """What is wrong with what was written."""

    violation: Violation
    wire: bytes | None = None
    """The whole bytes, if they are what is wrong: a violation has their beginning alone."""


@dataclass(frozen=True)
class RecordsValueCase(TargetCase[RecordsField]):
    """A valid value of a field, and the rule that it is about."""

    kind: ClassVar[str] = "records-value"
    content: Any
    name: str = "generated"
    rule: str = ""
    path: str = ""
    group: str = "batches"
    given: bytes | None = None
    """Bytes of the value that no writer need write: it is only read."""
    deterministic: bool = True

    @cached_property
    def wire(self) -> bytes:
        """The bytes that are read."""
        return encode_records(self.content) if self.given is None else self.given

    @cached_property
    def _rules(self) -> frozenset[str]:
        """The rules of the bytes."""
        spans = self.target.spans(self.wire)
        zigzag = {ZIGZAG for span in spans if span.role == "varint"}
        return frozenset({span.rule for span in spans} | zigzag)

    @property
    def value(self) -> str | None:
        """The JSON text."""
        return json.dumps(self.target.to_json(self.content)) if self.given is None else None

    def run(self, session: Session) -> Iterator[Violation]:
        """Write and read the value, as far as the implementation goes."""
        written: list[Written] = []
        if self.given is None and self.target.is_offered(session.implementation, "encode"):
            written = list(self._written(session))
        yield from (each.violation for each in written)
        if self.target.is_offered(session.implementation, "decode"):
            yield from (self._explained(session, violation, written) for violation in self._read(session))

    def _written(self, session: Session) -> Iterator[Written]:
        reason = outside(session.implementation.records, self.group, self.content, writing=True)
        if reason:
            count_outside(session, "encode", reason)
            return
        outcome = session.encode(self.target, self.content)
        session.count("encode", self.target, outcome)
        if outcome.kind in ABSENT:
            return
        self._try_rules(session)
        if self.group == "lz4" and self.deterministic:
            session.tally.tried.add("lz4.independent-blocks")
        if outcome.wire is None:
            blame = Blame(self.rule or "message.writable", self.path)
            yield Written(self.violation(blame, outcome, SOME_BYTES, "encode"))
        elif outcome.wire != self.wire:
            yield from self._judge_written(session, outcome.wire)

    def _judge_written(self, session: Session, wire: bytes) -> Iterator[Written]:
        """Judge bytes that are not the canonical ones: of a compressed batch any stream will do that is sound."""
        content = as_chosen(session.implementation.records, self.content, wire)
        canonical = encode_records(content)
        if wire != canonical and not _is_sound(content, wire):
            blame = blame_records_bytes(content, canonical, wire, self.rule)
            outcome = Outcome(Kind.BYTES, wire=wire)
            yield Written(self.violation(blame, outcome, these_bytes(canonical), "encode"), wire)
            return
        is_asked = result_for(session.implementation.records, self.target.observe(wire)) is Result.VALID
        if not is_asked or not self.target.is_offered(session.implementation, "decode"):
            return
        own = session.decode(self.target, wire)
        written = replace(self, content=content)
        if own.kind not in ABSENT and _difference(session, written, own) is not None:
            yield Written(self.violation(Blame("codec.round-trip"), own, OWN_VALUE, "encode"))

    def _read(self, session: Session) -> Iterator[Violation]:
        claims = session.implementation.records
        reason = outside(claims, self.group, self.content)
        if reason:
            count_outside(session, "decode", reason)
            return
        if result_for(claims, self.target.observe(self.wire)) is not Result.VALID:
            return
        outcome = session.decode(self.target, self.wire)
        session.count("decode", self.target, outcome)
        if outcome.kind in ABSENT:
            return
        self._try_rules(session)
        yield from read_violations(session, self, outcome, self.rule)

    def _try_rules(self, session: Session) -> None:
        """Take note of the rules that an edge value tries."""
        if self.deterministic:
            session.tally.tried.update({self.rule} - {""}, self._rules)

    def _explained(self, session: Session, violation: Violation, written: list[Written]) -> Violation:
        """Return what a reader fails on; under another rule if it reads bytes that break this one as the value.

        Of random values it is left as it is: the edge values tell it, and a stored case has no writer.
        """
        if not self.deterministic:
            return violation
        own = ((other.violation.rule, other.wire) for other in written if other.wire is not None)
        for rule, wire in (*own, *wrong_forms(self.content, self.wire)):
            if _difference(session, self, session.decode_many(self.target, [wire])[0]) is None:
                return replace(violation, rule=rule)
        return violation


def read_violations(session: Session, case: Any, outcome: Outcome, rule: str) -> Iterator[Violation]:
    """Yield what is wrong with what was read of valid bytes; `case` has a `content`, and is about the rule."""
    if outcome.kind in REFUSALS or outcome.kind in FATAL:
        yield case.violation(Blame(rule or "message.accepted", case.path), outcome, ACCEPTANCE, "decode")
        return
    found = _difference(session, case, outcome)
    if found is None:
        return
    expected = case.target.expected(session.implementation, case.content)
    value = comparable(session.implementation.records, outcome.value)
    blame = blame_records_value(Read(expected, value, found, case.content))
    if rule and rule not in SMALLEST_RULES and blame.rule not in SURE:
        blame = Blame(rule, found.path)
    actual = Outcome(Kind.VALUE, value=found.actual)
    yield case.violation(blame, actual, value_at(found.path, found.expected), "decode")


def _difference(session: Session, case: Any, outcome: Outcome) -> Any:
    if outcome.kind is not Kind.VALUE:
        return outcome
    expected = case.target.expected(session.implementation, case.content)
    return case.target.difference(session.implementation, expected, outcome.value)


def _is_sound(content: dict[str, Any], wire: bytes) -> bool:
    """Return whether the bytes are as good as the canonical ones: compressed in another way, and nothing else.

    What the value itself leaves open, as a control record without a key, its bytes do in any stream.
    """
    if all(batch["compression"] == "none" for batch in content["batches"]):
        return False
    verdict, canonical = judge_records(wire), judge_records(encode_records(content))
    if verdict.value is None or not set(canonical.rules).issuperset(verdict.rules):
        return False
    return records_difference(content, verdict.value) is None


def case_of_edge(edge: RecordsEdge, release: str) -> RecordsValueCase:
    """Return the case of an edge value."""
    return RecordsValueCase(
        RecordsField(release), edge.value, edge.name, edge.rule, "", edge.group, given=edge.other_wire
    )


def check_records_values(session: Session, group: str) -> Iterator[Violation]:
    """Write and read the edge values of a group."""
    yield from check_edges(session, edge_cases(session.release.name, group), group)


def check_edges(
    session: Session, edges: Sequence[tuple[RecordsEdge, RecordsValueCase]], group: str
) -> Iterator[Violation]:
    """Write and read some edge values; one that departs from a value that fails tells nothing."""
    failed: set[tuple[str, str]] = set()
    for edge, case in edges:
        violations = list(case.run(session))
        resting = {direction for direction in DIRECTIONS if any((direction, need) in failed for need in edge.needs)}
        failed.update((direction, edge.name) for direction in {*resting, *(each.direction for each in violations)})
        if edge.group == group:
            session.tally.case(VALUES)
            for direction in resting:
                if any(violation.direction == direction for violation in violations):
                    session.tally.rest(VALUES, RECORD_BATCHES)
            yield from (violation for violation in violations if violation.direction not in resting)


@cache
def edge_cases(release: str, group: str) -> Sequence[tuple[RecordsEdge, RecordsValueCase]]:
    """Return the edges of a group, and those of other groups that they depart from, each with its case."""
    needed: set[str] = set()
    edges: list[RecordsEdge] = []
    for edge in reversed(records_edges()):
        if edge.group == group or edge.name in needed:
            edges.append(edge)
            needed.update(edge.needs)
    return tuple((edge, case_of_edge(edge, release)) for edge in reversed(edges))


Value = dict[str, Any]


def as_chosen(claims: RecordsClaims, content: Value, wire: bytes) -> Value:
    """Return a value with the choices of the writer that has written it as these bytes.

    A batch may be left uncompressed, and a writer that takes no leader epoch writes its own.
    """
    written = judge_records(wire).value
    if written is None or len(written["batches"]) != len(content["batches"]):
        return content
    pairs = zip(content["batches"], written["batches"], strict=True)
    return content | {"batches": [batch | _choices(claims, batch, other) for batch, other in pairs]}


def _choices(claims: RecordsClaims, batch: Value, written: Value) -> Value:
    if "records" not in batch or "records" not in written:
        return {}
    names = ["compression"] if written["compression"] == "none" else []
    if claims.leader_epoch == "own":
        names.append("partitionLeaderEpoch")
    return {name: written[name] for name in names}
