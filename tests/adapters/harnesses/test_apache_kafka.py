from pathlib import Path
from typing import Any

import pytest

from conformance.adapters.harnesses.apache_kafka import ApacheKafkaJvm, command
from conformance.codec.bridge.harness_errors import HarnessStartError

pytestmark = pytest.mark.java

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


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_a_refusal_tells_step_and_reason(
    kafka: ApacheKafkaJvm, case: tuple[str, int, dict[str, Any], str, str]
) -> None:
    message, version, value, during, error = case
    [reply] = kafka.encode_many([(message, version, value)])
    assert (reply["outcome"], reply["during"]) == ("rejected", during)
    assert error in f"{reply['class']}: {reply['text']}"


@pytest.mark.parametrize("case", NO_VALUES.values(), ids=NO_VALUES)
def test_a_value_of_another_form_is_no_request(
    kafka: ApacheKafkaJvm, case: tuple[str, int, dict[str, Any], str]
) -> None:
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
def test_value_without_a_java_form_is_unrepresentable(kafka: ApacheKafkaJvm, value: dict[str, Any]) -> None:
    [reply] = kafka.encode_many([("EndTxnRequest", 3, value)])
    assert reply["outcome"] == "unrepresentable"


def test_values_hold_all_fields_whatever_the_version(kafka: ApacheKafkaJvm) -> None:
    [reply] = kafka.decode_many([("MetadataRequest", 0, bytes(4))])
    assert reply["value"] == {
        "Topics": [],
        "AllowAutoTopicCreation": True,
        "IncludeClusterAuthorizedOperations": False,
        "IncludeTopicAuthorizedOperations": False,
    }


def test_unwritable_value_has_no_canonical_form(kafka: ApacheKafkaJvm) -> None:
    [reply] = kafka.decode_many([("ApiVersionsRequest", 3, bytes.fromhex("01 01 02 05 00 05 00"))])
    assert reply["value"]["_tags"] == [[5, ""], [5, ""]]
    assert reply["canonical"] is None
    assert "tag 5 comes after" in reply["canonicalError"]


def test_a_lone_surrogate_travels_in_hex(kafka: ApacheKafkaJvm) -> None:
    value = {"ClientSoftwareName": {"utf16": "0061d800"}}
    [reply] = kafka.encode_many([("ApiVersionsRequest", 3, value)])
    assert reply["wire"] == "03613f0100"


@pytest.mark.parametrize(
    ("message", "version"), [("NoSuchRequest", 0), ("MetadataRequest", 14), ("MetadataRequest", 2**40)]
)
def test_message_or_version_missing_in_the_release_is_unsupported(
    kafka: ApacheKafkaJvm, message: str, version: int
) -> None:
    [reply] = kafka.decode_many([(message, version, b"")])
    assert reply["outcome"] == "unsupported"


@pytest.mark.parametrize("line", [{}, {"op": 5}, {"op": "decode"}], ids=str)
def test_every_line_has_a_reply(kafka: ApacheKafkaJvm, line: dict[str, Any]) -> None:
    [reply] = kafka.exchange([line])
    assert reply["outcome"] == "protocol-error"


def test_there_are_all_messages_of_the_release(kafka: ApacheKafkaJvm) -> None:
    """273 definitions of 4.3.0 have versions, 739 of them."""
    hello = kafka.hello()
    assert (hello["implementation"], hello["version"]) == ("apache-kafka", "4.3.0")
    assert hello["supports"]["encode"] == hello["supports"]["decode"]
    messages = hello["supports"]["decode"]
    assert len(messages) == 273
    assert sum(map(len, messages.values())) == 739
    assert messages["FetchRequest"] == list(range(4, 19))


def test_an_older_release_has_its_own_messages(kafka: ApacheKafkaJvm) -> None:
    """3.9.1 has versions dropped in 4.0, and a module less."""
    newest = kafka.hello()["supports"]["decode"]
    with ApacheKafkaJvm("3.9.1") as older_kafka:
        hello = older_kafka.hello()
    assert hello["version"] == "3.9.1"
    messages = hello["supports"]["decode"]
    assert len(messages) == 241
    assert sum(map(len, messages.values())) == 751
    assert messages["FetchRequest"] == list(range(18))
    assert "ShareSnapshotValue" in newest.keys() - messages.keys()


def test_missing_tools_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(HarnessStartError, match=r"java .* Java 17 .*Maven"):
        command("4.3.0")
    with pytest.raises(HarnessStartError, match="PATH"), ApacheKafkaJvm("4.3.0"):
        pass
