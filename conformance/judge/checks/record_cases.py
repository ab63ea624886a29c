"""Checks on values of `records` fields, written and read.

Compressed batches may be written as any valid stream. Parts that an implementation does not support, as it declares,
are not tried, but counted.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from conformance.adapter import DIRECTIONS
from conformance.generate.traits import traits_of_records
from conformance.judge.case import Event, NotAsked, RulesTried, Violation
from conformance.judge.case_forms import of_value
from conformance.judge.checks.deadly_streams import rule_of_stream
from conformance.judge.count_lines import Inconclusive
from conformance.judge.events import ACCEPTANCE, OWN_VALUE, SOME_BYTES, these_bytes, value_at
from conformance.judge.judgement import Due, Judgement, judge
from conformance.judge.kinds import CaseKind, CaseTrial, CodecCase, judged, wrong
from conformance.targets import DECODE, ENCODE, RECORD_BATCHES, Blame, RecordsField, comparable, records_difference
from conformance.targets.listed import (
    BATCHES,
    SURE_RULES,
    MisreadValue,
    as_chosen,
    blame_records_bytes,
    blame_records_value,
    expected_instead,
    miswritten_records,
    outside,
    records_edges,
    result_for,
)
from conformance.targets.outcome import FATAL, REFUSALS, Kind, Outcome
from reference import Result, encode_records, judge_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.codec.session import Session
    from conformance.judge.forms import CaseForm
    from conformance.judge.kinds import JudgedAnswer
    from conformance.targets import Target
    from conformance.targets.listed import RecordsEdge

VALUES = "values of record batches"
ZIGZAG = "varint.zigzag"
SMALLEST_RULES = frozenset(("batch.header-layout", "message.layout", "batch.attributes"))
"""The rules of the first edges, and of flags that change other parts; the place of a difference says more."""


def not_tried(direction: str, reason: str) -> NotAsked:
    """Return the event of a case that is not tried."""
    return NotAsked(direction, RECORD_BATCHES, Outcome(Kind.UNSUPPORTED, text=reason))


def _is_written(trial: CaseTrial) -> bool:
    return trial.case.data is None and not _outside(trial, ENCODE)


def _is_read(trial: CaseTrial) -> bool:
    case, claims = trial.case, trial.session.claims.records
    return not _outside(trial, DECODE) and result_for(claims, case.target.observe(case.wire)) is Result.VALID


def _outside(trial: CaseTrial, direction: str) -> str:
    case = trial.case
    return outside(trial.session.claims.records, case.group, case.content, writing=direction == ENCODE)


def _tried(answer: JudgedAnswer) -> Iterator[Event]:
    """Yield the rules tested by an edge value."""
    case, session = answer.case, answer.trial.session
    if not case.deterministic:
        return
    yield session.once(("rules", RECORD_BATCHES, case.name), lambda: RulesTried(_rules_of(case)))
    if answer.way == ENCODE and case.group == "lz4":
        yield RulesTried.of("lz4.independent-blocks")


def _rules_of(case: CodecCase) -> frozenset[str]:
    spans = case.target.spans(case.wire)
    zigzag = {ZIGZAG for span in spans if span.role == "varint"}
    return frozenset({span.rule for span in spans} | zigzag | ({case.rule} - {""}))


def _blame(answer: JudgedAnswer) -> Iterator[Event]:
    trial, case, outcome = answer.trial, answer.case, answer.outcome
    if answer.way == DECODE:
        yield from read_violations(trial.session, case, outcome, case.rule)
    elif answer.judgement.is_changed:
        yield from _judge_written(trial, outcome.wire or b"")
    else:
        yield answer.violation(Blame(case.rule or "message.writable", case.path), SOME_BYTES)


def _judge_written(trial: CaseTrial, wire: bytes) -> Iterator[Violation]:
    """Judge bytes that are not the canonical ones.

    Any valid stream is right in a compressed batch.
    """
    case, session, claims = trial.case, trial.session, trial.session.claims.records
    content = as_chosen(claims, case.content, wire)
    canonical = encode_records(content)
    if wire != canonical and not _is_sound(content, wire):
        blame = blame_records_bytes(content, canonical, wire, case.rule)
        yield case.violation(blame, Outcome(Kind.BYTES, wire=wire), these_bytes(canonical), ENCODE)
    elif result_for(claims, case.target.observe(wire)) is Result.VALID and trial.offers(DECODE):
        own = session.decode(case.target, wire)
        if _judged_read(session, case.target, content, own).is_wrong:
            yield case.violation(Blame("codec.round-trip"), own, OWN_VALUE, ENCODE)


def _judged(trial: CaseTrial) -> Iterator[Event]:
    """Judge the value as written and as read.

    A failure is inconclusive if a simpler value, on which this one builds, fails as well.
    """
    case, standing = trial.case, trial.standing
    yield from _left_out(trial)
    wire, found = trial.outcome(ENCODE).wire, judged(trial)
    own = (each for each in found if isinstance(each, Violation) and each.outcome == Kind.BYTES)
    forms = [(each.rule, wire) for each in own if each.direction == ENCODE and wire is not None]
    events = [explained(trial.session, case, each, forms) for each in found]
    needed = {way for way in DIRECTIONS if any((way, need) in standing.failed for need in case.needs)}
    failed = {event.direction for event in events if isinstance(event, Violation)}
    # Values that need an inconclusive one are inconclusive as well.
    standing.failed.update((way, case.name) for way in needed | failed)
    if case.is_prerequisite:
        yield from (event for event in events if isinstance(event, RulesTried))
        return
    yield from (Inconclusive(VALUES, RECORD_BATCHES, 1) for _ in needed & failed)
    yield from (event for event in events if not (isinstance(event, Violation) and event.direction in needed))


def _left_out(trial: CaseTrial) -> Iterator[NotAsked]:
    """Yield the reason if the value is not written, or not read."""
    for direction in DIRECTIONS:
        is_offered = trial.offers(direction) and (direction == DECODE or trial.case.data is None)
        reason = _outside(trial, direction) if is_offered else ""
        if reason:
            yield not_tried(direction, reason)


def explained(session: Session, case: CodecCase, event: Event, written: Sequence[tuple[str, bytes]] = ()) -> Any:
    """Return a violation of reading under the rule broken by the reader's own format, if it is known.

    A reader may read bytes of a wrong format as this value. Then it expects this format, and the rule on it is the
    cause. Other events are returned unchanged, and violations of random values: the edge values show the cause, and a
    stored case has no writer.
    """
    if not isinstance(event, Violation) or event.direction != DECODE or not case.deterministic:
        return event
    for rule, wire in (*written, *miswritten_records(case.content, case.input)):
        read = session.decode_many(case.target, [wire])[0]
        if _judged_read(session, case.target, case.content, read).is_right:
            return replace(event, rule=rule)
    if event.outcome not in REFUSALS:
        return event
    for rule, wire in expected_instead(case.content, case.input):
        if session.decode_many(case.target, [wire])[0].kind is Kind.VALUE:
            return replace(event, rule=rule)
    return event


def _read_form(row: CaseKind, form: CaseForm, target: Target) -> CodecCase:
    """Return the edge value of the form's name.

    Without such an edge, it is a case of the form's value, or of the value of its bytes.
    """
    edge = next((edge for edge in records_edges() if edge.name == form.case), None)
    if edge is not None:
        return case_of_edge(edge, target)
    given = None if form.value else bytes.fromhex(form.wire)
    return replace(of_value(row, form, target), path="", group=BATCHES, data=given)


RECORDS = CaseKind(
    name="records-value",
    folder="records",
    is_counted=True,
    traits=lambda case: traits_of_records(case.content),
    is_written=_is_written,
    is_read=_is_read,
    tried=_tried,
    blames=wrong(_blame),
    judge=_judged,
    read=_read_form,
)


def records_case(target: Any, content: Any, name: str = "generated", **members: Any) -> CodecCase:
    """Return the case of a value of a field; with `data`, bytes of the value that no writer need write."""
    return CodecCase(RECORDS, target, name, content=content, **{"group": BATCHES, **members})


def read_violations(session: Session, case: CodecCase, outcome: Outcome, rule: str) -> Iterator[Violation]:
    """Yield the violations in a value read from valid bytes.

    Args:
        session: the session with the implementation.
        case: a case with a `content`.
        outcome: the outcome of the reader.
        rule: the rule under test.
    """
    judgement = _judged_read(session, case.target, case.content, outcome)
    found = judgement.difference
    if outcome.kind in FATAL:
        rule = rule_of_stream(judge_records(case.input), case.input) or rule
    if judgement.is_wrong and found is None:
        yield case.violation(Blame(rule or "message.accepted", case.path), outcome, ACCEPTANCE, DECODE)
    if found is None:
        return
    expected = case.target.expected(session.claims, case.content)
    value = comparable(session.claims.records, outcome.value)
    blame = blame_records_value(MisreadValue(expected, value, found, case.content))
    if rule and rule not in SMALLEST_RULES and blame.rule not in SURE_RULES:
        blame = Blame(rule, found.path)
    actual = Outcome(Kind.VALUE, value=found.actual)
    yield case.violation(blame, actual, value_at(found.path, found.expected), DECODE)


def _judged_read(session: Session, target: Any, content: Any, outcome: Outcome) -> Judgement:
    due = Due(Result.VALID, value=target.expected(session.claims, content))
    return judge(session.claims, target, due, outcome)


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


def case_of_edge(edge: RecordsEdge, target: Any) -> CodecCase:
    """Return the case of an edge value."""
    members = {"rule": edge.rule, "group": edge.group, "data": edge.other_wire}
    return records_case(target, edge.value, edge.name, **members)


def records_value_cases(session: Session, group: str) -> Iterator[CodecCase]:
    """Yield the edge values of a group.

    Each comes after the simpler ones of other groups that it needs.
    """
    yield from _edge_cases(session.release.name, group)


@cache
def _edge_cases(release: str, group: str) -> Sequence[CodecCase]:
    needed: set[str] = set()
    edges: list[RecordsEdge] = []
    # Backwards, so that one pass also finds the needs of needed values.
    for edge in reversed(records_edges()):
        if edge.group == group or edge.name in needed:
            edges.append(edge)
            needed.update(edge.needs)
    target = RecordsField(release)
    return tuple(
        replace(
            case_of_edge(edge, target), category=VALUES, needs=tuple(edge.needs), is_prerequisite=edge.group != group
        )
        for edge in reversed(edges)
    )
