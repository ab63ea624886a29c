"""Checks on random record batches, drawn and shrunk by Hypothesis."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from conformance.generate.choices import ByteChoices
from conformance.generate.drawn_records import message_set_value, records_value
from conformance.generate.record_building import batch as smallest_batch
from conformance.generate.record_building import message as smallest_message
from conformance.generate.record_building import record as smallest_record
from conformance.judge.case import Judged, Violation
from conformance.judge.checks.hostile_record_cases import records_bytes
from conformance.judge.checks.record_cases import records_case
from conformance.judge.engine import run, violations
from conformance.targets import RecordsField
from conformance.targets.listed import MESSAGE_SETS, RULES_OF_MEMBERS, SURE_RULES, damaged_records, outside
from reference import Result, Unencodable, encode_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.codec.session import Session
    from conformance.judge.case import Event
    from conformance.judge.kinds import CodecCase

GENERATED = "generated record batches"
NOT_ATTRIBUTED = frozenset(("message.accepted", "message.writable"))
"""The rules of refused random values, since a refusal does not name its cause."""


def generated_records(session: Session, group: str, draw: Callable[[Any], Any]) -> Iterator[Event]:
    """Draw a value of a group, damage its bytes, and yield the events of both."""
    target, choices = RecordsField(session.release.name), ByteChoices(draw)
    value = message_set_value(choices) if group == MESSAGE_SETS else records_value(choices, _codecs(group))
    if outside(session.claims.records, group, value):
        return
    yield Judged(GENERATED, 2)
    yield from _of_value(session, records_case(target, value, group=group, deterministic=False))
    if session.offers(target, "decode"):
        yield from _of_bytes(session, target, damaged_records(choices, value))


def _codecs(group: str) -> tuple[str, ...]:
    return ("none",) if group == "batches" else (group,)


def _of_value(session: Session, case: CodecCase) -> Iterator[Event]:
    """Run a value, and reduce each violation.

    It is shown on a smaller value, with the rule of the remaining difference from the smallest one.
    """
    for event in run(session, [case]):
        yield _smaller(session, case, event) if isinstance(event, Violation) else event


def _smaller(session: Session, case: CodecCase, violation: Violation) -> Violation:
    def again(content: dict[str, Any]) -> Violation | None:
        return _same_violation(session, case, content, violation)

    content = reduced_records(case.content, lambda tried: again(tried) is not None)
    smaller = again(content) or violation
    rule = rule_of_remainder(content)
    # Wrong bytes, and a sure kind of difference, show the rule better than the rest of the value does.
    is_shown_by_bytes = smaller.direction == "encode" and smaller.rule not in NOT_ATTRIBUTED
    is_shown_by_value = smaller.rule in SURE_RULES and rule not in IGNORED
    return replace(smaller, rule=rule) if rule and not (is_shown_by_bytes or is_shown_by_value) else smaller


def _same_violation(
    session: Session, case: CodecCase, content: dict[str, Any], violation: Violation
) -> Violation | None:
    """Return the violation of another value with the same outcome, or None.

    The result is cached, since the reductions of many values try the same steps.
    """
    try:
        wire = encode_records(content)
    except Unencodable:
        return None
    tried = replace(case, content=content, data=None if case.data is None else wire)
    same = (violation.outcome, violation.direction)
    found = session.once(("smaller records", case.group, tried.data, wire), lambda: tuple(violations(session, [tried])))
    return next((each for each in found if (each.outcome, each.direction) == same), None)


def _of_bytes(session: Session, target: RecordsField, wire: bytes) -> Iterator[Event]:
    """Run damaged bytes.

    If they are valid after all, the canonical bytes of their value are tried first; a failure of those is the cause.
    """
    verdict = target.observe(wire)
    if verdict.result is Result.VALID and verdict.value is not None and verdict.canonical is not None:
        value = {**verdict.value, "partial": b""}
        read = records_case(target, value, deterministic=False, data=verdict.canonical)
        events = list(_of_value(session, read))
        yield from events
        if any(isinstance(event, Violation) for event in events):
            return
    yield from run(session, [records_bytes(target, "generated", wire, deterministic=False)])


Value = dict[str, Any]

HELD = ("batches", "records", "messages", "headers")
IGNORED = frozenset(("batch.attributes-unused", "record.attributes-unused"))
OF_MESSAGES = {
    "timestampType": "message.timestamps",
    "timestamp": "message.timestamps",
    "compression": "message.wrapper",
    "messages": "message.wrapper",
    "offset": "message.offsets",
}
DERIVED = frozenset(("lastOffsetDelta", "maxTimestamp"))
"""Members computed from the records; their difference from the smallest batch has no significance."""


def reduced_records(content: Value, fails: Callable[[Value], bool]) -> Value:
    """Return a smaller value that fails as well.

    It is reduced step by step until no smaller one fails.
    """
    smaller = next((tried for tried in _steps(content) if fails(tried)), None)
    return content if smaller is None else reduced_records(smaller, fails)


def rule_of_remainder(content: Value) -> str:
    """Return the rule of the only difference from the smallest field.

    Empty if there are several or none. A member that readers must ignore wins over other differences: the value did not
    fail without it.
    """
    batches = content["batches"]
    if len(batches) > 1:
        return "field.batches" if len({"records" in batch for batch in batches}) == 1 else "field.mixed-magic"
    if not batches:
        return "field.empty"
    [only] = batches
    rules_of, other = (RULES_OF_MEMBERS, "record.layout") if "records" in only else (OF_MESSAGES, "message.layout")
    rules = {rules_of.get(name, other) for name in _departures(only)}
    named = sorted(rules & IGNORED) or sorted(rules)
    return named[0] if len(named) == 1 else ""


def _departures(part: Value) -> Iterator[str]:
    for name, item in part.items():
        if name in HELD:
            yield from (departure for held in item if isinstance(held, dict) for departure in _departures(held))
            yield from ("headers" for held in item if not isinstance(held, dict))
        elif item != _plain(part)[name] and name not in DERIVED:
            yield name


def _plain(part: Value) -> Value:
    """Return the smallest part of the same kind, a batch, a record or a message."""
    if "offsetDelta" in part:
        return smallest_record(part["offsetDelta"])
    if "records" in part:
        return smallest_batch()
    return {"messages": None, **smallest_message(part["offset"], magic=part["magic"])}


def _steps(value: Value) -> Iterator[Value]:
    """Yield the value without one part, or with one member as in the smallest field.

    All timestamps change together.
    """
    if "records" in value:
        yield from (tried for tried in [_without_times(value)] if tried != value)
    for name, item in value.items():
        if name in HELD:
            yield from ({**value, name: other} for other in _steps_of_list(item))
        elif name != "partial" and "batches" not in value and item != _plain(value)[name]:
            yield {**value, name: _plain(value)[name]}


def _without_times(batch: Value) -> Value:
    records = [record | {"timestampDelta": 0} for record in batch["records"]]
    times = {name: item for name, item in smallest_batch().items() if name in {"baseTimestamp", "maxTimestamp"}}
    return {**batch, **times, "records": records}


def _steps_of_list(items: list[Any]) -> Iterator[list[Any]]:
    for index, item in enumerate(items):
        yield items[:index] + items[index + 1 :]
        if isinstance(item, dict):
            yield from ([*items[:index], other, *items[index + 1 :]] for other in _steps(item))
