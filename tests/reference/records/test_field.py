from io import BytesIO

import pytest

from conformance.generate.record_building import SMALLEST, batch, changed, message, record, wire, wrapper
from reference import Malformed, Refusal, Result, Unencodable, decode_records, encode_records, judge_records

PARTIAL = [1, 8, 11, 12, 16, 17, 40, 67]
"""How many bytes of a batch are not the whole of it."""


def test_field_without_batches_is_no_bytes() -> None:
    assert encode_records({"batches": []}) == b""
    assert decode_records(b"") == {"batches": [], "partial": b""}


def test_batches_follow_one_another_without_a_count() -> None:
    batches = [batch(compression="gzip"), batch(baseOffset=7), batch(baseOffset=3, compression="zstd")]
    assert decode_records(wire(*batches))["batches"] == batches


def test_batches_and_message_sets_may_follow_one_another() -> None:
    batches = [message(5), wrapper(message(0), message(1), offset=7), batch(baseOffset=8), message(9, magic=0)]
    assert judge_records(wire(*batches)).value == {"batches": batches, "partial": b""}


@pytest.mark.parametrize("size", PARTIAL)
def test_partial_batch_at_the_end_is_left_out(size: int) -> None:
    data = SMALLEST + SMALLEST[:size]
    verdict = judge_records(data)
    assert (verdict.result, verdict.rules) == (Result.VALID, ("field.partial-tail",))
    assert verdict.value == {"batches": [batch()], "partial": SMALLEST[:size]}
    assert verdict.canonical == SMALLEST
    assert decode_records(data) == verdict.value


@pytest.mark.parametrize("size", PARTIAL)
def test_broker_ignores_bytes_after_the_batch(size: int) -> None:
    verdict = judge_records(SMALLEST + SMALLEST[:size])
    assert verdict.broker is not None
    assert verdict.broker.does == "accepts"


def test_eleven_zeros_are_partial_and_twelve_are_a_batch_of_no_length() -> None:
    assert judge_records(SMALLEST + bytes(11)).result is Result.VALID
    verdict = judge_records(SMALLEST + bytes(12))
    assert (verdict.result, verdict.rules, verdict.offset) == (Result.INVALID, ("batch.length",), len(SMALLEST) + 8)


def test_magic_of_a_partial_batch_is_checked_if_present() -> None:
    tail = changed(SMALLEST, "magic", 9)[:30]
    assert judge_records(SMALLEST + tail[:16]).result is Result.VALID
    assert judge_records(SMALLEST + tail[:17]).rules == ("batch.magic",)


def test_bad_batch_after_a_good_one_makes_the_field_invalid() -> None:
    verdict = judge_records(SMALLEST + changed(SMALLEST, "crc", 0))
    assert (verdict.result, verdict.path, verdict.offset) == (Result.INVALID, "batches[1].crc", len(SMALLEST) + 17)


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (b"", "produce.one-batch"),
        (SMALLEST + SMALLEST, "produce.one-batch"),
        (wire(message()), "produce.one-batch"),
        (wire(batch(baseOffset=1)), "produce.base-offset"),
        (wire(batch(records=[])), "record.count"),
        (wire(batch(record(0), record(5))), "batch.last-offset-delta"),
        (wire(batch(control=True)), "control.key"),
        (wire(batch(producerId=5)), "batch.producer"),
    ],
    ids=["no-batch", "two", "message-set", "base-offset", "no-records", "gap", "control", "no-sequence"],
)
def test_broker_takes_less_than_a_consumer(data: bytes, rule: str) -> None:
    verdict = judge_records(data)
    assert verdict.client is not None
    assert verdict.client.does == "accepts"
    assert verdict.broker is not None
    assert (verdict.broker.does, verdict.broker.exception, verdict.broker.rule) == (
        "rejects",
        "InvalidRecordException",
        rule,
    )


def test_part_of_a_batch_is_never_written() -> None:
    with pytest.raises(Unencodable) as caught:
        encode_records({"batches": [], "partial": b"\0"})
    assert (caught.value.reason, caught.value.rule) == (Refusal.OUT_OF_RANGE, "produce.no-tail")


@pytest.mark.parametrize("value", [None, [], {}, {"batches": None}, {"batches": {}}, {"batches": [None]}, {"x": []}])
def test_value_of_another_form_is_refused(value: object) -> None:
    with pytest.raises(Unencodable):
        encode_records(value)  # type: ignore[arg-type]


def test_errors_of_a_field_are_those_of_construct_too() -> None:
    with pytest.raises(Malformed) as caught:
        decode_records(BytesIO(changed(SMALLEST, "crc", 0)).getvalue())
    error = caught.value
    assert (error.reason, error.offset, error.path, error.rule) == ("crc-mismatch", 17, "batches[0].crc", "batch.crc")
