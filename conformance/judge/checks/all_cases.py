"""Every class of case, made from its form in a file or from its name.

The oracle judges a case of a file again: the claims of the file about its bytes or value are not trusted.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from conformance.codec.targets import RECORD_BATCHES, Body, RecordsField, StoredForm, WholeFrame, WireTypeTarget
from conformance.generate.edge_values import edge_cases
from conformance.generate.origin import AFTER, origin_of
from conformance.generate.real_records import real_records_cases
from conformance.judge.case import CodecCase, Violation
from conformance.judge.checks.absent_fields import AbsentFieldCase, absent_field_cases
from conformance.judge.checks.body_cases import CUT_OFF
from conformance.judge.checks.frame_cases import FrameCase, HeaderCase, RefusedFrameCase
from conformance.judge.checks.hostile_bytes import HostileBytesCase, hostile_bytes_cases
from conformance.judge.checks.invalid_bytes import (
    TRAILING_NAME,
    TRAILING_RULE,
    InvalidBytesCase,
    TrailingBytesCase,
    invalid_cases,
)
from conformance.judge.checks.partial_values import RULE as DEFAULT_VALUE
from conformance.judge.checks.partial_values import PartialCase, partial_value_cases
from conformance.judge.checks.record_cases import RecordsValueCase
from conformance.judge.checks.record_entries import READERS as RECORDS_READERS
from conformance.judge.checks.size_cases import LimitCase, limit_named
from conformance.judge.checks.state_leaks import StateLeakCase, leaks_named
from conformance.judge.checks.stored_cases import StoredCase
from conformance.judge.checks.unencodable_record_cases import RecordsRefusalCase
from conformance.judge.checks.unencodable_values import UnencodableCase, unencodable_cases
from conformance.judge.checks.unspecified_values import (
    UnspecifiedValueCase,
    every_unspecified_value,
    unspecified_value_cases,
)
from conformance.judge.checks.value_cases import ValueCase, texts_of, values_of
from conformance.judge.checks.wire_type_cases import PrimitiveBytesCase, PrimitiveValueCase
from reference import (
    MessageSchema,
    Release,
    Result,
    Unencodable,
    decode,
    encode,
    from_json,
    judge,
    primitive,
    primitives,
)
from reference.inputs.json_text import parse_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.codec.session import Session
    from conformance.judge.forms import Broken, CaseForm


def judged_case(case: CodecCase) -> CodecCase:
    """Return a case of the class that fits the oracle's verdict on its bytes or value.

    An invalid input may turn out to be valid. Then it becomes a case of valid bytes.

    Raises:
        Unencodable: the class is for valid values, and the value has no bytes.
    """
    match case:
        case InvalidBytesCase() | TrailingBytesCase():
            return case if _is_confirmed(case) else HostileBytesCase(case.schema, case.name, case.path, case.wire)
        case UnencodableCase():
            return _refused_or_value(case)
        case RecordsRefusalCase():
            return _refused_or_records(case)
        case PartialCase() | RecordsValueCase():
            case.wire  # noqa: B018  # raises if there are no such bytes
        case ValueCase() | AbsentFieldCase() | StateLeakCase():
            case.canonical  # noqa: B018  # as above
    return case


def _is_confirmed(case: InvalidBytesCase | TrailingBytesCase) -> bool:
    verdict = judge(case.schema, case.wire)
    if isinstance(case, TrailingBytesCase):
        return verdict.rules == (TRAILING_RULE,)
    return verdict.result is Result.INVALID


def _refused_or_value(case: UnencodableCase) -> CodecCase:
    try:
        encode(case.schema, case.content)
    except Unencodable:
        return case
    return ValueCase(case.schema, case.name, case.path, case.content, is_minimal=False)


def _refused_or_records(case: RecordsRefusalCase) -> CodecCase:
    try:
        case.target.write(case.content)
    except Unencodable:
        return case
    return RecordsValueCase(case.target, case.content, case.name)


Json = dict[str, Any]


class UnknownCase(ValueError):
    """An entry of an unknown kind, or with an unknown name of a case."""


def cases_of(session: Session, schema: MessageSchema) -> Iterator[CodecCase]:
    """Yield every deterministic case of a message body with a unique name.

    They are those that the session would try.
    """
    yield from values_of(schema, chain(edge_cases(schema), real_records_cases(schema)))
    for case in texts_of(schema):
        yield from (case, *values_of(schema, case.alone))
    for check in (unencodable_cases, unspecified_value_cases, absent_field_cases, partial_value_cases, invalid_cases):
        yield from (case for case in check(session, schema) if isinstance(case, CodecCase))
    yield from hostile_bytes_cases(session, schema)


def cases_named(session: Session, schema: MessageSchema, name: str) -> list[CodecCase]:
    """Return the deterministic cases of a name.

    It is one, or for a state leak one for each direction that shows it.
    """
    limit = limit_named(Body(schema), name)
    if limit is not None:
        return [limit]
    leaks = leaks_named(session, schema, name) if origin_of(name).path == AFTER else []
    return [*leaks] or [case for case in cases_of(session, schema) if case.name == name][:1]


def violation_of(event: Broken, release: Release) -> Violation:
    """Return the violation of the event of a codec.

    Raises:
        Exception: any error of `case_from`.
    """
    return Violation.of(event, case_from(event, release))


def case_from(form: CaseForm, release: Release) -> CodecCase:
    """Return the case of a form.

    Raises:
        UnknownCase: there is no such kind of case, or no case of that name.
        ValueError: bytes or value are missing or malformed.
        CodecError: they are no case of that kind.
        UnknownMessage: the release has no such message or version.
    """
    if form.kind not in _READERS:
        raise UnknownCase(f"'kind' is {form.kind!r}, not one of {', '.join(_READERS)}")
    return _READERS[form.kind](form, release)


def _schema(form: CaseForm, release: Release) -> MessageSchema:
    return release.schema(form.message, form.version)


def _wire(form: CaseForm) -> bytes:
    return bytes.fromhex(form.wire)


def _value(form: CaseForm, schema: MessageSchema) -> Json:
    """Return the value of a form, or the value of its bytes."""
    if form.value:
        return from_json(schema, parse_value(form.value, "value"))
    return decode(schema, _wire(form)).value


def _value_case(form: CaseForm, release: Release) -> CodecCase:
    schema, deterministic = _schema(form, release), form.deterministic
    return ValueCase(schema, form.case, form.path, _value(form, schema), deterministic)


def _unencodable(form: CaseForm, release: Release) -> CodecCase:
    schema = _schema(form, release)
    return UnencodableCase(schema, form.case, form.path, _value(form, schema), form.rule)


def _absent_field(form: CaseForm, release: Release) -> CodecCase:
    schema = _schema(form, release)
    return AbsentFieldCase(schema, form.case, form.path, _value(form, schema), form.rule)


def _partial(form: CaseForm, release: Release) -> CodecCase:
    schema = _schema(form, release)
    whole = from_json(schema, form.whole)
    return PartialCase(schema, form.case, form.path, _value(form, schema), DEFAULT_VALUE, whole)


def _unspecified(form: CaseForm, release: Release) -> CodecCase:
    schema = _schema(form, release)
    for case in every_unspecified_value(schema):
        if case.name == form.case:
            return case
    raise UnknownCase(f"{schema} has no unspecified value {form.case!r}")


def _invalid(form: CaseForm, release: Release) -> CodecCase:
    schema, wire = _schema(form, release), _wire(form)
    # The file may name the mistake of a reader in place of the rule broken by the bytes.
    rule = judge(schema, wire).rules[-1] if form.rule == CUT_OFF else form.rule
    return InvalidBytesCase(schema, form.case, form.path, wire, rule)


def _trailing(form: CaseForm, release: Release) -> CodecCase:
    return TrailingBytesCase(_schema(form, release), TRAILING_NAME, "", _wire(form))


def _hostile(form: CaseForm, release: Release) -> CodecCase:
    schema, deterministic = _schema(form, release), form.deterministic
    return HostileBytesCase(schema, form.case, form.path, _wire(form), deterministic=deterministic)


def _state_leak(form: CaseForm, release: Release) -> CodecCase:
    schema, before = _schema(form, release), form.before
    refused = bytes.fromhex(before) if isinstance(before, str) else from_json(schema, before)
    return StateLeakCase(schema, form.case, "", _value(form, schema), refused, bool(form.value))


def _frame(form: CaseForm, release: Release) -> CodecCase:
    return FrameCase(WholeFrame(_schema(form, release), release), form.case, _wire(form), form.path)


def _refused_frame(form: CaseForm, release: Release) -> CodecCase:
    target = WholeFrame(_schema(form, release), release)
    return RefusedFrameCase(target, form.case, target.from_json(parse_value(form.value, "value")), form.path)


def _header(form: CaseForm, release: Release) -> CodecCase:
    return HeaderCase(WholeFrame(_schema(form, release), release))


def _stored(form: CaseForm, release: Release) -> CodecCase:
    return StoredCase(StoredForm(_schema(form, release), release), form.case, _wire(form), form.path)


def _limit(form: CaseForm, release: Release) -> CodecCase:
    is_of_records = form.message == RECORD_BATCHES
    case = limit_named(RecordsField(release.name) if is_of_records else Body(_schema(form, release)), form.case)
    if case is None:
        raise UnknownCase(f"there is no limit {form.case!r}")
    return case


def _wire_type(form: CaseForm) -> WireTypeTarget:
    if form.message not in primitives():
        raise UnknownCase(f"there is no wire type {form.message!r}")
    return WireTypeTarget(primitive(form.message))


def _primitive(form: CaseForm, release: Release) -> CodecCase:  # noqa: ARG001  # wire types are of no release
    target = _wire_type(form)
    if form.value:
        return PrimitiveValueCase(target, target.from_json(parse_value(form.value, "value")))
    return PrimitiveValueCase(target, target.read(_wire(form)))


def _primitive_bytes(form: CaseForm, release: Release) -> CodecCase:  # noqa: ARG001  # wire types are of no release
    return PrimitiveBytesCase(_wire_type(form), form.case, _wire(form))


_READERS: dict[str, Callable[[CaseForm, Release], CodecCase]] = {
    ValueCase.kind: _value_case,
    UnencodableCase.kind: _unencodable,
    InvalidBytesCase.kind: _invalid,
    TrailingBytesCase.kind: _trailing,
    HostileBytesCase.kind: _hostile,
    PartialCase.kind: _partial,
    AbsentFieldCase.kind: _absent_field,
    UnspecifiedValueCase.kind: _unspecified,
    StateLeakCase.kind: _state_leak,
    FrameCase.kind: _frame,
    RefusedFrameCase.kind: _refused_frame,
    HeaderCase.kind: _header,
    StoredCase.kind: _stored,
    LimitCase.kind: _limit,
    PrimitiveValueCase.kind: _primitive,
    PrimitiveBytesCase.kind: _primitive_bytes,
    **RECORDS_READERS,
}

KINDS = tuple(_READERS)
"""The names of the kinds of cases in files."""
