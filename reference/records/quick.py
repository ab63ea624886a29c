"""Records as writers write them, read at once: only to be fast.

What is wrong or unusual is left to the reader with rules, which reads the record again from its beginning.
"""

from __future__ import annotations

from typing import Any

from reference.records.numbers import Unusual, quick_varint, quick_varlong
from reference.wire.varints import CONTINUES

SMALLEST_LENGTH = 6
Header = tuple[str | bytes, bytes | None]


def quick_record(data: bytes, at: int) -> tuple[dict[str, Any] | None, int]:
    """Return the record at `at` and where it ends; None if it needs the reader with rules."""
    try:
        return _record(data, at)
    except (Unusual, IndexError, UnicodeDecodeError):
        return None, at


def _record(data: bytes, at: int) -> tuple[dict[str, Any], int]:
    length, at = quick_varint(data, at)
    end = at + length
    if length < SMALLEST_LENGTH or end > len(data) or data[at]:
        raise Unusual
    timestamp_delta, at = quick_varlong(data, at + 1)
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
