from typing import Any

import pytest

from conformance.campaign.proof.proof import ProofResult
from conformance.campaign.proof.proven_records import (
    BEYOND_BOUND,
    BEYOND_MEMORY,
    SHOWN,
    TWO_FAULTS,
    ProvenBytes,
    absolute_places,
    written_records,
)
from conformance.generate.record_building import SMALLEST, message, sealed, wrapper
from conformance.targets import shown
from reference import decode_records, encode_records, judge_records, newest_release, records_to_json

VALUE = decode_records(SMALLEST)
BAD_CRC = SMALLEST[:17] + bytes(4) + SMALLEST[21:]
READ = {"outcome": "value", "value": records_to_json(VALUE), "absolute": absolute_places(VALUE)}
CORRUPT = {"outcome": "rejected", "class": "org.apache.kafka.common.errors.CorruptRecordException", "during": "check"}
EXHAUSTED = {"outcome": "exhausted-memory", "text": "java.lang.OutOfMemoryError: Java heap space"}
WRAPPER = wrapper(message(0), message(2), offset=102, timestampType="log-append", timestamp=9)


def case(wire: bytes) -> ProvenBytes:
    return ProvenBytes("the case", wire, judge_records(wire, release=newest_release()), ProofResult())


def changed(**changes: Any) -> dict[str, Any]:
    return {"batches": [VALUE["batches"][0] | changes], "partial": b""}


CONSUMERS: dict[str, tuple[bytes, dict[str, Any], str | None]] = {
    "the value": (SMALLEST, READ, None),
    "another value": (
        SMALLEST,
        READ | {"value": records_to_json(changed(baseOffset=1))},
        "the consumer reads 1 at batches[0].baseOffset, expected 0",
    ),
    "other places": (SMALLEST, READ | {"absolute": []}, "the places are []"),
    "nothing of sound bytes": (SMALLEST, CORRUPT, "CorruptRecordException"),
    "what the reference refuses": (BAD_CRC, READ, "value"),
    "nothing, by the same exception": (BAD_CRC, CORRUPT, None),
    "nothing, by another exception": (
        BAD_CRC,
        CORRUPT | {"class": "java.lang.IllegalArgumentException"},
        "expected CorruptRecordException",
    ),
}


@pytest.mark.parametrize(("wire", "reply", "expected"), CONSUMERS.values(), ids=CONSUMERS)
def test_a_consumer_differs_if_it_reads_otherwise(wire: bytes, reply: dict[str, Any], expected: str | None) -> None:
    found = case(wire).client_difference(reply)
    assert found is None if expected is None else expected in str(found)


def test_a_broker_that_refuses_what_it_should_take_differs() -> None:
    assert case(SMALLEST).broker_difference(CORRUPT) is not None


def test_a_wrong_record_before_a_cut_in_the_stream_is_counted_apart() -> None:
    """Apache Kafka reads records while it decompresses them, the reference afterwards: either fault may stop it."""
    cut = case(sealed(encode_records(changed(compression="gzip"))[:-4]))
    reply = {"outcome": "rejected", "class": "org.apache.kafka.common.InvalidRecordException", "during": "records"}
    assert cut.client_difference(reply) is None
    assert cut.comparison.cases == {TWO_FAULTS: 1}


def test_an_exhausted_memory_is_counted_apart_for_invalid_bytes() -> None:
    exhausted = case(BAD_CRC)
    assert exhausted.client_difference(EXHAUSTED) is None
    assert exhausted.comparison.cases == {BEYOND_MEMORY: 1}


def test_an_exhausted_memory_is_a_difference_for_valid_bytes() -> None:
    assert case(SMALLEST).client_difference(EXHAUSTED) is not None


def test_what_is_beyond_the_bound_is_counted_apart() -> None:
    record = VALUE["batches"][0]["records"][0] | {"value": bytes(40 << 20)}
    beyond = case(encode_records(changed(compression="zstd", records=[record])))
    assert beyond.client_difference(CORRUPT) is None
    assert beyond.comparison.cases == {BEYOND_BOUND: 1}


def test_plain_batches_must_have_the_same_bytes() -> None:
    check = written_records(VALUE, SMALLEST)
    assert check({"outcome": "bytes", "wire": SMALLEST.hex()}) is None
    assert check({"outcome": "bytes", "wire": BAD_CRC.hex()}) is not None


def test_compressed_batches_may_have_other_bytes_of_the_same_records() -> None:
    gzipped, empty = changed(compression="gzip"), changed(compression="gzip", baseOffset=1)
    check = written_records(gzipped, b"")
    assert check({"outcome": "bytes", "wire": encode_records(gzipped).hex()}) is None
    assert check({"outcome": "bytes", "wire": encode_records(empty).hex()}) is not None


def test_messages_in_a_wrapper_are_shown_with_its_times_and_absolute_offsets() -> None:
    [entry] = (shown(SHOWN, {"batches": [WRAPPER], "partial": b""}) or {})["batches"]
    assert [(message["offset"], message["timestamp"]) for message in entry["messages"]] == [(100, 9), (102, 9)]


def test_a_log_append_batch_has_one_time_for_all_records() -> None:
    value = changed(timestampType="log-append", maxTimestamp=5)
    assert absolute_places(value) == [[["0", "5"]]]
    assert "timestampDelta" not in (shown(SHOWN, value) or {})["batches"][0]["records"][0]
