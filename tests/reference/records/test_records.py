from typing import Any

import pytest

from conformance.generate.record_building import TIME, batch, compressed, holding, record, records_of, wire
from reference import Reason, Refusal, Result, Unencodable, decode_records, encode_records, judge_records

BODY = "00 00 00"
INVALID = [
    ("no-fields", "00", "input.truncated", Reason.TRUNCATED, 62),
    ("length-negative", "01 00 00 00 01 01 00", "record.length", Reason.RECORD_LENGTH, 61),
    ("length-beyond", "0e 00 00 00 01 01 00", "record.length", Reason.LENGTH_EXCEEDS_INPUT, 61),
    ("length-short", "0a 00 00 00 01 01 00", "record.length", Reason.RECORD_LENGTH, 61),
    ("key-beyond", "0c 00 00 00 10 01 00", "record.length-within", Reason.LENGTH_EXCEEDS_INPUT, 65),
    ("value-beyond", "0c 00 00 00 01 10 00", "record.length-within", Reason.LENGTH_EXCEEDS_INPUT, 66),
    ("key-most", "14 00 00 00 fe ff ff ff 0f 01 00", "record.length-within", Reason.LENGTH_EXCEEDS_INPUT, 65),
    ("headers-negative", "0c 00 00 00 01 01 01", "header.count", Reason.HEADER_COUNT, 67),
    ("headers-beyond", "0c 00 00 00 01 01 02", "header.count", Reason.HEADER_COUNT, 67),
    ("header-key-null", "10 00 00 00 01 01 02 01 01", "header.key-null", Reason.NULL_NOT_ALLOWED, 68),
    ("header-key-beyond", "10 00 00 00 01 01 02 10 01", "record.length-within", Reason.LENGTH_EXCEEDS_INPUT, 68),
    ("delta-too-long", "16 00 80 80 80 80 80 80 80 80 80 80 00 00", "varint.too-long", Reason.VARINT_OVERFLOW, 63),
    ("offset-too-long", "14 00 00 80 80 80 80 80 00 01 01", "varint.too-long", Reason.VARINT_OVERFLOW, 64),
]

UNSPECIFIED = [
    ("length-overlong", "8c 00 00 00 00 01 01 00", "varint.overlong"),
    ("offset-overlong", "0e 00 00 80 00 01 01 00", "varint.overlong"),
    ("excess-bits", "14 00 00 80 80 80 80 10 01 01 00", "varint.excess-bits"),
    ("key-minus-two", "0c 00 00 00 03 01 00", "record.other-negative"),
    ("value-lowest", "14 00 00 00 01 ff ff ff ff 0f 00", "record.other-negative"),
    ("header-value-minus-two", "10 00 00 00 01 01 02 00 03", "record.other-negative"),
    ("header-key-malformed", "12 00 00 00 01 01 02 02 ff 01", "header.malformed-utf8"),
    ("offset-negative", "0c 00 00 01 01 01 00", "record.offset-delta"),
]


def ids(cases: list[tuple[object, ...]]) -> list[str]:
    return [str(case[0]) for case in cases]


@pytest.mark.parametrize(("digits", "rule", "reason", "offset"), [case[1:] for case in INVALID], ids=ids(list(INVALID)))
def test_record_is_invalid(digits: str, rule: str, reason: Reason, offset: int) -> None:
    verdict = judge_records(holding(bytes.fromhex(digits)))
    assert (verdict.result, verdict.rules, verdict.reason, verdict.offset) == (Result.INVALID, (rule,), reason, offset)
    assert verdict.client is not None
    assert verdict.client.exception == "InvalidRecordException"
    assert verdict.broker is not None
    assert verdict.broker.does == "rejects"


@pytest.mark.parametrize(("digits", "rule", "reason", "offset"), [case[1:] for case in INVALID], ids=ids(list(INVALID)))
@pytest.mark.parametrize("codec", ["gzip", "zstd"])
def test_compressed_record_is_invalid_for_the_same_reason(
    codec: str, digits: str, rule: str, reason: Reason, offset: int
) -> None:
    """The offset is the beginning of the stream, and `within` is the place in the records."""
    verdict = judge_records(compressed(bytes.fromhex(digits), codec))
    assert (verdict.result, verdict.rules[-1], verdict.reason) == (Result.INVALID, rule, reason)
    assert (verdict.offset, verdict.within) == (61, offset - 61)


@pytest.mark.parametrize(("digits", "rule"), [case[1:] for case in UNSPECIFIED], ids=ids(list(UNSPECIFIED)))
def test_record_is_left_open(digits: str, rule: str) -> None:
    verdict = judge_records(holding(bytes.fromhex(digits)))
    assert (verdict.result, verdict.rules) == (Result.UNSPECIFIED, (rule,))
    assert verdict.client is not None
    assert verdict.client.does == "accepts"


def test_too_long_length_of_a_plain_record_leaves_the_consumer_raw() -> None:
    verdict = judge_records(holding(bytes.fromhex("80 80 80 80 80 00 00 00 01 01 00")))
    assert verdict.rules == ("varint.too-long",)
    assert verdict.client is not None
    assert verdict.client.exception == "IllegalArgumentException"


def test_after_excess_bits_everything_is_left_open() -> None:
    """Correct readers continue with other numbers."""
    verdict = judge_records(holding(bytes.fromhex("14 00 00 80 80 80 80 10 10 01 00")))
    assert (verdict.result, verdict.reason) == (Result.UNSPECIFIED, None)


@pytest.mark.parametrize("length", ["0a", "0e"])
@pytest.mark.parametrize("codec", ["gzip", "snappy", "lz4", "zstd"])
def test_broker_ignores_the_length_of_a_compressed_record(codec: str, length: str) -> None:
    """It reads the fields one after the other when it assigns offsets in place."""
    verdict = judge_records(compressed(bytes.fromhex(f"{length} 00 00 00 01 01 00"), codec))
    assert (verdict.result, verdict.broker and verdict.broker.does) == (Result.INVALID, "accepts")


@pytest.mark.parametrize(("release", "does"), [("3.9.1", "accepts"), ("4.3.0", "accepts"), ("4.4.0", "rejects")])
def test_broker_refuses_negative_lengths_of_compressed_records_from_4_4_0_on(release: str, does: str) -> None:
    verdict = judge_records(compressed(bytes.fromhex("01 00 00 00 01 01 00"), "gzip"), release=release)
    assert verdict.broker is not None
    assert verdict.broker.does == does


@pytest.mark.parametrize("attributes", [1, 127, -128, -1])
def test_attributes_of_a_record_are_one_byte_of_any_value(attributes: int) -> None:
    data = wire(batch(record(attributes=attributes)))
    verdict = judge_records(data)
    assert (verdict.result, verdict.rules, verdict.canonical) == (Result.VALID, ("record.attributes-unused",), data)


def test_null_and_empty_are_not_the_same() -> None:
    records = [record(0, key=None, value=b""), record(1, key=b"", value=None, headers=[("", None), ("", b"")])]
    assert decode_records(wire(batch(*records)))["batches"][0]["records"] == records
    assert records_of(records[0]).hex() == "0c000000010000"


def test_headers_are_a_list_with_repetitions() -> None:
    headers = [("b", b"1"), ("a", None), ("b", b"1"), ("a", b"")]
    assert decode_records(wire(batch(record(headers=headers))))["batches"][0]["records"][0]["headers"] == headers


def test_header_key_outside_of_utf8_is_bytes() -> None:
    verdict = judge_records(holding(bytes.fromhex("12 00 00 00 01 01 02 02 ff 01")))
    assert verdict.value is not None
    assert verdict.value["batches"][0]["records"][0]["headers"] == [(b"\xff", None)]


def test_timestamp_deltas_may_be_negative() -> None:
    records = [record(0), record(1, timestampDelta=-TIME)]
    data = wire(batch(*records, maxTimestamp=TIME))
    assert decode_records(data)["batches"][0]["records"] == records


def test_timestamp_beyond_64_bits_is_left_open() -> None:
    data = wire(batch(record(timestampDelta=1), baseTimestamp=2**63 - 2, maxTimestamp=2**63 - 1))
    beyond = holding(data[61:], baseTimestamp=2**63 - 1, maxTimestamp=-(2**63))
    assert judge_records(beyond).rules == ("batch.negative-field", "record.timestamp-wrap")


@pytest.mark.parametrize(
    ("changes", "refusal", "rule", "path"),
    [
        ({"headers": [(None, b"")]}, Refusal.NULL_NOT_ALLOWED, "header.key-null", "headers[0].key"),
        ({"headers": [("\ud800", b"")]}, Refusal.BAD_TEXT, "string.unpaired-surrogate", "headers[0].key"),
        ({"headers": [("a",)]}, Refusal.WRONG_TYPE, "value.type", "headers[0]"),
        ({"headers": {}}, Refusal.WRONG_TYPE, "value.type", "headers"),
        ({"key": "text"}, Refusal.WRONG_TYPE, "value.type", "key"),
        ({"timestampDelta": 2**63}, Refusal.OUT_OF_RANGE, "number.range", "timestampDelta"),
        ({"timestampDelta": True}, Refusal.WRONG_TYPE, "value.type", "timestampDelta"),
        ({"offsetDelta": 2**31}, Refusal.OUT_OF_RANGE, "number.range", "offsetDelta"),
        ({"attributes": 128}, Refusal.OUT_OF_RANGE, "number.range", "attributes"),
        ({"attributes": False}, Refusal.WRONG_TYPE, "value.type", "attributes"),
        ({"timestampDelta": -TIME - 2}, Refusal.OUT_OF_RANGE, "batch.negative-field", ""),
        ({"sequence": 1}, Refusal.UNKNOWN_FIELD, "value.known-fields", "sequence"),
    ],
)
def test_record_is_refused(changes: dict[str, Any], refusal: Refusal, rule: str, path: str) -> None:
    value = batch(record(**changes), maxTimestamp=TIME) if "timestampDelta" not in changes else batch()
    value["records"] = [record(**changes)]
    with pytest.raises(Unencodable) as caught:
        encode_records({"batches": [value]})
    assert (caught.value.reason, caught.value.rule) == (refusal, rule)
    assert caught.value.path == f"batches[0].records[0].{path}".removesuffix(".")


def test_records_with_all_deltas_of_one_byte_and_more_are_read_as_written() -> None:
    numbers = [0, 1, 63, 64, 8191, 8192, 2**20, 2**31 - 1]
    records = [record(each, timestampDelta=each, key=bytes(each % 300)) for each in numbers]
    assert decode_records(wire(batch(*records)))["batches"][0]["records"] == records
