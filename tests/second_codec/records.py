"""Fields of record batches of magic 2, read and written by chapter 16 of the book.

base offset 8, length 4, leader epoch 4, magic 1, CRC 4, attributes 2, last offset delta 4, base timestamp 8,
maximum timestamp 8, producer id 8, producer epoch 2, base sequence 4, count 4, then the records or their stream

The places are `batch.baseOffset` and so on, `record.key`, `header.value`. A check of a writer has a place of its own,
as `check.maximum-too-low`. The contexts are those of `BATCH_CONTEXTS`, the codec, `second-batch`, `second-record` and
`second-header`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Any

from crc32c import crc32c

from tests.second_codec.message_sets import read_message, write_message
from tests.second_codec.record_checks import CHECKS, NAMES, RECORD_NAMES
from tests.second_codec.steps import Input, Output
from tests.second_codec.streams import CODECS, compressed, decompressed
from tests.second_codec.ways import CONTENT, CRC, LENGTH, Counting, NotTaken

Value = dict[str, Any]
OVERHEAD, SMALLEST_MESSAGE, MAGIC_AT, HEADER = 12, 14, 16, 61
LONGEST = 2**31 - 1 - OVERHEAD
COVERED = slice(21, None)
"""The bytes of a batch under its CRC."""
FLAGS = {"transactional": 4, "control": 5, "deleteHorizon": 6}
"""The bits of the flags."""
LOG_APPEND, FIRST_UNUSED, UNUSED_BITS = 3, 7, 9
TYPES = ("create", "log-append")
NUMBERS = (
    ("lastOffsetDelta", 4),
    ("baseTimestamp", 8),
    ("maxTimestamp", 8),
    ("producerId", 8),
    ("producerEpoch", 2),
    ("baseSequence", 4),
)
"""The numbers between attributes and count, with their widths."""
VARINT = Counting(zigzag=True)
NULLABLE = replace(VARINT, nullable=True)
BATCH_CONTEXTS: dict[str, Callable[[Value], Any]] = {
    **{name: lambda batch, name=name: batch.get(name) for name in FLAGS},  # type: ignore[misc]  # a default argument
    "log-append": lambda batch: batch["timestampType"] == "log-append",
    "no-base-timestamp": lambda batch: batch.get("baseTimestamp") == -1,
    "producer": lambda batch: (batch.get("producerId") or 0) >= 0,
    "empty": lambda batch: not batch.get("records"),
}


class Skipped(NotTaken):
    """Raised by a misstep to pass over a batch or message."""


@dataclass(frozen=True)
class RecordsWay:
    """The end of the records of a batch, or of the batches of a field."""

    ends: Callable[[int, int], bool] = lambda missing, _left: missing <= 0
    """By the numbers of records and bytes left."""
    drops_last: bool = False
    """Whether a refused last one is left out."""
    record: Callable[[Input], Value] | None = None
    """Another reader of a record."""


@dataclass(frozen=True)
class RecordWay:
    """How the length of a record is read."""

    of: Callable[[int, int], int] = lambda length, _left: length
    """By the length and the number of bytes left."""
    is_bound: bool = True
    """Whether a length beyond the input is refused."""
    limits: bool = True
    """Whether the fields end with the record."""
    skips: int = 0
    """The number of bytes skipped after the fields."""
    takes: Callable[[int], bool] = lambda over: over == 0
    """By the excess of the fields over the record."""
    empty: Value | None = None
    """The record of length 0, or None to refuse it."""


RECORDS, RECORD = RecordsWay(), RecordWay()
"""The sound way of each kind of step."""


def crc_of(chunk: bytes) -> bytes:
    return crc32c(chunk[COVERED]).to_bytes(4)


def read_field(source: Input) -> Value:
    """Read a whole field."""
    source.accept("field", source.data)
    batches: list[Value] = []
    while (entry := _next_entry(source, batches)) is not None:
        batches += entry
    source.accept("field.batches", batches)
    tail = source.data[source.at :]
    source.accept("field.tail", tail)
    return {"batches": source.changed("field.batches", batches), "partial": source.changed("field.tail", tail)}


def _next_entry(source: Input, before: list[Value]) -> list[Value] | None:
    """Return the next batch or message, none if it is dropped, or None at the end."""
    with source.within(*["second-batch"] * bool(before)):
        try:
            chunk = _next(source)
            return None if chunk is None else _entry(source, chunk)
        except Skipped:
            return []
        except NotTaken:
            if not before or not source.way("field.batches", RECORDS).drops_last:
                raise
            return None


def _next(source: Input) -> bytes | None:
    """Return the bytes of the next batch or message, or None if the rest is incomplete or empty."""
    if source.left < OVERHEAD:
        return None
    head = source.inside(source.data[source.at + 8 :])
    length = source.changed("batch.length", head.fixed("batch.length", 4))
    if length is None:
        return None
    if not SMALLEST_MESSAGE <= length <= LONGEST:
        raise NotTaken
    if source.left <= MAGIC_AT:
        return None
    magic = source.data[source.at + MAGIC_AT]
    source.check("batch.magic", magic > 2, magic)
    if source.left < OVERHEAD + length:
        return None if source.way("batch.length", LENGTH).is_bound else source.take(source.left)
    chunk: bytes | None = source.changed("field.entry", source.take(OVERHEAD + length))
    return chunk


def _entry(source: Input, chunk: bytes) -> list[Value]:
    batch = read_message(source, chunk) if chunk[MAGIC_AT] < 2 else _batch(source, chunk)
    return [] if batch is None else [batch]


def _batch(source: Input, chunk: bytes) -> Value | None:
    source.check("batch.short", len(chunk) < HEADER)
    chunk = chunk.ljust(HEADER, b"\0")
    attributes = int.from_bytes(chunk[21:23])
    with source.within(*_contexts_of(chunk, attributes)):
        source.check("batch.crc", chunk[17:21] != crc_of(chunk), chunk)
        body = source.inside(chunk)
        batch: Value = {"magic": 2, "baseOffset": body.fixed("batch.baseOffset", 8)}
        body.at = OVERHEAD
        batch["partitionLeaderEpoch"] = body.fixed("batch.partitionLeaderEpoch", 4)
        body.at = 23
        numbers = {name: body.fixed(f"batch.{name}", width) for name, width in source.changed("batch.numbers", NUMBERS)}
        number = source.changed("batch.codec", attributes & 7)
        source.check("batch.codec", number > len(CODECS), number)
        batch |= {"compression": ("none", *CODECS)[number]} | _flags(source, attributes) | numbers
        batch["records"] = _records(body, batch["compression"])
        source.accept("batch", batch)
        kept: Value | None = source.changed("batch", batch)
        return kept


def _contexts_of(chunk: bytes, attributes: int) -> Iterator[str]:
    codec = attributes & 7
    yield ("none", *CODECS)[codec] if codec <= len(CODECS) else "none"
    batch = {name: attributes >> bit & 1 for name, bit in FLAGS.items()}
    yield from _contexts(
        batch
        | {
            "timestampType": TYPES[attributes >> LOG_APPEND & 1],
            "baseTimestamp": int.from_bytes(chunk[27:35], signed=True),
            "producerId": int.from_bytes(chunk[43:51], signed=True),
            "records": chunk[57:HEADER] != bytes(4),
        }
    )


def _contexts(batch: Value) -> list[str]:
    return [name for name, has in BATCH_CONTEXTS.items() if has(batch)]


def _flags(source: Input, given: int) -> Value:
    attributes = source.changed("batch.attributes", given)
    source.accept("batch.attributes", attributes)
    flags = {name: bool(attributes >> bit & 1) for name, bit in FLAGS.items()}
    type_ = TYPES[attributes >> LOG_APPEND & 1]
    return {"timestampType": type_} | flags | {"unusedAttributes": attributes >> FIRST_UNUSED}


def _records(source: Input, codec: str) -> list[Value]:
    number = source.changed("batch.recordCount", source.fixed("batch.recordCount", 4))
    source.check("batch.recordCount", number < 0, number, source.left)
    if number <= 0:
        return []
    data = source.data[source.at :]
    inner = source.inside(data if codec == "none" else decompressed(source, codec, data))
    records = list(_counted(inner, number))
    inner.check("batch.rest", inner.left > 0, inner.data[inner.at :])
    return records


def _counted(source: Input, number: int) -> Iterator[Value]:
    way = source.way("batch.recordCount", RECORDS)
    for index in count():
        if way.ends(number - index, source.left):
            return
        with source.within(*["second-record"] * bool(index)):
            try:
                yield (way.record or _record)(source)
            except NotTaken:
                if not way.drops_last or index < number - 1:
                    raise
                source.at = len(source.data)


def _record(source: Input) -> Value:
    way, length = source.way("record.length", RECORD), source.zigzag("record.length")
    length = way.of(length, source.left)
    if length < 0 or (way.is_bound and length > source.left):
        raise NotTaken
    if length == 0 and way.empty is not None:
        return dict(way.empty)
    body = source.inside(source.data[source.at :][: length if way.limits else None])
    record = _fields(body)
    over = body.at - length
    if -way.skips <= over < 0:
        body.at, over = min(length, source.left), 0
    source.at += body.at
    if not way.takes(over):
        raise NotTaken
    return record


def _fields(source: Input) -> Value:
    readers: dict[str, Callable[[], Any]] = {
        "attributes": partial(_attributes, source),
        "timestampDelta": partial(source.zigzag, "record.timestampDelta", 64),
        "offsetDelta": partial(source.zigzag, "record.offsetDelta"),
        "key": partial(source.blob, "record.key", NULLABLE),
        "value": partial(source.blob, "record.value", NULLABLE),
        "headers": partial(_headers, source),
    }
    return {name: readers[name]() for name in source.changed("record.fields", list(readers))}


def _attributes(source: Input) -> int:
    if source.misstep.has("record.attributes-as-a-varint"):
        return source.zigzag("")
    return source.fixed("record.attributes", 1)


def _headers(source: Input) -> list[Any] | None:
    headers: list[Any] = []

    def header() -> Any:
        with source.within(*["second-header"] * bool(headers)):
            headers.append((_header_key(source), source.blob("header.value", NULLABLE)))
        return headers[-1]

    return source.array("record.headers", VARINT, header)


def _header_key(source: Input) -> Any:
    raw = source.payload("header.key", VARINT) or b""
    try:
        return source.changed("header.key", raw.decode())
    except UnicodeDecodeError:
        return source.changed("header.key", raw)


def write_field(target: Output, value: Value) -> bytes:
    """Write a whole field."""
    tail = value.get("partial") or b""
    target.check("check.field-tail", bool(tail))
    batches = target.changed("field.batches", value["batches"])
    for index, batch in enumerate(batches):
        with target.within(*["second-batch"] * bool(index)):
            _write_entry(target, batch)
    target.data += tail
    return bytes(target.data)


def _write_entry(target: Output, batch: Value) -> None:
    magic = batch["magic"]
    if magic in {0, 1}:
        write_message(target, batch)
        return
    target.check("batch.magic", magic != 2)
    with target.within(str(batch["compression"]), *_contexts(batch)):
        _check(target, batch)
        target.data += _chunk(target, target.changed("batch", batch))


def _check(target: Output, batch: Value) -> None:
    if set(batch) != NAMES or not isinstance(batch["records"], list | tuple):
        raise NotTaken
    if any(set(record) != RECORD_NAMES for record in batch["records"]):
        raise NotTaken
    numbers = [batch[name] for name in ("baseOffset", "partitionLeaderEpoch", *dict(NUMBERS))]
    numbers += [record[name] for record in batch["records"] for name in ("timestampDelta", "offsetDelta")]
    if any(type(number) is not int for number in numbers):
        return  # refused where it is written
    for name, is_broken in CHECKS.items():
        target.check(f"check.{name}", bool(is_broken(batch)))


def _chunk(target: Output, batch: Value) -> bytes:
    payload = target.inside()
    for index, record in enumerate(batch["records"]):
        with payload.within(*["second-record"] * bool(index)):
            _write_record(payload, record)
    codec = _codec(target, batch["compression"])
    data = target.way("batch.rest", CONTENT).raw(bytes(payload.data))
    stream = compressed(target, CODECS[codec - 1], data) if 0 < codec <= len(CODECS) else data
    head, tail = target.inside(), target.inside()
    tail.data += (_attributes_of(target, batch) | codec).to_bytes(2)
    for name, width in target.changed("batch.numbers", NUMBERS):
        _write_number(tail, batch, name, width)
    tail.fixed("batch.recordCount", len(batch["records"]), 4)
    _write_number(head, batch, "baseOffset", 8)
    head.fixed("batch.length", HEADER - OVERHEAD + len(stream), 4)
    _write_number(head, batch, "partitionLeaderEpoch", 4)
    head.piece("batch.magic", b"\2")
    chunk = bytes(head.data) + bytes(4) + bytes(tail.data) + stream
    return chunk[:17] + target.way("batch.crc", CRC).of(crc_of(chunk), chunk) + chunk[COVERED]


def _write_number(target: Output, batch: Value, name: str, width: int) -> None:
    place = f"batch.{name}"
    target.fixed(place, target.changed(place, batch[name]), width)


def _codec(target: Output, name: str) -> int:
    names = ("none", *CODECS)
    target.check("check.codec", name not in names)
    number: int = target.changed("batch.codec", names.index(name) if name in names else 0)
    return number


def _attributes_of(target: Output, batch: Value) -> int:
    type_, unused = batch["timestampType"], batch["unusedAttributes"]
    target.check("check.timestamp-type", type_ not in TYPES)
    if any(type(batch[name]) is not bool for name in FLAGS) or not isinstance(unused, int):
        raise NotTaken
    target.check("check.unused-attributes", not 0 <= unused < 1 << UNUSED_BITS)
    attributes = unused % (1 << UNUSED_BITS) << FIRST_UNUSED | (type_ == TYPES[1]) << LOG_APPEND
    for name, bit in FLAGS.items():
        attributes |= batch[name] << bit
    changed: int = target.changed("batch.attributes", attributes)
    return changed


def _write_record(target: Output, record: Value) -> None:
    body = target.inside()
    writers: dict[str, Callable[[Any], None]] = {
        "attributes": lambda value: body.fixed("record.attributes", value, 1),
        "timestampDelta": lambda value: body.zigzag("record.timestampDelta", value, 64),
        "offsetDelta": lambda value: body.zigzag("record.offsetDelta", value),
        "key": lambda value: body.blob("record.key", NULLABLE, value),
        "value": lambda value: body.blob("record.value", NULLABLE, value),
        "headers": lambda value: _write_headers(body, value),
    }
    for name in target.changed("record.fields", list(writers)):
        writers[name](record[name])
    target.payload("record.length", VARINT, bytes(body.data))


def _write_headers(target: Output, headers: Any) -> None:
    index = count()

    def header(pair: Any) -> None:
        with target.within(*["second-header"] * bool(next(index))):
            _write_key(target, pair[0])
            target.blob("header.value", NULLABLE, pair[1])

    target.array("record.headers", VARINT, list(headers) if isinstance(headers, tuple) else headers, header)


def _write_key(target: Output, given: Any) -> None:
    key = target.changed("header.key", given)
    if not isinstance(key, str | bytes | None):
        raise NotTaken
    target.payload("header.key", VARINT, key.encode() if isinstance(key, str) else key)
