"""Every class of case: from its form in a file, and from its name."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from conformance.checks.absent_fields import AbsentFieldCase, absent_field_cases, check_absent_fields
from conformance.checks.frames import FrameCase, HeaderCase, RefusedFrameCase
from conformance.checks.hostile_bytes import HostileBytesCase, check_hostile_bytes, hostile_bytes_cases
from conformance.checks.invalid_bytes import (
    TRAILING_NAME,
    InvalidBytesCase,
    TrailingBytesCase,
    check_invalid_bytes,
    invalid_cases,
)
from conformance.checks.partial_values import PartialCase, check_partial_values, partial_value_cases
from conformance.checks.primitives import PrimitiveBytesCase, PrimitiveValueCase
from conformance.checks.records.entries import READERS as RECORDS_READERS
from conformance.checks.state_leaks import (
    StateLeakCase,
    check_leaks_of_reading,
    check_leaks_of_writing,
    leaks_of_reading,
    leaks_of_writing,
)
from conformance.checks.stored import StoredCase
from conformance.checks.unencodable_values import UnencodableCase, check_unencodable_values, unencodable_cases
from conformance.checks.unspecified_values import (
    UnspecifiedValueCase,
    check_unspecified_values,
    unspecified_value_cases,
)
from conformance.checks.values import ValueCase, check_values, value_cases
from conformance.findings.violations import Violation
from conformance.implementation.targets import StoredForm, WholeFrame, WireType
from reference import MessageSchema, Release, decode, from_json, primitive, primitives
from reference.inputs.json_text import parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.findings.violations import Case
    from conformance.implementation.session import Session

Json = dict[str, Any]

BODY_CHECKS: tuple[Callable[[Session, MessageSchema], Iterator[Violation]], ...] = (
    check_values,
    check_leaks_of_writing,
    check_unencodable_values,
    check_unspecified_values,
    check_invalid_bytes,
    check_leaks_of_reading,
    check_absent_fields,
    check_partial_values,
    check_hostile_bytes,
)
"""The deterministic checks of a message body."""

BODY_KINDS = frozenset(
    case.kind
    for case in (
        *(ValueCase, UnencodableCase, UnspecifiedValueCase, AbsentFieldCase, PartialCase, StateLeakCase),
        *(InvalidBytesCase, TrailingBytesCase, HostileBytesCase),
    )
)
"""The kinds of cases about a message body."""


class UnknownCase(ValueError):
    """An entry whose kind, or whose case by name, does not exist."""


def cases_of(session: Session, schema: MessageSchema) -> Iterator[Case]:
    """Yield every deterministic case of a message body that has a name of its own, as the session would try it."""
    yield from value_cases(schema)
    yield from unencodable_cases(schema)
    yield from unspecified_value_cases(schema)
    yield from absent_field_cases(schema)
    yield from partial_value_cases(schema)
    yield from invalid_cases(session, schema)
    yield from hostile_bytes_cases(session, schema)


def cases_named(session: Session, schema: MessageSchema, name: str) -> list[Case]:
    """Return the deterministic cases of that name: one, or for a state leak one for each direction that shows it."""
    leaks = [
        case
        for case in chain(leaks_of_writing(session, schema), leaks_of_reading(session, schema))
        if case.name == name
    ]
    return [*leaks] or [case for case in cases_of(session, schema) if case.name == name][:1]


def check_message(session: Session, schema: MessageSchema) -> Iterator[Violation]:
    """Run every deterministic check of one message body."""
    for check in BODY_CHECKS:
        yield from check(session, schema)


def violation_from(event: Json, release: Release) -> Violation:
    """Return the violation behind `Violation.as_event`."""
    return Violation.from_event(event, case_from(event, release))


def case_from(entry: Json, release: Release) -> Case:
    """Return the case of an entry: of a found case's file, or of an event.

    Raises:
        UnknownCase: there is no such kind of case, or none of that name.
        ValueError: bytes or value are missing, or are not of their form.
        CodecError: they are no case of that kind.
        UnknownMessage: the release has no such message or version.
    """
    if entry["kind"] not in _READERS:
        raise UnknownCase(f"'kind' is {entry['kind']!r}, not one of {', '.join(_READERS)}")
    return _READERS[entry["kind"]](entry, release)


def _schema(entry: Json, release: Release) -> MessageSchema:
    return release.schema(entry["message"], entry["version"])


def _wire(entry: Json) -> bytes:
    return bytes.fromhex(entry["wire"])


def _value(entry: Json, schema: MessageSchema) -> Json:
    """Return the value; where there are only bytes, theirs."""
    if entry["value"]:
        return from_json(schema, parse_json(entry["value"], "value"))
    return decode(schema, _wire(entry)).value


def _value_case(entry: Json, release: Release) -> Case:
    schema, deterministic = _schema(entry, release), entry["deterministic"]
    return ValueCase(schema, entry["case"], entry["path"], _value(entry, schema), deterministic)


def _unencodable(entry: Json, release: Release) -> Case:
    schema = _schema(entry, release)
    return UnencodableCase(schema, entry["case"], entry["path"], _value(entry, schema), entry["rule"])


def _absent_field(entry: Json, release: Release) -> Case:
    schema = _schema(entry, release)
    return AbsentFieldCase(schema, entry["case"], entry["path"], _value(entry, schema), entry["rule"])


def _partial(entry: Json, release: Release) -> Case:
    schema = _schema(entry, release)
    return PartialCase(schema, entry["case"], entry["path"], _value(entry, schema), from_json(schema, entry["whole"]))


def _unspecified(entry: Json, release: Release) -> Case:
    schema = _schema(entry, release)
    for case in unspecified_value_cases(schema):
        if case.name == entry["case"]:
            return case
    raise UnknownCase(f"{schema} has no unspecified value {entry['case']!r}")


def _invalid(entry: Json, release: Release) -> Case:
    return InvalidBytesCase(_schema(entry, release), entry["case"], entry["path"], _wire(entry), entry["rule"])


def _trailing(entry: Json, release: Release) -> Case:
    return TrailingBytesCase(_schema(entry, release), TRAILING_NAME, "", _wire(entry))


def _hostile(entry: Json, release: Release) -> Case:
    schema, deterministic = _schema(entry, release), entry["deterministic"]
    return HostileBytesCase(schema, entry["case"], entry["path"], _wire(entry), deterministic=deterministic)


def _state_leak(entry: Json, release: Release) -> Case:
    schema, before = _schema(entry, release), entry["before"]
    refused = bytes.fromhex(before) if isinstance(before, str) else from_json(schema, before)
    return StateLeakCase(schema, entry["case"], "", _value(entry, schema), refused, bool(entry["value"]))


def _frame(entry: Json, release: Release) -> Case:
    return FrameCase(WholeFrame(_schema(entry, release), release), entry["case"], _wire(entry), entry["path"])


def _refused_frame(entry: Json, release: Release) -> Case:
    target = WholeFrame(_schema(entry, release), release)
    return RefusedFrameCase(target, entry["case"], target.from_json(parse_json(entry["value"], "value")), entry["path"])


def _header(entry: Json, release: Release) -> Case:
    return HeaderCase(WholeFrame(_schema(entry, release), release))


def _stored(entry: Json, release: Release) -> Case:
    return StoredCase(StoredForm(_schema(entry, release), release), entry["case"], _wire(entry), entry["path"])


def _wire_type(entry: Json) -> WireType:
    if entry["message"] not in primitives():
        raise UnknownCase(f"there is no wire type {entry['message']!r}")
    return WireType(primitive(entry["message"]))


def _primitive(entry: Json, release: Release) -> Case:  # noqa: ARG001  # wire types are of no release
    target = _wire_type(entry)
    if entry["value"]:
        return PrimitiveValueCase(target, target.from_json(parse_json(entry["value"], "value")))
    return PrimitiveValueCase(target, target.read(_wire(entry)))


def _primitive_bytes(entry: Json, release: Release) -> Case:  # noqa: ARG001  # wire types are of no release
    return PrimitiveBytesCase(_wire_type(entry), entry["case"], _wire(entry))


_READERS: dict[str, Callable[[Json, Release], Case]] = {
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
    PrimitiveValueCase.kind: _primitive,
    PrimitiveBytesCase.kind: _primitive_bytes,
    **RECORDS_READERS,
}

KINDS = tuple(_READERS)
"""The kinds of cases, as files name them."""
