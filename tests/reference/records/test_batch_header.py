import pytest

from conformance.generate.record_building import SMALLEST, TIME, batch, changed, record, sealed, wire
from reference import Malformed, Reason, Refusal, Result, Unencodable, decode_records, encode_records, judge_records

CORRUPT, INVALID_RECORD = "CorruptRecordException", "InvalidRecordException"
UNKNOWN_CODEC = "IllegalArgumentException"
INVALID = [
    ("length-13", changed(SMALLEST, "length", 13), "batch.length", Reason.BATCH_TOO_SHORT, 8, CORRUPT),
    ("length-negative", changed(SMALLEST, "length", -1), "batch.length", Reason.BATCH_TOO_SHORT, 8, CORRUPT),
    ("shorter-than-header", sealed(SMALLEST[:60]), "batch.length", Reason.BATCH_TOO_SHORT, 8, CORRUPT),
    ("magic-3", changed(SMALLEST, "magic", 3), "batch.magic", Reason.UNKNOWN_MAGIC, 16, CORRUPT),
    ("magic-negative", changed(SMALLEST, "magic", -1), "batch.magic", Reason.UNKNOWN_MAGIC, 16, CORRUPT),
    ("crc", changed(SMALLEST, "crc", 0), "batch.crc", Reason.CRC_MISMATCH, 17, CORRUPT),
    ("codec-5", changed(SMALLEST, "attributes", 5), "batch.codec", Reason.UNKNOWN_CODEC, 21, UNKNOWN_CODEC),
    ("codec-7", changed(SMALLEST, "attributes", 7), "batch.codec", Reason.UNKNOWN_CODEC, 21, UNKNOWN_CODEC),
    ("count-negative", changed(SMALLEST, "recordCount", -1), "record.count", Reason.RECORD_COUNT, 57, INVALID_RECORD),
    (
        "count-most",
        changed(SMALLEST, "recordCount", 2**31 - 1),
        "record.count",
        Reason.RECORD_COUNT,
        68,
        INVALID_RECORD,
    ),
    (
        "count-below",
        sealed(SMALLEST + SMALLEST[61:]),
        "batch.trailing-bytes",
        Reason.TRAILING_BYTES,
        68,
        INVALID_RECORD,
    ),
    ("one-byte-behind", sealed(SMALLEST + b"\0"), "batch.trailing-bytes", Reason.TRAILING_BYTES, 68, INVALID_RECORD),
]

UNSPECIFIED = [
    ("leader-epoch", changed(SMALLEST, "partitionLeaderEpoch", -2), "batch.negative-field"),
    ("producer-id", changed(SMALLEST, "producerId", -2), "batch.negative-field"),
    ("producer-epoch", changed(SMALLEST, "producerEpoch", -2), "batch.negative-field"),
    ("sequence", changed(SMALLEST, "baseSequence", -(2**31)), "batch.negative-field"),
    ("max-timestamp", changed(SMALLEST, "maxTimestamp", 0), "batch.max-timestamp"),
    ("last-offset-delta", changed(SMALLEST, "lastOffsetDelta", -1), "batch.last-offset-delta"),
]


@pytest.mark.parametrize(
    ("data", "rule", "reason", "offset", "exception"), [case[1:] for case in INVALID], ids=[case[0] for case in INVALID]
)
def test_header_is_invalid(data: bytes, rule: str, reason: Reason, offset: int, exception: str) -> None:
    verdict = judge_records(data)
    assert (verdict.result, verdict.rules, verdict.reason, verdict.offset) == (Result.INVALID, (rule,), reason, offset)
    assert verdict.client is not None
    assert (verdict.client.does, verdict.client.exception) == ("rejects", exception)
    with pytest.raises(Malformed) as caught:
        decode_records(data)
    assert (caught.value.rule, caught.value.reason, caught.value.offset) == (rule, reason, offset)


@pytest.mark.parametrize(("data", "rule"), [case[1:] for case in UNSPECIFIED], ids=[case[0] for case in UNSPECIFIED])
def test_header_is_left_open(data: bytes, rule: str) -> None:
    """Apache Kafka's consumer accepts it, and the strict decode_records does not."""
    verdict = judge_records(data)
    assert (verdict.result, verdict.rules, verdict.client and verdict.client.does) == (
        Result.UNSPECIFIED,
        (rule,),
        "accepts",
    )
    with pytest.raises(Malformed) as caught:
        decode_records(data)
    assert (caught.value.rule, caught.value.reason) == (rule, None)


def test_smallest_batch_has_one_record_of_seven_bytes() -> None:
    assert wire(batch()) == SMALLEST
    assert decode_records(SMALLEST) == {"batches": [batch()], "partial": b""}


@pytest.mark.parametrize("field", ["baseOffset", "partitionLeaderEpoch"])
def test_fields_set_by_a_broker_are_outside_of_the_crc(field: str) -> None:
    assert judge_records(changed(SMALLEST, field, 7, seal=False)).result is Result.VALID


def test_leader_epoch_does_not_stop_the_broker() -> None:
    verdict = judge_records(changed(SMALLEST, "partitionLeaderEpoch", 7))
    assert verdict.broker is not None
    assert verdict.broker.does == "accepts"


def test_reader_without_crc_check_reads_on() -> None:
    data = changed(SMALLEST, "crc", 0)
    verdict = judge_records(data, check_crc=False)
    assert (verdict.result, verdict.value) == (Result.VALID, {"batches": [batch()], "partial": b""})
    assert verdict.broker is not None
    assert verdict.broker.exception == "CorruptRecordException"


def test_wrong_crc_is_the_only_reason_whatever_else_is_wrong() -> None:
    data = changed(changed(SMALLEST, "recordCount", -1), "crc", 0)
    assert judge_records(data).rules == ("batch.crc",)


@pytest.mark.parametrize("bits", [1, 256, 511])
def test_unused_attributes_are_kept(bits: int) -> None:
    data = wire(batch(unusedAttributes=bits))
    verdict = judge_records(data)
    assert (verdict.result, verdict.rules, verdict.canonical) == (Result.VALID, ("batch.attributes-unused",), data)


@pytest.mark.parametrize("length", [2**31 - 12, 2**31 - 1])
def test_length_near_the_end_of_int32_is_left_open(length: int) -> None:
    verdict = judge_records(changed(SMALLEST, "length", length))
    assert (verdict.result, verdict.rules) == (Result.UNSPECIFIED, ("batch.length-overflow",))
    assert verdict.client is not None
    assert verdict.client.exception == "IllegalArgumentException"


def test_longest_length_is_a_partial_batch() -> None:
    assert judge_records(changed(SMALLEST, "length", 2**31 - 13)).rules == ("field.partial-tail",)


def test_log_append_time_needs_no_maximum() -> None:
    data = wire(batch(timestampType="log-append", maxTimestamp=5))
    assert judge_records(data).result is Result.VALID


def test_last_offset_delta_may_be_beyond_the_last_record() -> None:
    """Compaction leaves such batches, but a broker refuses them from a producer."""
    verdict = judge_records(wire(batch(lastOffsetDelta=9)))
    assert verdict.result is Result.VALID
    assert verdict.broker is not None
    assert verdict.broker.rule == "batch.last-offset-delta"


def test_batch_without_records_is_sixty_one_bytes() -> None:
    data = wire(batch(records=[], baseTimestamp=-1))
    assert len(data) == 61
    verdict = judge_records(data)
    assert (verdict.result, verdict.canonical) == (Result.VALID, data)


def test_bytes_after_a_count_of_zero_are_ignored() -> None:
    verdict = judge_records(changed(SMALLEST, "recordCount", 0))
    assert (verdict.result, verdict.rules) == (Result.UNSPECIFIED, ("batch.empty-with-bytes",))
    assert verdict.value is not None
    assert verdict.value["batches"][0]["records"] == []


@pytest.mark.parametrize(("codec", "client"), [(1, "rejects"), (2, "rejects"), (3, "rejects"), (4, "accepts")])
def test_stream_of_an_empty_batch_is_opened(codec: int, client: str) -> None:
    data = changed(changed(sealed(SMALLEST[:61]), "recordCount", 0), "attributes", codec)
    verdict = judge_records(data)
    assert (verdict.result, verdict.rules) == (Result.UNSPECIFIED, ("batch.empty-with-bytes",))
    assert verdict.client is not None
    assert verdict.client.does == client


@pytest.mark.parametrize(
    ("changes", "refusal", "rule", "path"),
    [
        ({"maxTimestamp": TIME - 1}, Refusal.OUT_OF_RANGE, "batch.max-timestamp", "batches[0].maxTimestamp"),
        ({"lastOffsetDelta": -1}, Refusal.OUT_OF_RANGE, "batch.last-offset-delta", "batches[0].lastOffsetDelta"),
        ({"producerId": -2}, Refusal.OUT_OF_RANGE, "batch.negative-field", "batches[0].producerId"),
        ({"producerId": 2**63}, Refusal.OUT_OF_RANGE, "number.range", "batches[0].producerId"),
        ({"baseSequence": None}, Refusal.NULL_NOT_ALLOWED, "null.not-written", "batches[0].baseSequence"),
        ({"compression": "brotli"}, Refusal.OUT_OF_RANGE, "batch.codec", "batches[0].compression"),
        ({"timestampType": 0}, Refusal.WRONG_TYPE, "value.type", "batches[0].timestampType"),
        ({"control": 1}, Refusal.WRONG_TYPE, "value.type", "batches[0].control"),
        ({"unusedAttributes": 512}, Refusal.OUT_OF_RANGE, "number.range", "batches[0].unusedAttributes"),
        ({"magic": 3}, Refusal.OUT_OF_RANGE, "batch.magic", "batches[0].magic"),
        ({"more": 3}, Refusal.UNKNOWN_FIELD, "value.known-fields", "batches[0].more"),
        (
            {"records": [], "compression": "zstd"},
            Refusal.OUT_OF_RANGE,
            "batch.empty-with-bytes",
            "batches[0].compression",
        ),
    ],
)
def test_batch_is_refused(changes: dict[str, object], refusal: Refusal, rule: str, path: str) -> None:
    with pytest.raises(Unencodable) as caught:
        encode_records({"batches": [batch(**changes)]})
    assert (caught.value.reason, caught.value.rule, caught.value.path) == (refusal, rule, path)


def test_missing_field_is_refused() -> None:
    value = batch()
    del value["producerId"]
    with pytest.raises(Unencodable) as caught:
        encode_records({"batches": [value]})
    assert (caught.value.reason, caught.value.path) == (Refusal.MISSING_FIELD, "batches[0].producerId")


@pytest.mark.parametrize(
    ("deltas", "last"), [((1, 0), 1), ((0, 0), 1), ((-1,), 0), ((0, 5), 5), ((0, 2**31 - 1), 2**31 - 1)]
)
def test_offset_deltas_ascend(deltas: tuple[int, ...], last: int) -> None:
    value = batch(*(record(delta) for delta in deltas), lastOffsetDelta=last)
    if list(deltas) == sorted(set(deltas)) and deltas[0] >= 0:
        assert judge_records(encode_records({"batches": [value]})).result is Result.VALID
        return
    with pytest.raises(Unencodable) as caught:
        encode_records({"batches": [value]})
    assert caught.value.rule == "record.offset-delta"
