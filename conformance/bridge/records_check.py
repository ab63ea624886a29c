"""The smallest batch, which `bridge check` has a harness write and read if it offers the operations for records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate.records.building import batch, record
from conformance.implementation.outcome import ABSENT, REFUSALS
from conformance.implementation.records.claims import RecordsClaims
from conformance.implementation.records.comparison import records_difference
from conformance.implementation.records.shown import shown
from reference import NotJsonForm, encode_records, records_from_json, records_to_json

if TYPE_CHECKING:
    from conformance.bridge.protocol import Message

FIELD: dict[str, Any] = {"batches": [batch(record(key=b"k", headers=[("h", b"")]))], "partial": b""}
"""A field that a broker takes, too."""
EPOCH = slice(24, 32)
"""The digits of its leader epoch."""


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
    claims = RecordsClaims.of(hello.get("records", {}))
    if request["op"] == "encode-records":
        return _written_problem(claims, reply)
    return _read_problem(claims, reply)


def _written_problem(claims: RecordsClaims, reply: Message) -> str | None:
    """Compare the bytes; not those of the leader epoch, which no CRC covers, if the writer has one of its own."""
    wire, written = encode_records(FIELD).hex(), str(reply.get("wire", reply.get("text")))
    expected = wire[: EPOCH.start] + written[EPOCH] + wire[EPOCH.stop :] if claims.leader_epoch == "own" else wire
    return None if written == expected else f"the bytes are {wire}, not {written}"


def _read_problem(claims: RecordsClaims, reply: Message) -> str | None:
    try:
        place = records_difference(shown(claims, FIELD), records_from_json(reply.get("value")))
    except NotJsonForm as error:
        return f"the value has not the form of records: {error}; it is {reply.get('value', reply.get('text'))}"
    return None if place is None else f"{place.path} is {place.expected!r}, not {place.actual!r}"
