"""The adapter for kafka-python, its bytes by hand, the edges of its types, and every message of it.

Mistakes of kafka-python are for the suite to find. These tests show that the adapter hands values and bytes over
unchanged.
"""

from typing import Any
from uuid import UUID

import pytest

from conformance.adapter import Unrepresentable, Unsupported
from reference import MessageSchema, load_release, minimal
from tests.helpers.releases import BASE

kafka_python = pytest.importorskip(
    "conformance.adapters.kafka_python", reason="kafka-python is not installed: it is in the extra `adapters`"
)
RELEASE = load_release(BASE)
METADATA = RELEASE.schema("MetadataRequest", 12)
CLUSTER = RELEASE.schema("DescribeClusterResponse", 0)
FETCH = RELEASE.schema("FetchRequest", 15)
SUBSCRIPTION = RELEASE.schema("ConsumerProtocolSubscription", 1)

# topics: 1 + 1 elements; topic id: 16 bytes; name: 1 + 1 bytes, "t"; no tags; true; false; no tags
METADATA_WIRE = bytes.fromhex("02" + "00" * 15 + "07" + "0274" + "00" + "01" + "00" + "00")
TOPIC = {"TopicId": UUID(int=7), "Name": "t"}
METADATA_VALUE = {"Topics": [TOPIC], "AllowAutoTopicCreation": True, "IncludeTopicAuthorizedOperations": False}


def cluster(operations: Any) -> dict[str, Any]:
    return {**minimal(CLUSTER), "ClusterAuthorizedOperations": operations}


def cluster_wire(operations: str) -> bytes:
    """Return the bytes of `cluster`, with error 0, no message, cluster "", controller -1, no brokers and the set."""
    return bytes.fromhex("00000000" + "0000" + "00" + "01" + "ffffffff" + "01" + operations + "00")


def unrepresentable(schema: MessageSchema, value: dict[str, Any]) -> str:
    with pytest.raises(Unrepresentable) as caught:
        kafka_python.encode(schema, value)
    return caught.value.path


def test_a_message_goes_through_kafka_python_both_ways() -> None:
    assert kafka_python.encode(METADATA, METADATA_VALUE) == METADATA_WIRE
    decoded = kafka_python.decode(METADATA, METADATA_WIRE + b"\xff")
    assert (decoded.value, decoded.consumed) == (METADATA_VALUE, None)


def test_embedded_data_is_without_its_version_and_counted() -> None:
    """The group protocol's version prefix is no part of the message, and its reader reports its end."""
    value = {"Topics": ["t"], "UserData": None, "OwnedPartitions": []}
    wire = bytes.fromhex("00000001" + "000174" + "ffffffff" + "00000000")
    assert kafka_python.encode(SUBSCRIPTION, value) == wire
    decoded = kafka_python.decode(SUBSCRIPTION, wire + b"\xff")
    assert (decoded.value, decoded.consumed) == (value, len(wire))


@pytest.mark.parametrize(("version", "tags"), [(1, ""), (2, "00")])
def test_headers_go_through_kafka_python_both_ways(version: int, tags: str) -> None:
    """A client id has the legacy form in both versions of a request's header, and only the second one has tags."""
    schema = RELEASE.schema("RequestHeader", version)
    value = {"RequestApiKey": 3, "RequestApiVersion": 12, "CorrelationId": 5, "ClientId": "c"}
    wire = bytes.fromhex("0003" + "000c" + "00000005" + "000163" + tags)
    assert kafka_python.encode(schema, value) == wire
    decoded = kafka_python.decode(schema, wire)
    assert (decoded.value, decoded.consumed) == (value, len(wire))


def test_versions_no_longer_in_its_definitions_are_offered() -> None:
    """kafka-python takes every version from 0 on."""
    assert kafka_python.supported()["FetchRequest"] == frozenset(range(19))
    assert kafka_python.supported()["RequestHeader"] == frozenset((1, 2))


def test_messages_of_its_own_are_not_offered() -> None:
    """User data of a client is no message of Kafka's, and neither are its shorthands for one version."""
    assert not {"StickyAssignorUserData", "ListGroupsRequest_v0"} & kafka_python.supported().keys()


@pytest.mark.parametrize(
    ("operations", "wire"),
    [(0, "00000000"), (0x90, "00000090"), (-1, "ffffffff"), (-(2**31), "80000000"), (2**31 - 1, "7fffffff")],
)
def test_authorized_operations_go_through_a_set_of_bits_exactly(operations: int, wire: str) -> None:
    """Every int32 is a set of bits, including the lowest one, the value of a missing request."""
    assert kafka_python.encode(CLUSTER, cluster(operations)) == cluster_wire(wire)
    assert kafka_python.decode(CLUSTER, cluster_wire(wire)).value == cluster(operations)


@pytest.mark.parametrize("operations", [2**31, -(2**31) - 1, None])
def test_value_other_than_a_set_of_32_bits_is_unrepresentable(operations: int | None) -> None:
    assert unrepresentable(CLUSTER, cluster(operations)) == "ClusterAuthorizedOperations"


def test_a_null_uuid_is_unrepresentable_and_named_by_its_path() -> None:
    value = {**METADATA_VALUE, "Topics": [TOPIC, {"TopicId": None, "Name": "t"}]}
    assert unrepresentable(METADATA, value) == "Topics[1].TopicId"


def test_unknown_tags_are_shown_when_read_and_handed_over_when_written() -> None:
    """kafka-python keeps them in the object and writes none, a mistake for the suite to find."""
    decoded = kafka_python.decode(METADATA, METADATA_WIRE[:-1] + bytes.fromhex("01" + "0502" + "cafe"))
    assert decoded.value == {**METADATA_VALUE, "_tags": [(5, b"\xca\xfe")]}
    assert kafka_python.encode(METADATA, decoded.value) == METADATA_WIRE


def test_an_unknown_tag_twice_is_unrepresentable() -> None:
    """An object has it once, as an attribute."""
    assert unrepresentable(METADATA, {**METADATA_VALUE, "_tags": [(5, b""), (5, b"x")]}) == "_tags"


def test_fields_of_other_versions_reach_kafka_python_by_their_place() -> None:
    """It drops them, and sets of operations are matched despite its own names of them."""
    schema = RELEASE.schema("MetadataResponse", 11)
    value = minimal(schema)
    wire = kafka_python.encode(schema, value)
    assert kafka_python.encode(schema, {**value, "ClusterAuthorizedOperations": 1}) == wire
    assert unrepresentable(schema, {**value, "ClusterAuthorizedOperations": 2**31}) == "ClusterAuthorizedOperations"


def test_field_of_no_version_is_unrepresentable() -> None:
    assert unrepresentable(METADATA, {**METADATA_VALUE, "Colour": 1}) == "Colour"


def test_fields_left_out_have_kafka_python_s_own_default() -> None:
    wire = bytes.fromhex("00" * 8 + "7fffffff" + "00" + "00000000" + "ffffffff" + "0101" + "01" + "00")
    assert kafka_python.encode(FETCH, {"MaxWaitMs": 0, "MinBytes": 0}) == wire


def test_an_absent_tagged_struct_is_none_as_in_kafka_python() -> None:
    wire = bytes.fromhex("00" * 8 + "7fffffff" + "00" + "00000000" + "ffffffff" + "0101" + "01" + "00")
    assert kafka_python.decode(FETCH, wire).value["ReplicaState"] is None


def test_tagged_struct_with_a_value_goes_both_ways() -> None:
    value = {**minimal(FETCH), "ReplicaState": {"ReplicaId": 7, "ReplicaEpoch": 8}}
    tagged = "01" + "01" + "0d" + "00000007" + "0000000000000008" + "00"
    wire = bytes.fromhex("00" * 8 + "7fffffff" + "00" + "00000000" + "ffffffff" + "0101" + "01" + tagged)
    assert kafka_python.encode(FETCH, value) == wire
    assert kafka_python.decode(FETCH, wire).value == value


def test_frame_has_the_header_of_its_message() -> None:
    """A request names its client, and the response to ApiVersions has no tag section before its body."""
    versions = RELEASE.schema("ApiVersionsResponse", 3)
    wire = kafka_python.encode_frame(RELEASE, "request", 3, 12, 7, "cl", METADATA_VALUE)
    assert wire[4:] == bytes.fromhex("0003000c000000070002636c00") + METADATA_WIRE
    wire = kafka_python.encode_frame(RELEASE, "response", 18, 3, 7, None, minimal(versions))
    assert wire[4:] == bytes.fromhex("00000007") + kafka_python.encode(versions, minimal(versions))


def test_a_response_comes_back_with_its_parts() -> None:
    """A connection reads it after a request with its correlation id."""
    read = kafka_python.decode_frame(RELEASE, "response", 12, 0, bytes.fromhex("00000006ffffffff0007"))
    assert (read.correlation_id, read.client_id, read.value) == (-1, None, {"ErrorCode": 7})


@pytest.mark.parametrize(
    ("size", "error"), [("00000007", "waits for more bytes"), ("ffffffff", "Invalid frame length: -1")]
)
def test_a_frame_of_another_size_is_not_read(size: str, error: str) -> None:
    """A connection waits for all bytes of the size, and ends at a negative one."""
    with pytest.raises(kafka_python.rejections, match=error):
        kafka_python.decode_frame(RELEASE, "response", 12, 0, bytes.fromhex(size + "000000010007"))


def test_frames_foreign_to_connections_are_unsupported() -> None:
    """Connections read no requests, and make headers without tagged fields."""
    with pytest.raises(Unsupported, match="reading requests"):
        kafka_python.decode_frame(RELEASE, "request", 3, 12, b"")
    with pytest.raises(Unsupported, match="tagged fields"):
        kafka_python.encode_frame(RELEASE, "request", 3, 12, 7, "cl", METADATA_VALUE, header_tags=[(5, b"")])
