import pytest

from conformance.adapter import StoredMessage
from conformance.adapters import reference as adapter
from reference import load_release, minimal, proposals, releases
from tests.helpers.adapters import load_adapter

OLD = load_release("3.9.1")
NEW = load_release("4.3.0")
METADATA = NEW.schema("MetadataRequest", 12)
NO_TOPICS = {"Topics": [], "AllowAutoTopicCreation": True, "IncludeTopicAuthorizedOperations": False}
NO_TOPICS_WIRE = bytes.fromhex("01010000")


def test_reference_loads_with_every_optional_member_and_capability() -> None:
    loaded = load_adapter("conformance.adapters.reference")
    assert None not in (loaded.encode, loaded.decode, loaded.size, loaded.classify)
    assert loaded.capabilities == {"unknown-tags", "absent-fields", "partial-values"}


def test_it_offers_every_version_of_every_committed_release_and_proposal() -> None:
    names = (*releases(), *proposals())
    pairs = {(each.message, each.version) for name in names for each in load_release(name).schemas()}
    assert load_adapter("conformance.adapters.reference").pairs() == pairs


def test_a_message_goes_both_ways() -> None:
    assert adapter.encode(METADATA, NO_TOPICS) == NO_TOPICS_WIRE
    assert adapter.size(METADATA, NO_TOPICS) == len(NO_TOPICS_WIRE)
    decoded = adapter.decode(METADATA, NO_TOPICS_WIRE)
    assert (decoded.value, decoded.consumed) == (NO_TOPICS, len(NO_TOPICS_WIRE))


def test_a_rejection_is_declared_and_has_its_reason() -> None:
    with pytest.raises(adapter.rejections) as caught:
        adapter.decode(METADATA, b"")
    assert adapter.classify(caught.value) == "truncated"


def test_a_refusal_to_write_is_declared_and_has_no_reason() -> None:
    value = {**minimal(METADATA), "AllowAutoTopicCreation": None}
    with pytest.raises(adapter.rejections) as caught:
        adapter.encode(METADATA, value)
    assert adapter.classify(caught.value) is None


def test_headers_and_frames() -> None:
    """Each API is asked in its newest release. For ControlledShutdown, with header 0, it is 3.9.1."""
    assert adapter.header_version(18, 3, "request") == 2
    assert adapter.header_version(18, 3, "response") == 0
    assert adapter.header_version(7, 0, "request") == 0
    wire = adapter.encode_frame(OLD, "request", 7, 0, 7, None, {"BrokerId": 5})
    assert wire == bytes.fromhex("0000000c 0007 0000 00000007 00000005")
    assert adapter.decode_frame(OLD, "request", 7, 0, wire).value == {"BrokerId": 5}
    answer = adapter.encode_frame(OLD, "response", 17, 1, 7, None, {"ErrorCode": 0, "Mechanisms": []})
    assert adapter.decode_frame(OLD, "response", 17, 1, answer).value == {"ErrorCode": 0, "Mechanisms": []}


def test_tagged_fields_of_a_header_are_written_and_reported() -> None:
    value = {"ClientSoftwareName": "a", "ClientSoftwareVersion": "b"}
    wire = adapter.encode_frame(NEW, "request", 18, 3, 7, "cl", value, header_tags=[(5, b"\xca\xfe")])
    assert wire[4:].hex().startswith("00120003000000070002636c010502cafe")
    assert list(adapter.decode_frame(NEW, "request", 18, 3, wire).header_tags) == [(5, b"\xca\xfe")]


def test_stored_messages() -> None:
    schema, value = NEW.schema("OffsetCommitKey", 0), {"group": "g", "topic": "t", "partition": 1}
    wire = bytes.fromhex("0001 0001 67 0001 74 00000001")
    assert adapter.encode_prefixed(schema, value) == wire
    assert adapter.decode_prefixed(NEW, "OffsetCommitKey", wire) == StoredMessage("OffsetCommitKey", 0, value)


def test_metadata_records() -> None:
    assert adapter.encode_record(NEW.schema("NoOpRecord", 0), {}) == bytes.fromhex("01 14 00 00")
    read = adapter.decode_record(NEW, "kafka-metadata", bytes.fromhex("01 14 00 00"))
    assert read == StoredMessage("NoOpRecord", 0, {})


def test_a_frame_of_an_unknown_api_is_a_declared_rejection() -> None:
    with pytest.raises(adapter.rejections):
        adapter.header_version(9999, 0, "request")


def test_primitives() -> None:
    assert adapter.encode_primitive("varint", -300) == bytes.fromhex("d704")
    decoded = adapter.decode_primitive("varint", bytes.fromhex("d704"))
    assert (decoded.value, decoded.consumed) == (-300, 2)
