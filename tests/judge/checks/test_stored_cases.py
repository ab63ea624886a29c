from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.adapter import Decoded, FrameContent, StoredMessage
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.python_codec import PythonCodec
from conformance.codec.session import Session
from conformance.generate.drawn_records import sample_records
from conformance.generate.drawn_values import values
from conformance.generate.hostile_bodies import many_hostile_bytes
from conformance.judge.case import Violation
from conformance.judge.checks.all_cases import KINDS, case_from, violation_of
from conformance.judge.checks.body_bytes import hostile_case
from conformance.judge.checks.check_list import BODIES, run_message
from conformance.judge.checks.frame_cases import frame_case, frame_checks
from conformance.judge.checks.hostile_record_cases import hostile_records
from conformance.judge.checks.record_cases import records_case, records_value_cases
from conformance.judge.checks.stored_cases import stored_checks
from conformance.judge.checks.unencodable_record_cases import unencodable_records_cases
from conformance.judge.checks.value_cases import generated_value
from conformance.judge.checks.wire_type_cases import primitive_cases
from conformance.judge.engine import run, violations
from conformance.judge.kinds import CaseTrial, CodecCase
from conformance.judge.standing import Standing
from conformance.targets import RecordsField, WholeFrame
from conformance.targets.outcome import Kind, Outcome
from reference import (
    TAGS,
    CodecError,
    Malformed,
    MessageSchema,
    Unencodable,
    decode,
    decode_leniently,
    decode_records,
    encode,
    encode_frame,
    encode_record,
    encode_records,
    load_release,
    minimal,
)
from tests.helpers.cases import sent
from tests.helpers.releases import BASE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.judge.case import Event

RELEASE = load_release(BASE)
REQUEST = RELEASE.schema("ApiVersionsRequest", 3)
OLD_REQUEST = RELEASE.schema("FetchRequest", 12)
RECORD = RELEASE.schema("TopicRecord", 0)


def codec(**members: Any) -> Session:
    versions = {schema.message: frozenset({schema.version}) for schema in (REQUEST, OLD_REQUEST, RECORD)}
    facts = {"supported": {"encode": versions, "decode": versions}, "rejections": (CodecError,)}
    capabilities = frozenset({"unknown-tags", "absent-fields", "partial-values"})
    adapter = LoadedAdapter(spec="", name="faulty", version="0", capabilities=capabilities, **{**facts, **members})
    return Session(PythonCodec(adapter), RELEASE)


def reversed_bytes(schema: MessageSchema, value: dict[str, Any]) -> bytes:
    return encode(schema, value)[::-1]


def write_anything(schema: MessageSchema, value: dict[str, Any]) -> bytes:
    try:
        return encode(schema, value)
    except Unencodable:
        return b"\0"


def crash_on_what_is_refused(schema: MessageSchema, value: dict[str, Any]) -> bytes:
    try:
        return encode(schema, value)
    except Unencodable as error:
        raise MemoryError from error


def refuse_partial_values(schema: MessageSchema, value: dict[str, Any]) -> bytes:
    if any(field.name not in value for field in schema.fields):
        raise Unencodable("missing-field", "", "", "")  # type: ignore[arg-type]  # only its class matters
    return encode(schema, value)


def read_few_tags(schema: MessageSchema, data: bytes) -> Decoded:
    decoded = decode(schema, data)
    if len(decoded.value.get(TAGS, ())) > 50:
        raise Malformed("tag.count-beyond-limit", None, 0, TAGS)
    return Decoded(decoded.value, decoded.consumed)


def read_anything(schema: MessageSchema, data: bytes) -> Decoded:
    try:
        return Decoded(decode_leniently(schema, data)[0], len(data))
    except Malformed:
        return Decoded(minimal(schema), len(data))


def without_first_field(schema: MessageSchema, data: bytes) -> Decoded:
    """Read the first field as its default."""
    first = schema.fields[0]
    return Decoded({**decode(schema, data).value, first.name: first.default})


def leaking() -> Callable[[MessageSchema, bytes], Decoded]:
    rejected: list[bytes] = []

    def read(schema: MessageSchema, data: bytes) -> Decoded:
        if rejected:
            rejected.clear()
            return Decoded(minimal(schema), len(data))
        try:
            return Decoded(decode(schema, data).value)
        except Malformed:
            rejected.append(data)
            raise

    return read


def leaking_writer() -> Callable[[MessageSchema, dict[str, Any]], bytes]:
    refused: list[Any] = []

    def write(schema: MessageSchema, value: dict[str, Any]) -> bytes:
        if refused:
            refused.clear()
            return b""
        try:
            return encode(schema, value)
        except Unencodable:
            refused.append(value)
            raise

    return write


def write_any_records(value: dict[str, Any]) -> bytes:
    try:
        return encode_records(value)
    except Unencodable:
        return b""


def records_without_values(data: bytes) -> dict[str, Any]:
    value = decode_records(data)
    for batch in value["batches"]:
        batch.update(records=[]) if "records" in batch else batch.update(key=None)
    return value


def any_records(_: bytes) -> dict[str, Any]:
    return {"batches": [], "partial": b""}


def frames(session: Session) -> Iterator[Event]:
    return run(session, frame_checks(session, REQUEST))


def stored(session: Session) -> Iterator[Event]:
    return run(session, stored_checks(session, RECORD))


def wire_types(session: Session) -> Iterator[Event]:
    return run(session, primitive_cases(session, "compact-string"))


def records(session: Session) -> Iterator[Event]:
    for group in ("batches", "message-sets"):
        yield from run(session, records_value_cases(session, group))
    yield from run(session, hostile_records(session, "batches"))
    yield from run(session, unencodable_records_cases(session, "batches"))


def bodies(session: Session) -> Iterator[Event]:
    for schema in (REQUEST, OLD_REQUEST):
        yield from run_message(session, schema, frozenset({BODIES}))


def of_kind(events: Iterator[Event], kind: str) -> Iterator[Violation]:
    return (event for event in events if isinstance(event, Violation) and event.case.kind == kind)


def enclosed(session: Session) -> Iterator[Event]:
    return run(session, stored_checks(session, RELEASE.schema("PartitionChangeRecord", 0)))


FAULTY: dict[str, tuple[str, Callable[[], Session], Callable[[Session], Iterator[Event]]]] = {
    "value written wrongly": ("value", lambda: codec(encode=reversed_bytes), bodies),
    "value read wrongly": ("value", lambda: codec(decode=without_first_field), bodies),
    "value counted wrongly": ("value", lambda: codec(encode=encode, size=lambda *_: 1), bodies),
    "unencodable value written": ("unencodable-value", lambda: codec(encode=write_anything), bodies),
    "absent field lost": ("unencodable-value", lambda: codec(encode=write_anything), bodies),
    "ignorable field refused": ("absent-field", lambda: codec(encode=without_absent_fields), bodies),
    "partial value refused": ("partial-value", lambda: codec(encode=refuse_partial_values), bodies),
    "unspecified value that crashes": ("unspecified-value", lambda: codec(encode=crash_on_what_is_refused), bodies),
    "invalid bytes read": ("invalid-bytes", lambda: codec(decode=read_anything), bodies),
    "trailing bytes counted": ("trailing-bytes", lambda: codec(decode=read_anything), bodies),
    "hostile bytes read": ("hostile-bytes", lambda: codec(decode=read_anything), bodies),
    "limit that is not declared": ("limit", lambda: codec(decode=read_few_tags), bodies),
    "state left by reading": ("state-leak", lambda: codec(decode=leaking()), bodies),
    "state left by writing": ("state-leak", lambda: codec(encode=leaking_writer()), bodies),
    "header of another version": ("header", lambda: codec(header_version=lambda *_: 7), frames),
    "frame written wrongly": ("frame", lambda: codec(encode_frame=lambda *_, **__: b"\0"), frames),
    "frame read from anything": ("frame", lambda: codec(decode_frame=any_frame), frames),
    "frame without bytes written": ("refused-frame", lambda: codec(encode_frame=write_any_frame), frames),
    "record written wrongly": ("stored", lambda: codec(encode_record=lambda *_: b"\0"), stored),
    "record read from anything": ("stored", lambda: codec(decode_record=any_record), stored),
    "record without bytes written": ("refused-stored", lambda: codec(encode_record=write_any_record), enclosed),
    "wire type written wrongly": ("primitive", lambda: codec(encode_primitive=lambda *_: b"\xff"), wire_types),
    "records written wrongly": ("records-value", lambda: codec(encode_records=lambda _: b"\0"), records),
    "records read wrongly": ("records-value", lambda: codec(decode_records=records_without_values), records),
    "unencodable records written": ("records-unencodable", lambda: codec(encode_records=write_any_records), records),
    "records read from anything": ("records-bytes", lambda: codec(decode_records=any_records), records),
    "wire type read from anything": ("primitive-bytes", lambda: codec(decode_primitive=lambda *_: ""), wire_types),
}


def without_absent_fields(schema: MessageSchema, value: dict[str, Any]) -> bytes:
    if set(value) - {field.name for field in schema.fields} - {"_tags"}:
        raise Unencodable("unknown-field", "", "", "")  # type: ignore[arg-type]  # only its class matters
    return encode(schema, value)


def write_any_frame(*arguments: Any, **tags: Any) -> bytes:
    try:
        return encode_frame(*arguments, **tags)
    except Unencodable:
        return b"\0"


def write_any_record(schema: MessageSchema, value: dict[str, Any]) -> bytes:
    try:
        return encode_record(schema, value)
    except Unencodable:
        return b"\0"


def any_frame(*_: Any) -> FrameContent:
    return FrameContent(7, "kafka", minimal(REQUEST), ())


def any_record(*_: Any) -> StoredMessage:
    return StoredMessage(RECORD.message, RECORD.version, minimal(RECORD))


@pytest.mark.parametrize(("kind", "faulty", "check"), FAULTY.values(), ids=FAULTY)
def test_a_stored_case_still_fails(
    kind: str, faulty: Callable[[], Session], check: Callable[[Session], Iterator[Event]]
) -> None:
    found = list(of_kind(check(faulty()), kind))
    assert found
    for violation in found:
        session, case = faulty(), case_from(sent(violation.event()), RELEASE)
        again = violations(session, case.again(session))
        assert violation.key in {each.key for each in again}, violation


@pytest.mark.parametrize(("kind", "faulty", "check"), FAULTY.values(), ids=FAULTY)
def test_a_violation_is_read_from_its_event(
    kind: str, faulty: Callable[[], Session], check: Callable[[Session], Iterator[Event]]
) -> None:
    violation = next(of_kind(check(faulty()), kind))
    event = sent(violation.event())
    assert violation_of(event, RELEASE).event() == event == violation.event()


def drawn_value(value: dict[str, Any]) -> CodecCase:
    return generated_value(REQUEST, value)


def drawn_bytes(wires: list[bytes]) -> CodecCase:
    return hostile_case(REQUEST, "generated", wires[0], deterministic=False)


def drawn_records(seed: str) -> CodecCase:
    return records_case(RecordsField(), sample_records(seed), deterministic=False)


DRAWN: dict[str, tuple[Callable[[], Session], st.SearchStrategy[CodecCase]]] = {
    "value written wrongly": (lambda: codec(encode=reversed_bytes), values(REQUEST).map(drawn_value)),
    "hostile bytes read": (lambda: codec(decode=read_anything), many_hostile_bytes(REQUEST, 1).map(drawn_bytes)),
    "records written wrongly": (lambda: codec(encode_records=lambda _: b"\0"), st.text().map(drawn_records)),
    "records read wrongly": (lambda: codec(decode_records=records_without_values), st.text().map(drawn_records)),
}


@pytest.mark.parametrize(("faulty", "cases"), DRAWN.values(), ids=DRAWN)
@given(data=st.data())
def test_a_drawn_case_still_fails_when_it_is_read(
    faulty: Callable[[], Session], cases: st.SearchStrategy[CodecCase], data: st.DataObject
) -> None:
    session = faulty()
    for violation in violations(session, data.draw(cases).again(session)):
        event = sent(violation.event())
        assert event == violation.event()
        again, once_more = case_from(event, RELEASE), faulty()
        assert not again.deterministic
        assert violation.key in {found.key for found in violations(once_more, again.again(once_more))}, violation


def test_every_kind_of_case_is_tried() -> None:
    assert {kind for kind, _, _ in FAULTY.values()} == set(KINDS)


@pytest.mark.parametrize(("kind", "rules"), [(Kind.CRASHED, ["codec.survival"]), (Kind.REJECTED, []), (Kind.VALUE, [])])
def test_a_frame_of_another_message_may_be_read_or_refused_and_crashes_no_reader(kind: Kind, rules: list[str]) -> None:
    other = encode_frame(RELEASE, "request", 18, 0, 1, "a", {})
    case = frame_case(WholeFrame(REQUEST, RELEASE), "of version 0", other)
    events = CaseTrial(codec(), case, Standing(), {"decode": Outcome(kind)}).judged()
    assert [each.rule for each in events if isinstance(each, Violation)] == rules
