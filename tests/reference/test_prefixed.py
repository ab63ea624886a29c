from typing import Any

import pytest

from reference import (
    BadRecord,
    Malformed,
    NotStored,
    Unencodable,
    decode_prefixed,
    decode_record,
    decode_record_leniently,
    encode_prefixed,
    encode_record,
    load_release,
    minimal,
)

NEWEST = load_release("4.3.0")
OLDER = load_release("3.9.1")

OFFSET = {"group": "g", "topic": "t", "partition": 1}
ASSIGNMENT = {"AssignedPartitions": [{"Topic": "t", "Partitions": [1]}], "UserData": None}
FEATURE = {"Name": "f", "FeatureLevel": 5}

PREFIXED: dict[str, tuple[str, str, int, dict[str, Any], str]] = {
    "key-by-type": ("4.3.0", "OffsetCommitKey", 0, OFFSET, "0001 0001 67 0001 74 00000001"),
    "key-by-version": ("3.9.1", "OffsetCommitKey", 1, OFFSET, "0001 0001 67 0001 74 00000001"),
    "legacy-key": ("4.3.0", "LegacyOffsetCommitKey", 0, OFFSET, "0000 0001 67 0001 74 00000001"),
    "value": (
        "4.3.0",
        "TransactionLogValue",
        0,
        {},
        "0000 0000000000000000 0000 00000000 00 00000000 0000000000000000 0000000000000000",
    ),
    "data": ("4.3.0", "ConsumerProtocolAssignment", 3, ASSIGNMENT, "0003 00000001 0001 74 00000001 00000001 ffffffff"),
}


@pytest.mark.parametrize("case", PREFIXED)
def test_prefixed_messages(case: str) -> None:
    """Keys of 4.x begin with their record type, those of 3.9.1 with a version, in the same bytes."""
    release_name, message, version, value, digits = PREFIXED[case]
    release, wire = load_release(release_name), bytes.fromhex(digits)
    schema = release.schema(message, version)
    assert encode_prefixed(schema, {**minimal(schema), **value}).hex(" ") == wire.hex(" ")
    stored = decode_prefixed(release, message, wire)
    assert (stored.schema, stored.consumed) == (schema, len(wire))
    assert stored.value == {**minimal(schema), **value}


@pytest.mark.parametrize(
    ("message", "digits"),
    [
        pytest.param("ConsumerProtocolAssignment", "0004 00000000 ffffffff", id="version"),
        pytest.param("OffsetCommitKey", "0000 0001 67 0001 74 00000001", id="type"),
    ],
)
def test_an_unknown_prefix_is_left_open(message: str, digits: str) -> None:
    with pytest.raises(Malformed) as caught:
        decode_prefixed(NEWEST, message, bytes.fromhex(digits))
    found = caught.value
    assert (found.rule, found.reason, found.offset, found.path) == ("prefix.unknown", None, 0, "prefix")


def test_offsets_count_the_prefix() -> None:
    with pytest.raises(Malformed) as caught:
        decode_prefixed(NEWEST, "OffsetCommitKey", bytes.fromhex("0001 0002 67"))
    assert (caught.value.offset, caught.value.path) == (2, "body.group")


def test_only_stored_messages_have_a_prefix() -> None:
    for message in ("FetchRequest", "FeatureLevelRecord"):
        schema = NEWEST.schema(message, NEWEST.definition(message).valid_versions.lowest)
        with pytest.raises(NotStored, match="messages of kind"):
            encode_prefixed(schema, minimal(schema))
        with pytest.raises(NotStored):
            decode_prefixed(NEWEST, message, b"")
    with pytest.raises(NotStored, match="of kind metadata"):
        encode_record(NEWEST.schema("OffsetCommitKey", 0), OFFSET)


def test_a_metadata_record() -> None:
    """Frame version 1, type 12, version 0, then the message."""
    wire = bytes.fromhex("01 0c 00  02 66 0005 00")
    schema = NEWEST.schema("FeatureLevelRecord", 0)
    assert encode_record(schema, FEATURE) == wire
    stored = decode_record(NEWEST, wire)
    assert (stored.schema, stored.value, stored.consumed) == (schema, FEATURE, len(wire))


def test_types_are_numbered_anew_in_each_log() -> None:
    """Type 1 unregisters a broker in the one, and updates a remote log segment in the other."""
    schema = NEWEST.schema("UnregisterBrokerRecord", 0)
    wire = encode_record(schema, minimal(schema))
    assert decode_record(NEWEST, wire).schema is schema
    other = NEWEST.schema("RemoteLogSegmentMetadataUpdateRecord", 0)
    stored = decode_record(NEWEST, encode_record(other, minimal(other)), source="kafka-storage")
    assert stored.schema is other


@pytest.mark.parametrize(
    ("digits", "rule", "offset"),
    [
        pytest.param("00 0c 00 02 66 0005 00", "record.frame-version", 0, id="frame-version-0"),
        pytest.param("02 0c 00 02 66 0005 00", "record.frame-version", 0, id="frame-version-2"),
        pytest.param("01 63 00 02 66 0005 00", "record.type", 1, id="unknown-type"),
        pytest.param("01 808002 00 02 66 0005 00", "record.type", 1, id="type-32768"),
        pytest.param("01 0c 808002 02 66 0005 00", "record.version", 2, id="version-32768"),
        pytest.param("01 0c 00 02 66 0005 00 00", "record.trailing-bytes", 8, id="one-byte-more"),
    ],
)
def test_bad_records(digits: str, rule: str, offset: int) -> None:
    for read in (decode_record, decode_record_leniently):
        with pytest.raises(BadRecord) as caught:
            read(NEWEST, bytes.fromhex(digits))
        assert (caught.value.rule, caught.value.offset) == (rule, offset)


@pytest.mark.parametrize(
    ("digits", "rule"),
    [
        pytest.param("8180808008 0c 00 02 66 0005 00", "record.negative-varint", id="frame-version"),
        pytest.param("01 8c80808008 00 02 66 0005 00", "record.negative-varint", id="type"),
        pytest.param("01 0c 8080808008 02 66 0005 00", "record.negative-varint", id="version"),
        pytest.param("8100 0c 00 02 66 0005 00", "varint.overlong", id="overlong"),
        pytest.param("01 0c 09 02 66 0005 00", "record.unknown-version", id="unknown-version"),
    ],
)
def test_leniency_of_apache_kafka(digits: str, rule: str) -> None:
    """Numbers negative as int32 lose their upper half, and an unknown version is read as the nearest one."""
    wire = bytes.fromhex(digits)
    with pytest.raises(Malformed) as caught:
        decode_record(NEWEST, wire)
    assert (caught.value.rule, caught.value.reason) == (rule, None)
    assert decode_record_leniently(NEWEST, wire).value == FEATURE


def test_a_struct_stops_a_record_of_an_unknown_version() -> None:
    schema = NEWEST.schema("ClientQuotaRecord", 0)
    entity = {"EntityType": "user", "EntityName": None}
    for entities in ([], [entity]):
        wire = bytearray(encode_record(schema, {**minimal(schema), "Entity": entities}))
        wire[2] = 9
        if entities:
            with pytest.raises(Malformed, match=r"record\.unknown-version"):
                decode_record_leniently(NEWEST, bytes(wire))
        else:
            assert decode_record_leniently(NEWEST, bytes(wire)).schema is schema


def test_unencodable_record_has_the_path_of_its_field() -> None:
    with pytest.raises(Unencodable) as caught:
        encode_record(NEWEST.schema("FeatureLevelRecord", 0), {**FEATURE, "Name": None})
    assert caught.value.path == "body.Name"


def test_every_metadata_record_of_every_release_goes_both_ways() -> None:
    for release in (NEWEST, OLDER):
        for schema in (each for each in release.schemas() if each.kind == "metadata"):
            wire = encode_record(schema, minimal(schema))
            assert decode_record(release, wire, source=release.source(schema.message)).schema is schema
