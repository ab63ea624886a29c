"""The smallest batch, which `bridge check` has a harness write and read if it offers the operations for records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.implementation.outcome import ABSENT, REFUSALS
from conformance.implementation.records.claims import RecordsClaims
from conformance.implementation.records.comparison import records_difference
from conformance.implementation.records.shown import shown
from reference import NotJsonForm, encode_records, records_from_json, records_to_json

if TYPE_CHECKING:
    from conformance.bridge.protocol import Message

RECORD: dict[str, Any] = {
    "attributes": 0,
    "timestampDelta": 0,
    "offsetDelta": 0,
    "key": b"k",
    "value": None,
    "headers": [("h", b"")],
}
BATCH: dict[str, Any] = {
    "magic": 2,
    "baseOffset": 0,
    "partitionLeaderEpoch": -1,
    "compression": "none",
    "timestampType": "create",
    "transactional": False,
    "control": False,
    "deleteHorizon": False,
    "unusedAttributes": 0,
    "lastOffsetDelta": 0,
    "baseTimestamp": 1_700_000_000_000,
    "maxTimestamp": 1_700_000_000_000,
    "producerId": -1,
    "producerEpoch": -1,
    "baseSequence": -1,
    "records": [RECORD],
}
FIELD: dict[str, Any] = {"batches": [BATCH], "partial": b""}
"""A field that a broker takes, too."""


def records_requests(hello: Message) -> list[Message]:
    """Return the requests to read and write the field, as far as the operations are offered."""
    wire, value = encode_records(FIELD).hex(), records_to_json(FIELD)
    requests: list[Message] = [{"op": "decode-records", "wire": wire}, {"op": "encode-records", "value": value}]
    return [request for request in requests if request["op"] in hello["operations"]]


def records_problem(hello: Message, request: Message, reply: Message) -> str | None:
    """Return what is wrong with the reply to one of these requests; None if nothing is."""
    if reply["outcome"] in ABSENT:
        return None
    if reply["outcome"] in REFUSALS:
        return f"it is refused: {reply['class']}: {reply['text']}"
    if request["op"] == "encode-records":
        wire = encode_records(FIELD).hex()
        written = reply.get("wire", reply.get("text"))
        return None if written == wire else f"the bytes are {wire}, not {written}"
    return _read_problem(RecordsClaims.of(hello.get("records", {})), reply)


def _read_problem(claims: RecordsClaims, reply: Message) -> str | None:
    try:
        place = records_difference(shown(claims, FIELD), records_from_json(reply.get("value")))
    except NotJsonForm as error:
        return f"the value has not the form of records: {error}; it is {reply.get('value', reply.get('text'))}"
    return None if place is None else f"{place.path} is {place.expected!r}, not {place.actual!r}"
