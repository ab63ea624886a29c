"""Checks on values that a writer must refuse, must write as other values, or may treat as it likes.

Values without bytes are null, too long, or out of range. A field of another version is left out if it may be, and a
field that a value lacks is written with its default; only implementations with support for such values get them. Where
the protocol specifies neither bytes nor a refusal, only a crash is a failure.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from conformance.codec.session import has_form
from conformance.generate.unusual_values import (
    NOT_FLEXIBLE,
    REFUSED,
    absent_cases,
    partial_cases,
    unencodable_variations,
    unspecified_variations,
)
from conformance.generate.value_paths import DROPPED, fields_at, with_field
from conformance.judge.case import UNENCODABLE_VALUES, LeftOpen, RulesTried
from conformance.judge.case_forms import by_name, no_wire, of_refused, of_value
from conformance.judge.checks.value_cases import value_case
from conformance.judge.events import these_bytes
from conformance.judge.judgement import BROKEN, REFUSED_RIGHTLY, Conclusion
from conformance.judge.kinds import (
    CaseKind,
    CaseRefusal,
    CaseTrial,
    CodecCase,
    UnknownCase,
    refusal_blamed,
    rule_tried,
    wrong,
)
from conformance.targets import ENCODE, Blame, Body
from conformance.targets.hidden import restored
from conformance.targets.outcome import Kind, Outcome
from reference import Malformed, Unencodable, decode, difference, from_json, to_json
from reference.values.defaults import minimal_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.codec.session import Session
    from conformance.judge.case import Event
    from conformance.judge.forms import CaseForm
    from conformance.judge.kinds import JudgedAnswer
    from conformance.targets import Claims, Target
    from reference import MessageSchema

    Value = dict[str, Any]

INDEX = r"\[\d+\]"
ABSENT_FIELDS, PARTIAL_VALUES, UNSPECIFIED_VALUES = "absent fields", "partial values", "unspecified values"
DEFAULT_VALUE = "default.value"


def is_held(claims: Claims, rule: str) -> bool:
    """Return whether an implementation can hold values under this rule, as it declares."""
    if not has_form(rule) and claims.is_over_bridge:
        return False
    declared = {
        NOT_FLEXIBLE: claims.keeps_unknown_tags,
        "tag.unknown-writable": claims.keeps_unknown_tags,
        REFUSED: claims.takes_absent_fields,
        "ignorable.dropped": claims.takes_absent_fields,
        "value.complete": claims.takes_partial_values,
        DEFAULT_VALUE: claims.takes_partial_values,
    }
    return declared.get(rule, True)


def _is_written(trial: CaseTrial) -> bool:
    return is_held(trial.session.claims, trial.case.rule)


def _is_written_otherwise(trial: CaseTrial) -> bool:
    """Return whether the same value is written with a valid item at the path.

    It is tried once in a run for all cases with that valid value.
    """
    case, session = trial.case, trial.session
    # Without its index the path is that of the array, so the valid item of an element is an array.
    value = with_field(case.content, re.sub(INDEX, "", case.path), _valid_item(case))
    key = "written", str(case.schema), repr(value)
    return session.once(key, lambda: session.encode(case.target, value).kind is Kind.BYTES)


def _valid_item(case: CodecCase) -> Any:
    """Return a valid item at the path, or `DROPPED` if this version has no such field."""
    try:
        field = fields_at(case.schema, case.path)[-1]
    except LookupError:
        return DROPPED
    return [minimal_of(field.item)] if case.path.endswith("]") else minimal_of(field)


def is_represented(claims: Claims, schema: MessageSchema, content: Value, outcome: Outcome) -> bool:
    """Return whether null was written as its counterpart in this implementation, as some adapters declare.

    The bytes need only mean the counterpart: other cases check the bytes of the fields beside it.
    """
    value, wire = restored(schema, content, claims.representations), outcome.wire
    return value != content and wire is not None and _means(schema, wire, value)


def _means(schema: MessageSchema, wire: bytes, value: Value) -> bool:
    try:
        return difference(schema, value, decode(schema, wire).value) is None
    except Malformed:
        return False


def _is_represented(answer: JudgedAnswer) -> bool:
    case = answer.case
    return is_represented(answer.trial.session.claims, case.schema, case.content, answer.outcome)


def _refused_or_value(case: CodecCase) -> CodecCase:
    """Return the case of a valid value if the value has bytes after all."""
    try:
        case.target.write(case.content)
    except Unencodable:
        return case
    return value_case(case.schema, case.name, case.path, case.content, is_minimal=False)


UNENCODABLE = CaseKind(
    name="unencodable-value",
    category=UNENCODABLE_VALUES,
    directions=(ENCODE,),
    is_counted=True,
    needs_base=REFUSED_RIGHTLY,
    is_base_taken=_is_written_otherwise,
    is_written=_is_written,
    forgives=_is_represented,
    wire=no_wire,
    read=of_refused,
    confirmed=_refused_or_value,
)


def _meant(case: CodecCase) -> Value:
    """Return the other value for which a value stands: without a field of other versions, or with a default."""
    value: Value = case.target.read(case.wire) if case.meant is None else case.meant
    return value


def _written_as(trial: CaseTrial) -> bytes | None:
    return trial.session.encode(trial.case.target, _meant(trial.case)).wire


def _is_equivalent(answer: JudgedAnswer) -> bool:
    """Return whether wrong bytes are those that the implementation writes for the other value.

    Bytes that mean the whole value do as well: the edge values report their mistake.
    """
    case, wire = answer.case, answer.outcome.wire
    is_meant = wire is not None and case.meant is not None and _means(case.schema, wire, case.meant)
    return wire is not None and (is_meant or wire == _written_as(answer.trial))


def _other_bytes(answer: JudgedAnswer) -> Iterator[Event]:
    yield answer.violation(Blame(answer.case.rule, answer.case.path), these_bytes(answer.case.input))


def _tried(answer: JudgedAnswer) -> Iterator[Event]:
    yield RulesTried.of(answer.case.rule)


ABSENT_FIELD = CaseKind(
    name="absent-field",
    category=ABSENT_FIELDS,
    directions=(ENCODE,),
    is_counted=True,
    needs_base=BROKEN,
    is_base_taken=lambda trial: _written_as(trial) is not None,
    is_written=_is_written,
    tried=_tried,
    blames=wrong(_other_bytes),
    forgives=_is_equivalent,
    read=lambda row, form, target: replace(of_value(row, form, target), rule=form.rule),
)


def _read_partial(row: CaseKind, form: CaseForm, target: Target) -> CodecCase:
    case = of_value(row, form, target)
    return replace(case, rule=DEFAULT_VALUE, meant=from_json(case.schema, form.whole))


PARTIAL = replace(
    ABSENT_FIELD,
    name="partial-value",
    category=PARTIAL_VALUES,
    wire=lambda case: case.target.write(case.meant),
    extras=lambda case: {"whole": to_json(case.schema, case.meant)},
    replay=by_name,  # no other check has values without fields
    read=_read_partial,
)


def _read_unspecified(row: CaseKind, form: CaseForm, target: Target) -> CodecCase:
    """Return the case of a name, since some of these values have no JSON form."""
    for case in _unspecified(target):
        if case.name == form.case:
            return case
    raise UnknownCase(f"{target} has no {row.name.replace('-', ' ')} {form.case!r}")


def _left_open(answer: JudgedAnswer) -> Iterator[LeftOpen]:
    yield LeftOpen((answer.case.rule,), accepts=answer.outcome.kind is Kind.BYTES)


UNSPECIFIED = CaseKind(
    name="unspecified-value",
    directions=(ENCODE,),
    has_value=False,
    is_written=_is_written,
    opening=rule_tried,
    blames={Conclusion.FATAL: refusal_blamed, Conclusion.OPEN: _left_open},
    wire=no_wire,
    replay=by_name,
    read=_read_unspecified,
)


def unencodable_case(schema: MessageSchema, name: str, path: str, value: Value, rule: str) -> CodecCase:
    """Return the case of a value that must be refused by a rule."""
    return CodecCase(UNENCODABLE, Body(schema), name, path, rule, value, refusal=CaseRefusal(rule, path))


def unspecified_case(target: Target, name: str, path: str, value: Value, rule: str) -> CodecCase:
    """Return the case of a value that a rule leaves open."""
    refusal = CaseRefusal(rule, path, is_due=False)
    return CodecCase(UNSPECIFIED, target, name, path, rule, value, refusal=refusal, category=UNSPECIFIED_VALUES)


def unencodable_cases(session: Session, schema: MessageSchema) -> Iterator[CodecCase]:
    """Yield every value of a message that must be refused."""
    if session.offers(Body(schema), ENCODE):
        for rule, each in unencodable_variations(schema):
            yield unencodable_case(schema, each.name, each.path, each.value, rule)


def absent_field_cases(session: Session, schema: MessageSchema) -> Iterator[CodecCase]:
    """Yield a case for each field of other versions.

    An ignorable field, or one at its default, is dropped; any other must be refused.
    """
    target = Body(schema)
    if not (session.claims.takes_absent_fields and session.offers(target, ENCODE)):
        return
    for rule, each in absent_cases(schema):
        case = CodecCase(ABSENT_FIELD, target, each.name, each.path, rule, each.value)
        try:
            case.wire  # noqa: B018  # raises where there are no bytes
        except Unencodable:
            yield replace(unencodable_case(schema, each.name, each.path, each.value, rule), category=ABSENT_FIELDS)
        else:
            yield case


def partial_value_cases(session: Session, schema: MessageSchema) -> Iterator[CodecCase]:
    """Yield the value of a message without one field, for each field with a default."""
    if session.claims.takes_partial_values and session.offers(Body(schema), ENCODE):
        for each, whole in partial_cases(schema):
            yield CodecCase(PARTIAL, Body(schema), each.name, each.path, DEFAULT_VALUE, each.value, meant=whole)


def unspecified_value_cases(session: Session, schema: MessageSchema) -> Iterator[CodecCase]:
    """Yield each unspecified value of a message."""
    if session.offers(Body(schema), ENCODE):
        yield from _unspecified(Body(schema))


def _unspecified(target: Any) -> Iterator[CodecCase]:
    for rule, each in unspecified_variations(target.schema):
        yield unspecified_case(target, each.name, each.path, each.value, rule)
