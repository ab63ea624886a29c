"""The reader: a field of batches of magic 2, as chapter 16 of the book says that Apache Kafka's consumer reads them.

base offset 8, length 4, leader epoch 4, magic 1, CRC 4, attributes 2, last offset delta 4, base timestamp 8,
maximum timestamp 8, producer id 8, producer epoch 2, base sequence 4, count 4, then the records or their stream
"""

from __future__ import annotations

from typing import Any
from zlib import crc32

from crc32c import crc32c

from tests.mutants.single_faults.records.changes import CHANGED_BATCHES, CHANGED_HEADERS, CHANGED_TEXTS, REFUSED_BATCHES
from tests.mutants.single_faults.records.messages import read_message
from tests.mutants.single_faults.records.numbers import Cursor
from tests.mutants.single_faults.records.streams import CODECS, decompressed
from tests.mutants.single_faults.records.switch import Refused, Switch

Value = dict[str, Any]
OVERHEAD, SMALLEST_MESSAGE, MAGIC_AT, HEADER = 12, 14, 16, 61
LONGEST = 2**31 - 1 - OVERHEAD
FLAGS = {"transactional": 4, "control": 5, "deleteHorizon": 6}
"""The bits of the flags."""
NUMBERS = (
    ("lastOffsetDelta", 4),
    ("baseTimestamp", 8),
    ("maxTimestamp", 8),
    ("producerId", 8),
    ("producerEpoch", 2),
    ("baseSequence", 4),
)
"""The numbers between attributes and count, with their widths."""
ALSO = {
    "also-zero": lambda chunk: bytes(4),
    "also-ones": lambda chunk: b"\xff" * 4,
    "also-crc-32": lambda chunk: crc32(chunk[21:]).to_bytes(4, "big"),
    "also-little-endian": lambda chunk: crc32c(chunk[21:]).to_bytes(4, "little"),
    "also-inverted": lambda chunk: (crc32c(chunk[21:]) ^ 0xFFFFFFFF).to_bytes(4, "big"),
    "also-of-the-header": lambda chunk: crc32c(chunk[21:HEADER]).to_bytes(4, "big"),
    "also-of-the-records": lambda chunk: crc32c(chunk[HEADER:]).to_bytes(4, "big"),
    "also-without-attributes": lambda chunk: crc32c(chunk[23:]).to_bytes(4, "big"),
    "also-from-the-magic": lambda chunk: crc32c(chunk[16:17] + chunk[21:]).to_bytes(4, "big"),
    "also-from-the-leader-epoch": lambda chunk: crc32c(chunk[12:17] + chunk[21:]).to_bytes(4, "big"),
    "also-without-the-last-byte": lambda chunk: crc32c(chunk[21:-1]).to_bytes(4, "big"),
}
"""Checksums that a reader takes beside the right one."""
PARTS = {
    "left-out": slice(0, 0),
    "high-half": slice(0, 2),
    "low-half": slice(2, 4),
    "first-byte": slice(0, 1),
    "last-byte": slice(3, 4),
}
"""The part of a checksum that is compared."""


def read_field(data: bytes, switch: Switch) -> Value:
    """Return the value of a whole field.

    Raises:
        Refused: the bytes are invalid.
    """
    cursor = Cursor(data, switch)
    batches: list[Value] = []
    while True:
        with switch.within(*(["second-batch"] if batches else [])):
            chunk = _next(cursor)
            if chunk is None:
                break
            batches += _entry(chunk, switch)
    partial = data[cursor.at :]
    wrong = switch.at("field.tail")
    if wrong == "refused" and partial:
        raise Refused
    return {"batches": batches, "partial": b"" if wrong == "dropped" else partial}


def _next(cursor: Cursor) -> bytes | None:
    """Return the bytes of the next batch or message; None if the rest is a part of one, or nothing."""
    start, wrong = cursor.at, cursor.switch.at("batch.length")
    if cursor.left < OVERHEAD:
        return None
    head = Cursor(cursor.data[start:], cursor.switch)
    head.at = 8
    length = head.fixed("batch.length", 4)
    length += {"itself-counted": -4, "overhead-counted": -OVERHEAD}.get(wrong, 0)
    if length < SMALLEST_MESSAGE or length > LONGEST:
        if (wrong == "zero-as-the-end" and not length) or (wrong == "negative-as-the-end" and length < 0):
            return None
        if wrong != "short-as-a-part" or length > LONGEST:
            raise Refused
        return None
    if cursor.left <= MAGIC_AT:
        return None
    _check_magic(cursor.data[start + MAGIC_AT], cursor.switch)
    if cursor.left < OVERHEAD + length:
        if wrong != "beyond-cut":
            return None
        length = cursor.left - OVERHEAD
    return cursor.take(OVERHEAD + length)


def _check_magic(magic: int, switch: Switch) -> None:
    wrong = switch.at("batch.magic")
    known = {0, 1, 2} | ({int(wrong.removeprefix("also-"))} if wrong.startswith("also-") else set())
    known -= {int(wrong.removeprefix("without-"))} if wrong.startswith("without-") else set()
    if magic not in known:
        raise Refused


def _entry(chunk: bytes, switch: Switch) -> list[Value]:
    if chunk[MAGIC_AT] in (0, 1):
        return [read_message(chunk, switch)]
    batch = _batch(chunk, switch)
    return [] if batch is None else [batch]


def _batch(chunk: bytes, switch: Switch) -> Value | None:
    if len(chunk) < HEADER:
        if switch.at("batch.short") != "filled":
            raise Refused
        chunk = chunk.ljust(HEADER, b"\0")
    attributes = int.from_bytes(chunk[21:23], "big")
    with switch.within(*_contexts(chunk, attributes)):
        _check_crc(chunk, switch)
        cursor = Cursor(chunk, switch)
        first = {"magic": 2, "baseOffset": cursor.fixed("batch.baseOffset", 8)}
        cursor.at = 12
        first["partitionLeaderEpoch"] = cursor.fixed("batch.partitionLeaderEpoch", 4)
        cursor.at = 23
        numbers = {name: cursor.fixed(f"batch.{name}", width) for name, width in NUMBERS}
        codec = _codec(attributes, switch)
        records = _records(cursor, codec, switch)
        batch = first | {"compression": codec} | _attributes(attributes, switch) | numbers | {"records": records}
        return _judged(batch, switch)


def _contexts(chunk: bytes, attributes: int) -> set[str]:
    names = {("none", *CODECS, "none", "none", "none")[attributes & 7]}
    names |= {"compressed"} if attributes & 7 else set()
    names |= {"log-append"} if attributes & 8 else set()
    names |= {name for name, bit in FLAGS.items() if attributes >> bit & 1}
    names |= {"no-base-timestamp"} if chunk[27:35] == b"\xff" * 8 else set()
    names |= {"producer"} if chunk[43] < 128 else set()  # the id has no sign
    return names | ({"empty"} if chunk[57:61] == bytes(4) else set())


def _check_crc(chunk: bytes, switch: Switch) -> None:
    wrong, right, stored = switch.at("batch.crc"), crc32c(chunk[21:]).to_bytes(4, "big"), chunk[17:21]
    part = PARTS.get(wrong, slice(4))
    if stored[part] != right[part] and not (wrong in ALSO and stored == ALSO[wrong](chunk)):
        raise Refused


def _codec(attributes: int, switch: Switch) -> str:
    number, wrong = attributes & 7, switch.at("batch.codec")
    if wrong.startswith(f"{number}-as-"):
        return wrong.partition("-as-")[2]
    if wrong == f"{number}-refused" or number > len(CODECS):
        raise Refused
    return ("none", *CODECS)[number]


def _attributes(attributes: int, switch: Switch) -> Value:
    type_ = flagged(switch, "timestampType", attributes >> 3 & 1)
    value: Value = {"timestampType": "log-append" if type_ else "create"}
    value |= {name: flagged(switch, name, attributes >> bit & 1) for name, bit in FLAGS.items()}
    for bit in range(7, 16):
        if not flagged(switch, f"unused-{bit}", attributes >> bit & 1):
            attributes &= ~(1 << bit)
    return value | {"unusedAttributes": attributes >> 7}


def flagged(switch: Switch, name: str, bit: int) -> bool:
    """Return what becomes of a flag."""
    wrong = switch.at(f"flag.{name}")
    if bit and wrong == "refused":
        raise Refused
    return bool(bit) and wrong != "dropped"


def _judged(batch: Value, switch: Switch) -> Value | None:
    """Return the batch as it is delivered: sound readers refuse none here, drop none and change none."""
    wrong = switch.at("batch")
    action, _, what = wrong.partition("=")
    if action in {"refused", "dropped"} and REFUSED_BATCHES[what](batch):
        if action == "refused":
            raise Refused
        return None
    if action == "changed":
        CHANGED_BATCHES[what](batch)
    return batch


def _records(cursor: Cursor, codec: str, switch: Switch) -> list[Value]:
    count = cursor.fixed("batch.recordCount", 4)
    wrong = switch.at("batch.recordCount")
    if count < 0 and wrong != "negative-as-none" and not (wrong == "minus-one-as-none" and count == -1):
        raise Refused
    if count <= 0:
        if wrong == "bytes-behind-none-refused" and cursor.left:
            raise Refused
        return []
    data = cursor.data[cursor.at :]
    inner = Cursor(decompressed(codec, data, switch) if codec != "none" else data, switch)
    records = list(_counted(inner, count, wrong))
    _check_rest(inner, switch.at("batch.rest"))
    return records


def _counted(inner: Cursor, count: int, wrong: str) -> Any:
    for index in range(count):
        if not inner.left and (wrong == "too-high" or (wrong == "one-too-high" and index == count - 1)):
            return
        with inner.switch.within(*(["second-record"] if index else [])):
            try:
                yield _record(inner)
            except Refused:
                if wrong != "last-one-cut" or index < count - 1:
                    raise
                inner.at = len(inner.data)
    if wrong == "too-low":
        inner.at = len(inner.data)


def _check_rest(inner: Cursor, wrong: str) -> None:
    rest = inner.data[inner.at :]
    taken = {
        "ignored": True,
        "zeros-ignored": not any(rest),
        "one-byte-ignored": len(rest) == 1,
        "short-ignored": len(rest) < 7,  # of the smallest record
    }
    if rest and not taken.get(wrong, False):
        raise Refused


def _record(cursor: Cursor) -> Value:
    length, wrong = cursor.varint("record.length"), cursor.switch.at("record.length")
    if length < 0 and wrong in {"negative-ignored", "ignored"}:
        length = cursor.left
    if length < 0 or (length > cursor.left and wrong not in {"beyond-ignored", "ignored"}):
        raise Refused
    if not length and wrong == "zero-as-an-empty-record":
        return {"attributes": 0, "timestampDelta": 0, "offsetDelta": 0, "key": None, "value": None, "headers": []}
    end = cursor.at + length
    limit = min(end, len(cursor.data)) if wrong not in {"ignored", "shorter-ignored"} else len(cursor.data)
    record = _fields(cursor, limit)
    most = {"longer-skipped": end, "longer-by-one-skipped": cursor.at + 1}.get(wrong, 0)
    if cursor.at < end <= most:
        cursor.at = min(end, len(cursor.data))
    accepted = {"ignored", "beyond-ignored", "negative-ignored", "shorter-ignored" if cursor.at > end else ""}
    if cursor.at != end and wrong not in accepted - {""}:
        raise Refused
    return record


def _fields(cursor: Cursor, end: int) -> Value:
    attributes = _record_attributes(cursor)
    timestamp = cursor.varint("record.timestampDelta", 64)
    offset = cursor.varint("record.offsetDelta")
    key, value = (_bytes(cursor, f"record.{name}", end) for name in ("key", "value"))
    headers = _headers(cursor, end)
    names = ("attributes", "timestampDelta", "offsetDelta", "key", "value", "headers")
    return dict(zip(names, (attributes, timestamp, offset, key, value, headers), strict=True))


def _record_attributes(cursor: Cursor) -> int:
    wrong = cursor.switch.at("record.attributes")
    if wrong == "as-a-varint":
        return cursor.varint("")
    number = cursor.fixed("record.attributes", 1)
    if number and wrong == "refused":
        raise Refused
    return 0 if wrong == "dropped" else number


def _bytes(cursor: Cursor, place: str, end: int) -> bytes | None:
    """Read a length and so many bytes, which end where the record ends at the latest."""
    length, wrong = cursor.varint(place), cursor.switch.at(place)
    if length < 0:
        if wrong == "null-refused" or (wrong == "below-null-refused" and length < -1):
            raise Refused
        return b"" if wrong == "null-as-empty" or (wrong == "below-null-as-empty" and length < -1) else None
    if length > end - cursor.at:
        if wrong not in {"beyond-cut", "beyond-as-null"}:
            raise Refused
        length, wrong = end - cursor.at, "empty-as-null" if wrong == "beyond-as-null" else wrong
    if length == 0 and wrong == "empty-refused":
        raise Refused
    data = cursor.take(length)
    return None if wrong == "empty-as-null" and not data else data


def _headers(cursor: Cursor, end: int) -> list[tuple[str | bytes, bytes | None]]:
    count, wrong = cursor.varint("record.headers"), cursor.switch.at("record.headers")
    if count < 0 and wrong != "negative-as-none" and not (wrong == "minus-one-as-none" and count == -1):
        raise Refused
    headers: list[tuple[str | bytes, bytes | None]] = []
    for _ in range(count):
        if wrong == "too-many-cut" and cursor.at >= end:
            break
        with cursor.switch.within(*(["second-header"] if headers else [])):
            headers.append((_header_key(cursor, end), _bytes(cursor, "header.value", end)))
    change, _, what = wrong.partition("=")
    return CHANGED_HEADERS[what](headers) if change == "changed" else headers


def _header_key(cursor: Cursor, end: int) -> str | bytes:
    length, wrong = cursor.varint("header.key"), cursor.switch.at("header.key")
    if length < 0:
        if wrong != "negative-as-empty" and not (wrong == "null-as-empty" and length == -1):
            raise Refused
        length = 0
    if length > end - cursor.at:
        if wrong != "beyond-cut":
            raise Refused
        length = end - cursor.at
    key = cursor.take(length)
    try:
        text = key.decode()
    except UnicodeDecodeError:
        if wrong == "malformed-refused":
            raise Refused from None
        return key.decode(errors="replace") if wrong == "malformed-replaced" else key
    change, _, what = wrong.partition("=")
    return CHANGED_TEXTS[what](text) if change == "changed" else text
