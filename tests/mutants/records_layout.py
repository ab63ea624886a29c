"""Records and their headers, laid out wrong: other numbers, another order, and null that is lost."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from conformance.generate.records.building import records_of
from reference import encode_records
from reference.records.compression.base import BadStream
from reference.records.layouts import HEADER_SIZE
from reference.wire.signed_varints import UNSIGNED_VARLONG, VARLONG
from reference.wire.stream import LenientReader
from tests.mutants.records_forms import (
    RecordsMutant,
    Value,
    Write,
    first,
    is_batch,
    parts,
    payload_of,
    read_leniently,
    records,
    refuse,
    then,
    with_count,
    with_payload,
)
from tests.second_codec.steps import signed

ORDER = ("attributes", "timestampDelta", "offsetDelta", "key", "value", "headers")


def put_zigzag(number: int, _bits: int) -> bytes:
    return VARLONG.write(number)


def take_zigzag(stream: LenientReader, _bits: int) -> int:
    number: int = VARLONG.read(stream)
    return number


def put_plain(number: int, bits: int) -> bytes:
    return UNSIGNED_VARLONG.write(number % 2**bits)


def take_plain(stream: LenientReader, bits: int) -> int:
    return signed(UNSIGNED_VARLONG.read(stream), bits)


def put_fixed(number: int, bits: int) -> bytes:
    return number.to_bytes(bits // 8, "big", signed=True)


def take_fixed(stream: LenientReader, bits: int) -> int:
    return int.from_bytes(stream.read(bits // 8), "big", signed=True)


def put_in_32_bits(number: int, _bits: int) -> bytes:
    return put_zigzag(signed(number, 32), 32)


@dataclass(frozen=True)
class RecordForm:
    """How records are laid out."""

    order: tuple[str, ...] = ORDER
    put: Callable[[int, int], bytes] = put_zigzag
    take: Callable[[LenientReader, int], int] = take_zigzag
    counted: int = 0
    """How much the length of a record counts too much."""
    change: Callable[[Value, int], Value] = lambda record, _index: record
    """What becomes of a record before it is written, by its index."""

    def write(self, value: Value) -> bytes:
        encode_records(value)
        return b"".join(self._batch(batch) for batch in value["batches"])

    def read(self, wire: bytes) -> Value:
        return read_leniently(b"".join(map(self._as_it_should_be, parts(wire))))

    def _batch(self, batch: Value) -> bytes:
        sound = encode_records({"batches": [batch]})
        if not batch.get("records"):
            return sound
        pieces = [self._record(self.change(record, index)) for index, record in enumerate(batch["records"])]
        return with_payload(sound, b"".join(pieces))

    def _record(self, record: Value) -> bytes:
        parts_of = {
            "attributes": record["attributes"].to_bytes(1, "big", signed=True),
            "timestampDelta": self.put(record["timestampDelta"], 64),
            "offsetDelta": self.put(record["offsetDelta"], 32),
            "key": self._bytes(record["key"]),
            "value": self._bytes(record["value"]),
            "headers": self._headers(record["headers"]),
        }
        body = b"".join(parts_of[name] for name in self.order)
        return self.put(len(body) + self.counted, 32) + body

    def _bytes(self, data: bytes | None) -> bytes:
        return self.put(-1, 32) if data is None else self.put(len(data), 32) + data

    def _headers(self, headers: Any) -> bytes:
        pieces = [self._bytes(key if isinstance(key, bytes) else key.encode()) + self._bytes(v) for key, v in headers]
        return self.put(len(headers), 32) + b"".join(pieces)

    def _as_it_should_be(self, part: bytes) -> bytes:
        """The batch with its records as the format has them; the sound reader looks at everything else."""
        if not is_batch(part) or len(part) == HEADER_SIZE:
            return part
        try:
            stream = LenientReader(payload_of(part))
        except BadStream:
            return part
        found = []
        while stream.tell() < stream.size:
            found.append(self._read(stream))
        return with_payload(part, records_of(*found))

    def _read(self, outer: LenientReader) -> Value:
        length = self.take(outer, 32) - self.counted
        data = outer.read(max(length, 0))
        stream = LenientReader(data)
        readers: dict[str, Callable[[], Any]] = {
            "attributes": lambda: int.from_bytes(stream.read(1), "big", signed=True),
            "timestampDelta": lambda: self.take(stream, 64),
            "offsetDelta": lambda: self.take(stream, 32),
            "key": lambda: self._read_bytes(stream),
            "value": lambda: self._read_bytes(stream),
            "headers": lambda: self._read_headers(stream),
        }
        record = {name: readers[name]() for name in self.order}
        if len(data) != length or stream.tell() != stream.size:
            raise refuse("record.length")
        return record

    def _read_bytes(self, stream: LenientReader) -> bytes | None:
        length = self.take(stream, 32)
        data = stream.read(max(length, 0))
        if length < -1 or len(data) < length:
            raise refuse("record.length-within")
        return None if length < 0 else data

    def _read_headers(self, stream: LenientReader) -> list[Any]:
        count = self.take(stream, 32)
        if not 0 <= count <= stream.size:
            raise refuse("header.count")
        return [(_text(self._read_bytes(stream)), self._read_bytes(stream)) for _ in range(count)]


def _text(data: bytes | None) -> str | bytes:
    if data is None:
        raise refuse("header.key-null")
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def _both(name: str, rule: str, form: RecordForm) -> RecordsMutant:
    return RecordsMutant(name, rule, form.write, form.read)


def _null_as_empty(*names: str) -> Callable[[Value], None]:
    def change(record: Value) -> None:
        record.update({name: record[name] or b"" for name in names})

    return change


def _headers_as(change: Callable[[list[Any]], Any]) -> Callable[[Value], None]:
    return records(lambda record: record.update(headers=change(record["headers"])))


def once_each(headers: list[Any]) -> list[Any]:
    return list(dict(headers).items())


def sorted_by_key(headers: list[Any]) -> list[Any]:
    return sorted(headers, key=lambda header: header[0])


def values_not_null(headers: list[Any]) -> list[Any]:
    return [(key, value or b"") for key, value in headers]


def without_null_values(headers: list[Any]) -> list[Any]:
    return [(key, value) for key, value in headers if value is not None]


def _swapped(one: str, other: str) -> tuple[str, ...]:
    return tuple({one: other, other: one}.get(name, name) for name in ORDER)


def _with(**changes: Any) -> Write:
    return RecordForm(change=lambda record, _: record | changes).write


KEY_FREE = _null_as_empty("key")

FORMS = (
    _both("plain-varints", "varint.zigzag", RecordForm(put=put_plain, take=take_plain)),
    RecordsMutant("plain-varints-written", "varint.zigzag", RecordForm(put=put_plain).write),
    RecordsMutant("plain-varints-read", "varint.zigzag", reads=RecordForm(take=take_plain).read),
    _both("fixed-numbers-in-records", "record.layout", RecordForm(put=put_fixed, take=take_fixed)),
    _both("value-before-key", "record.layout", RecordForm(_swapped("key", "value"))),
    RecordsMutant("value-before-key-written", "record.layout", RecordForm(_swapped("key", "value")).write),
    RecordsMutant("headers-not-written", "record.layout", first(records(lambda record: record["headers"].clear()))),
    _both("offset-before-timestamp", "record.layout", RecordForm(_swapped("timestampDelta", "offsetDelta"))),
    RecordsMutant("length-counts-itself", "record.length", RecordForm(counted=1).write),
    RecordsMutant("timestamp-delta-of-32-bits", "record.timestamp-delta", RecordForm(put=put_in_32_bits).write),
    RecordsMutant("timestamp-deltas-not-written", "record.timestamp-delta", _with(timestampDelta=0)),
    RecordsMutant(
        "timestamp-deltas-read-as-32-bits",
        "record.timestamp-delta",
        reads=then(records(lambda record: record.update(timestampDelta=signed(record["timestampDelta"], 32)))),
    ),
    RecordsMutant("offset-deltas-not-written", "record.offset-delta", _with(offsetDelta=0)),
    RecordsMutant(
        "offset-deltas-without-gaps",
        "record.offset-delta",
        RecordForm(change=lambda record, index: record | {"offsetDelta": index}).write,
    ),
)

NULLS = (
    RecordsMutant("null-key-written-as-empty", "record.null", first(records(KEY_FREE))),
    RecordsMutant("null-key-read-as-empty", "record.null", reads=then(records(KEY_FREE))),
    RecordsMutant("null-value-read-as-empty", "record.null", reads=then(records(_null_as_empty("value")))),
    RecordsMutant(
        "empty-value-read-as-null",
        "record.null",
        reads=then(records(lambda record: record.update(value=record["value"] or None))),
    ),
    RecordsMutant("null-header-value-written-as-empty", "header.value-null", first(_headers_as(values_not_null))),
    RecordsMutant("null-header-value-read-as-empty", "header.value-null", reads=then(_headers_as(values_not_null))),
    RecordsMutant("header-without-value-dropped", "header.value-null", reads=then(_headers_as(without_null_values))),
)

HEADERS = (
    RecordsMutant("headers-in-a-dict", "header.repeated", reads=then(_headers_as(once_each))),
    RecordsMutant("headers-written-once-each", "header.repeated", first(_headers_as(once_each))),
    RecordsMutant("headers-sorted", "header.order", first(_headers_as(sorted_by_key))),
    RecordsMutant("headers-read-in-another-order", "header.order", reads=then(_headers_as(sorted_by_key))),
    RecordsMutant("headers-reversed", "header.order", reads=then(_headers_as(lambda headers: headers[::-1]))),
)


def _markers_written(value: Value) -> bytes:
    """Control batches hold what Apache Kafka calls a marker, key and value in one, and no record around it."""
    sound = encode_records(value)
    [batch, *others] = value["batches"] or [{}]
    if others or not batch.get("control"):
        return sound
    return with_payload(sound, b"".join((each["key"] or b"") + (each["value"] or b"") for each in batch["records"]))


def _markers_read(wire: bytes) -> Value:
    """Where the flag of control is set, version and type of a marker are read: four bytes and no more."""
    return read_leniently(b"".join(map(_as_a_record, parts(wire))))


def _as_a_record(part: bytes) -> bytes:
    if not is_batch(part) or not part[22] & CONTROL:
        return part
    marker = payload_of(part)[:4]
    if not marker.startswith(b"\0\0\0"):
        raise refuse("record.layout")
    return with_count(with_payload(part, records_of({**MARKER, "key": marker})), 1)


CONTROL = 0x20
MARKER: dict[str, Any] = {"attributes": 0, "timestampDelta": 0, "offsetDelta": 0, "value": None, "headers": []}

MARKERS = (
    RecordsMutant("markers-for-control-records-written", "record.layout", _markers_written),
    RecordsMutant("markers-for-control-records-read", "record.layout", reads=_markers_read),
)

MUTANTS = (*FORMS, *NULLS, *HEADERS, *MARKERS)
"""Every mutant of the layout of records."""
