import pytest
from syrupy.assertion import SnapshotAssertion

from reference import (
    Malformed,
    MessageSchema,
    Reason,
    Refusal,
    Unencodable,
    decode,
    decode_leniently,
    encode,
    encode_with_spans,
    load_release,
    minimal,
)
from reference.errors import REFUSAL_RULES
from tests.helpers.releases import BASE
from tests.reference.inline import malformed, unencodable, value_of, wire_of

RELEASE = load_release(BASE)
HEADER: dict[str, object] = {"RequestApiKey": 18, "RequestApiVersion": 3, "CorrelationId": 7}

RELEASED: list[tuple[str, int, dict[str, object], str]] = [
    ("RequestHeader", 2, HEADER | {"ClientId": None}, "0012 0003 00000007 ffff 00"),
    ("RequestHeader", 2, HEADER | {"ClientId": ""}, "0012 0003 00000007 0000 00"),
    ("SaslHandshakeRequest", 1, {"Mechanism": "PLAIN"}, "0005 504c41494e"),
    ("SaslAuthenticateRequest", 1, {"AuthBytes": b"\1\2"}, "00000002 0102"),
    ("SaslAuthenticateRequest", 2, {"AuthBytes": b"\1\2"}, "03 0102 00"),
    ("SaslAuthenticateRequest", 2, {"AuthBytes": b"\1\2", "_tags": [(1, b"\3\4\5")]}, "03 0102 01 01 03 030405"),
    ("MetadataRequest", 0, {"Topics": [{"Name": "a"}]}, "00000001 0001 61"),
    ("MetadataRequest", 1, {"Topics": None}, "ffffffff"),
    (
        "HeartbeatRequest",
        3,
        {"GroupId": "g", "GenerationId": 1, "MemberId": "m", "GroupInstanceId": None},
        "0001 67 00000001 0001 6d ffff",
    ),
    (
        "HeartbeatRequest",
        4,
        {"GroupId": "g", "GenerationId": 1, "MemberId": "m", "GroupInstanceId": "i"},
        "02 67 00000001 02 6d 02 69 00",
    ),
]


def from_minimal(name: str, version: int, **change: object) -> tuple[MessageSchema, dict[str, object]]:
    schema = RELEASE.schema(name, version)
    return schema, minimal(schema) | change


@pytest.mark.parametrize("case", RELEASED, ids=lambda case: f"{case[0]}-v{case[1]}")
def test_released_message_is_written_as_worked_out(case: tuple[str, int, dict[str, object], str]) -> None:
    """Headers (rules 5.5 and 5.6) and small messages, byte for byte."""
    name, version, value, wire = case
    assert wire_of(RELEASE.schema(name, version), value) == wire.replace(" ", "")


@pytest.mark.parametrize("case", RELEASED, ids=lambda case: f"{case[0]}-v{case[1]}")
def test_released_message_is_read_as_worked_out(case: tuple[str, int, dict[str, object], str]) -> None:
    """ClientId has a length of 16 bits in the flexible header too (rule 5.5)."""
    name, version, value, wire = case
    assert value_of(RELEASE.schema(name, version), wire) == value


def test_default_of_json_null_is_no_null() -> None:
    """An unset ClassicMemberMetadata is an empty struct and left out, while null is written (rule 3.9)."""
    schema, value = from_minimal("ConsumerGroupMemberMetadataValue", 0)
    assert wire_of(schema, value) == "01 01 01 01 01 01 ffffffff 01 00".replace(" ", "")
    assert wire_of(schema, value | {"ClassicMemberMetadata": None}).endswith("01000100")


def test_bytes_after_the_message_are_left_open() -> None:
    """Apache Kafka leaves them unread (rule 1.3.16)."""
    schema = RELEASE.schema("ResponseHeader", 0)
    assert malformed(schema, "00000007 cafe") == ("input.trailing-bytes", None, 4, "")
    assert decode_leniently(schema, bytes.fromhex("00000007 cafe")) == ({"CorrelationId": 7}, 4)


def test_decoded_has_the_number_of_consumed_bytes() -> None:
    decoded = decode(RELEASE.schema("ResponseHeader", 1), bytes.fromhex("0000000700"))
    assert (decoded.consumed, decoded.value) == (5, {"CorrelationId": 7})


@pytest.mark.parametrize("wire", [bytearray(b"\0\0\0\7"), memoryview(b"\0\0\0\7")], ids=["bytearray", "memoryview"])
def test_bytes_may_come_in_any_buffer(wire: bytes) -> None:
    assert decode(RELEASE.schema("ResponseHeader", 0), wire).value == {"CorrelationId": 7}


def test_failed_attempts_leave_no_trace() -> None:
    """A read and a write after failed ones have the same results as before (rule 1.3.20)."""
    schema, request = from_minimal("HeartbeatRequest", 4)
    before = encode(schema, request)
    assert malformed(schema, "05 61")[1] is Reason.LENGTH_EXCEEDS_INPUT
    assert unencodable(schema, request | {"MemberId": None})[0] is Refusal.NULL_NOT_ALLOWED
    assert encode(schema, request) == before
    assert decode(schema, before).value == request


def test_encoding_does_not_change_the_value() -> None:
    schema, request = from_minimal("FetchRequest", 17, ClusterId="c")
    before = repr(request)
    encode(schema, request)
    assert repr(request) == before


@pytest.mark.parametrize("reason", Refusal)
def test_every_refusal_has_a_rule(reason: Refusal) -> None:
    assert Unencodable(reason, "Some").rule == REFUSAL_RULES[reason]


def test_errors_read_as_sentences(snapshot: SnapshotAssertion) -> None:
    schema = RELEASE.schema("MetadataRequest", 0)
    with pytest.raises(Malformed) as reading:
        decode(schema, bytes.fromhex("00000001 0005 61"))
    with pytest.raises(Unencodable) as writing:
        encode(schema, {"Topics": [{"Name": 5}]})
    assert [str(reading.value), str(writing.value)] == snapshot


def test_spans_name_each_byte() -> None:
    encoded = encode_with_spans(
        RELEASE.schema("SaslAuthenticateRequest", 2), {"AuthBytes": b"\1", "_tags": [(5, b"\2")]}
    )
    assert encoded.wire.hex() == "020101050102"
    assert encoded.spans == (
        (0, 1, "AuthBytes", "length", "bytes.compact-length", "varint"),
        (1, 2, "AuthBytes", "payload", "bytes.payload", "raw"),
        (2, 3, "", "tag-count", "tag.section", "varint"),
        (3, 4, "", "tag", "tag.ascending", "varint"),
        (4, 5, "_tags[0]", "tag-size", "tag.size", "varint"),
        (5, 6, "_tags[0]", "payload", "tag.unknown-kept", "raw"),
    )
