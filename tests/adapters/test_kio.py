"""The adapter for kio, its bytes by hand, the edges of kio's types, and every message of it.

Mistakes of kio are for the suite to find. These tests show that the adapter hands values and bytes over unchanged.
"""

from typing import Any
from uuid import UUID

import pytest

from conformance.adapter import Unrepresentable, Unsupported
from reference import FieldSchema, MessageSchema, PrimitiveType, load_release
from tests.helpers.releases import BASE

kio = pytest.importorskip("conformance.adapters.kio", reason="kio is not installed: it is in the extra `adapters`")
RELEASE = BASE


def schema_of(message: str, version: int) -> MessageSchema:
    return load_release(RELEASE).schema(message, version)


EXPIRED = schema_of("ExpireDelegationTokenResponse", 2)
AUTHENTICATED = schema_of("SaslAuthenticateResponse", 2)
METADATA = schema_of("MetadataRequest", 12)

METADATA_VALUE = {
    "Topics": [{"TopicId": UUID(int=7), "Name": "t"}],
    "AllowAutoTopicCreation": True,
    "IncludeTopicAuthorizedOperations": False,
}


def expired(**fields: Any) -> dict[str, Any]:
    return {"ErrorCode": 0, "ExpiryTimestampMs": 0, "ThrottleTimeMs": 0, **fields}


def expired_wire(error_code: int = 0, timestamp: int = 0, throttle_time: int = 0) -> bytes:
    """Return the bytes of `expired`, an int16, an int64, an int32 and no tags."""
    numbers = (error_code, 2), (timestamp, 8), (throttle_time, 4)
    return b"".join(number.to_bytes(size, "big", signed=True) for number, size in numbers) + b"\x00"


def unrepresentable(schema: MessageSchema, value: dict[str, Any]) -> str:
    with pytest.raises(Unrepresentable) as caught:
        kio.encode(schema, value)
    return caught.value.path


def test_another_name_in_the_same_place_goes_on() -> None:
    renamed = FieldSchema("Method", PrimitiveType("int16"))
    schema = MessageSchema(
        "SaslHandshakeRequest", 1, "request", 17, flexible=False, fields=(renamed,), absent_fields=()
    )
    assert kio.encode(schema, {"Method": "X"}) == bytes.fromhex("000158")


def test_null_where_none_is_a_value_is_unrepresentable() -> None:
    """None is kio's zero UUID and its timestamp -1, so null has no form of its own."""
    assert unrepresentable(METADATA, {**METADATA_VALUE, "Topics": [{"TopicId": None, "Name": None}]}) == (
        "Topics[0].TopicId"
    )
    partition = {"Index": 1, "ErrorCode": 0, "BaseOffset": 2, "LogAppendTimeMs": None}
    value = {"Responses": [{"Name": "t", "PartitionResponses": [partition]}], "ThrottleTimeMs": 0}
    path = "Responses[0].PartitionResponses[0].LogAppendTimeMs"
    assert unrepresentable(schema_of("ProduceResponse", 3), value) == path


def test_numbers_go_through_kio_s_enum_datetime_and_timedelta_exactly() -> None:
    value = expired(ErrorCode=-1, ExpiryTimestampMs=1_722_222_222_223, ThrottleTimeMs=-(2**31))
    wire = expired_wire(-1, 1_722_222_222_223, -(2**31))
    assert kio.encode(EXPIRED, value) == wire
    assert kio.decode(EXPIRED, wire).value == value


@pytest.mark.parametrize("timestamp", [-1, -(2**63), 253_402_300_800_000, 2**63 - 1])
def test_timestamps_outside_1970_to_9999_are_unrepresentable(timestamp: int) -> None:
    """A datetime has no year 10000, and kio's timestamps none before 1970."""
    assert unrepresentable(EXPIRED, expired(ExpiryTimestampMs=timestamp)) == "ExpiryTimestampMs"


def test_last_timestamp_of_a_datetime_is_representable() -> None:
    """The last millisecond of the year 9999 is written as it is."""
    assert kio.encode(EXPIRED, expired(ExpiryTimestampMs=253_402_300_799_999)) == expired_wire(0, 253_402_300_799_999)


def test_a_missing_timestamp_is_minus_one() -> None:
    """Where kio has None for a timestamp, the wire has -1, in both directions."""
    schema = schema_of("ProduceResponse", 3)
    partition = {"Index": 1, "ErrorCode": 0, "BaseOffset": 2, "LogAppendTimeMs": -1}
    value = {"Responses": [{"Name": "t", "PartitionResponses": [partition]}], "ThrottleTimeMs": 0}
    wire = bytes.fromhex("00000001 000174 00000001 00000001 0000 0000000000000002 ffffffffffffffff 00000000")
    assert kio.encode(schema, value) == wire
    assert kio.decode(schema, wire).value == value


def test_a_timestamp_with_a_fraction_of_a_millisecond_is_shown_as_it_is() -> None:
    """Late timestamps go through a double in kio, and the result is neither rounded nor hidden."""
    decoded = kio.decode(EXPIRED, expired_wire(timestamp=99_999_999_999_999))
    assert decoded.value["ExpiryTimestampMs"] == "5138-11-16T09:46:39.998993+00:00"


@pytest.mark.parametrize("code", [-2, 200, 32767])
def test_error_codes_outside_the_enum_are_unrepresentable(code: int) -> None:
    assert unrepresentable(EXPIRED, expired(ErrorCode=code)) == "ErrorCode"


def test_an_unrepresentable_value_is_named_by_its_path() -> None:
    schema = schema_of("DeleteRecordsResponse", 2)
    partitions = [{"PartitionIndex": 0, "LowWatermark": 0, "ErrorCode": code} for code in (0, 0, 200)]
    value = {"ThrottleTimeMs": 0, "Topics": [{"Name": "t", "Partitions": partitions}]}
    assert unrepresentable(schema, value) == "Topics[0].Partitions[2].ErrorCode"


@pytest.mark.parametrize("duration", [2**63 - 1, -(2**63), 86_399_999_913_600_000])
def test_durations_beyond_a_timedelta_are_unrepresentable(duration: int) -> None:
    """A 64-bit count of milliseconds is longer than a timedelta, and than kio's share of it, can be."""
    value = {"ErrorCode": 0, "ErrorMessage": None, "AuthBytes": b"", "SessionLifetimeMs": duration}
    assert unrepresentable(AUTHENTICATED, value) == "SessionLifetimeMs"


@pytest.mark.parametrize(("key", "content"), [("_tags", [(5, b"x")]), ("ThrottleTimeMs", 0)])
def test_field_without_a_place_in_kio_s_classes_is_unrepresentable(key: str, content: Any) -> None:
    assert unrepresentable(METADATA, {**METADATA_VALUE, key: content}) == key


def test_partial_values_are_unrepresentable() -> None:
    assert unrepresentable(METADATA, {"Topics": None, "AllowAutoTopicCreation": True}) == (
        "IncludeTopicAuthorizedOperations"
    )


def test_header_versions_come_from_kio_s_header_classes() -> None:
    """An ApiVersions response has header 0 in every version, and flexible requests have header 2."""
    assert kio.header_version(18, 3, "response") == 0
    assert kio.header_version(3, 12, "request") == 2
    with pytest.raises(Unsupported):
        kio.header_version(999, 0, "request")
