"""Checks on values of `records` fields, written and read.

Compressed batches may be written as any valid stream. Some streams are a danger to a careless reader: their
decompressed data is too long, or claims to be.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from conformance.adapter import DIRECTIONS
from conformance.codec.outcome import ABSENT, REFUSALS, Kind, Outcome
from conformance.codec.session import DECODE, ENCODE, Ask
from conformance.codec.targets import RECORD_BATCHES, RecordsField
from conformance.codec.targets.shown_records import comparable, records_difference
from conformance.generate.origin import CasePart
from conformance.generate.records.record_tampering import record_bases, tampered_records
from conformance.generate.records.records_edges import CODECS, records_edges
from conformance.generate.traits import traits_of_records
from conformance.judge.blame.record_reading import SURE, MisreadValue, blame_records_value
from conformance.judge.blame.record_writing import blame_records_bytes, expected_instead, wrong_forms
from conformance.judge.case import Event, Judged, NotAsked, RulesTried, Skipped, Violation
from conformance.judge.checks.record_scope import not_tried, outside, result_for
from conformance.judge.checks.target_cases import TargetCase
from conformance.judge.events import ACCEPTANCE, OWN_VALUE, SOME_BYTES, these_bytes, value_at
from conformance.judge.judgement import Conclusion, Due, Judgement, judge
from conformance.judge.standing import Blame
from reference import Result, encode_records, judge_records
from reference.records.reading import default_limit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.codec.record_claims import RecordsClaims
    from conformance.codec.session import Answers, Session
    from conformance.generate.records.records_edges import RecordsEdge
    from conformance.judge.standing import Standing
    from reference import RecordsVerdict

VALUES = "values of record batches"
ZIGZAG = "varint.zigzag"
SMALLEST_RULES = frozenset(("batch.header-layout", "message.layout", "batch.attributes"))
"""The rules of the first edges, and of flags that change other parts; the place of a difference says more."""


@dataclass(frozen=True)
class RecordsValueCase(TargetCase[RecordsField]):
    """A valid value of a field, with the rule under test."""

    kind: ClassVar[str] = "records-value"
    is_counted: ClassVar[bool] = True
    is_sound: ClassVar[bool] = True
    content: Any
    name: str = "generated"
    rule: str = ""
    path: str = ""
    group: str = "batches"
    given: bytes | None = None
    """Bytes of the value that no writer need write, so that the value is only read."""
    deterministic: bool = True
    category: str = ""
    """The category in which it is counted; empty if it is part of another case, or drawn."""
    needs: tuple[str, ...] = ()
    """The names of simpler values; a failure of one makes this case inconclusive."""
    is_only_needed: bool = False
    """Whether it belongs to another check, and runs here only for the values that need it."""

    @cached_property
    def wire(self) -> bytes:
        """The bytes to read."""
        return encode_records(self.content) if self.given is None else self.given

    @cached_property
    def _rules(self) -> frozenset[str]:
        """The rules of the bytes."""
        spans = self.target.spans(self.wire)
        zigzag = {ZIGZAG for span in spans if span.role == "varint"}
        return frozenset({span.rule for span in spans} | zigzag)

    @property
    def value(self) -> str | None:
        """The JSON text of the value."""
        return json.dumps(self.target.to_json(self.content)) if self.given is None else None

    @property
    def traits(self) -> frozenset[str]:
        """The traits of the value."""
        return traits_of_records(self.content)

    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:  # noqa: ARG002
        """Return the requests to write the value and to read its bytes.

        They are limited to the claims of the implementation.
        """
        implementation, asks = session.implementation, []
        if answers:
            return ()
        if self._is_written(session) and not self._outside(session, writing=True):
            asks.append(Ask(ENCODE, self.target, self.content))
        if self.target.is_offered(implementation, DECODE) and self._is_read(session):
            asks.append(Ask(DECODE, self.target, self.wire))
        return asks

    def _is_written(self, session: Session) -> bool:
        return self.given is None and self.target.is_offered(session.implementation, ENCODE)

    def _is_read(self, session: Session) -> bool:
        claims = session.implementation.records
        is_inside = not self._outside(session, writing=False)
        return is_inside and result_for(claims, self.target.observe(self.wire)) is Result.VALID

    def _outside(self, session: Session, *, writing: bool) -> str:
        return outside(session.implementation.records, self.group, self.content, writing=writing)

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:
        """Judge the value as written and as read.

        A failure is inconclusive if a simpler value, on which this one builds, fails as well.
        """
        yield from self._left_out(session)
        written = list(self._written(session, answers[ENCODE])) if ENCODE in answers else []
        read = list(self._read(session, answers[DECODE])) if DECODE in answers else []
        own = [(each.rule, each.outcome) for each in written if isinstance(each, Violation)]
        wire = answers[ENCODE].wire if ENCODE in answers else None
        forms = [(rule, wire) for rule, outcome in own if outcome == Kind.BYTES and wire is not None]
        events = [
            *written,
            *(self.explained(session, each, forms) if isinstance(each, Violation) else each for each in read),
        ]
        inconclusive = {
            direction for direction in DIRECTIONS if any((direction, need) in standing.failed for need in self.needs)
        }
        failed = {event.direction for event in events if isinstance(event, Violation)}
        # Values that need an inconclusive one are inconclusive as well.
        standing.failed.update((direction, self.name) for direction in inconclusive | failed)
        if self.is_only_needed:
            yield from (event for event in events if isinstance(event, RulesTried))
            return
        if self.category:
            yield Judged(self.category)
        yield from (Skipped(VALUES, RECORD_BATCHES) for _ in inconclusive & failed)
        yield from (event for event in events if not (isinstance(event, Violation) and event.direction in inconclusive))

    def _left_out(self, session: Session) -> Iterator[NotAsked]:
        """Yield the reason if the value is not written, or not read."""
        for direction in DIRECTIONS:
            is_writing = direction == ENCODE
            is_offered = (
                self._is_written(session) if is_writing else self.target.is_offered(session.implementation, DECODE)
            )
            reason = self._outside(session, writing=is_writing) if is_offered else ""
            if reason:
                yield not_tried(direction, reason)

    def _written(self, session: Session, outcome: Outcome) -> Iterator[Event]:
        judgement = judge(session.implementation, self.target, Due(Result.VALID, self.wire), outcome)
        if judgement.conclusion is Conclusion.NO_ANSWER:
            return
        yield from self._tried()
        if self.group == "lz4" and self.deterministic:
            yield RulesTried.of("lz4.independent-blocks")
        if judgement.conclusion is Conclusion.WRONG and outcome.wire is not None:
            yield from self._judge_written(session, outcome.wire)
        elif judgement.is_wrong:
            yield self.violation(Blame(self.rule or "message.writable", self.path), outcome, SOME_BYTES, ENCODE)

    def _judge_written(self, session: Session, wire: bytes) -> Iterator[Violation]:
        """Judge bytes that are not the canonical ones.

        Any valid stream is right in a compressed batch.
        """
        content = as_chosen(session.implementation.records, self.content, wire)
        canonical = encode_records(content)
        if wire != canonical and not _is_sound(content, wire):
            blame = blame_records_bytes(content, canonical, wire, self.rule)
            yield self.violation(blame, Outcome(Kind.BYTES, wire=wire), these_bytes(canonical), "encode")
            return
        is_asked = result_for(session.implementation.records, self.target.observe(wire)) is Result.VALID
        if not is_asked or not self.target.is_offered(session.implementation, "decode"):
            return
        own = session.decode(self.target, wire)
        if _judged_read(session, replace(self, content=content), own).is_wrong:
            yield self.violation(Blame("codec.round-trip"), own, OWN_VALUE, "encode")

    def _read(self, session: Session, outcome: Outcome) -> Iterator[Event]:
        if outcome.kind not in ABSENT:
            yield from self._tried()
            yield from read_violations(session, self, outcome, self.rule)

    def _tried(self) -> Iterator[RulesTried]:
        """Yield the rules tested by an edge value."""
        if self.deterministic:
            yield RulesTried(frozenset({self.rule} - {""} | self._rules))

    def explained(self, session: Session, violation: Violation, written: Sequence[tuple[str, bytes]] = ()) -> Violation:
        """Return a violation under the rule broken by the reader's own format, if it is known.

        A reader may read bytes of a wrong format as this value. Then it expects this format, and the rule on it is the
        cause. Violations of random values are returned unchanged: the edge values show the cause, and a stored case has
        no writer.
        """
        if not self.deterministic:
            return violation
        for rule, wire in (*written, *wrong_forms(self.content, self.wire)):
            read = _judged_read(session, self, session.decode_many(self.target, [wire])[0])
            if read.conclusion is Conclusion.KEPT:
                return replace(violation, rule=rule)
        if violation.outcome not in REFUSALS:
            return violation
        for rule, wire in expected_instead(self.content, self.wire):
            if session.decode_many(self.target, [wire])[0].kind is Kind.VALUE:
                return replace(violation, rule=rule)
        return violation


def read_violations(session: Session, case: Any, outcome: Outcome, rule: str) -> Iterator[Violation]:
    """Yield the violations in a value read from valid bytes.

    Args:
        session: the session with the implementation.
        case: a case with a `content`.
        outcome: the outcome of the reader.
        rule: the rule under test.
    """
    judgement = _judged_read(session, case, outcome)
    found = judgement.difference
    if judgement.conclusion is Conclusion.FATAL:
        rule = rule_of_stream(judge_records(case.wire), case.wire) or rule
    if judgement.is_wrong and found is None:
        yield case.violation(Blame(rule or "message.accepted", case.path), outcome, ACCEPTANCE, DECODE)
    if found is None:
        return
    expected = case.target.expected(session.implementation, case.content)
    value = comparable(session.implementation.records, outcome.value)
    blame = blame_records_value(MisreadValue(expected, value, found, case.content))
    if rule and rule not in SMALLEST_RULES and blame.rule not in SURE:
        blame = Blame(rule, found.path)
    actual = Outcome(Kind.VALUE, value=found.actual)
    yield case.violation(blame, actual, value_at(found.path, found.expected), DECODE)


def _judged_read(session: Session, case: Any, outcome: Outcome) -> Judgement:
    expected = case.target.expected(session.implementation, case.content)
    return judge(session.implementation, case.target, Due(Result.VALID, value=expected), outcome)


def _is_sound(content: dict[str, Any], wire: bytes) -> bool:
    """Return whether the bytes differ from the canonical ones in their compression only.

    They may use the parts that the value itself leaves open, as a control record without a key does.
    """
    if all(batch["compression"] == "none" for batch in content["batches"]):
        return False
    verdict, canonical = judge_records(wire), judge_records(encode_records(content))
    if verdict.value is None or not set(canonical.rules).issuperset(verdict.rules):
        return False
    return records_difference(content, verdict.value) is None


def case_of_edge(edge: RecordsEdge, release: str) -> RecordsValueCase:
    """Return the case of an edge value."""
    target = RecordsField(release)
    return RecordsValueCase(target, edge.value, edge.name, edge.rule, "", edge.group, given=edge.other_wire)


def records_value_cases(session: Session, group: str) -> Iterator[RecordsValueCase]:
    """Yield the edge values of a group.

    Each comes after the simpler ones of other groups that it needs.
    """
    yield from _edge_cases(session.release.name, group)


@cache
def _edge_cases(release: str, group: str) -> Sequence[RecordsValueCase]:
    needed: set[str] = set()
    edges: list[RecordsEdge] = []
    # Backwards, so that one pass also finds the needs of needed values.
    for edge in reversed(records_edges()):
        if edge.group == group or edge.name in needed:
            edges.append(edge)
            needed.update(edge.needs)
    return tuple(
        replace(
            case_of_edge(edge, release), category=VALUES, needs=tuple(edge.needs), is_only_needed=edge.group != group
        )
        for edge in reversed(edges)
    )


Value = dict[str, Any]


def as_chosen(claims: RecordsClaims, content: Value, wire: bytes) -> Value:
    """Return a value with the choices of the writer of these bytes.

    A batch may be left uncompressed, and a writer without a leader epoch in its interface writes its own.
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


COUNT_BOUND, DECLARED, BOMB = "record.count-bound", "codec.declared-size", "codec.bomb"


class DeadlyStream(NamedTuple):
    """A field with a compressed stream that claims or holds too much, and its rule."""

    name: str
    base: str
    wire: bytes
    verdict: RecordsVerdict
    rule: str


def rule_of_stream(verdict: RecordsVerdict, wire: bytes) -> str:
    """Return the rule on a compressed stream that claims or holds too much.

    Empty for other streams.
    """
    if verdict.bound_reached:
        return BOMB
    return DECLARED if verdict.declared > default_limit(wire) else ""


@cache
def deadly_streams() -> tuple[DeadlyStream, ...]:
    """Return the fields of one batch with a compressed stream that claims or holds too much."""
    bases = [base for base in record_bases() if base.group in CODECS and not base.context_of]
    every = chain.from_iterable(tampered_records(base) for base in bases)
    judged = ((each, judge_records(each.wire)) for each in every if each.origin.path == CasePart.STREAM)
    return tuple(
        DeadlyStream(each.name, each.base, each.wire, verdict, rule)
        for each, verdict in judged
        if (rule := rule_of_stream(verdict, each.wire))
    )


def rule_of_memory(verdict: RecordsVerdict, wire: bytes, outcome: Outcome, rule: str) -> str:
    """Return the rule on memory allocated for a claim of the bytes.

    It is `rule` for other outcomes.
    """
    return rule_of_stream(verdict, wire) or (COUNT_BOUND if outcome.kind is Kind.EXHAUSTED_MEMORY else rule)
