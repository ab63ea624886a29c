"""What Apache Kafka makes of bytes that no conforming writer writes, and which values it refuses to write.

These are observations, in a release that is out, on which the catalogue's rules about leniency rest.
"""

from typing import Any

import pytest

from conformance.harnesses.apache_kafka import ApacheKafka

pytestmark = pytest.mark.java

METADATA = ("MetadataRequest", 9)
VERSIONS = ("ApiVersionsResponse", 3)
HEARTBEAT = ("ConsumerGroupHeartbeatResponse", 0)
MEMBER = ("ConsumerGroupMemberMetadataValue", 0)

BEFORE_TAGS = "0000 01 00000000"
BEFORE_STRUCT = "00000000 0000 00 00 00000000 00000000"
BEFORE_MEMBER_TAGS = "0101 01010101 ffffffff 01"
EPOCH = "0000000000000005"
PARTITION = "00000000 0000" + "00" * 24 + "01 ffffffff"
FETCHED = f"00000000 0000 00000000 02 0274 02 {PARTITION}"

READ_AS: dict[str, tuple[tuple[str, int], str, str]] = {
    "array length below -1 is null": (("MetadataRequest", 1), "80000000", "ffffffff"),
    "string length below -1 is null": (("RequestHeader", 1), "0000 0000 00000000 8000", "0000 0000 00000000 ffff"),
    "compact length of 2^31 + 1 is null": (METADATA, "8180808008 01 00 00 00", "00 01 00 00 00"),
    "compact length of 2^32 - 1 is null": (METADATA, "ffffffff0f 01 00 00 00", "00 01 00 00 00"),
    "records with such a length are null": (
        ("FetchResponse", 12),
        f"{FETCHED} 8180808008 00 00 00",
        f"{FETCHED} 00 00 00 00",
    ),
    "bytes with such a length are null": (("EnvelopeRequest", 0), "01 8180808008 01 00", "01 00 01 00"),
    "bool 02 is true": (METADATA, "00 02 00 00 00", "00 01 00 00 00"),
    "bool ff is true": (METADATA, "00 ff 00 00 00", "00 01 00 00 00"),
    "overlong varint": (METADATA, "818000 01 00 00 00", "01 01 00 00 00"),
    "overlong varint of five bytes": (METADATA, "8180808000 01 00 00 00", "01 01 00 00 00"),
    "bits past the 32nd are dropped": (METADATA, "8180808070 01 00 00 00", "01 01 00 00 00"),
    "invalid UTF-8 is replaced": (("ApiVersionsRequest", 3), "03c328 01 00", "05efbfbd28 01 00"),
    "an encoded surrogate is one replacement": (("ApiVersionsRequest", 3), "04eda080 01 00", "04efbfbd 01 00"),
    "tags out of order": (
        VERSIONS,
        f"{BEFORE_TAGS} 02 03 01 01 01 08 {EPOCH}",
        f"{BEFORE_TAGS} 02 01 08 {EPOCH} 03 01 01",
    ),
    "the last of a tag counts": (
        VERSIONS,
        f"{BEFORE_TAGS} 02 01 08 0000000000000004 01 08 {EPOCH}",
        f"{BEFORE_TAGS} 01 01 08 {EPOCH}",
    ),
    "default in the tag section": (VERSIONS, f"{BEFORE_TAGS} 01 01 08 ffffffffffffffff", f"{BEFORE_TAGS} 00"),
    "size 0 of a known tag": (VERSIONS, f"{BEFORE_TAGS} 01 01 00 {EPOCH}", f"{BEFORE_TAGS} 01 01 08 {EPOCH}"),
    "size 127 of a known tag": (VERSIONS, f"{BEFORE_TAGS} 01 01 7f {EPOCH}", f"{BEFORE_TAGS} 01 01 08 {EPOCH}"),
    "negative size of a known tag": (
        VERSIONS,
        f"{BEFORE_TAGS} 01 01 ffffffff0f {EPOCH}",
        f"{BEFORE_TAGS} 01 01 08 {EPOCH}",
    ),
    "negative number of tags is none": (VERSIONS, f"{BEFORE_TAGS} ffffffff0f", f"{BEFORE_TAGS} 00"),
    "overlong varints in a tag section": (
        VERSIONS,
        f"{BEFORE_TAGS} 8100 8100 8800 {EPOCH}",
        f"{BEFORE_TAGS} 01 01 08 {EPOCH}",
    ),
    "struct marker 80 is null": (HEARTBEAT, f"{BEFORE_STRUCT} 80 00", f"{BEFORE_STRUCT} ff 00"),
    "struct marker 00 is present": (HEARTBEAT, f"{BEFORE_STRUCT} 00 01 00 00", f"{BEFORE_STRUCT} 01 01 00 00"),
    "struct marker 7f is present": (HEARTBEAT, f"{BEFORE_STRUCT} 7f 01 00 00", f"{BEFORE_STRUCT} 01 01 00 00"),
    "negative tagged struct marker is null": (
        MEMBER,
        f"{BEFORE_MEMBER_TAGS} 01 00 05 8080808008",
        f"{BEFORE_MEMBER_TAGS} 01 00 01 00",
    ),
    "tagged struct marker 7f is present": (
        MEMBER,
        f"{BEFORE_MEMBER_TAGS} 01 00 07 7f 00000005 01 00",
        f"{BEFORE_MEMBER_TAGS} 01 00 07 01 00000005 01 00",
    ),
}

NOT_READ: dict[str, tuple[tuple[str, int], str, str]] = {
    "string longer than the input": (("MetadataRequest", 0), "00000001 0005 61", "Error reading byte array of 5"),
    "bytes longer than the input": (("SaslAuthenticateRequest", 0), "00000005 61", "Error reading byte array of 5"),
    "records longer than the input": (("FetchResponse", 12), f"{FETCHED} 08dead 00 00 00", "newLimit > capacity"),
    "zero-copy bytes longer than the input": (("EnvelopeRequest", 0), "05 61", "newLimit > capacity"),
    "more elements than bytes": (("ListGroupsRequest", 4), "04 01 01", "Tried to allocate a collection of size 3"),
    "compact length of 2^31": (("ListGroupsRequest", 4), "8080808008", "a collection of size 2147483647"),
    "null string": (METADATA, "02 00", "non-nullable field name was serialized as null"),
    "null array": (("ListGroupsRequest", 4), "00", "non-nullable field statesFilter was serialized as null"),
    "null element": (("ListGroupsRequest", 4), "02 00 00", "statesFilter element was serialized as null"),
    "compact string of 32768 bytes": (METADATA, "02 818002", "string field name had invalid length 32768"),
    "varint of six bytes": (METADATA, "818080808000 01 00 00 00", "Varint is too long"),
    "tag that the version does not have": (
        ("PartitionChangeRecord", 0),
        "00000000" + "00" * 16 + "01 08 01 01",
        "Tag 8 is not valid for version 0",
    ),
    "unknown tag longer than the input": (VERSIONS, f"{BEFORE_TAGS} 01 05 05 aabb", "Error reading byte array of 5"),
    "unknown tag of 2^31 bytes": (VERSIONS, f"{BEFORE_TAGS} 01 05 8080808008", "NegativeArraySizeException"),
    "null in a tagged array": (VERSIONS, f"{BEFORE_TAGS} 01 00 01 00", "supportedFeatures was serialized as null"),
    "fewer tags than announced": (VERSIONS, f"{BEFORE_TAGS} ffffffff07 05 01 aa", "BufferUnderflowException"),
}

READ_BUT_NOT_WRITTEN: dict[str, tuple[str, list[list[Any]]]] = {
    "unknown tags out of order": ("02 06 01 aa 05 01 bb", [[6, "aa"], [5, "bb"]]),
    "unknown tag twice": ("02 05 01 aa 05 01 bb", [[5, "aa"], [5, "bb"]]),
    "tag 2^31 - 1": ("01 ffffffff07 01 aa", [[2147483647, "aa"]]),
    "tag 2^31": ("01 8080808008 01 aa", [[2147483648, "aa"]]),
    "tag 2^32 - 1": ("01 ffffffff0f 01 aa", [[4294967295, "aa"]]),
}

WRITTEN_AS: dict[str, tuple[tuple[str, int], dict[str, Any], str]] = {
    "unknown tag equal to a known one": (
        VERSIONS,
        {"FinalizedFeaturesEpoch": "5", "_tags": [[1, "09"]]},
        f"{BEFORE_TAGS} 02 01 08 {EPOCH} 01 01 09",
    ),
    "unknown tag below the known ones": (
        VERSIONS,
        {"FinalizedFeaturesEpoch": "5", "_tags": [[0, "09"]]},
        f"{BEFORE_TAGS} 02 01 08 {EPOCH} 00 01 09",
    ),
    "the largest unknown tag": (VERSIONS, {"_tags": [[2147483646, "09"]]}, f"{BEFORE_TAGS} 01 feffffff07 01 09"),
    "null where the tagged default is empty": (
        MEMBER,
        {"ClassicMemberMetadata": None},
        f"{BEFORE_MEMBER_TAGS} 01 00 01 00",
    ),
    "empty where the tagged default is null": (("AbortTransactionRecord", 0), {"Reason": ""}, "01 00 01 01"),
    "tagged struct with nothing but an unknown tag": (
        ("FetchRequest", 15),
        {"ReplicaState": {"_tags": [[5, "01"]]}},
        "00000000 00000000 7fffffff 00 00000000 ffffffff 01 01 0101 01 10 ffffffff ffffffffffffffff 01 05 01 01",
    ),
    "ignorable field of a later version": (
        ("OffsetCommitValue", 3),
        {"topicId": None},
        "0000000000000000 ffffffff 0000 0000000000000000",
    ),
    "unwritable value in an ignorable field of a later version": (
        ("ApiVersionsResponse", 0),
        {"SupportedFeatures": [{"Name": None, "_tags": [[0, ""]]}]},
        "0000 00000000",
    ),
}

NOT_WRITTEN: dict[str, tuple[tuple[str, int], dict[str, Any], str, str]] = {
    "string of 32768 bytes": (("ListGroupsRequest", 4), {"StatesFilter": ["é" * 16384]}, "size", "is too long"),
    "null in a version that forbids it": (METADATA, {"Topics": [{"Name": None}]}, "write", "NullPointerException"),
    "null element": (("ListGroupsRequest", 4), {"StatesFilter": [None]}, "size", "NullPointerException"),
    "null records by default": (
        ("ShareFetchResponse", 2),
        {"Responses": [{"Partitions": [{}]}]},
        "size",
        "NullPointerException",
    ),
    "unknown tags out of order": (VERSIONS, {"_tags": [[6, ""], [5, ""]]}, "write", "tag 5 comes after tag 6"),
    "tag 2^31 - 1": (VERSIONS, {"_tags": [[2147483647, ""]]}, "write", "Attempted to use tag 2147483647"),
    "struct of a later version": (
        ("FetchRequest", 14),
        {"ReplicaState": {"_tags": [[9, ""]]}},
        "write",
        "non-default replicaState at version 14",
    ),
    "array of a later version, of defaults": (
        ("ProduceResponse", 9),
        {"NodeEndpoints": [{}]},
        "write",
        "non-default nodeEndpoints at version 9",
    ),
    "null array of a later version": (
        ("ListGroupsRequest", 3),
        {"StatesFilter": None},
        "write",
        "NullPointerException",
    ),
    "null in a nullable array of other versions": (
        ("OffsetFetchRequest", 8),
        {"Topics": None},
        "write",
        "non-default topics at version 8",
    ),
}


@pytest.mark.parametrize("case", READ_AS.values(), ids=READ_AS)
def test_reads_what_it_would_write_otherwise(kafka: ApacheKafka, case: tuple[tuple[str, int], str, str]) -> None:
    pair, wire, canonical = case
    [reply] = kafka.decode_many([(*pair, bytes.fromhex(wire))])
    assert reply.get("consumed") == len(bytes.fromhex(wire)), reply
    assert reply["canonical"] == bytes.fromhex(canonical).hex()


@pytest.mark.parametrize("case", NOT_READ.values(), ids=NOT_READ)
def test_refuses_to_read(kafka: ApacheKafka, case: tuple[tuple[str, int], str, str]) -> None:
    pair, wire, error = case
    [reply] = kafka.decode_many([(*pair, bytes.fromhex(wire))])
    assert reply["outcome"] == "rejected"
    assert error in f"{reply['class']}: {reply['text']}"


@pytest.mark.parametrize("case", READ_BUT_NOT_WRITTEN.values(), ids=READ_BUT_NOT_WRITTEN)
def test_reads_unknown_tags_that_it_cannot_write(kafka: ApacheKafka, case: tuple[str, list[list[Any]]]) -> None:
    section, tags = case
    [reply] = kafka.decode_many([(*VERSIONS, bytes.fromhex(BEFORE_TAGS + section))])
    assert reply["value"]["_tags"] == tags
    assert reply["canonical"] is None


@pytest.mark.parametrize("case", WRITTEN_AS.values(), ids=WRITTEN_AS)
def test_writes_what_others_may_refuse(kafka: ApacheKafka, case: tuple[tuple[str, int], dict[str, Any], str]) -> None:
    pair, value, wire = case
    [reply] = kafka.encode_many([(*pair, value)])
    assert reply.get("wire") == bytes.fromhex(wire).hex(), reply


@pytest.mark.parametrize("case", NOT_WRITTEN.values(), ids=NOT_WRITTEN)
def test_refuses_to_write(kafka: ApacheKafka, case: tuple[tuple[str, int], dict[str, Any], str, str]) -> None:
    pair, value, during, error = case
    [reply] = kafka.encode_many([(*pair, value)])
    assert (reply["outcome"], reply.get("during")) == ("rejected", during)
    assert error in f"{reply['class']}: {reply['text']}"


def test_bytes_after_a_message_are_left_unread(kafka: ApacheKafka) -> None:
    [reply] = kafka.decode_many([("ApiVersionsRequest", 3, bytes.fromhex("01 01 00 ffff"))])
    assert reply["consumed"] == 3


def test_the_longest_string_is_written_and_read(kafka: ApacheKafka) -> None:
    """32767 bytes, however the length is encoded."""
    text = "é" * 16383 + "a"
    cases = [("MetadataRequest", version, {"Topics": [{"Name": text}]}) for version in (0, 9)]
    encoded = kafka.encode_many(cases)
    decoded = kafka.decode_many(
        (message, version, bytes.fromhex(reply["wire"]))
        for (message, version, _), reply in zip(cases, encoded, strict=True)
    )
    assert [reply["value"]["Topics"][0]["Name"] for reply in decoded] == [text, text]
