"""The proof of messages as they are stored: behind an int16, and as metadata records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.differential.questions import Question, read, rejected, written
from conformance.generate.cases import populated
from conformance.generate.stored import broken_records, stored_values
from reference import (
    CodecError,
    MessageSchema,
    decode_prefixed,
    decode_record_leniently,
    difference,
    encode_prefixed,
    encode_record,
    from_json,
    to_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference import Release

PREFIXED = {"data": "version", "coordinator-value": "version", "coordinator-key": "type"}
"""Which number stands before the messages of each kind."""


def stored_questions(release: Release, schemas: Sequence[MessageSchema]) -> Iterator[Question]:
    """Each message of those kinds that are stored, with a few values, and records of all the ways to be none."""
    for schema in schemas:
        for index, value in enumerate(stored_values(schema)):
            if schema.kind in PREFIXED:
                yield from _prefixed(release, schema, f"{schema} {PREFIXED[schema.kind]}-prefixed/{index}", value)
            elif schema.stored_form == "record":
                yield from _record(release, schema, f"{schema} as record/{index}", value)
        if schema.stored_form == "record":
            wire = encode_record(schema, populated(schema))
            for name, other in broken_records(wire):
                yield _record_question(release, schema, f"{schema} {name}", other)


def _prefixed(release: Release, schema: MessageSchema, name: str, value: dict[str, Any]) -> Iterator[Question]:
    message = {"message": schema.message, "version": schema.version, "prefix": PREFIXED[schema.kind]}
    wire = encode_prefixed(schema, value)
    request = {"op": "encode-prefixed", **message, "value": to_json(schema, value)}
    yield Question("prefixed written", name, request, written(lambda: wire))
    stored = decode_prefixed(release, schema.message, wire)

    def compare(reply: Any) -> object:
        if reply["prefix"] != int.from_bytes(wire[:2]) or reply["consumed"] != stored.consumed:
            return reply
        return difference(schema, stored.value, from_json(schema, reply["value"]), absent=True)

    yield Question("prefixed read", name, {"op": "decode-prefixed", **message, "wire": wire.hex()}, read(compare))


def _record(release: Release, schema: MessageSchema, name: str, value: dict[str, Any]) -> Iterator[Question]:
    wire = encode_record(schema, value)
    request = {
        "op": "encode-record",
        "source": release.source(schema.message),
        "message": schema.message,
        "version": schema.version,
        "value": to_json(schema, value),
    }
    yield Question("records written", name, request, written(lambda: wire))
    yield _record_question(release, schema, name, wire)


def _record_question(release: Release, schema: MessageSchema, name: str, wire: bytes) -> Question:
    """Both read the same record from these bytes, or both refuse them."""
    source = release.source(schema.message)
    request = {"op": "decode-record", "source": source, "wire": wire.hex()}
    try:
        stored = decode_record_leniently(release, wire, source=source)
    except CodecError as error:
        return Question("records not readable", name, request, rejected(str(error)))

    def compare(reply: Any) -> object:
        if reply["message"] != stored.schema.message:
            return f"{reply['message']} instead of {stored.schema.message}"
        return difference(stored.schema, stored.value, from_json(stored.schema, reply["value"]), absent=True)

    return Question("records read", name, request, read(compare))
