"""Checks on each wire type alone, with canonical bytes, read values and refusals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from conformance.judge.blame.target_explanation import TargetExplanation
from conformance.judge.case import RulesTried
from conformance.judge.case_forms import of_value, refused_case, wire_case
from conformance.judge.checks.tried_rules import rules_of_bytes
from conformance.judge.events import these_bytes, value_at
from conformance.judge.judgement import Due
from conformance.judge.kinds import (
    CaseKind,
    CaseRefusal,
    CaseTrial,
    CodecCase,
    due_of,
    never,
    nothing,
    refusal_blamed,
    refusal_tried,
    wrong,
)
from conformance.targets import DECODE, ENCODE, Blame, WireTypeTarget
from conformance.targets.outcome import Kind
from reference import Result, primitive

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.codec.session import Session
    from conformance.judge.case import Event
    from conformance.judge.forms import CaseForm
    from conformance.judge.kinds import JudgedAnswer
    from conformance.targets import Target

NAME = "primitive"
"""The name of every case; its value or its bytes identify it."""

RULES = {
    "unsigned-varint": "varint.shortest",
    "unsigned-varlong": "varint.shortest",
    "varint": "varint.signed",
    "varlong": "varint.signed",
    "tag-section": "tag.section",
}
"""The rules of the wire types without a type of a field."""


def _due(trial: CaseTrial, way: str) -> Due | None:
    case = trial.case
    if way == ENCODE or case.refusal is not None:
        return due_of(trial, way)
    read = case.target.primitive.decode(case.wire)
    return Due(Result.VALID, value=read.value, consumed=read.consumed)


def _opening(trial: CaseTrial) -> Iterable[Event]:
    return nothing() if trial.case.wire is None else rules_of_bytes(trial.case.target, trial.case.wire)


def _tried(answer: JudgedAnswer) -> Iterator[Event]:
    """Yield the rule of a refusal, or that of a written type without a field."""
    primitive = answer.case.target.primitive
    yield from refusal_tried(answer)
    if answer.way == ENCODE and answer.case.refusal is None and primitive.schema is None:
        yield RulesTried.of(RULES[primitive.name])


def _blame(answer: JudgedAnswer) -> Iterator[Event]:
    case, wire = answer.case, answer.due.wire or b""
    if case.refusal is not None:
        is_open = answer.way == DECODE and not case.refusal.is_due
        refusal = CaseRefusal("message.accepted" if is_open else case.refusal.rule, "", case.refusal.is_due)
        yield from refusal_blamed(answer._replace(case=replace(case, refusal=refusal)))
    elif answer.way == ENCODE:
        yield answer.violation(Blame(_rule_of(answer)), these_bytes(wire))
    else:
        yield answer.violation(Blame(_rule_of(answer)), value_at("", answer.due.value))


def _read_value(_row: CaseKind, form: CaseForm, target: Target) -> CodecCase:
    return primitive_case(target, of_value(PRIMITIVE, form, target).content)


PRIMITIVE = CaseKind(
    name="primitive",
    folder="primitives",
    is_read=lambda trial: trial.case.wire is not None,
    due=_due,
    opening=_opening,
    tried=_tried,
    blames=wrong(_blame),
    wire=lambda case: None if case.refusal is not None else case.target.write(case.content),
    read=_read_value,
)


def primitive_case(target: Any, content: Any) -> CodecCase:
    """Return the case of a value of a wire type, whose validity the reference decides."""
    return refused_case(PRIMITIVE, target, NAME, content, category="primitive values")


PRIMITIVE_BYTES = CaseKind(
    name="primitive-bytes",
    folder="primitives",
    is_written=never,
    is_isolated=True,
    due=_due,
    blames=wrong(_blame),
    read=lambda _row, form, target: primitive_bytes(target, form.case, bytes.fromhex(form.wire)),
)


def primitive_bytes(target: Any, name: str, wire: bytes) -> CodecCase:
    """Return the case of bytes of a wire type, whose validity the reference decides."""
    return wire_case(PRIMITIVE_BYTES, PRIMITIVE_BYTES, target, name, wire, category="invalid primitives")


def primitive_cases(session: Session, name: str) -> Iterator[CodecCase]:
    """Yield every value of a wire type, and invalid bytes of it."""
    target = WireTypeTarget(primitive(name))
    yield from (primitive_case(target, content) for _, content in target.contents())
    if session.offers(target, DECODE):
        yield from (primitive_bytes(target, NAME, wire) for _, wire in target.damages())


def _rule_of(answer: JudgedAnswer) -> str:
    """Return the rule broken by another value or other bytes, or by a refusal."""
    target, outcome, content = answer.case.target, answer.outcome, answer.case.content
    explanation = TargetExplanation(answer.trial.session, target)
    if target.primitive.schema is None:
        return RULES[target.message]
    if answer.way == ENCODE and outcome.wire is not None:
        return explanation.written(target.value_of(content), outcome.wire).rule
    if answer.way == DECODE and outcome.kind is Kind.VALUE:
        return explanation.misread_around(answer.due.value, outcome.value).rule
    return explanation.refused_around(content, ENCODE if answer.way == ENCODE else DECODE).rule
