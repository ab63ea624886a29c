"""The adapter for aiokafka, its bytes by hand, values unfit for its classes, and every message of it.

Mistakes of aiokafka are for the suite to find. These tests show that the adapter hands values and bytes over unchanged.
"""

from typing import Any

import pytest

from conformance.adapter import Unrepresentable, Unsupported
from reference import ArrayType, FieldSchema, MessageSchema, PrimitiveType, StructType, load_release
from tests.helpers.releases import BASE

aiokafka = pytest.importorskip(
    "conformance.adapters.aiokafka", reason="aiokafka is not installed: it is in the extra `adapters`"
)
RELEASE = load_release(BASE)

METADATA = RELEASE.schema("MetadataRequest", 4)
PARTITIONS = RELEASE.schema("CreatePartitionsRequest", 0)
RECORDS = RELEASE.schema("DeleteRecordsRequest", 2)

# topics: 1 + 1 elements; name: 1 + 1 bytes, "t"; partitions: 1 + 1, index 3, offset 9, no tags; no tags
RECORDS_WIRE = bytes.fromhex("02" + "0274" + "02" + "00000003" + "0000000000000009" + "00" + "00" + "000003e8" + "00")


def records(**tags: Any) -> dict[str, Any]:
    """The value of `RECORDS_WIRE`, with tags of the message."""
    partition = {"PartitionIndex": 3, "Offset": 9}
    return {"Topics": [{"Name": "t", "Partitions": [partition]}], "TimeoutMs": 1000, **tags}


def unrepresentable(schema: MessageSchema, value: dict[str, Any]) -> str:
    with pytest.raises(Unrepresentable) as caught:
        aiokafka.encode(schema, value)
    return caught.value.path


def schema_of_handshake(*fields: FieldSchema) -> MessageSchema:
    return MessageSchema("SaslHandshakeRequest", 1, "request", 17, flexible=False, fields=fields, absent_fields=())


def test_a_flexible_message_goes_through_aiokafka_both_ways() -> None:
    assert aiokafka.encode(RECORDS, records()) == RECORDS_WIRE
    decoded = aiokafka.decode(RECORDS, RECORDS_WIRE + b"\xff")
    assert (decoded.value, decoded.consumed) == (records(), len(RECORDS_WIRE))


def test_topics_as_bare_names_go_both_ways() -> None:
    value = {"Topics": [{"Name": "a"}, {"Name": "bc"}], "AllowAutoTopicCreation": True}
    wire = bytes.fromhex("00000002" + "000161" + "00026263" + "01")
    assert aiokafka.encode(METADATA, value) == wire
    assert aiokafka.decode(METADATA, wire).value == value


def test_null_topics_go_both_ways() -> None:
    value = {"Topics": None, "AllowAutoTopicCreation": False}
    wire = bytes.fromhex("ffffffff" + "00")
    assert aiokafka.encode(METADATA, value) == wire
    assert aiokafka.decode(METADATA, wire).value == value


def test_fields_in_a_tuple_of_their_own_go_both_ways() -> None:
    topic = {"Name": "t", "Count": 2, "Assignments": [{"BrokerIds": [1]}, {"BrokerIds": []}]}
    value = {"Topics": [topic], "TimeoutMs": 5, "ValidateOnly": True}
    assignments = "00000002" + "00000001" + "00000001" + "00000000"
    wire = bytes.fromhex("00000001" + "000174" + "00000002" + assignments + "00000005" + "01")
    assert aiokafka.encode(PARTITIONS, value) == wire
    assert aiokafka.decode(PARTITIONS, wire).value == value


def test_the_header_of_a_request_is_written_and_cannot_be_read() -> None:
    """Its class asks for a request, missing in its own `decode`."""
    schema = RELEASE.schema("RequestHeader", 2)
    value = {"RequestApiKey": 3, "RequestApiVersion": 12, "CorrelationId": 5, "ClientId": "c"}
    assert aiokafka.encode(schema, value) == bytes.fromhex("0003" + "000c" + "00000005" + "000163" + "00")
    assert "RequestHeader" not in aiokafka.supported()["decode"]


def test_the_header_of_a_response_goes_both_ways() -> None:
    """A correlation id, and in version 1 a tag section."""
    schema = RELEASE.schema("ResponseHeader", 1)
    assert aiokafka.encode(schema, {"CorrelationId": 5}) == bytes.fromhex("0000000500")
    assert aiokafka.decode(schema, bytes.fromhex("0000000500")).value == {"CorrelationId": 5}


def test_messages_between_members_of_a_group_go_both_ways_without_their_version() -> None:
    """Only version 0 is offered, as the classes write any other version with the same fields."""
    schema = RELEASE.schema("ConsumerProtocolAssignment", 0)
    value = {"AssignedPartitions": [{"Topic": "t", "Partitions": [7]}], "UserData": None}
    wire = bytes.fromhex("00000001" + "000174" + "00000001" + "00000007" + "ffffffff")
    assert aiokafka.encode(schema, value) == wire
    decoded = aiokafka.decode(schema, wire + b"\xff")
    assert (decoded.value, decoded.consumed) == (value, len(wire))
    assert aiokafka.supported()["decode"]["ConsumerProtocolSubscription"] == frozenset({0})


def test_class_with_the_version_of_another_is_noted() -> None:
    """ListGroups 2 has the number of version 1, so the first class of version 1 is tested."""
    [note] = aiokafka.notes
    assert note.startswith("ListGroupsRequest_v2 is not ")
    assert "ListGroupsRequest_v1" in note


def test_header_versions_come_from_the_requests() -> None:
    """A flexible request asks for a flexible header in both directions."""
    assert [aiokafka.header_version(46, 0, direction) for direction in ("request", "response")] == [2, 1]
    assert [aiokafka.header_version(3, 5, direction) for direction in ("request", "response")] == [1, 0]
    with pytest.raises(Unsupported, match=r"key 3 .*version 12"):
        aiokafka.header_version(3, 12, "request")


def test_null_for_a_struct_missing_in_aiokafka_is_unrepresentable() -> None:
    """A topic is its bare name there, so null would be the name."""
    assert unrepresentable(METADATA, {"Topics": [None], "AllowAutoTopicCreation": True}) == "Topics[0]"


def test_versions_dropped_by_kafka_4_are_offered() -> None:
    assert aiokafka.supported()["decode"]["ProduceRequest"] == frozenset(range(9))


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ((), "one field more than the definition, mechanism"),
        ((FieldSchema("A", PrimitiveType("string")), FieldSchema("B", PrimitiveType("int8"))), "lacks the fields B"),
        (
            (FieldSchema("A", ArrayType(FieldSchema("A", PrimitiveType("string")))),),
            "A is array of string; in aiokafka it is",
        ),
        ((FieldSchema("A", StructType("Some")),), "A is struct; in aiokafka it is string"),
    ],
)
def test_a_schema_of_another_shape_is_unsupported(fields: tuple[FieldSchema, ...], text: str) -> None:
    with pytest.raises(Unsupported, match=text):
        aiokafka.encode(schema_of_handshake(*fields), {})


def test_another_type_in_the_same_place_goes_on() -> None:
    schema = schema_of_handshake(FieldSchema("Method", PrimitiveType("int16")))
    assert aiokafka.encode(schema, {"Method": "X"}) == bytes.fromhex("000158")


def test_unknown_tags_are_read_at_every_level() -> None:
    wire = bytes.fromhex("02" + "0274" + "01" + "01" + "0502" + "cafe" + "000003e8" + "02" + "0500" + "0701" + "ff")
    assert aiokafka.decode(RECORDS, wire).value == {
        "Topics": [{"Name": "t", "Partitions": [], "_tags": [(5, b"\xca\xfe")]}],
        "TimeoutMs": 1000,
        "_tags": [(5, b""), (7, b"\xff")],
    }


def test_unknown_tags_reach_aiokafka_s_writer() -> None:
    wire = aiokafka.encode(RECORDS, records(_tags=[(5, b"\xca\xfe")]))
    assert wire[: len(RECORDS_WIRE) - 1] == RECORDS_WIRE[:-1]
    assert wire.endswith(b"\xca\xfe")


def test_a_tag_twice_is_unrepresentable() -> None:
    assert unrepresentable(RECORDS, records(_tags=[(5, b""), (5, b"x")])) == "_tags"


def test_unknown_tags_where_there_is_no_tag_section_are_unrepresentable() -> None:
    value = {"Topics": None, "AllowAutoTopicCreation": False}
    assert unrepresentable(METADATA, {**value, "_tags": [(5, b"")]}) == "_tags"
    assert aiokafka.encode(METADATA, {**value, "_tags": []}) == bytes.fromhex("ffffffff" + "00")


@pytest.mark.parametrize("value", [{"Topics": None}, {"Topics": None, "AllowAutoTopicCreation": True, "Colour": 1}])
def test_partial_values_and_other_fields_are_unrepresentable(value: dict[str, Any]) -> None:
    assert unrepresentable(METADATA, value) in {"AllowAutoTopicCreation", "Colour"}


def test_an_unrepresentable_value_is_named_by_its_path() -> None:
    topics = [{"Name": "t", "Partitions": [{"PartitionIndex": 0, "Offset": 0}, {"PartitionIndex": 0}]}]
    assert unrepresentable(RECORDS, {"Topics": topics, "TimeoutMs": 0}) == "Topics[0].Partitions[1].Offset"


def test_known_tagged_fields_have_no_place_in_aiokafka() -> None:
    """Defaults are left out, and other values are unrepresentable. When read, their bytes are an unknown tag."""
    tagged = FieldSchema("Extra", PrimitiveType("int8"), tag=5, default=0)
    fields = (FieldSchema("Id", PrimitiveType("int32")), tagged)
    schema = MessageSchema("ResponseHeader", 1, "header", None, flexible=True, fields=fields, absent_fields=())
    assert aiokafka.encode(schema, {"Id": 1, "Extra": 0}) == bytes.fromhex("0000000100")
    assert unrepresentable(schema, {"Id": 1, "Extra": 7}) == "Extra"
    decoded = aiokafka.decode(schema, bytes.fromhex("00000001" + "01" + "0501" + "07"))
    assert decoded.value == {"Id": 1, "Extra": 0, "_tags": [(5, b"\x07")]}
