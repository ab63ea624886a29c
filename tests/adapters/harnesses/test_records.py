from typing import Any

import pytest

from conformance.adapters.harnesses.apache_kafka import ApacheKafkaJvm
from conformance.generate.record_building import SMALLEST, holding
from reference import decode_records, encode_records, records_to_json
from reference.records.checksums import crc32c
from reference.records.compression import zstd

pytestmark = pytest.mark.java

CODECS = ("none", "gzip", "snappy", "lz4", "zstd")


def value(**changes: Any) -> dict[str, Any]:
    """Return the value of a field with the smallest batch, changed."""
    [batch] = decode_records(SMALLEST)["batches"]
    return {"batches": [batch | changes], "partial": b""}


def written(kafka: ApacheKafkaJvm, content: dict[str, Any]) -> dict[str, Any]:
    [reply] = kafka.exchange([{"op": "encode-records", "value": records_to_json(content)}])
    return reply


def read(kafka: ApacheKafkaJvm, wire: bytes, path: str = "client", **members: Any) -> dict[str, Any]:
    [reply] = kafka.exchange([{"op": "decode-records", "wire": wire.hex(), "path": path, **members}])
    return reply


@pytest.mark.parametrize("codec", CODECS[1:])
def test_reference_reads_records_compressed_by_kafka(kafka: ApacheKafkaJvm, codec: str) -> None:
    content = value(compression=codec)
    assert decode_records(bytes.fromhex(written(kafka, content)["wire"])) == content


def test_bits_without_a_meaning_are_not_representable(kafka: ApacheKafkaJvm) -> None:
    assert written(kafka, value(unusedAttributes=1))["outcome"] == "unrepresentable"


def test_header_key_other_than_text_is_unrepresentable(kafka: ApacheKafkaJvm) -> None:
    [record] = value()["batches"][0]["records"]
    reply = written(kafka, value(records=[{**record, "headers": [(b"\xff", b"")]}]))
    assert reply["outcome"] == "unrepresentable"


@pytest.mark.parametrize("path", ["client", "broker"])
@pytest.mark.parametrize("codec", CODECS)
def test_both_readers_read_every_codec(kafka: ApacheKafkaJvm, codec: str, path: str) -> None:
    reply = read(kafka, encode_records(value(compression=codec)), path)
    assert reply["value"]["batches"][0]["compression"] == codec


def test_the_client_replies_absolute_offsets_and_timestamps(kafka: ApacheKafkaJvm) -> None:
    reply = read(kafka, encode_records(value(baseOffset=7)))
    assert reply["absolute"] == [[["7", "1700000000000"]]]


def test_the_client_leaves_a_partial_batch_alone(kafka: ApacheKafkaJvm) -> None:
    assert read(kafka, SMALLEST + SMALLEST[:20])["value"]["partial"] == SMALLEST[:20].hex()


def test_the_client_finds_a_wrong_crc_before_the_records(kafka: ApacheKafkaJvm) -> None:
    reply = read(kafka, SMALLEST[:17] + bytes(4) + SMALLEST[21:])
    assert (reply["outcome"], reply["during"], reply["delivered"]) == ("rejected", "check", 0)


def test_client_without_checks_of_crcs_reads_past_a_wrong_one(kafka: ApacheKafkaJvm) -> None:
    reply = read(kafka, SMALLEST[:17] + bytes(4) + SMALLEST[21:], checkCrcs=False)
    assert reply["outcome"] == "value"


def test_the_broker_stores_a_batch_from_its_next_offset_on(kafka: ApacheKafkaJvm) -> None:
    stored = read(kafka, SMALLEST, "broker")["stored"]
    assert decode_records(bytes.fromhex(stored))["batches"][0]["baseOffset"] == 1000


@pytest.mark.parametrize("path", ["client", "broker"])
@pytest.mark.parametrize(("there", "outcome"), [(0, "rejected"), (118, "rejected"), (119, "value")])
def test_missing_bytes_of_a_skippable_frame_are_counted_in_an_int32(
    kafka: ApacheKafkaJvm, there: int, outcome: str, path: str
) -> None:
    frame = bytes.fromhex("502a4d18 ffffffff") + bytes(there)
    stream = zstd.compress(bytes.fromhex("0c 00 00 00 01 01 00")) + frame
    assert read(kafka, holding(stream, codec="zstd"), path)["outcome"] == outcome


def test_the_broker_refuses_a_second_batch(kafka: ApacheKafkaJvm) -> None:
    reply = read(kafka, SMALLEST + SMALLEST, "broker")
    assert (reply["class"], reply["during"]) == ("org.apache.kafka.common.InvalidRecordException", "request")


def test_broker_stores_a_batch_unreadable_to_clients(kafka: ApacheKafkaJvm) -> None:
    """It does not look at the length of a compressed record, here 7 instead of 6."""
    wire = encode_records(value(compression="lz4"))
    wire = wire.replace(bytes.fromhex("0c000000010100"), bytes.fromhex("0e000000010100"))
    wire = wire[:17] + crc32c(wire[21:]) + wire[21:]
    reply = read(kafka, wire, "broker")
    assert reply["value"] is None
    assert "InvalidRecordException" in reply["unreadable"]
    assert read(kafka, wire)["outcome"] == "rejected"


def test_another_path_is_a_protocol_error(kafka: ApacheKafkaJvm) -> None:
    assert read(kafka, SMALLEST, "replica")["outcome"] == "protocol-error"
