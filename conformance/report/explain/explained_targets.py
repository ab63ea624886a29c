"""The explanation of the bytes of any target, like a body, a frame, a stored message or record batches."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from conformance.targets import Body, RecordsField, StoredForm, WholeFrame, WireTypeTarget
from reference import Malformed, Unencodable, UnknownMessage
from reference.codec import trace
from reference.definitions.model import RELEASED
from reference.explained.bodies import explain_message
from reference.explained.explanation import Explanation
from reference.explained.frames import explain_frame, explain_response
from reference.explained.placing import body_parts, conclusion_of
from reference.explained.records import explain_records
from reference.explained.shown_values import Caption, describer
from reference.paths import field_at, joined
from reference.prefixed import read_prefixed, read_record
from reference.primitives import VALUE
from reference.wire.stream import LenientReader
from reference.wire.varints import UNSIGNED_VARINT

if TYPE_CHECKING:
    from conformance.targets import Target
    from reference import FieldSchema, MessageSchema, Primitive, Span
    from reference.prefixed import Stored
    from reference.wire.stream import Reader

BODY = "body"
OPEN_PREFIX = "prefix.unknown"
"""The rule of an unknown prefix. Apache Kafka leaves it to the user of the message, so a verdict has no reader."""

APACHE_KAFKA = "Apache Kafka"


def explain_target(target: Target, wire: bytes, *, sized: bool = True) -> Explanation:
    """Return the explanation of the bytes of a target. Frames have their size unless `sized` is false.

    A stored message has an explanation for any bytes, with those before its body, in the expected version.

    Raises:
        ConformanceError: a request is of no known API.
    """
    if isinstance(target, RecordsField):
        return explain_records(wire)
    if isinstance(target, Body):
        return explain_message(target.schema, wire)
    if isinstance(target, StoredForm):
        return _explain_stored(target, wire)
    if isinstance(target, WireTypeTarget):
        return _explain_wire_type(target, wire)
    if not isinstance(target, WholeFrame):
        raise TypeError(f"nothing explains the bytes of {target}")
    if target.direction == "request":
        return explain_frame(target.release, wire, sized=sized)
    return explain_response(target.release, target.api_key, target.version, wire, sized=sized)


def _explain_stored(form: StoredForm, wire: bytes) -> Explanation:
    schema = form.schema
    found: list[Stored] = []

    def read(reader: LenientReader) -> None:
        try:
            found.append(_read(form, reader))
        except UnknownMessage:
            reader.read()  # the rest of a message in an unknown version has no meaning

    fields = partial(_field_at, schema)
    traced = trace(wire, read, form.release.limits)
    conclusion = conclusion_of(traced, _canonical(form, found), schema.dialect)
    parts = body_parts(fields, wire, traced, partial(_describe, schema))
    if OPEN_PREFIX in conclusion.rules:
        conclusion = replace(conclusion, readers={})
    return Explanation(f"{schema.message} v{schema.version} as it is stored", wire, parts, conclusion)


def _read(form: StoredForm, reader: Reader) -> Stored:
    if form.form == "record":
        return read_record(form.release, reader, form.source)
    return read_prefixed(form.release, form.message, reader)


def _canonical(form: StoredForm, found: list[Stored]) -> bytes | None:
    if not found:
        return None
    with suppress(Unencodable):
        stored = replace(form, schema=found[0].schema)
        return stored.write(stored.content_of(found[0].value))
    return None


def _field_at(schema: MessageSchema, path: str) -> FieldSchema | None:
    part, _, below = path.partition(".")
    return field_at(schema.body, below) if part == BODY else None


def _describe(schema: MessageSchema, span: Span, piece: bytes) -> Caption:
    if span.path == "prefix":
        return Caption("int16", str(int.from_bytes(piece, "big", signed=True)))
    if not span.path.startswith(BODY):
        return Caption("unsigned-varint", str(UNSIGNED_VARINT.read(LenientReader(piece))))
    return describer(partial(_field_at, schema))(span, piece)


def _explain_wire_type(target: WireTypeTarget, wire: bytes) -> Explanation:
    alone = target.primitive
    fields = partial(_field_of_type, alone)
    read = trace(wire, alone.wire_type.read)
    parts = body_parts(fields, wire, read, partial(_describe_type, alone))
    conclusion = conclusion_of(read, _canonical_of_type(alone, wire), RELEASED)
    does = target.judge(wire).apache_kafka
    if does is not None:
        conclusion = replace(conclusion, readers={APACHE_KAFKA: str(does)})
    return Explanation(alone.name, wire, parts, conclusion)


def _field_of_type(alone: Primitive, path: str) -> FieldSchema | None:
    return None if alone.schema is None else field_at(alone.schema.body, joined(VALUE, path))


def _describe_type(alone: Primitive, span: Span, piece: bytes) -> Caption:
    if alone.range is not None:
        return Caption(alone.name, str(alone.decode_leniently(piece).value))
    return describer(partial(_field_of_type, alone))(span, piece)


def _canonical_of_type(alone: Primitive, wire: bytes) -> bytes | None:
    with suppress(Malformed, Unencodable):
        return alone.encode(alone.decode_leniently(wire).value)
    return None
