import sys

import pytest

from conformance.adapters.harnesses.apache_kafka import ApacheKafkaJvm, command
from conformance.codec.bridge.protocol import Message, hello_request, reply_problem, request_problem
from conformance.codec.bridge.transport import JsonLinesProcess, program
from reference import load_release
from tests.helpers.releases import BASE
from tests.helpers.runs import invoke, suite

pytestmark = pytest.mark.java

RELEASE = load_release(BASE)
HEARTBEAT = {"message": "HeartbeatResponse", "version": 0}
API_VERSIONS = {"direction": "request", "apiKey": 18, "version": 3}
VALUE = {"ClientSoftwareName": "c", "ClientSoftwareVersion": "1"}
FRAME = "00000016 0012 0003 00000007 0002 636c 01 05 02 cafe 0263 0231 00".replace(" ", "")
COMMAND = (sys.executable, "-m", "conformance.adapters.harnesses.apache_kafka", BASE)

DIALOGUE: dict[str, tuple[Message, Message]] = {
    "hello": (
        hello_request(RELEASE),
        {"outcome": "hello", "protocols": [1], "capabilities": ["absent-fields", "partial-values", "unknown-tags"]},
    ),
    "hello in another version": (hello_request(RELEASE, 2), {"outcome": "protocol-error", "protocols": [1]}),
    "encode": ({"op": "encode", **HEARTBEAT, "value": {"ErrorCode": 7}}, {"outcome": "bytes", "wire": "0007"}),
    "decode": (
        {"op": "decode", **HEARTBEAT, "wire": "0007"},
        {"outcome": "value", "value": {"ErrorCode": 7, "ThrottleTimeMs": 0}, "consumed": 2, "canonical": "0007"},
    ),
    "decode of too few bytes": (
        {"op": "decode", **HEARTBEAT, "wire": "00"},
        {"outcome": "rejected", "class": "java.nio.BufferUnderflowException", "text": "", "during": "read"},
    ),
    "size": ({"op": "size", **HEARTBEAT, "value": {"ErrorCode": 7}}, {"outcome": "value", "value": 2}),
    "header-version": ({"op": "header-version", **API_VERSIONS}, {"outcome": "value", "value": 2}),
    "encode-frame": (
        {
            "op": "encode-frame",
            **API_VERSIONS,
            "correlationId": 7,
            "clientId": "cl",
            "headerTags": [[5, "cafe"]],
            "value": VALUE,
        },
        {"outcome": "bytes", "wire": FRAME},
    ),
    "decode-frame": (
        {"op": "decode-frame", **API_VERSIONS, "wire": FRAME},
        {"value": VALUE, "correlationId": 7, "clientId": "cl", "headerTags": [[5, "cafe"]], "consumed": 26},
    ),
    "decode-frame without a client id in its header": (
        {"op": "decode-frame", "direction": "response", "apiKey": 12, "version": 0, "wire": "00000006000000070007"},
        {"value": {"ErrorCode": 7, "ThrottleTimeMs": 0}, "correlationId": 7, "clientId": None, "headerTags": []},
    ),
    "encode-prefixed": (
        {"op": "encode-prefixed", "message": "OffsetCommitKey", "version": 0, "value": {"group": "g"}},
        {"outcome": "bytes", "wire": "0001 0001 67 0000 00000000".replace(" ", "")},
    ),
    "encode-prefixed by version": (
        {"op": "encode-prefixed", "message": "ConsumerProtocolAssignment", "version": 1, "value": {}},
        {"outcome": "bytes", "wire": "0001 00000000 ffffffff".replace(" ", "")},
    ),
    "encode-record": (
        {"op": "encode-record", "message": "NoOpRecord", "version": 0, "value": {}},
        {"outcome": "bytes", "wire": "01140000"},
    ),
    "decode-record": (
        {"op": "decode-record", "source": "kafka-metadata", "wire": "01140000"},
        {"outcome": "value", "message": "NoOpRecord", "version": 0, "value": {}},
    ),
    "encode-primitive": (
        {"op": "encode-primitive", "name": "varlong", "value": "-300"},
        {"outcome": "bytes", "wire": "d704"},
    ),
    "decode-primitive": (
        {"op": "decode-primitive", "name": "varlong", "wire": "d704"},
        {"outcome": "value", "value": "-300", "consumed": 2},
    ),
    "a number beyond its type": (
        {"op": "encode", **HEARTBEAT, "value": {"ErrorCode": 40_000}},
        {"outcome": "unrepresentable"},
    ),
    "an unknown message": (
        {"op": "decode", "message": "Nothing", "version": 0, "wire": ""},
        {"outcome": "unsupported"},
    ),
    "bad hex": ({"op": "decode", **HEARTBEAT, "wire": "0"}, {"outcome": "protocol-error"}),
    "no digit": (
        {"op": "decode", **HEARTBEAT, "wire": "00\N{FULLWIDTH DIGIT ZERO}7"},
        {
            "outcome": "protocol-error",
            "text": '"wire" is not hex: not a hexadecimal digit: "\N{FULLWIDTH DIGIT ZERO}" = 65296',
        },
    ),
}


@pytest.mark.parametrize("name", DIALOGUE)
def test_each_reply_is_of_the_protocol(kafka: ApacheKafkaJvm, name: str) -> None:
    request, expected = DIALOGUE[name]
    [reply] = kafka.exchange([request])
    numbered = {"id": 1, **reply}
    assert reply_problem(request, numbered) is None
    assert reply | expected == reply
    assert (request_problem({"id": 1, **request}) is None) == (name not in {"bad hex", "no digit"})


def test_decoded_value_is_not_encoded_again_for_the_suite(kafka: ApacheKafkaJvm) -> None:
    request = {"op": "decode", **HEARTBEAT, "wire": "0007"}
    process = JsonLinesProcess(program(command(BASE, canonical=False)))
    try:
        replies = process.exchange([request]) + kafka.exchange([request])
    finally:
        process.close()
    assert ["canonical" in reply for reply in replies] == [False, True]


def test_its_harness_passes_the_checks(kafka: ApacheKafkaJvm) -> None:  # noqa: ARG001  # skips where there is no Java
    result = invoke("bridge", "check", "--release", BASE, "--", *COMMAND)
    assert result.exit_code == 0, result.output
    assert f"apache-kafka {BASE} can be tested" in result.output


def test_the_suite_finds_nothing_in_apache_kafka(kafka: ApacheKafkaJvm) -> None:  # noqa: ARG001  # as above
    messages = "--messages=ApiVersionsRequest,HeartbeatResponse,ConsumerProtocolAssignment,OffsetCommitKey,varint"
    finished = suite(f"--impl=stdio:{' '.join(COMMAND)}", f"--release={BASE}", messages)
    assert finished.status == 0, finished.text
    assert "no findings" in finished.text
