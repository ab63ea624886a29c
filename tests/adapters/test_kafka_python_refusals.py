from typing import Any

import pytest

from reference import MessageSchema, load_release, minimal

kafka_python = pytest.importorskip(
    "conformance.adapters.kafka_python", reason="kafka-python is not installed: it is in the extra `adapters`"
)

RELEASE = load_release("4.3.0")
API_VERSIONS = RELEASE.schema("ApiVersionsResponse", 3)
FETCH = RELEASE.schema("FetchRequest", 4)
HANDSHAKE = RELEASE.schema("SaslHandshakeRequest", 1)
HEADER = RELEASE.schema("RequestHeader", 1)
METADATA = RELEASE.schema("MetadataRequest", 12)

REFUSED = {
    "number-out-of-range": (FETCH, {"MaxWaitMs": 0, "MinBytes": 2**31}),
    "null-number": (FETCH, {"MaxWaitMs": None}),
    "lone-surrogate": (HANDSHAKE, {"Mechanism": "\ud800"}),
    "long-legacy-text": (HANDSHAKE, {"Mechanism": "x" * 32768}),
}


@pytest.mark.parametrize(("schema", "fields"), REFUSED.values(), ids=REFUSED)
def test_what_kafka_python_refuses_to_write_is_declared(schema: MessageSchema, fields: dict[str, Any]) -> None:
    with pytest.raises(kafka_python.rejections):
        kafka_python.encode(schema, {**minimal(schema), **fields})


REJECTED = {
    "no-bytes": (METADATA, ""),
    "text-of-a-header-truncated": (HEADER, "0003 000c 00000005 0002 63"),
    "uuid-truncated": (METADATA, "02" + "00" * 15),
    "number-truncated": (FETCH, "ffffffff 0000"),
    "malformed-utf8": (HANDSHAKE, "0001 ff"),
    "tag-in-a-tagged-struct": (API_VERSIONS, "0000 01 00000000 01 02 09 02 01 00000000 01 05 00 00"),
}


@pytest.mark.parametrize(("schema", "wire"), REJECTED.values(), ids=REJECTED)
def test_what_kafka_python_rejects_is_declared(schema: MessageSchema, wire: str) -> None:
    with pytest.raises(kafka_python.rejections):
        kafka_python.decode(schema, bytes.fromhex(wire))


def test_a_null_where_a_struct_is_due_is_an_error_that_is_not_declared() -> None:
    """None is asked for an attribute: the report shows that, for nobody meant it."""
    with pytest.raises(AttributeError):
        kafka_python.encode(FETCH, {**minimal(FETCH), "Topics": [None]})


def test_null_in_a_text_that_is_not_nullable_is_handed_on_both_ways() -> None:
    assert kafka_python.encode(HANDSHAKE, {"Mechanism": None}) == bytes.fromhex("ffff")
    assert kafka_python.decode(HANDSHAKE, bytes.fromhex("ffff")).value == {"Mechanism": None}


def test_a_truncated_text_is_handed_on() -> None:
    assert kafka_python.decode(HANDSHAKE, bytes.fromhex("0005 6162")).value == {"Mechanism": "ab"}


def test_a_response_with_an_error_is_of_version_0_and_has_just_its_fields() -> None:
    """ApiVersions with an error code is read as version 0, and says so: it has no throttle time."""
    schema = RELEASE.schema("ApiVersionsResponse", 1)
    wire = bytes.fromhex("0023" + "00000001" + "0012" + "0000" + "0004" + "00000007")
    assert kafka_python.decode(schema, wire).value == {
        "ErrorCode": 35,
        "ApiKeys": [{"ApiKey": 18, "MinVersion": 0, "MaxVersion": 4}],
    }


def test_fields_of_other_versions_are_found_by_name() -> None:
    """IsDefault and ConfigSource, of versions that exclude each other, stand in another order in release 3.9.1."""
    schema = load_release("3.9.1").schema("DescribeConfigsResponse", 0)
    config = {"Name": "", "Value": "", "ReadOnly": False, "IsDefault": False, "IsSensitive": False}
    result = {"ErrorCode": 0, "ErrorMessage": "", "ResourceType": 0, "ResourceName": ""}
    wire = kafka_python.encode(
        schema, {"ThrottleTimeMs": 0, "Results": [{**result, "Configs": [{**config, "ConfigSource": 5}]}]}
    )
    assert wire.hex() == "0000000000000001" + "0000" + "0000" + "00" + "0000" + "00000001" + "00000000000000"
