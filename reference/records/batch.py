"""A record batch of magic 2, a header of 61 bytes and its records, plain or one compressed stream.

The CRC-32C covers everything from the attributes to the end, compressed bytes unchanged. Base offset and leader epoch
stand before it, so a broker can set them in place. A reader checks the CRC before it looks at anything covered by it. A
batch of one record without key and value:

    0000000000000000 00000038           base offset, length: 56 bytes follow
    ffffffff 02 c428857f                leader epoch -1, magic 2, CRC-32C of all bytes after it
    0000 00000000                       attributes, last offset delta
    0000018bcfe56800 0000018bcfe56800   base timestamp, highest timestamp
    ffffffffffffffff ffff ffffffff      producer id, epoch and sequence, -1 without a producer
    00000001 0c000000010100             one record, as in `reference.records.record`
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from reference.errors import Malformed, Reason
from reference.paths import Path, render_path
from reference.records import attributes as bits
from reference.records.batch_rules import check_batch
from reference.records.checksums import crc32c
from reference.records.compression import CODECS, NONE
from reference.records.compression.base import BadStream, BeyondBound, Codec, Stream
from reference.records.control import check_control
from reference.records.layouts import BATCH_HEADER, COVERED_FROM, CRC, HEADER_SIZE, LENGTH, OVERHEAD
from reference.records.quick import quick_records
from reference.records.reading import MalformedRecords, Reading
from reference.records.record import RECORD
from reference.wire.stream import LenientReader

if TYPE_CHECKING:
    from reference.wire.stream import Reader

MAGIC = 2
UNUSED_FROM, UNUSED_WIDTH = 7, 9
NUMBERS = (
    "baseOffset",
    "partitionLeaderEpoch",
    "lastOffsetDelta",
    "baseTimestamp",
    "maxTimestamp",
    "producerId",
    "producerEpoch",
    "baseSequence",
)
FIELDS = (
    "magic",
    "baseOffset",
    "partitionLeaderEpoch",
    "compression",
    "timestampType",
    *bits.FLAGS,
    "unusedAttributes",
    *NUMBERS[2:],
    "records",
)
"""The fields of a batch's value, in the order of its JSON form."""


def read_batch(reading: Reading, end: int, path: Path) -> dict[str, Any]:
    """Read the batch from the reader's position to the offset `end`, or raise Malformed."""
    reader = reading.reader
    start = reader.tell()
    if end - start < HEADER_SIZE:
        detail = f"{end - start - OVERHEAD} bytes, the header alone has {HEADER_SIZE - OVERHEAD}"
        reader.malformed("batch.length", Reason.BATCH_TOO_SHORT, start + LENGTH.start, (path, "length"), detail)
    if reading.check_crc:
        _check_crc(reading, start, end, path)
    header = BATCH_HEADER.read(reader, path)
    codec = _codec(reading, header["attributes"], start, path)
    count = header["recordCount"]
    if count < 0:
        _negative_count(reading, codec, count, end, path)
    records = _read_records(reading, codec, count, end, path)
    reader.seek(end)
    batch = _value(header, NONE if codec is None else codec.name, records)
    check_batch(reader, batch, start, path)
    if batch["control"]:
        check_control(reader, batch, start, path)
    return batch


def _negative_count(reading: Reading, codec: Codec | None, count: int, end: int, path: Path) -> NoReturn:
    start, exception = reading.reader.tell(), ""
    # Apache Kafka opens the compressed stream before it checks the count, and may fail there
    if codec is not None:
        try:
            codec.open(Stream(reading.reader.getvalue()[start:end], reading.limit))
        except BadStream as error:
            exception = error.exception
        except BeyondBound:
            pass
    here, detail = render_path((path, "recordCount")), f"{count} records"
    raise MalformedRecords("record.count", Reason.RECORD_COUNT, start - 4, here, detail, exception=exception)


def _check_crc(reading: Reading, start: int, end: int, path: Path) -> None:
    wire = reading.reader.getvalue()
    computed = crc32c(wire[start + COVERED_FROM : end])
    stored = wire[start + CRC.start : start + CRC.stop]
    if stored != computed:
        detail = f"{stored.hex()}, computed {computed.hex()}"
        reading.reader.malformed("batch.crc", Reason.CRC_MISMATCH, start + CRC.start, (path, "crc"), detail)


def _codec(reading: Reading, attributes: int, start: int, path: Path) -> Codec | None:
    name = bits.codec_name(attributes)
    at = start + COVERED_FROM
    if name is None:
        number = attributes & bits.CODEC_BITS
        reading.reader.malformed("batch.codec", Reason.UNKNOWN_CODEC, at, (path, "attributes"), f"codec {number}")
    if attributes >> UNUSED_FROM:
        reading.reader.note("batch.attributes-unused", at, (path, "attributes"))
    return CODECS.get(name)


def _value(header: dict[str, Any], codec: str, records: list[dict[str, Any]]) -> dict[str, Any]:
    attributes = header["attributes"]
    return {
        "magic": MAGIC,
        "baseOffset": header["baseOffset"],
        "partitionLeaderEpoch": header["partitionLeaderEpoch"],
        "compression": codec,
        "timestampType": bits.timestamp_type(attributes),
        **{name: bool(attributes & bit) for name, bit in bits.FLAGS.items()},
        "unusedAttributes": attributes >> UNUSED_FROM & ((1 << UNUSED_WIDTH) - 1),
        **{name: header[name] for name in NUMBERS[2:]},
        "records": records,
    }


def _read_records(reading: Reading, codec: Codec | None, count: int, end: int, path: Path) -> list[dict[str, Any]]:
    start = reading.reader.tell()
    if not count:
        _read_nothing(reading, codec, start, end, path)
        return []
    if codec is None:
        records: list[dict[str, Any]] = reading.within(start, end, lambda inner: read_counted(inner, count, path))
        return records
    return _read_compressed(reading, codec, count, end, path)


def _read_nothing(reading: Reading, codec: Codec | None, start: int, end: int, path: Path) -> None:
    here = (path, "records")
    # Apache Kafka opens the compressed stream and reads nothing of it
    if codec is not None:
        try:
            reading.decompress(codec.open, start, end, here)
        except BadStream as error:
            detail = f"no records, and {error.detail}"
            reading.unspecified("batch.empty-with-bytes", start, here, detail, error.exception)
    if codec is not None or end > start:
        reading.reader.deviation("batch.empty-with-bytes", start, here)
    if reading.reader.spans is not None and end > start:
        # No record is read from these bytes, so the format of the stream is not explained either.
        reading.reader.seek(end)
        reading.reader.spans = [span for span in reading.reader.spans if span.start < start]
        reading.reader.span(start, here, "payload", "batch.empty-with-bytes", "raw")


def _read_compressed(reading: Reading, codec: Codec, count: int, end: int, path: Path) -> list[dict[str, Any]]:
    start, here = reading.reader.tell(), (path, "records")
    try:
        stream = reading.decompress(codec.decompress, start, end, here)
    except BadStream as error:
        # Every record stands before the fault: other readers may ignore the rest of the stream.
        if error.whole and _are_whole(error.stream.data[: error.whole], count):
            offset = start + error.offset
            reading.unspecified("codec.trailing-bytes", offset, here, error.detail, error.exception)
        reading.bad_stream(error, start, here)
    records: list[dict[str, Any]] = reading.inside(
        stream.data, start, here, lambda inner: read_counted(inner, count, path)
    )
    return records


def _are_whole(data: bytes, count: int) -> bool:
    try:
        read_counted(LenientReader(data), count, "")
    except Malformed:
        return False
    return True


def read_counted(reader: Reader, count: int, path: Path) -> list[dict[str, Any]]:
    """Read exactly `count` records, up to the end of the input, or raise Malformed."""
    here, size = (path, "records"), reader.size
    records, at = ([], 0) if reader.spans is not None else quick_records(reader.getvalue(), count)
    reader.seek(at)
    while len(records) < count:
        at = reader.tell()
        if at == size:
            detail = f"{count} records, there are {len(records)}"
            reader.malformed("record.count", Reason.RECORD_COUNT, at, (path, "recordCount"), detail)
        records.append(RECORD.read(reader, (here, len(records))))
    if reader.tell() != size:
        detail = f"{size - reader.tell()} bytes after the last record"
        reader.malformed("batch.trailing-bytes", Reason.TRAILING_BYTES, reader.tell(), here, detail)
    return records
