"""The records of Kafka's own logs are explained by their topic, and secrets in them are hidden."""

from __future__ import annotations

import json
import re

import pytest

from conformance.generate.record_building import batch, record, sealed
from conformance.report.explain.log_contents import LogContents, RecordContents, plain_text, topic_of, with_contents
from reference import completed, encode_control, encode_prefixed, encode_record, encode_records, explain_records
from tests.live.capture.broker import RELEASE as NEWEST

SCRAM = NEWEST.schema("UserScramCredentialRecord", 0)
SECRET = b"a salt of some bytes"
CREDENTIAL = encode_record(
    SCRAM,
    completed(
        SCRAM,
        {"Name": "user", "Mechanism": 1, "Salt": SECRET, "StoredKey": SECRET, "ServerKey": SECRET, "Iterations": 1},
    ),
)
KEY = NEWEST.schema("OffsetCommitKey", 0)
VALUE = NEWEST.schema("OffsetCommitValue", 4)
COMMIT = RecordContents(
    encode_prefixed(KEY, {"group": "g", "topic": "t", "partition": 1}),
    encode_prefixed(VALUE, completed(VALUE, {"offset": 5, "metadata": "", "commitTimestamp": 7})),
)


def of(topic: str | None, *, secrets: bool = False) -> LogContents:
    return LogContents.of_topic(NEWEST, topic, shows_secrets=secrets)


def is_hidden(text: str, size: int) -> bool:
    return re.search(rf"\b{size} bytes .*a secret\b", text) is not None


def test_folder_of_a_partition_names_its_topic() -> None:
    assert topic_of("__consumer_offsets-49") == "__consumer_offsets"
    assert topic_of("a-topic-3.0123456789abcdef0123456789abcdef-delete") == "a-topic"
    assert topic_of("data") is None


def test_key_and_value_of_a_committed_offset_are_messages() -> None:
    key, value = of("__consumer_offsets").texts(COMMIT, is_control=False)
    name, fields = key.split(" v0 ")
    assert (name, json.loads(fields)) == ("OffsetCommitKey", {"group": "g", "topic": "t", "partition": 1})
    assert value.startswith('OffsetCommitValue v4 {"offset": "5"')


def test_tombstone_has_a_key_alone() -> None:
    key, value = of("__consumer_offsets").texts(COMMIT._replace(value=None), is_control=False)
    assert (key.partition(" ")[0], value) == ("OffsetCommitKey", "null")


@pytest.mark.parametrize(
    ("topic", "message"),
    [("__cluster_metadata", "FenceBrokerRecord"), ("__remote_log_metadata", "RemotePartitionDeleteMetadataRecord")],
)
def test_topic_decides_about_the_message_of_a_type(topic: str, message: str) -> None:
    """Types of records are numbered anew in the log of remote storage."""
    schema = NEWEST.schema(message, 0)
    wire = encode_record(schema, completed(schema, {field.name: field.default for field in schema.fields}))
    _, value = of(topic).texts(RecordContents(None, wire), is_control=False)
    assert value.startswith(f"{message} v0 ")


def test_topic_is_recognised_by_all_records() -> None:
    records = [COMMIT, COMMIT._replace(value=None)]
    assert of(None).recognised(records).source == of("__consumer_offsets").source
    assert of(None).recognised([*records, RecordContents(b"key", b"value")]).source is None
    assert of(None).recognised([RecordContents(None, CREDENTIAL)]).source == of("__cluster_metadata").source


def test_control_records_mean_the_same_in_every_topic() -> None:
    marker = RecordContents(*encode_control({"type": "commit", "version": 0, "coordinatorEpoch": 3}))
    assert '"type": "commit"' in of("orders").texts(marker, is_control=True)[1]


@pytest.mark.parametrize("codec", ["none", "gzip"])
def test_secrets_are_hidden_in_every_form_unless_they_are_asked_for(codec: str) -> None:
    wire = encode_records({"batches": [batch(record(value=CREDENTIAL), compression=codec)]})
    hidden = with_contents(explain_records(wire), of("__cluster_metadata"), is_control=False)
    everything = [hidden, *hidden.inside]
    assert not any(SECRET in each.wire for each in everything)
    assert any(is_hidden(part.value, 20) for each in everything for part in each.parts)
    _, value = of("__cluster_metadata").texts(RecordContents(None, CREDENTIAL), is_control=False)
    assert is_hidden(value, 20)
    _, shown = of("__cluster_metadata", secrets=True).texts(RecordContents(None, CREDENTIAL), is_control=False)
    assert "a secret" not in shown


@pytest.mark.parametrize("at", [0, 1, 20, 57])
def test_damaged_record_of_the_metadata_log_is_hidden_as_a_whole(at: int) -> None:
    """Bytes read at a wrong place may be a secret."""
    wire = bytearray(encode_records({"batches": [batch(record(value=CREDENTIAL))]}))
    wire[61 + at] ^= 0x41
    hidden = with_contents(explain_records(sealed(bytes(wire))), of("__cluster_metadata"), is_control=False)
    assert SECRET not in hidden.wire
    assert SECRET[4:] not in hidden.wire


def test_unknown_record_of_the_metadata_log_is_hidden() -> None:
    _, value = of("__cluster_metadata").texts(RecordContents(None, b"\x01\x7e\x00" + SECRET), is_control=False)
    assert is_hidden(value, 23)
    assert "(--secrets " in value


def test_single_record_with_a_secret_makes_a_log_the_metadata_log() -> None:
    records = [RecordContents(None, b"no record"), RecordContents(None, CREDENTIAL)]
    assert of(None).recognised(records).hides


def test_parts_of_a_message_stand_in_the_record() -> None:
    key, value = COMMIT
    wire = encode_records({"batches": [batch(record(key=key, value=value))]})
    explained = with_contents(explain_records(wire), of("__consumer_offsets"), is_control=False)
    paths = [part.path for part in explained.parts]
    assert "batches[0].records[0].key.body.topic" in paths
    assert "batches[0].records[0].value.body.offset" in paths
    assert [part.start for part in explained.parts[1:]] == [part.end for part in explained.parts[:-1]]


@pytest.mark.parametrize(
    ("wire", "text"),
    [
        (None, "null"),
        (b"", '""'),
        (b'a "b"', '"a \\"b\\""'),
        (b"\x00\xff", "00ff"),
        (b"\n", "0a"),
        ("ä".encode(), '"ä"'),
    ],
)
def test_other_contents_are_a_text_or_digits(wire: bytes | None, text: str) -> None:
    assert plain_text(wire) == text
