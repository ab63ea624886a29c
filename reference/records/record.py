"""A record of magic 2, a length with the fields of the record.

Nearly all fields are zig-zag varints:

    0c      length: 6 bytes follow
    00      attributes, unused
    00 00   timestamp delta, offset delta
    01 01   key and value: length -1, null
    00      no headers
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from reference.errors import Reason, Refusal
from reference.records.numbers import read_varint, read_varlong, varint, varlong
from reference.records.quick import quick_record
from reference.wire.base import WireType
from reference.wire.lengths import HIGHEST_INT32, NULL
from reference.wire.numbers import INT8
from reference.wire.stream import Reader, refuse, wrong_type

if TYPE_CHECKING:
    from io import BytesIO

    from reference.paths import Path

FIELDS = ("attributes", "timestampDelta", "offsetDelta", "key", "value", "headers")
SMALLEST = 7
"""The size of a record without a key, a value and headers."""


class Record(WireType):
    """One record, with a dict as its value.

    >>> RECORD.parse(bytes.fromhex("0c000000010100"))["key"] is None
    True
    """

    def read(self, stream: Reader, path: Path = "") -> dict[str, Any]:
        if stream.spans is None:
            # The quick reader has neither spans nor errors; the rules explain whatever it does not read.
            start = stream.tell()
            record, end = quick_record(stream.getvalue(), start)
            if record is not None:
                stream.seek(end)
                return record
        return self._read_by_rules(stream, path)

    def _read_by_rules(self, stream: Reader, path: Path) -> dict[str, Any]:
        start = stream.tell()
        length = read_varint(stream, (path, "length"), "length", "record.length")
        if length < 0:
            stream.malformed("record.length", Reason.RECORD_LENGTH, start, (path, "length"), f"the length is {length}")
        end = stream.tell() + length
        if end > stream.size:
            detail = f"{length} bytes"
            stream.malformed("record.length", Reason.LENGTH_EXCEEDS_INPUT, start, (path, "length"), detail)
        record = _read_fields(stream, path, end)
        if stream.tell() != end:
            detail = f"{length} bytes, its fields take {length + stream.tell() - end}"
            stream.malformed("record.length", Reason.RECORD_LENGTH, start, (path, "length"), detail)
        return record

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        body = _body(obj, path)
        stream.write(varint(len(body), (path, "length")))
        stream.write(body)


def _read_fields(stream: Reader, path: Path, end: int) -> dict[str, Any]:
    attributes = INT8.read(stream, (path, "attributes"))
    if stream.spans:
        stream.spans[-1] = stream.spans[-1]._replace(rule="record.attributes-unused")
    if attributes:
        stream.note("record.attributes-unused", stream.tell() - 1, (path, "attributes"))
    return {
        "attributes": attributes,
        "timestampDelta": read_varlong(stream, (path, "timestampDelta"), "record.timestamp-delta"),
        "offsetDelta": read_varint(stream, (path, "offsetDelta"), "number", "record.offset-delta"),
        "key": _read_bytes(stream, (path, "key"), end),
        "value": _read_bytes(stream, (path, "value"), end),
        "headers": _read_headers(stream, (path, "headers"), end),
    }


def _read_bytes(stream: Reader, path: Path, end: int, rule: str = "record.layout") -> bytes | None:
    start = stream.tell()
    length = read_varint(stream, path, "length", "record.null" if rule == "record.layout" else rule)
    if length < 0:
        if length != NULL:
            stream.deviation("record.other-negative", start, path)
        return None
    return _read_payload(stream, path, end, (start, length), rule)


def _read_payload(stream: Reader, path: Path, end: int, claim: tuple[int, int], rule: str) -> bytes:
    start, length = claim
    if length > end - stream.tell():
        stream.malformed("record.length-within", Reason.LENGTH_EXCEEDS_INPUT, start, path, f"{length} bytes")
    data = stream.read(length)
    stream.span(stream.tell() - length, path, "payload", rule, "raw")
    return data


def _read_headers(stream: Reader, path: Path, end: int) -> list[tuple[str | bytes, bytes | None]]:
    start = stream.tell()
    count = read_varint(stream, path, "count", "header.count")
    if count < 0 or count > max(end - stream.tell(), 0):
        stream.malformed("header.count", Reason.HEADER_COUNT, start, path, f"{count} headers")
    headers = []
    for index in range(count):
        key = _read_header_key(stream, ((path, index), "key"), end)
        headers.append((key, _read_bytes(stream, ((path, index), "value"), end, "header.value-null")))
    return headers


def _read_header_key(stream: Reader, path: Path, end: int) -> str | bytes:
    start = stream.tell()
    length = read_varint(stream, path, "length", "header.key-null")
    if length < 0:
        stream.malformed("header.key-null", Reason.NULL_NOT_ALLOWED, start, path, f"the length is {length}")
    key = _read_payload(stream, path, end, (start, length), "header.order")
    with suppress(UnicodeDecodeError):
        return key.decode()
    stream.deviation("header.malformed-utf8", stream.tell() - length, path)
    return key


def _body(obj: Any, path: Path) -> bytes:
    if not isinstance(obj, dict):
        wrong_type("a dict of fields", obj, path)
    for name in FIELDS:
        if name not in obj:
            refuse(Refusal.MISSING_FIELD, (path, name))
    if len(obj) != len(FIELDS):
        unknown = next(name for name in obj if name not in FIELDS)
        refuse(Refusal.UNKNOWN_FIELD, (path, unknown), "a record has no such field")
    pieces = [
        INT8.write(obj["attributes"], (path, "attributes")),
        varlong(obj["timestampDelta"], (path, "timestampDelta")),
        varint(obj["offsetDelta"], (path, "offsetDelta")),
    ]
    _put_bytes(pieces, obj["key"], (path, "key"))
    _put_bytes(pieces, obj["value"], (path, "value"))
    _put_headers(pieces, obj["headers"], (path, "headers"))
    return b"".join(pieces)


def _put_bytes(pieces: list[bytes], data: Any, path: Path) -> None:
    if data is None:
        pieces.append(b"\x01")
        return
    if not isinstance(data, bytes):
        wrong_type("bytes", data, path)
    if len(data) > HIGHEST_INT32:
        refuse(Refusal.OUT_OF_RANGE, path, f"{len(data)} bytes")
    pieces += (varint(len(data), path), data)


def _put_headers(pieces: list[bytes], headers: Any, path: Path) -> None:
    if not isinstance(headers, list | tuple):
        wrong_type("a list of headers", headers, path)
    pieces.append(varint(len(headers), path))
    for index, header in enumerate(headers):
        if not isinstance(header, list | tuple) or len(header) != 2:  # noqa: PLR2004  # key and value
            wrong_type("a pair of key and value", header, (path, index))
        _put_bytes(pieces, _header_key(header[0], ((path, index), "key")), path)
        _put_bytes(pieces, header[1], ((path, index), "value"))


def _header_key(key: Any, path: Path) -> bytes:
    if key is None:
        refuse(Refusal.NULL_NOT_ALLOWED, path, "a header has a key", "header.key-null")
    if isinstance(key, str):
        try:
            return key.encode()
        except UnicodeEncodeError as error:
            refuse(Refusal.BAD_TEXT, path, f"unpaired surrogate at character {error.start}")
    if not isinstance(key, bytes):
        wrong_type("a text, or bytes that are none", key, path)
    return key


RECORD = Record()
