"""The bytes of examples, as the reference reads them: what each byte is, and the result in one to three lines.

An example's target says what stands on the wire: a body, a frame, a prefixed message, a record, or a primitive alone.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from conformance.catalogue.annotated_bytes import Row, rows_of
from reference import (
    CodecError,
    FrameDirection,
    Malformed,
    MessageSchema,
    Result,
    decode_frame,
    decode_prefixed,
    decode_record,
    decode_record_leniently,
    header_schema,
    judge,
    primitive,
    to_json,
)
from reference.protocols import message_type
from reference.wire.numbers import INT16, INT32
from reference.wire.stream import LenientReader
from reference.wire.varints import UNSIGNED_VARINT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.catalogue.examples import Example
    from reference.wire.base import WireType

MAXIMUM_TEXT = 160
RESULTS = {Result.VALID: "valid", Result.UNSPECIFIED: "unspecified"}


def rows(example: Example, wire: bytes) -> tuple[Row, ...]:
    """Return what each byte of `wire` is."""
    reader = LenientReader(wire, trace=True)
    for name, wire_type in _parts(example):
        wire_type.read(reader, ("", name) if name else "")
    return rows_of(wire, reader.spans or ())


def reading(example: Example, wire: bytes) -> tuple[str, ...]:
    """Return the verdict on `wire`, or the value that is read, as lines."""
    return READINGS[example.target](example, wire)


def title_of(schema: MessageSchema) -> str:
    """Return a title such as `MetadataRequest v9`."""
    return f"{schema.message} v{schema.version}"


def value_text(schema: MessageSchema, value: Any) -> str:
    """Return the JSON form of a value, cut if it is long."""
    return cut(json.dumps(to_json(schema, value)))


def cut(text: str) -> str:
    """Return the beginning of a long text."""
    return text if len(text) <= MAXIMUM_TEXT else f"{text[:MAXIMUM_TEXT]}... ({len(text)} characters)"


def _parts(example: Example) -> Iterator[tuple[str, WireType]]:
    """Yield the parts of what is on the wire, in order: name and wire type."""
    if example.target == "primitive":
        yield "", primitive(example.message).wire_type
        return
    schema = example.schema()
    if example.target == "frame":
        yield "size", INT32
        yield "header", message_type(_header(example, schema))
    elif example.target == "prefixed":
        yield "prefix", INT16
    elif example.target == "record":
        yield from ((name, UNSIGNED_VARINT) for name in ("frame-version", "type", "version"))
    yield "" if example.target == "body" else "body", message_type(schema)


def _header(example: Example, schema: MessageSchema) -> MessageSchema:
    direction: FrameDirection = "request" if schema.kind == "request" else "response"
    return header_schema(example.definitions(), direction, _api_key(schema), schema.version)


def _api_key(schema: MessageSchema) -> int:
    if schema.api_key is None:
        raise ValueError(f"{schema} has no API key: only requests and responses stand in frames")
    return schema.api_key


def _body(example: Example, wire: bytes) -> tuple[str, ...]:
    schema = example.schema()
    verdict = judge(schema, wire)
    rules = f" ({', '.join(dict.fromkeys(verdict.rules))})" if verdict.rules else ""
    reader = "a lenient reader" if verdict.apache_kafka is None else "Apache Kafka"
    if verdict.result is Result.INVALID:
        where = f", in {verdict.path}" if verdict.path else ""
        return (f"verdict: invalid{rules}: {verdict.reason} at byte {verdict.offset}{where}", f"{reader}: rejects")
    line = f"verdict: {RESULTS[verdict.result]}{rules}"
    if verdict.value is None:
        return (line, f"{reader}: rejects")
    written = (
        "cannot write it" if verdict.canonical is None else f"writes {cut(verdict.canonical.hex(' ')) or 'nothing'}"
    )
    return (
        line,
        f"{reader}: accepts {verdict.consumed} of {len(wire)} bytes, and {written}",
        f"value: {value_text(schema, verdict.value)}",
    )


def _frame(example: Example, wire: bytes) -> tuple[str, ...]:
    release, schema = example.definitions(), example.schema()
    try:
        if schema.kind == "request":
            frame = decode_frame(release, "request", wire)
        else:
            frame = decode_frame(release, "response", wire, api_key=schema.api_key, api_version=schema.version)
    except CodecError as error:
        return (f"refused: {error}",)
    client = f", client id {frame.client_id!r}" if schema.kind == "request" else ""
    return (f"read: correlation id {frame.correlation_id}{client}, value {value_text(schema, frame.value)}",)


def _prefixed(example: Example, wire: bytes) -> tuple[str, ...]:
    try:
        stored = decode_prefixed(example.definitions(), example.message, wire)
    except Malformed as error:
        return (f"refused: {error}",)
    return (f"read: {title_of(stored.schema)}, value {value_text(stored.schema, stored.value)}",)


def _record(example: Example, wire: bytes) -> tuple[str, ...]:
    release = example.definitions()
    try:
        stored = decode_record(release, wire)
        strict = f"read: {title_of(stored.schema)}, value {value_text(stored.schema, stored.value)}"
    except Malformed as error:
        strict = f"refused: {error}"
    try:
        stored = decode_record_leniently(release, wire)
    except Malformed:
        return strict, "Apache Kafka: rejects"
    return strict, f"Apache Kafka: accepts, as {title_of(stored.schema)}"


def _primitive(example: Example, wire: bytes) -> tuple[str, ...]:
    return (f"value: {primitive(example.message).decode(wire).value}",)


READINGS: dict[str, Callable[[Example, bytes], tuple[str, ...]]] = {
    "body": _body,
    "frame": _frame,
    "prefixed": _prefixed,
    "record": _record,
    "primitive": _primitive,
}
"""By target."""
