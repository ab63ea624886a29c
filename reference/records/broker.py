"""Apache Kafka's broker as a reader of the records of a Produce request (version 9, rules 16.4.4 and 16.8.1).

It demands one batch of magic 2 from offset 0, with correct CRC, count and offsets, and ignores bytes after it. It reads
plain records as a consumer does. It walks over compressed records field by field, and never checks the length at their
start. So it stores batches that every consumer of the topic refuses.

The configuration of a topic is left out: every size and time is allowed, the codec and the timestamps are the
producer's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.errors import CodecError, Malformed
from reference.records import attributes as bits
from reference.records.batch import read_counted
from reference.records.checksums import crc32c
from reference.records.compression import NONE
from reference.records.compression.base import Stream
from reference.records.layouts import BATCH_HEADER, COVERED_FROM, CRC, HEADER_SIZE
from reference.records.numbers import read_varint, read_varlong
from reference.records.reading import Reading
from reference.records.records_field import next_batch
from reference.wire.stream import LenientReader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.wire.stream import Reader

INVALID_RECORD = "InvalidRecordException"
CORRUPT_RECORD = "CorruptRecordException"
BATCH = 2
PATH = (("", "batches"), 0)


class Rejected(CodecError):
    """A refusal of records by the broker."""

    def __init__(self, rule: str, exception: str = INVALID_RECORD) -> None:
        super().__init__(rule, exception)
        self.rule = rule
        self.exception = exception

    def __str__(self) -> str:
        return f"Apache Kafka's broker throws {self.exception} (rule {self.rule})"


def append(reading: Reading, value: dict[str, Any] | None) -> None:
    """Check the field of a reading as the broker does, with the value read by the consumer, or None if it refuses it.

    Raises:
        Rejected: the broker refuses the field.
    """
    wire = _the_batch(reading)
    # Padded, as the broker checks the base offset of a batch before its length.
    header = BATCH_HEADER.read(LenientReader(wire[:HEADER_SIZE].ljust(HEADER_SIZE, b"\0")))
    if header["baseOffset"] != 0:
        raise Rejected("produce.base-offset")
    if len(wire) < HEADER_SIZE:
        raise Rejected("batch.length", CORRUPT_RECORD)
    if crc32c(wire[COVERED_FROM:]) != wire[CRC]:
        raise Rejected("batch.crc", CORRUPT_RECORD)
    if bits.codec_name(header["attributes"]) is None:
        raise Rejected("batch.codec", "IllegalArgumentException")
    _check_header(header)
    _check_records(reading, wire, header, value)


def _the_batch(reading: Reading) -> bytes:
    """Return the only batch of the field, or raise Rejected unless there is exactly one, of magic 2."""
    part = Reading(LenientReader(reading.reader.getvalue()), reading.limit)
    first = _next(part)
    if first is None or first.magic != BATCH:
        raise Rejected("produce.one-batch")
    part.reader.seek(first.end)
    if _next(part) is not None:
        raise Rejected("produce.one-batch")
    return part.reader.getvalue()[: first.end]


def _next(reading: Reading) -> Any:
    try:
        return next_batch(reading, PATH)
    except Malformed as error:
        overflow = error.rule == "batch.length-overflow"
        raise Rejected(error.rule, "IllegalArgumentException" if overflow else CORRUPT_RECORD) from error


def _check_header(header: dict[str, Any]) -> None:
    count = header["recordCount"]
    if count <= 0 or header["lastOffsetDelta"] != count - 1:
        raise Rejected("record.count" if count <= 0 else "batch.last-offset-delta")
    if header["attributes"] & bits.FLAGS["control"]:
        raise Rejected("control.key")
    if header["producerId"] >= 0 and header["baseSequence"] < 0:
        raise Rejected("batch.producer")


def _check_records(reading: Reading, wire: bytes, header: dict[str, Any], value: dict[str, Any] | None) -> None:
    compressed = bits.codec_name(header["attributes"]) != NONE
    deltas = _deltas(reading, wire, header["recordCount"], compressed=compressed) if value is None else _known(value)
    if header["attributes"] & bits.LOG_APPEND_BIT and header["maxTimestamp"] == -1:
        raise Rejected("batch.log-append-time", "InvalidTimestampException")
    if compressed and deltas != list(range(header["recordCount"])):
        raise Rejected("record.offset-delta", "UnsupportedOperationException")


def _known(value: dict[str, Any]) -> list[int]:
    """Return the offset deltas of the only batch, as the broker reads everything that the consumer accepts."""
    return [record["offsetDelta"] for record in value["batches"][0]["records"]]


def _deltas(reading: Reading, wire: bytes, count: int, *, compressed: bool) -> list[int]:
    if compressed:
        return list(_walk(_decompressed(reading), count, reading.bounds.longest_record))
    return _plain(wire[HEADER_SIZE:], count)


def _plain(data: bytes, count: int) -> list[int]:
    try:
        return [record["offsetDelta"] for record in read_counted(LenientReader(data), count, PATH)]
    except Malformed as error:
        at_length = error.rule == "varint.too-long" and error.path.endswith("].length")
        raise Rejected(error.rule, "IllegalArgumentException" if at_length else INVALID_RECORD) from error


def _decompressed(reading: Reading) -> bytes:
    """Return the bytes from the consumer's decompression, as the broker's gets equally far, or raise Rejected."""
    outcome = reading.streams[HEADER_SIZE]
    if isinstance(outcome, Stream):
        return outcome.data
    raise Rejected(outcome.rule, outcome.exception)


def _walk(data: bytes, count: int, longest: int | None) -> Iterator[int]:
    """Yield the offset delta of each record, as the broker reads it.

    The broker ignores the length of a record. Later releases refuse a negative length, and one greater than `longest`.
    """
    reader = LenientReader(data)
    try:
        for _ in range(count):
            yield _skip_record(reader, longest)
    except Malformed as error:
        raise Rejected(error.rule) from error
    if reader.tell() != reader.size:
        raise Rejected("batch.trailing-bytes")


def _skip_record(reader: Reader, longest: int | None) -> int:
    length = read_varint(reader, "", "length", "record.length")
    if longest is not None and not 0 <= length <= longest:
        raise Rejected("record.length")
    if not reader.read(1):
        reader.truncated("")
    read_varlong(reader, "", "record.timestamp-delta")
    delta = read_varint(reader, "", "number", "record.offset-delta")
    _skip_bytes(reader)
    _skip_bytes(reader)
    count = read_varint(reader, "", "count", "header.count")
    if count < 0:
        raise Rejected("header.count")
    for _ in range(count):
        if _skip_bytes(reader) < 0:
            raise Rejected("header.key-null")
        _skip_bytes(reader)
    return delta


def _skip_bytes(reader: Reader) -> int:
    length = read_varint(reader, "", "length", "record.length-within")
    if length > reader.size - reader.tell():
        reader.truncated("")
    if length > 0:
        reader.seek(length, 1)
    return length
