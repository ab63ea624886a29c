import json
from typing import Any

import pytest

from conformance.codec.bridge.loading import load_codec
from conformance.codec.bridge.protocol import Message, hello_request, reply_problem, request_problem
from conformance.codec.bridge.records_check import FIELD
from conformance.codec.bridge.request_server import RequestServer
from reference import MessageSchema, encode_records, load_release, records_to_json
from tests.fakes.lies import Honest
from tests.helpers.releases import BASE, OLDEST

RELEASE = load_release(BASE)
HEARTBEAT = {"message": "HeartbeatResponse", "version": 0}
API_VERSIONS = {"direction": "request", "apiKey": 18, "version": 0}
FRAME = "0000000c 0012 0000 00000007 0002 636c".replace(" ", "")


OFFSET_KEY = {"message": "OffsetCommitKey"}
OFFSET = {"group": "g", "topic": "t", "partition": 1}
OFFSET_WIRE = "0001 0001 67 0001 74 00000001".replace(" ", "")


RECORDS, RECORDS_WIRE = records_to_json(FIELD), encode_records(FIELD).hex()


class ReturnsNumbersForText(Honest):
    """Reads a number where there is text."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:  # noqa: ARG002  # as in the contract
        return dict.fromkeys((field.name for field in schema.fields), 5)


def answer(request: Any, *, impl: str = "conformance.adapters.reference") -> Message:
    """Return the reply to one request, or to one line of bytes."""
    line = request if isinstance(request, bytes) else json.dumps(request).encode()
    reply = RequestServer(load_codec(impl), RELEASE).reply(line)
    asked = request if isinstance(request, dict) else {}
    carried: Message = json.loads(json.dumps(reply))
    assert reply_problem(asked, carried) is None
    return carried


SUCCESSES: dict[str, tuple[Message, Message]] = {
    "encode": ({**HEARTBEAT, "value": {"ErrorCode": 7}}, {"outcome": "bytes", "wire": "0007"}),
    "decode": ({**HEARTBEAT, "wire": "0007"}, {"outcome": "value", "value": {"ErrorCode": 7}, "consumed": 2}),
    "size": ({**HEARTBEAT, "value": {"ErrorCode": 7}}, {"outcome": "value", "value": 2}),
    "header-version": (API_VERSIONS, {"outcome": "value", "value": 1}),
    "encode-frame": (
        {**API_VERSIONS, "correlationId": 7, "clientId": "cl", "value": {}},
        {"outcome": "bytes", "wire": FRAME},
    ),
    "decode-frame": (
        {**API_VERSIONS, "wire": FRAME},
        {"outcome": "value", "value": {}, "correlationId": 7, "clientId": "cl", "headerTags": [], "consumed": 16},
    ),
    "encode-prefixed": ({**OFFSET_KEY, "version": 0, "value": OFFSET}, {"outcome": "bytes", "wire": OFFSET_WIRE}),
    "decode-prefixed": (
        {**OFFSET_KEY, "wire": OFFSET_WIRE},
        {"outcome": "value", "message": "OffsetCommitKey", "version": 0, "value": OFFSET},
    ),
    "encode-record": ({"message": "NoOpRecord", "version": 0, "value": {}}, {"outcome": "bytes", "wire": "01140000"}),
    "decode-record": (
        {"source": "kafka-metadata", "wire": "01140000"},
        {"outcome": "value", "message": "NoOpRecord", "version": 0, "value": {}},
    ),
    "encode-primitive": ({"name": "varint", "value": -300}, {"outcome": "bytes", "wire": "d704"}),
    "decode-primitive": ({"name": "varint", "wire": "d704"}, {"outcome": "value", "value": -300, "consumed": 2}),
    "encode-records": ({"value": RECORDS}, {"outcome": "bytes", "wire": RECORDS_WIRE}),
    "decode-records": (
        {"wire": RECORDS_WIRE + "00"},
        {"outcome": "value", "value": {**RECORDS, "partial": "00"}, "consumed": None},
    ),
}


@pytest.mark.parametrize("operation", SUCCESSES)
def test_each_operation_answers_with_bytes_or_a_value(operation: str) -> None:
    keys, expected = SUCCESSES[operation]
    request = {"id": 5, "op": operation, **keys}
    assert request_problem(request) is None
    assert answer(request) == {"id": 5, **expected}


OTHERS: dict[str, tuple[Any, Message]] = {
    "bytes cut short": (
        {"op": "decode", **HEARTBEAT, "wire": "00"},
        {
            "outcome": "rejected",
            "class": "Malformed",
            "text": "truncated at byte 1, in ErrorCode (rule input.truncated)",
        },
    ),
    "null where there is none": (
        {"op": "encode", "message": "HeartbeatResponse", "version": 0, "value": {"ErrorCode": None}},
        {"outcome": "rejected", "class": "Unencodable"},
    ),
    "a number beyond its type": (
        {"op": "encode", **HEARTBEAT, "value": {"ErrorCode": 32_768}},
        {"outcome": "rejected", "class": "Unencodable"},
    ),
    "unknown message": ({"op": "decode", **HEARTBEAT, "message": "Heart", "wire": ""}, {"outcome": "unsupported"}),
    "unknown version": ({"op": "decode", **HEARTBEAT, "version": 99, "wire": ""}, {"outcome": "unsupported"}),
    "unknown wire type": ({"op": "decode-primitive", "name": "int7", "wire": ""}, {"outcome": "unsupported"}),
    "unknown API": ({"op": "decode-frame", **API_VERSIONS, "apiKey": 999, "wire": ""}, {"outcome": "unsupported"}),
    "unknown operation": ({"op": "dance"}, {"outcome": "unsupported"}),
    "no operation": ({}, {"outcome": "protocol-error", "text": 'the request has no text "op"'}),
    "operation that is a number": ({"op": 1}, {"outcome": "protocol-error"}),
    "no message": ({"op": "decode", "version": 0, "wire": ""}, {"outcome": "protocol-error"}),
    "version that is true": ({"op": "decode", **HEARTBEAT, "version": True, "wire": ""}, {"outcome": "protocol-error"}),
    "wire that is no hex": ({"op": "decode", **HEARTBEAT, "wire": "0"}, {"outcome": "protocol-error"}),
    "no value": ({"op": "encode", **HEARTBEAT}, {"outcome": "protocol-error"}),
    "value of another form": (
        {"op": "encode", **HEARTBEAT, "value": {"ErrorCode": "7"}},
        {"outcome": "protocol-error", "text": "the value: ErrorCode: expected int16 as a number, got '7'"},
    ),
    "records that are no object": ({"op": "encode-records", "value": []}, {"outcome": "protocol-error"}),
    "records without a value": ({"op": "encode-records"}, {"outcome": "protocol-error"}),
    "a batch with a member that none has": (
        {"op": "encode-records", "value": {"batches": [{"size": 1}]}},
        {
            "outcome": "protocol-error",
            "text": "the value: batches[0].size: expected a field of batches, records or messages, got 1",
        },
    ),
    "records that are no hex": ({"op": "decode-records", "wire": "0"}, {"outcome": "protocol-error"}),
    "direction that is none": (
        {"op": "header-version", **API_VERSIONS, "direction": "up"},
        {"outcome": "protocol-error", "text": "the direction is request or response, not up"},
    ),
    "hello in another version": (
        {"op": "hello", "protocol": 2, "definitions": "/"},
        {"outcome": "protocol-error", "protocols": [1]},
    ),
    "hello without definitions": (
        {"op": "hello", "protocol": 1, "definitions": "/no/such/folder"},
        {"outcome": "protocol-error"},
    ),
}


@pytest.mark.parametrize(("request_", "expected"), OTHERS.values(), ids=OTHERS)
def test_whatever_else_is_asked_has_an_outcome(request_: Message, expected: Message) -> None:
    reply = answer({"id": 9, **request_})
    assert reply | expected == reply
    assert reply["id"] == 9


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"7", b"\xff", b"[" * 100_000], ids=lambda line: repr(line[:3]))
def test_line_other_than_an_object_is_answered_without_an_id(line: bytes) -> None:
    reply = answer(line)
    assert (reply["id"], reply["outcome"]) == (None, "protocol-error")


HONEST = {"HeartbeatResponse": [0], "ApiVersionsRequest": [3]}


def test_hello_states_identity_and_operations_of_the_adapter() -> None:
    reply = answer({"id": 0, **hello_request(RELEASE)}, impl="tests.fakes.faulty_codecs:Honest")
    assert (reply["implementation"], reply["version"], reply["protocols"]) == ("honest", "1", [1])
    assert reply["supports"] == {"encode": HONEST, "decode": HONEST}
    assert reply["operations"] == ["hello", "encode", "decode"]


def test_hello_states_hidden_fields_of_records() -> None:
    reply = answer({"id": 0, **hello_request(RELEASE)}, impl="tests.fakes.records_only:HidesSequences")
    assert reply["operations"] == ["hello", "encode-records", "decode-records"]
    assert reply["supports"] == {"encode": {}, "decode": {}}
    assert reply["records"] == {"hidden": ["baseSequence"]}


def test_hello_brings_the_definitions_of_another_release() -> None:
    handler = RequestServer(load_codec("conformance.adapters.reference"), RELEASE)
    older = load_release(OLDEST)
    fetch = json.dumps({"id": 1, "op": "decode", "message": "FetchRequest", "version": 3, "wire": ""}).encode()
    assert handler.reply(fetch)["outcome"] == "unsupported"
    assert handler.reply(json.dumps({"id": 0, **hello_request(older)}).encode())["outcome"] == "hello"
    assert handler.reply(fetch)["outcome"] == "rejected"


def test_a_value_without_json_form_was_read_all_the_same() -> None:
    request = {"id": 1, "op": "decode", "message": "ApiVersionsRequest", "version": 3, "wire": "010100"}
    reply = answer(request, impl="tests.codec.bridge.test_request_server:ReturnsNumbersForText")
    assert reply["outcome"] == "value"
    assert "value" not in reply
    assert "without JSON form" in reply["text"]
