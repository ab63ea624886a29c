"""The smallest batch, which `bridge check` has a harness write and read if it offers the operations for records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.codec.bridge.json_forms import shown as form_shown
from conformance.codec.bridge.transcript import EITHER, Diagnostic
from conformance.codec.outcome import ABSENT, REFUSALS, Kind
from conformance.codec.plain_values import printable
from conformance.codec.targets.record_claims import RecordsClaims
from conformance.codec.targets.shown_records import comparable, records_difference, shown
from conformance.generate.records.building import batch, record
from reference import NotJsonForm, encode_records, records_from_json, records_to_json

if TYPE_CHECKING:
    from conformance.codec.bridge.protocol import Message

FIELD: dict[str, Any] = {"batches": [batch(record(key=b"k", headers=[("h", b"")]))], "partial": b""}
"""A field that a broker takes, too."""
FORM = "See that each member has the form of the section on records, and that hello names what is not shown"
EPOCH = slice(24, 32)
"""The digits of its leader epoch."""


def records_requests(hello: Message) -> list[Message]:
    """Return the requests to read and write the field, as far as the operations are offered."""
    wire, value = encode_records(FIELD).hex(), records_to_json(FIELD)
    requests: list[Message] = [{"op": "decode-records", "wire": wire}, {"op": "encode-records", "value": value}]
    return [request for request in requests if request["op"] in hello["operations"]]


def records_diagnostic(hello: Message, request: Message, reply: Message) -> Diagnostic | None:
    """Return what is wrong with the reply to one of these requests; None if nothing is."""
    name = f"{request['op']} of the smallest batch"
    if reply["outcome"] in ABSENT:
        return None
    if reply["outcome"] in REFUSALS:
        return Diagnostic(
            f"{name}: it is refused: {printable(reply['class'] + ': ' + reply['text'])}", EITHER, is_note=True
        )
    if reply["outcome"] not in {Kind.BYTES, Kind.VALUE}:
        return Diagnostic(f"{name}: {printable(reply['outcome'] + ': ' + str(reply.get('text')))}", FORM)
    claims = RecordsClaims.of(hello.get("records", {}))
    if request["op"] == "encode-records":
        return _written(claims, name, reply)
    return _read(claims, name, reply)


def _written(claims: RecordsClaims, name: str, reply: Message) -> Diagnostic | None:
    """Compare the bytes; not those of the leader epoch, which no CRC covers, if the writer has one of its own."""
    wire, written = encode_records(FIELD).hex(), str(reply.get("wire", reply.get("text")))
    expected = wire[: EPOCH.start] + written[EPOCH] + wire[EPOCH.stop :] if claims.leader_epoch == "own" else wire
    if written == expected:
        return None
    return Diagnostic(f"{name}: the bytes are {wire}, not {printable(written)}", EITHER, is_note=True)


def _read(claims: RecordsClaims, name: str, reply: Message) -> Diagnostic | None:
    if "value" not in reply:
        return Diagnostic(f"{name}: no value is shown: {printable(str(reply.get('text')))}", EITHER, is_note=True)
    try:
        place = records_difference(shown(claims, FIELD), comparable(claims, records_from_json(reply["value"])))
    except NotJsonForm as error:
        where, got = error.path or "the value", form_shown(error.got)
        return Diagnostic(printable(f"{name}: {where} has not its form: {error.expected} is due, got {got}"), FORM)
    if place is None:
        return None
    text = printable(f"{name}: {place.path} is {place.expected!r}, not {place.actual!r}")
    return Diagnostic(text, FORM) if place.actual is None else Diagnostic(text, EITHER, is_note=True)
