from typing import Any

import pytest

from reference import load_release, minimal

RELEASE = load_release("4.3.0")
NUMBER_BEYOND = {"MaxWaitMs": 0, "MinBytes": 2**31}
LONE_SURROGATE = {"Mechanism": "\ud800"}
LONG_TEXT = {"Mechanism": "x" * 32768}
MESSAGES = {
    "api-versions": RELEASE.schema("ApiVersionsResponse", 3),
    "fetch": RELEASE.schema("FetchRequest", 4),
    "handshake": RELEASE.schema("SaslHandshakeRequest", 1),
    "metadata": RELEASE.schema("MetadataRequest", 12),
    "records": RELEASE.schema("DeleteRecordsRequest", 2),
    "records-deleted": RELEASE.schema("DeleteRecordsResponse", 2),
    "request-header": RELEASE.schema("RequestHeader", 1),
    "response-header": RELEASE.schema("ResponseHeader", 1),
}

REFUSED: dict[str, tuple[str, str, dict[str, Any]]] = {
    "kio-number-out-of-range": ("kio", "fetch", NUMBER_BEYOND),
    "kio-null-text": ("kio", "handshake", {"Mechanism": None}),
    "kio-lone-surrogate": ("kio", "handshake", LONE_SURROGATE),
    "kio-long-text": ("kio", "handshake", LONG_TEXT),
    "aiokafka-number-out-of-range": ("aiokafka", "fetch", {"MinBytes": 2**31}),
    "aiokafka-null-number": ("aiokafka", "fetch", {"MinBytes": None}),
    "aiokafka-lone-surrogate": ("aiokafka", "handshake", LONE_SURROGATE),
    "aiokafka-long-legacy-text": ("aiokafka", "handshake", LONG_TEXT),
    "aiokafka-unknown-tag-0": ("aiokafka", "response-header", {"_tags": [(0, b"")]}),
    "kafka-python-number-out-of-range": ("kafka_python", "fetch", NUMBER_BEYOND),
    "kafka-python-null-number": ("kafka_python", "fetch", {"MaxWaitMs": None}),
    "kafka-python-lone-surrogate": ("kafka_python", "handshake", LONE_SURROGATE),
    "kafka-python-long-legacy-text": ("kafka_python", "handshake", LONG_TEXT),
}
REJECTED = {
    "kio-truncated": ("kio", "metadata", ""),
    "kio-null-element-name-truncated": ("kio", "metadata", "02" + "00" * 16),
    "kio-bool-other-than-0-1": ("kio", "metadata", "00020000"),
    "kio-varint-too-long": ("kio", "metadata", "ffffffffff01"),
    "kio-malformed-utf8": ("kio", "metadata", "02" + "00" * 16 + "02ff 00 010000"),
    "kio-unknown-tag": ("kio", "metadata", "000100 01 0500"),
    "aiokafka-number-truncated": ("aiokafka", "fetch", "ffffffff 0000"),
    "aiokafka-text-truncated": ("aiokafka", "handshake", "0005 6162"),
    "aiokafka-malformed-utf8": ("aiokafka", "handshake", "0001 ff"),
    "aiokafka-tag-section-missing": ("aiokafka", "response-header", "00000000"),
    "aiokafka-tags-out-of-order": ("aiokafka", "response-header", "00000000 02 0700 0500"),
    "aiokafka-varint-too-long": ("aiokafka", "records", "ffffffffff01"),
    "kafka-python-no-bytes": ("kafka_python", "metadata", ""),
    "kafka-python-text-of-a-header-truncated": ("kafka_python", "request-header", "0003 000c 00000005 0002 63"),
    "kafka-python-uuid-truncated": ("kafka_python", "metadata", "02" + "00" * 15),
    "kafka-python-number-truncated": ("kafka_python", "fetch", "ffffffff 0000"),
    "kafka-python-malformed-utf8": ("kafka_python", "handshake", "0001 ff"),
    "kafka-python-tag-in-a-tagged-struct": (
        "kafka_python",
        "api-versions",
        "0000 01 00000000 01 02 09 02 01 00000000 01 05 00 00",
    ),
}
HANDED_ON: dict[str, tuple[str, str, str, dict[str, Any]]] = {
    "kio-null-array": ("kio", "records-deleted", "00000000 00 00", {"ThrottleTimeMs": 0, "Topics": None}),
    "aiokafka-null-text": ("aiokafka", "handshake", "ffff", {"Mechanism": None}),
    "aiokafka-unknown-tag-truncated": (
        "aiokafka",
        "response-header",
        "00000000 01 05 02 ca",
        {"CorrelationId": 0, "_tags": [(5, b"\xca")]},
    ),
    "kafka-python-null-text": ("kafka_python", "handshake", "ffff", {"Mechanism": None}),
    "kafka-python-text-truncated": ("kafka_python", "handshake", "0005 6162", {"Mechanism": "ab"}),
}


def codec(name: str) -> Any:
    return pytest.importorskip(f"conformance.adapters.{name}", reason=f"{name} is not installed: extra `adapters`")


@pytest.mark.parametrize(("name", "message", "fields"), REFUSED.values(), ids=REFUSED)
def test_exception_of_an_unwritable_value_is_declared(name: str, message: str, fields: dict[str, Any]) -> None:
    schema = MESSAGES[message]
    with pytest.raises(codec(name).rejections):
        codec(name).encode(schema, {**minimal(schema), **fields})


@pytest.mark.parametrize(("name", "message", "wire"), REJECTED.values(), ids=REJECTED)
def test_exception_of_rejected_bytes_is_declared(name: str, message: str, wire: str) -> None:
    with pytest.raises(codec(name).rejections):
        codec(name).decode(MESSAGES[message], bytes.fromhex(wire))


@pytest.mark.parametrize(("name", "message", "wire", "value"), HANDED_ON.values(), ids=HANDED_ON)
def test_value_read_against_the_rules_is_handed_on(name: str, message: str, wire: str, value: dict[str, Any]) -> None:
    assert codec(name).decode(MESSAGES[message], bytes.fromhex(wire)).value == value


@pytest.mark.parametrize("name", ["aiokafka", "kafka_python"])
def test_null_written_against_the_rules_is_handed_on(name: str) -> None:
    assert codec(name).encode(MESSAGES["handshake"], {"Mechanism": None}) == bytes.fromhex("ffff")


@pytest.mark.parametrize(("name", "error"), [("aiokafka", TypeError), ("kafka_python", AttributeError)])
def test_null_for_a_struct_is_an_undeclared_error(name: str, error: type[Exception]) -> None:
    """The library asks None for its length or an attribute, and the report shows this as a mistake."""
    schema = MESSAGES["fetch"]
    with pytest.raises(error):
        codec(name).encode(schema, {**minimal(schema), "Topics": [None]})


def test_null_and_a_negative_length_have_reasons_of_their_own_in_kio() -> None:
    kio = codec("kio")
    reasons = []
    for wire in (b"\xff\xff", b"\xff\xfe"):
        with pytest.raises(kio.rejections) as caught:
            kio.decode(MESSAGES["handshake"], wire)
        reasons.append(kio.classify(caught.value))
    assert reasons == ["null-not-allowed", "negative-length"]


def test_a_response_with_an_error_is_of_version_0_and_has_just_its_fields() -> None:
    """kafka-python reads ApiVersions with an error code as version 0, so it has no throttle time."""
    wire = bytes.fromhex("0023" + "00000001" + "0012" + "0000" + "0004" + "00000007")
    assert codec("kafka_python").decode(RELEASE.schema("ApiVersionsResponse", 1), wire).value == {
        "ErrorCode": 35,
        "ApiKeys": [{"ApiKey": 18, "MinVersion": 0, "MaxVersion": 4}],
    }


def test_fields_of_other_versions_are_found_by_name() -> None:
    """IsDefault and ConfigSource, of mutually exclusive versions, have another order in release 3.9.1."""
    schema = load_release("3.9.1").schema("DescribeConfigsResponse", 0)
    config = {"Name": "", "Value": "", "ReadOnly": False, "IsDefault": False, "IsSensitive": False, "ConfigSource": 5}
    result = {"ErrorCode": 0, "ErrorMessage": "", "ResourceType": 0, "ResourceName": "", "Configs": [config]}
    wire = codec("kafka_python").encode(schema, {"ThrottleTimeMs": 0, "Results": [result]})
    assert wire.hex() == "0000000000000001" + "0000" + "0000" + "00" + "0000" + "00000001" + "00000000000000"
