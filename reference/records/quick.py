"""Read and write common records at once, for speed, and leave others from their beginning to the reader with rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.records.numbers import ONE_BYTE, SMALL_FORMS, Unusual, quick_varint, quick_varlong
from reference.wire.varints import CONTINUES

if TYPE_CHECKING:
    from collections.abc import Sequence

SMALLEST_LENGTH = 6
FIELDS = 6
NULL_FORM = b"\x01"
THREE_BYTES = 0x4000
"""The lowest zig-zag number of three bytes."""
Header = tuple[str | bytes, bytes | None]


def quick_record(data: bytes, at: int) -> tuple[dict[str, Any] | None, int]:
    """Return the record at `at` and its end, or None if it needs the reader with rules."""
    try:
        return _record(data, at)
    except (Unusual, IndexError, UnicodeDecodeError):
        return None, at


def quick_records(data: bytes, count: int) -> tuple[list[dict[str, Any]], int]:
    """Return the first records of `data` and their end, up to one for the reader with rules."""
    records: list[dict[str, Any]] = []
    at = 0
    while len(records) < count:
        record, at = quick_record(data, at)
        if record is None:
            break
        records.append(record)
    return records, at


def _record(data: bytes, at: int) -> tuple[dict[str, Any], int]:
    length, at = quick_varint(data, at)
    end = at + length
    if length < SMALLEST_LENGTH or end > len(data) or data[at]:
        raise Unusual
    at += 2
    if data[at - 1] < CONTINUES:
        timestamp_delta = ONE_BYTE[data[at - 1]]
    else:
        timestamp_delta, at = quick_varlong(data, at - 1)
    if data[at] < CONTINUES:
        offset_delta, at = ONE_BYTE[data[at]], at + 1
    else:
        offset_delta, at = quick_varint(data, at)
    key, at = _bytes(data, at)
    value, at = _bytes(data, at)
    headers: list[Header] = []
    if data[at]:
        headers, at = _headers(data, at, end)
    else:
        at += 1
    if at != end:
        raise Unusual
    return {
        "attributes": 0,
        "timestampDelta": timestamp_delta,
        "offsetDelta": offset_delta,
        "key": key,
        "value": value,
        "headers": headers,
    }, at


def _bytes(data: bytes, at: int) -> tuple[bytes | None, int]:
    byte = data[at]
    if byte < CONTINUES and not byte & 1:
        length, at = byte >> 1, at + 1
    else:
        length, at = quick_varint(data, at)
        if length < 0:
            if length != -1:
                raise Unusual
            return None, at
    end = at + length
    return data[at:end], end


def _headers(data: bytes, at: int, end: int) -> tuple[list[Header], int]:
    count, at = quick_varint(data, at)
    if not 0 <= count <= end - at:
        raise Unusual
    headers: list[Header] = []
    for _ in range(count):
        key, at = _bytes(data, at)
        if key is None:
            raise Unusual
        value, at = _bytes(data, at)
        headers.append((key.decode(), value))
    return headers, at


def quick_bytes(records: Sequence[Any]) -> bytes | None:
    """Return the bytes of records one after the other, or None if one needs the writer with rules."""
    pieces: list[bytes] = []
    try:
        for record in records:
            body = _body(record)
            pieces += (_varint(len(body)), body)
    except (Unusual, KeyError):
        return None
    return b"".join(pieces)


def _body(record: Any) -> bytes:
    if type(record) is not dict or len(record) != FIELDS or record["headers"] != []:
        raise Unusual
    timestamp_delta, offset_delta, attributes = record["timestampDelta"], record["offsetDelta"], record["attributes"]
    if attributes or type(attributes) is not int:
        raise Unusual
    if type(timestamp_delta) is not int or type(offset_delta) is not int:
        raise Unusual
    key, value = _with_length(record["key"]), _with_length(record["value"])
    return b"".join((b"\0", _varint(timestamp_delta), _varint(offset_delta), key, value, b"\0"))


def _with_length(data: Any) -> bytes:
    if data is None:
        return NULL_FORM
    if type(data) is not bytes:
        raise Unusual
    return _varint(len(data)) + data


def _varint(number: int) -> bytes:
    zigzag = number << 1 if number >= 0 else ~(number << 1)
    if zigzag < CONTINUES:
        return SMALL_FORMS[zigzag]
    if zigzag < THREE_BYTES:
        return bytes((zigzag & 0x7F | CONTINUES, zigzag >> 7))
    raise Unusual
