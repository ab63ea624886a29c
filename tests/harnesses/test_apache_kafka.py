from pathlib import Path
from typing import Any

import pytest

from conformance.bridge.errors import HarnessStartError
from conformance.harnesses.apache_kafka import ApacheKafka, command

pytestmark = pytest.mark.java

Case = tuple[str, int, dict[str, Any], str]

TOPIC_ID = "00112233-4455-6677-8899-aabbccddeeff"


def quota(bits: str) -> Case:
    """Set user quota k to a float64 with these bits."""
    operation = {"Key": "k", "Value": bits, "Remove": False}
    entry = {"Entity": [{"EntityType": "user", "EntityName": None}], "Ops": [operation]}
    wire = f"00000001 00000001 0004 75736572 ffff 00000001 0001 6b {bits} 00 00"
    return ("AlterClientQuotasRequest", 0, {"Entries": [entry]}, wire)


def fetched(records: str | None, on_the_wire: str) -> Case:
    """Answer a fetch with these records of partition 0 of topic t."""
    partition = {"HighWatermark": "1", "Records": records}
    wire = (
        "00000000 0000 00000000 02 0274 02"
        "00000000 0000 0000000000000001 ffffffffffffffff ffffffffffffffff 01 ffffffff"
        f"{on_the_wire} 00 00 00"
    )
    return ("FetchResponse", 12, {"Responses": [{"Topic": "t", "Partitions": [partition]}]}, wire)


BYTES: dict[str, Case] = {
    "null array": ("MetadataRequest", 9, {"Topics": None}, "00 01 00 00 00"),
    "array of structs": ("MetadataRequest", 9, {"Topics": [{"Name": "a"}]}, "02 0261 00 01 00 00 00"),
    "classic lengths": ("MetadataRequest", 4, {"Topics": [{"Name": "a"}]}, "00000001 000161 01"),
    "compact strings": (
        "ApiVersionsRequest",
        3,
        {"ClientSoftwareName": "kafka", "ClientSoftwareVersion": "4.3"},
        "06 6b61666b61 04 342e33 00",
    ),
    "uuid": (
        "MetadataRequest",
        12,
        {"Topics": [{"TopicId": TOPIC_ID, "Name": None}]},
        "02 00112233445566778899aabbccddeeff 00 00 01 00 00",
    ),
    "known tag": (
        "ApiVersionsResponse",
        3,
        {"FinalizedFeaturesEpoch": "5"},
        "0000 01 00000000 01 01 08 0000000000000005",
    ),
    "unknown tags": ("ApiVersionsRequest", 3, {"_tags": [[5, ""], [9999, "cafe"]]}, "01 01 02 05 00 8f4e 02 cafe"),
    "unknown tag of an element": (
        "MetadataRequest",
        9,
        {"Topics": [{"Name": "a", "_tags": [[0, "ff"]]}]},
        "02 0261 01 00 01 ff 01 00 00 00",
    ),
    "null struct": (
        "ConsumerGroupHeartbeatResponse",
        0,
        {"Assignment": None},
        "00000000 0000 00 00 00000000 00000000 ff 00",
    ),
    "struct where null is allowed": (
        "ConsumerGroupHeartbeatResponse",
        0,
        {"Assignment": {"TopicPartitions": []}},
        "00000000 0000 00 00 00000000 00000000 01 01 00 00",
    ),
    "duplicates in a keyed array": (
        "AddPartitionsToTxnRequest",
        3,
        {"V3AndBelowTopics": [{"Name": "t", "Partitions": [1]}, {"Name": "t", "Partitions": []}]},
        "01 0000000000000000 0000 03 0274 02 00000001 00 0274 01 00 00",
    ),
    "int64": ("EndTxnRequest", 0, {"ProducerId": "-9223372036854775808"}, "0000 8000000000000000 0000 00"),
    "uint32": ("ProducerSnapshot", 1, {"Crc": "4294967295"}, "ffffffff 00000000"),
    "zero-copy bytes": (
        "EnvelopeRequest",
        0,
        {"RequestData": "aa", "RequestPrincipal": "", "ClientHostAddress": "7f000001"},
        "02aa 01 057f000001 00",
    ),
    "names in lower case": (
        "OffsetCommitKey",
        0,
        {"group": "g", "topic": "t", "partition": 1},
        "000167 000174 00000001",
    ),
    "header": ("RequestHeader", 2, {"RequestApiKey": 3, "RequestApiVersion": 9}, "0003 0009 00000000 0000 00"),
    "quiet NaN with a payload": quota("7ff8000000000abc"),
    "signalling NaN": quota("7ff0000000000001"),
    "negative zero": quota("8000000000000000"),
    "records that are no batches": fetched("dead", "03 dead"),
    "null records": fetched(None, "00"),
}

REFUSED: dict[str, tuple[str, int, dict[str, Any], str, str]] = {
    "field of a later version": (
        "MetadataRequest",
        3,
        {"AllowAutoTopicCreation": False},
        "write",
        "Attempted to write a non-default allowAutoTopicCreation at version 3",
    ),
    "null where it is never allowed": (
        "ApiVersionsRequest",
        3,
        {"ClientSoftwareName": None},
        "size",
        "NullPointerException",
    ),
    "unknown tags before flexible versions": (
        "MetadataRequest",
        8,
        {"_tags": [[5, ""]]},
        "size",
        "Tagged fields were set",
    ),
}
NO_VALUES: dict[str, tuple[str, int, dict[str, Any], str]] = {
    "unknown field": ("MetadataRequest", 9, {"Topic": None}, "Topic: "),
    "unknown field of an element": ("MetadataRequest", 9, {"Topics": [{"Nam": "a"}]}, "Topics[0].Nam: "),
    "text for a number": ("EndTxnRequest", 0, {"ProducerEpoch": "1"}, "ProducerEpoch: "),
    "number for an int64": ("EndTxnRequest", 0, {"ProducerId": 1}, "ProducerId: "),
}


@pytest.mark.parametrize("case", BYTES.values(), ids=BYTES)
def test_writes_the_bytes_of_the_protocol(kafka: ApacheKafka, case: Case) -> None:
    message, version, value, wire = case
    expected = bytes.fromhex(wire)
    assert kafka.encode_many([(message, version, value)]) == [
        {"outcome": "bytes", "wire": expected.hex(), "size": len(expected)}
    ]


@pytest.mark.parametrize("case", BYTES.values(), ids=BYTES)
def test_reads_back_what_was_written(kafka: ApacheKafka, case: Case) -> None:
    message, version, value, wire = case
    [reply] = kafka.decode_many([(message, version, bytes.fromhex(wire) + b"more")])
    assert reply["outcome"] == "value"
    assert reply["consumed"] == len(bytes.fromhex(wire))
    assert reply["canonical"] == bytes.fromhex(wire).hex()
    assert contains(reply["value"], value)


def contains(whole: Any, part: Any) -> bool:
    if isinstance(part, dict):
        return all(key in whole and contains(whole[key], value) for key, value in part.items())
    if isinstance(part, list):
        return len(whole) == len(part) and all(map(contains, whole, part))
    return bool(whole == part)


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_a_refusal_tells_step_and_reason(kafka: ApacheKafka, case: tuple[str, int, dict[str, Any], str, str]) -> None:
    message, version, value, during, error = case
    [reply] = kafka.encode_many([(message, version, value)])
    assert (reply["outcome"], reply["during"]) == ("rejected", during)
    assert error in f"{reply['class']}: {reply['text']}"


@pytest.mark.parametrize("case", NO_VALUES.values(), ids=NO_VALUES)
def test_a_value_of_another_form_is_no_request(kafka: ApacheKafka, case: tuple[str, int, dict[str, Any], str]) -> None:
    message, version, value, text = case
    [reply] = kafka.encode_many([(message, version, value)])
    assert reply["outcome"] == "protocol-error"
    assert reply["text"].startswith(text)


@pytest.mark.parametrize(
    "value",
    [
        {"ProducerEpoch": 32768},
        {"ProducerEpoch": None},
        {"ProducerId": "9223372036854775808"},
        {"_tags": [[4294967296, ""]]},
    ],
    ids=str,
)
def test_what_java_cannot_hold_is_unrepresentable(kafka: ApacheKafka, value: dict[str, Any]) -> None:
    [reply] = kafka.encode_many([("EndTxnRequest", 3, value)])
    assert reply["outcome"] == "unrepresentable"


def test_values_hold_all_fields_whatever_the_version(kafka: ApacheKafka) -> None:
    [reply] = kafka.decode_many([("MetadataRequest", 0, bytes(4))])
    assert reply["value"] == {
        "Topics": [],
        "AllowAutoTopicCreation": True,
        "IncludeClusterAuthorizedOperations": False,
        "IncludeTopicAuthorizedOperations": False,
    }


def test_a_value_that_cannot_be_written_again_has_no_canonical_form(kafka: ApacheKafka) -> None:
    [reply] = kafka.decode_many([("ApiVersionsRequest", 3, bytes.fromhex("01 01 02 05 00 05 00"))])
    assert reply["value"]["_tags"] == [[5, ""], [5, ""]]
    assert reply["canonical"] is None
    assert "tag 5 comes after tag 5" in reply["canonicalError"]


def test_a_lone_surrogate_travels_in_hex(kafka: ApacheKafka) -> None:
    value = {"ClientSoftwareName": {"utf16": "0061d800"}}
    [reply] = kafka.encode_many([("ApiVersionsRequest", 3, value)])
    assert reply["wire"] == "03613f0100"


@pytest.mark.parametrize(
    ("message", "version"), [("NoSuchRequest", 0), ("MetadataRequest", 14), ("MetadataRequest", 2**40)]
)
def test_what_the_release_does_not_have_is_unsupported(kafka: ApacheKafka, message: str, version: int) -> None:
    [reply] = kafka.decode_many([(message, version, b"")])
    assert reply["outcome"] == "unsupported"


@pytest.mark.parametrize("line", [{}, {"op": 5}, {"op": "decode"}], ids=str)
def test_every_line_has_a_reply(kafka: ApacheKafka, line: dict[str, Any]) -> None:
    [reply] = kafka.exchange([line])
    assert reply["outcome"] == "protocol-error"


def test_there_are_all_messages_of_the_release(kafka: ApacheKafka) -> None:
    """273 definitions of 4.3.0 have versions, 739 of them."""
    hello = kafka.hello()
    assert (hello["implementation"], hello["version"]) == ("apache-kafka", "4.3.0")
    assert hello["supports"]["encode"] == hello["supports"]["decode"]
    messages = hello["supports"]["decode"]
    assert len(messages) == 273
    assert sum(map(len, messages.values())) == 739
    assert messages["FetchRequest"] == list(range(4, 19))


def test_an_older_release_has_its_own_messages(kafka: ApacheKafka) -> None:
    """3.9.1 has versions that 4.0 dropped, and a module less."""
    newest = kafka.hello()["supports"]["decode"]
    with ApacheKafka("3.9.1") as older_kafka:
        hello = older_kafka.hello()
    assert hello["version"] == "3.9.1"
    messages = hello["supports"]["decode"]
    assert len(messages) == 241
    assert sum(map(len, messages.values())) == 751
    assert messages["FetchRequest"] == list(range(18))
    assert "ShareSnapshotValue" in newest.keys() - messages.keys()


def test_every_message_goes_there_and_back(kafka: ApacheKafka) -> None:
    pairs = [
        (message, version) for message, versions in kafka.hello()["supports"]["decode"].items() for version in versions
    ]
    encoded = kafka.encode_many((*pair, {}) for pair in pairs)
    assert [reply for reply in encoded if reply["outcome"] != "bytes" or len(reply["wire"]) != 2 * reply["size"]] == []
    decoded = kafka.decode_many(
        (*pair, bytes.fromhex(reply["wire"])) for pair, reply in zip(pairs, encoded, strict=True)
    )
    assert [reply["canonical"] for reply in decoded] == [reply["wire"] for reply in encoded]
    again = kafka.encode_many((*pair, reply["value"]) for pair, reply in zip(pairs, decoded, strict=True))
    assert again == encoded


def test_missing_tools_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(HarnessStartError, match="mvn is not on the PATH"):
        command("4.3.0")
    with pytest.raises(HarnessStartError, match="is not on the PATH"), ApacheKafka("4.3.0"):
        pass
