"""Message sets of magic 0 and 1, the batches before Kafka 0.11.

Old log segments still have them. A message of magic 1:

    00 00 00 00 00 00 00 07   00 00 00 17   offset, size: 23 bytes follow
    09 b6 6c aa   01   00                   CRC-32 of all bytes after it, magic, attributes
    00 00 00 00 00 00 03 e8                 timestamp in milliseconds, not in magic 0
    ff ff ff ff   00 00 00 01 76            key null, value "v", each after an int32 length

A message with a codec is a *wrapper*: its value is a compressed message set. In magic 1 the offsets inside are
relative, and the wrapper has the last one; type and time of a log append are the wrapper's.
"""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, NoReturn

from reference.errors import Malformed, Reason
from reference.paths import Path, render_path
from reference.records import attributes as bits
from reference.records.batch_rules import ABSENT, NEGATIVE_OFFSET, is_negative
from reference.records.checksums import crc32
from reference.records.compression import CODECS, NAMES, NONE, lz4
from reference.records.compression.base import BadStream
from reference.records.layouts import LENGTH, MAGIC_AT, MESSAGE_CRC, MESSAGE_ENTRY, MESSAGE_V0, MESSAGE_V1, OVERHEAD
from reference.records.reading import MalformedRecords
from reference.wire.lengths import NULL
from reference.wire.numbers import INT32
from reference.wire.stream import LenientReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reference.layouts import Layout
    from reference.records.compression.base import Stream
    from reference.records.reading import Reading
    from reference.wire.stream import Reader

SMALLEST_MESSAGE = 14
OUT_OF_BOUNDS = "IndexOutOfBoundsException"
CRC_SIZE = MESSAGE_CRC.stop - MESSAGE_CRC.start
TIMESTAMP_AT = OVERHEAD + MESSAGE_V1.at("timestamp").start
CODECS_OF_MESSAGES = tuple(name for name in NAMES if name != "zstd")
"""The codecs without zstd, which came after message sets."""
FIELDS = {
    0: ("magic", "offset", "compression", "unusedAttributes", "key"),
    1: ("magic", "offset", "compression", "timestampType", "timestamp", "unusedAttributes", "key"),
}
"""The fields of a message's value by magic, without `value` or `messages`."""
UNUSED = {0: (3, 5), 1: (4, 4)}
"""The first unused bit and the number of unused bits, by magic."""


def layout_of(magic: int) -> Layout:
    """Return the layout of a message. Apache Kafka reads any magic but 0 as 1."""
    return MESSAGE_V1 if magic else MESSAGE_V0


def read_entry(reading: Reading, end: int, path: Path) -> dict[str, Any]:
    """Read the entry of a message set from the reader's position to the offset `end`, or raise Malformed."""
    start = reading.reader.tell()
    entry: dict[str, Any] = reading.within(start, end, lambda inner: _read_message(reading, inner, path))
    reading.reader.seek(end)
    codec = entry["compression"]
    if codec == NONE:
        return entry
    stored = entry.pop("value")
    if stored is None:
        here = (path, "value")
        reading.reader.malformed("message.wrapper", Reason.NULL_NOT_ALLOWED, start, here, "a wrapper without messages")
    payload = start + _value_at(entry)
    reading.open_span(payload, payload + len(stored))
    stream = _decompressed(reading, entry, payload, payload + len(stored), path)
    _check_offsets(reading, entry, _last_offset(reading, stream.data), start, path)
    here = (path, "messages")
    entry["messages"] = reading.inside(
        stream.data, payload, here, lambda inner: _read_set(reading, inner, entry["magic"], here)
    )
    return entry


def _value_at(entry: dict[str, Any]) -> int:
    key = entry["key"]
    return _head_size(entry["magic"]) + 4 + len(key or b"") + 4


def _head_size(magic: int) -> int:
    return OVERHEAD + (layout_of(magic).width or 0)


def _read_message(reading: Reading, reader: Reader, path: Path, *, inner: bool = False) -> dict[str, Any]:
    magic = reader.getvalue()[MAGIC_AT]
    codec = _codec(reader, path, inner=inner)
    if reading.check_crc:
        _check_crc(reader, path, wrapper=codec != NONE)
    start = reader.tell()
    offset = MESSAGE_ENTRY.read(reader, path)["offset"]
    layout = layout_of(magic)
    if reader.size < start + _head_size(magic):
        detail = f"{reader.size - OVERHEAD} bytes"
        _short(Reason.BATCH_TOO_SHORT, LENGTH.start, (path, "size"), detail)
    head = layout.read(reader, path)
    if is_negative(offset):
        reader.deviation(NEGATIVE_OFFSET, start, (path, "offset"))
    if head.get("timestamp", ABSENT) < ABSENT:
        reader.deviation("batch.negative-field", TIMESTAMP_AT, (path, "timestamp"))
    key = _read_bytes(reader, (path, "key"), skipped=codec != NONE)
    value = _read_bytes(reader, (path, "value"))
    if reader.tell() != reader.size:
        reader.deviation("message.trailing-bytes", reader.tell(), path)
        reader.span(_skip(reader), path, "payload", "message.trailing-bytes", "raw")
    return _value(head, {"offset": offset, "compression": codec, "key": key, "value": value})


def _codec(reader: Reader, path: Path, *, inner: bool) -> str:
    """Return the name of a message's codec. Refuse zstd, which came after message sets, and wrappers in wrappers."""
    attributes = reader.getvalue()[MAGIC_AT + 1]
    codec, at, here = bits.codec_name(attributes), MAGIC_AT + 1, (path, "attributes")
    if codec is None:
        reader.malformed("batch.codec", Reason.UNKNOWN_CODEC, at, here, f"codec {attributes & bits.CODEC_BITS}")
    if inner and codec != NONE:
        reader.malformed("message.nested", Reason.COMPRESSION, at, here, "a compressed message inside of one")
    if codec not in CODECS_OF_MESSAGES:
        reader.malformed("message.codec", Reason.UNKNOWN_CODEC, at, here, f"{codec} in a message set")
    return codec


def _skip(reader: Reader) -> int:
    at = reader.tell()
    reader.seek(reader.size)
    return at


def _check_crc(reader: Reader, path: Path, *, wrapper: bool) -> None:
    wire = reader.getvalue()
    if wire[MESSAGE_CRC] == crc32(wire[MAGIC_AT:]):
        return
    if wrapper:
        # a consumer does not check the CRC of a wrapper, a broker does
        reader.deviation("message.wrapper-crc", OVERHEAD, (path, "crc"))
    else:
        reader.malformed("message.crc", Reason.CRC_MISMATCH, OVERHEAD, (path, "crc"))


def _read_bytes(reader: Reader, path: Path, *, skipped: bool = False) -> bytes | None:
    """Read a key or value, or skip a key, of which Apache Kafka checks the length only, to find the value after it."""
    start = reader.tell()
    if reader.size - start < INT32.width:
        _short(Reason.TRUNCATED, reader.size, path, "no length")
    length = INT32.read(reader, path)
    if reader.spans:
        reader.spans[-1] = reader.spans[-1]._replace(role="length", rule="message.layout")
    if length < 0:
        if length != NULL:
            reader.deviation("record.other-negative", start, path)
        return None
    if length > reader.size - reader.tell():
        exception = OUT_OF_BOUNDS if skipped else "IllegalArgumentException"
        _short(Reason.LENGTH_EXCEEDS_INPUT, start, path, f"{length} bytes", exception)
    data = reader.read(length)
    reader.span(reader.tell() - length, path, "payload", "message.layout", "raw")
    return data


def _short(reason: Reason, offset: int, path: Path, detail: str, exception: str = OUT_OF_BOUNDS) -> NoReturn:
    """Refuse a message shorter than its own lengths, where Apache Kafka reads beyond the end of its buffer."""
    raise MalformedRecords("message.length-within", reason, offset, render_path(path), detail, exception=exception)


def _value(head: dict[str, Any], rest: dict[str, Any]) -> dict[str, Any]:
    attributes, magic = head["attributes"], head["magic"]
    value = {"magic": magic, "offset": rest["offset"], "compression": rest["compression"]}
    if magic:
        value |= {"timestampType": bits.timestamp_type(attributes), "timestamp": head["timestamp"]}
    shift, width = UNUSED[1 if magic else 0]
    value["unusedAttributes"] = attributes >> shift & ((1 << width) - 1)
    return value | {"key": rest["key"], "value": rest["value"]}


def _decompressed(reading: Reading, entry: dict[str, Any], start: int, end: int, path: Path) -> Stream:
    here = (path, "messages")
    decompress: Callable[[Stream], None] = CODECS[entry["compression"]].decompress
    if entry["compression"] == "lz4" and entry["magic"] == 0:
        decompress = partial(lz4.decompress, legacy=True)
    try:
        return reading.decompress(decompress, start, end, here)
    except BadStream as error:
        reading.bad_stream(error, start, here)


def _read_set(reading: Reading, reader: Reader, magic: int, path: Path) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    # as Apache Kafka, which finds the ends of all messages before it looks into one
    ends = list(_ends(reader, reading.bounds.longest_record, path))
    at = 0
    for end in ends:
        here = (path, len(messages))
        message = _read_one(reading, reader, at, end, here)
        if message["magic"] != magic:
            reader.deviation("message.inner-magic", at + MAGIC_AT, (here, "magic"))
        messages.append(message)
        at = end
    if not messages:
        reader.malformed("message.wrapper", Reason.RECORD_COUNT, at, path, "a wrapper without messages")
    if at != reader.size:
        reader.deviation("message.inner-partial", at, (path, len(messages)))
        reader.seek(reader.size)
        reader.span(at, path, "payload", "message.inner-partial", "raw")
    return messages


def _ends(reader: Reader, longest: int | None, path: Path) -> Iterator[int]:
    at = 0
    for index in count():
        end = _end_of_entry(reader, at, longest, (path, index))
        if end is None:
            return
        yield (at := end)


def _end_of_entry(reader: Reader, at: int, longest: int | None, path: Path) -> int | None:
    """Return the end of an inner entry, or None if it is cut or missing."""
    wire = reader.getvalue()
    if len(wire) - at < OVERHEAD:
        return None
    size = int.from_bytes(wire[at + LENGTH.start : at + OVERHEAD], "big", signed=True)
    if size < SMALLEST_MESSAGE:
        detail = f"{size} bytes"
        reader.malformed("batch.length", Reason.BATCH_TOO_SHORT, at + LENGTH.start, (path, "size"), detail)
    if longest is not None and size > longest:
        reader.unspecified_rejected("message.inner-partial", at + LENGTH.start, (path, "size"))
    end = at + OVERHEAD + size
    return end if end <= len(wire) else None


def _read_one(reading: Reading, reader: Reader, start: int, end: int, path: Path) -> dict[str, Any]:
    part = type(reading)(reader, reading.limit, reading.check_crc)
    message: dict[str, Any] = part.within(start, end, lambda inner: _read_message(reading, inner, path, inner=True))
    return message


def _last_offset(reading: Reading, data: bytes) -> int | None:
    """Return the offset of a set's last message, or None for an empty set and a message of impossible size."""
    try:
        ends = list(_ends(LenientReader(data), reading.bounds.longest_record, ""))
    except Malformed:
        return None
    start = [0, *ends][-2:][0]
    return int.from_bytes(data[start : start + 8], "big", signed=True) if ends else None


def _check_offsets(reading: Reading, entry: dict[str, Any], last: int | None, start: int, path: Path) -> None:
    """Compare the offset of a wrapper with that of its last message, before all other checks, as Apache Kafka does."""
    if last is not None and entry["magic"] and entry["offset"] != 0 and entry["offset"] < last:
        detail = f"{entry['offset']}, its last message has {last}"
        reading.reader.malformed("message.offsets", Reason.OFFSET_MISMATCH, start, (path, "offset"), detail)
