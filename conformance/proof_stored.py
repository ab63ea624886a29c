"""The proof of messages as they are stored: behind an int16, and as metadata records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate.cases import populated
from conformance.generate.values import sample
from conformance.proof_questions import Question, read, rejected, written
from reference import (
    CodecError,
    MessageSchema,
    decode_prefixed,
    decode_record_leniently,
    difference,
    encode_prefixed,
    encode_record,
    from_json,
    minimal,
    to_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference import Release

PREFIXED = {"data": "version", "coordinator-value": "version", "coordinator-key": "type"}
"""Which number stands before the messages of each kind."""
VALUES = 3
RECORD = "metadata"


def stored_questions(release: Release, schemas: Sequence[MessageSchema]) -> Iterator[Question]:
    """Each message of those kinds that are stored, with a few values, and records of all the ways to be none."""
    for schema in schemas:
        values = [minimal(schema), populated(schema)]
        values += [sample(schema, f"prove-stored/{index}") for index in range(VALUES)]
        for index, value in enumerate(values):
            if schema.kind in PREFIXED:
                yield from _prefixed(release, schema, f"{schema} {PREFIXED[schema.kind]}-prefixed/{index}", value)
            elif schema.kind == RECORD:
                yield from _record(release, schema, f"{schema} as record/{index}", value)
        if schema.kind == RECORD:
            yield from _other_records(release, schema)


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


_NUMBERS = {
    "truncated": "",
    "cut": "80",
    "0": "00",
    "2": "02",
    "overlong-1": "8100",
    "32767": "ffff01",
    "32768": "808002",
    "highest": "ffffffff07",
    "lowest": "8080808008",
    "negative-1": "8180808008",
    "minus-one": "ffffffff0f",
    "excess-bits-1": "8180808010",
    "six-bytes": "818080808000",
}
"""What may stand in place of a number of the frame; the named number is what its low 16 bits are."""


def _other_records(release: Release, schema: MessageSchema) -> Iterator[Question]:
    """Each number of the frame replaced by each of those above; the record cut anywhere; one byte behind it."""
    wire = encode_record(schema, populated(schema))
    body = encode_record(schema, populated(schema))[3:]
    numbers = [bytes([each]) for each in wire[:3]]
    for place, part in enumerate(("frame-version", "type", "version")):
        for name, digits in _NUMBERS.items():
            changed = numbers[:place] + [bytes.fromhex(digits)] + (numbers[place + 1 :] if digits else [])
            tail = body if digits else b""
            yield _record_question(release, schema, f"{schema} {part}={name}", b"".join(changed) + tail)
    for end in range(len(wire)):
        yield _record_question(release, schema, f"{schema} cut/{end}", wire[:end])
    yield _record_question(release, schema, f"{schema} and one byte", wire + b"\0")
