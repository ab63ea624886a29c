"""The bytes of examples, as the reference reads them: what each byte is, and the result in one to three lines.

An example's target says what stands on the wire: a body, a frame, a prefixed message, a record, a primitive alone, or a
`records` field.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from conformance.catalogue.annotated_bytes import Row, rows_of
from reference import (
    CodecError,
    Malformed,
    MessageSchema,
    Result,
    decode,
    decode_frame,
    decode_prefixed,
    decode_record,
    decode_record_leniently,
    frame_spans,
    judge,
    judge_records,
    primitive,
    records_spans,
    records_to_json,
    stored_spans,
    to_json,
)
from reference.definitions.errors import BrokenDefinition
from reference.definitions.validate import broken_release_rules, hints, release_hints
from reference.evolution import Change, DefinitionSet, release_changes
from reference.protocols import loader_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.catalogue.rules import Example
    from reference import Observed, Span, Stored
    from reference.definitions.model import Definition


MAXIMUM_TEXT = 160
RESULTS = {Result.VALID: "valid", Result.UNSPECIFIED: "unspecified"}


def rows(example: Example, wire: bytes) -> tuple[Row, ...]:
    """Return what each byte of `wire` is."""
    return rows_of(wire, _spans(example, wire))


def _spans(example: Example, wire: bytes) -> tuple[Span, ...]:
    if example.target == "primitive":
        return primitive(example.message).spans(wire)
    if example.target == "records":
        return records_spans(wire)
    schema = example.schema()
    if example.target == "body":
        return decode(schema, wire).spans
    if example.target == "frame":
        return frame_spans(example.definitions(), schema, wire)
    return stored_spans(schema, wire)


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
    return (_stored(lambda: decode_prefixed(example.definitions(), example.message, wire)),)


def _stored(decode_it: Callable[[], Stored]) -> str:
    try:
        stored = decode_it()
    except Malformed as error:
        return f"refused: {error}"
    return f"read: {title_of(stored.schema)}, value {value_text(stored.schema, stored.value)}"


def _record(example: Example, wire: bytes) -> tuple[str, ...]:
    release = example.definitions()
    strict = _stored(lambda: decode_record(release, wire))
    try:
        stored = decode_record_leniently(release, wire)
    except Malformed:
        return strict, "Apache Kafka: rejects"
    return strict, f"Apache Kafka: accepts, as {title_of(stored.schema)}"


def _primitive(example: Example, wire: bytes) -> tuple[str, ...]:
    return (f"value: {primitive(example.message).decode(wire).value}",)


def _records(_: Example, wire: bytes) -> tuple[str, ...]:
    verdict = judge_records(wire)
    rules = f" ({', '.join(dict.fromkeys(verdict.rules))})" if verdict.rules else ""
    why = f": {verdict.reason} at byte {verdict.offset}, in {verdict.path}" if verdict.result is Result.INVALID else ""
    value = () if verdict.value is None else (f"value: {cut(json.dumps(records_to_json(verdict.value)))}",)
    return (
        f"verdict: {verdict.result}{rules}{why}",
        f"Apache Kafka's consumer: {_observed(verdict.client)}",
        f"Apache Kafka's broker: {_observed(verdict.broker)}",
        *value,
    )


def _observed(observed: Observed | None) -> str:
    if observed is None:
        return "not known"
    return f"{observed.does}, by {observed.exception}" if observed.exception else str(observed.does)


READINGS: dict[str, Callable[[Example, bytes], tuple[str, ...]]] = {
    "body": _body,
    "frame": _frame,
    "prefixed": _prefixed,
    "record": _record,
    "primitive": _primitive,
    "records": _records,
}
"""By target."""


FILE = "Sample.json"


def errors(example: Example) -> list[BrokenDefinition]:
    """Return every error in the example's definition or release; if there is none, the hints about it."""
    if example.release:
        return _release_errors(example)
    loader = loader_of(example.dialect)
    broken = loader.broken_rules(example.definition, FILE)
    return broken or [BrokenDefinition(FILE, hint) for hint in hints(loader.parse(example.definition, FILE))]


def _release_errors(example: Example) -> list[BrokenDefinition]:
    modules = {module: [_parsed(example, text) for text in texts] for module, texts in example.release.items()}
    definitions = [definition for parsed in modules.values() for definition in parsed]
    return list(broken_release_rules(modules)) or [
        BrokenDefinition(definition.name, hint) for definition, hint in release_hints(definitions)
    ]


def changes(example: Example) -> tuple[Change, ...]:
    """Return the changes from the example's old definition to its new one."""
    return release_changes(_set(example, example.old), _set(example, example.new))


def _set(example: Example, text: str) -> DefinitionSet:
    if not text:
        return DefinitionSet({})
    definition = _parsed(example, text)
    return DefinitionSet({definition.name: definition})


def _parsed(example: Example, text: str) -> Definition:
    return loader_of(example.dialect).parse(text, FILE)
