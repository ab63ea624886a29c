"""Message sets, magic 0 and 1: what batches were before Kafka 0.11, and what old log segments still hold.

    offset, size   crc, magic, attributes, timestamp (magic 1)   key and value, each with an int32 length

A message with a codec is a *wrapper*: its value is a compressed message set. In magic 1 the offsets inside are relative,
and the wrapper has the last one; type and time of a log append are the wrapper's.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reference.errors import Reason, Refusal
from reference.paths import Path
from reference.records import attributes as bits
from reference.records.checksums import crc32
from reference.records.compression import CODECS, NAMES, NONE, lz4
from reference.records.compression.base import BadStream
from reference.records.layouts import ENTRY_SIZE, MESSAGE_ENTRY, MESSAGE_V0, MESSAGE_V1
from reference.wire.lengths import HIGHEST_INT32, NULL
from reference.wire.numbers import INT32
from reference.wire.stream import Reader, refuse, wrong_type

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference.layouts import Layout
    from reference.records.compression.base import Stream
    from reference.records.reading import Reading

SMALLEST_MESSAGE = 14
CRC_SIZE = 4
MAGIC_AT = ENTRY_SIZE + CRC_SIZE
CODECS_OF_MESSAGES = tuple(name for name in NAMES if name != "zstd")
"""Zstd came after message sets."""
FIELDS = {
    0: ("magic", "offset", "compression", "unusedAttributes", "key"),
    1: ("magic", "offset", "compression", "timestampType", "timestamp", "unusedAttributes", "key"),
}
"""The fields of a message's value by magic, without `value` or `messages`."""
UNUSED = {0: (3, 5), 1: (4, 4)}
"""The first bit without a meaning and how many there are, by magic."""


def layout_of(magic: int) -> Layout:
    """Return the layout of a message; Apache Kafka reads any magic but 0 as 1."""
    return MESSAGE_V1 if magic else MESSAGE_V0


def read_entry(reading: Reading, end: int, path: Path) -> dict[str, Any]:
    """Read the entry of a message set that begins where the field's reader stands and ends at `end`.

    Raises:
        Malformed: the reader does not go on.
    """
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
    entry["messages"] = _read_inner(reading, entry, payload, payload + len(stored), path)
    _check_offsets(reading, entry, start, path)
    return entry


def _value_at(entry: dict[str, Any]) -> int:
    """Return where the bytes of a wrapper's value begin in its entry."""
    key = entry["key"]
    width: int = layout_of(entry["magic"]).sizeof()
    return ENTRY_SIZE + width + 4 + len(key or b"") + 4


def _read_message(reading: Reading, reader: Reader, path: Path, *, inner: bool = False) -> dict[str, Any]:
    """Read an entry from a reader that has nothing else."""
    magic = reader.getvalue()[MAGIC_AT]
    codec = bits.codec_name(reader.getvalue()[MAGIC_AT + 1])
    if codec is None or codec not in CODECS_OF_MESSAGES:
        at, here = MAGIC_AT + 1, (path, "attributes")
        reader.malformed("batch.codec", Reason.UNKNOWN_CODEC, at, here, f"codec {codec or 'unknown'}")
    if reading.check_crc:
        _check_crc(reader, path, wrapper=codec != NONE and not inner)
    start = reader.tell()
    offset = MESSAGE_ENTRY.read(reader, path)["offset"]
    layout = layout_of(magic)
    if reader.size < start + ENTRY_SIZE + layout.sizeof():
        detail = f"{reader.size - ENTRY_SIZE} bytes"
        reader.malformed("message.length-within", Reason.BATCH_TOO_SHORT, ENTRY_SIZE - 4, (path, "size"), detail)
    head = layout.read(reader, path)
    key = _read_bytes(reader, (path, "key"))
    value = _read_bytes(reader, (path, "value"))
    if reader.tell() != reader.size:
        reader.deviation("message.trailing-bytes", reader.tell(), path)
        reader.span(_skip(reader), path, "payload", "message.trailing-bytes", "raw")
    return _value(head, {"offset": offset, "compression": codec, "key": key, "value": value})


def _skip(reader: Reader) -> int:
    at = reader.tell()
    reader.seek(reader.size)
    return at


def _check_crc(reader: Reader, path: Path, *, wrapper: bool) -> None:
    """A consumer does not look at the CRC of a wrapper; a broker does."""
    wire = reader.getvalue()
    if wire[ENTRY_SIZE:MAGIC_AT] == crc32(wire[MAGIC_AT:]):
        return
    if wrapper:
        reader.deviation("message.wrapper-crc", ENTRY_SIZE, (path, "crc"))
    else:
        reader.malformed("message.crc", Reason.CRC_MISMATCH, ENTRY_SIZE, (path, "crc"))


def _read_bytes(reader: Reader, path: Path) -> bytes | None:
    start = reader.tell()
    length = INT32.read(reader, path)
    if reader.spans:
        reader.spans[-1] = reader.spans[-1]._replace(role="length", rule="message.layout")
    if length < 0:
        if length != NULL:
            reader.deviation("record.other-negative", start, path)
        return None
    data = reader.read(length) if length <= reader.size - reader.tell() else b""
    if len(data) != length:
        reader.malformed("message.length-within", Reason.LENGTH_EXCEEDS_INPUT, start, path, f"{length} bytes")
    reader.span(reader.tell() - length, path, "payload", "message.layout", "raw")
    return data


def _value(head: dict[str, Any], rest: dict[str, Any]) -> dict[str, Any]:
    attributes, magic = head["attributes"], head["magic"]
    value = {"magic": magic, "offset": rest["offset"], "compression": rest["compression"]}
    if magic:
        value |= {"timestampType": bits.timestamp_type(attributes), "timestamp": head["timestamp"]}
    shift, width = UNUSED[1 if magic else 0]
    value["unusedAttributes"] = attributes >> shift & ((1 << width) - 1)
    return value | {"key": rest["key"], "value": rest["value"]}


def _read_inner(reading: Reading, entry: dict[str, Any], start: int, end: int, path: Path) -> list[dict[str, Any]]:
    here = (path, "messages")
    decompress: Callable[[Stream], None] = CODECS[entry["compression"]].decompress
    if entry["compression"] == "lz4" and entry["magic"] == 0:
        decompress = partial(lz4.decompress, legacy=True)
    try:
        stream = reading.decompress(decompress, start, end, here)
    except BadStream as error:
        reading.bad_stream(error, start, here)
    messages: list[dict[str, Any]] = reading.inside(
        stream.data, start, here, lambda inner: _read_set(reading, inner, entry["magic"], here)
    )
    return messages


def _read_set(reading: Reading, reader: Reader, magic: int, path: Path) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    wire = reader.getvalue()
    at = 0
    while (end := _end_of_entry(reader, wire, at, (path, len(messages)))) is not None:
        here = (path, len(messages))
        message = _read_one(reading, reader, at, end, here)
        if message["magic"] != magic:
            reader.deviation("message.inner-magic", at + MAGIC_AT, (here, "magic"))
        if message["compression"] != NONE:
            detail = "a compressed message inside of one"
            reader.malformed("message.nested", Reason.COMPRESSION, at + MAGIC_AT + 1, (here, "attributes"), detail)
        messages.append(message)
        at = end
    if not messages:
        reader.malformed("message.wrapper", Reason.RECORD_COUNT, at, path, "a wrapper without messages")
    if at != len(wire):
        reader.deviation("message.inner-partial", at, (path, len(messages)))
        reader.seek(len(wire))
        reader.span(at, path, "payload", "message.inner-partial", "raw")
    return messages


def _end_of_entry(reader: Reader, wire: bytes, at: int, path: Path) -> int | None:
    """Return where an inner entry ends; None if it is cut, or there is none."""
    if len(wire) - at < ENTRY_SIZE:
        return None
    size = int.from_bytes(wire[at + 8 : at + ENTRY_SIZE], "big", signed=True)
    if size < SMALLEST_MESSAGE:
        detail = f"{size} bytes"
        reader.malformed("message.length-within", Reason.BATCH_TOO_SHORT, at + 8, (path, "size"), detail)
    end = at + ENTRY_SIZE + size
    return end if end <= len(wire) else None


def _read_one(reading: Reading, reader: Reader, start: int, end: int, path: Path) -> dict[str, Any]:
    part = type(reading)(reader, reading.limit, reading.check_crc)
    message: dict[str, Any] = part.within(start, end, lambda inner: _read_message(reading, inner, path, inner=True))
    return message


def _check_offsets(reading: Reading, entry: dict[str, Any], start: int, path: Path) -> None:
    last = entry["messages"][-1]["offset"]
    if entry["magic"] and entry["offset"] != 0 and entry["offset"] < last:
        detail = f"{entry['offset']}, its last message has {last}"
        reading.reader.malformed("message.offsets", Reason.OFFSET_MISMATCH, start, (path, "offset"), detail)


def write_entry(entry: dict[str, Any], path: Path, *, nested: bool = False) -> bytes:
    """Return the bytes of a message, with its offset and size; of a wrapper, with all its messages.

    Raises:
        Unencodable: it has none.
        MissingLibrary: the codec needs a library that is not installed.
    """
    magic = entry["magic"]
    names = (NONE,) if nested else CODECS_OF_MESSAGES
    _check_fields(entry, path)
    number = bits.codec_number(entry["compression"], (path, "compression"), names)
    attributes = number | bits.unused_bits(entry["unusedAttributes"], *UNUSED[magic], (path, "unusedAttributes"))
    if magic:
        attributes |= bits.timestamp_type_bit(entry["timestampType"], (path, "timestampType"))
    value = _wrapped(entry, path) if number else entry["value"]
    head = {"crc": 0, "magic": magic, "attributes": attributes - (attributes >> 7 << 8)}
    if magic:
        head["timestamp"] = entry["timestamp"]
    body = layout_of(magic).write(head, path)[CRC_SIZE:]
    body += _written_bytes(entry["key"], (path, "key")) + _written_bytes(value, (path, "value"))
    prefix = MESSAGE_ENTRY.write({"offset": entry["offset"], "size": CRC_SIZE + len(body)}, path)
    return prefix + crc32(body) + body


def _wrapped(entry: dict[str, Any], path: Path) -> bytes:
    """Return the compressed message set of a wrapper."""
    messages, here = entry["messages"], (path, "messages")
    if not isinstance(messages, list | tuple):
        wrong_type("a list of messages", messages, here)
    if not messages:
        refuse(Refusal.OUT_OF_RANGE, here, "a wrapper without messages", "message.wrapper")
    for index, message in enumerate(messages):
        if not isinstance(message, dict) or message.get("magic") != entry["magic"]:
            refuse(Refusal.OUT_OF_RANGE, ((here, index), "magic"), "not that of the wrapper", "message.inner-magic")
    data = b"".join(write_entry(message, (here, index), nested=True) for index, message in enumerate(messages))
    last = messages[-1]["offset"]
    if entry["magic"] and isinstance(entry["offset"], int) and entry["offset"] != 0 and entry["offset"] < last:
        refuse(Refusal.OUT_OF_RANGE, (path, "offset"), f"below {last}, that of its last message", "message.offsets")
    if entry["compression"] == "lz4":
        return lz4.compress(data, legacy=entry["magic"] == 0)
    return CODECS[entry["compression"]].compress(data)


def _written_bytes(data: Any, path: Path) -> bytes:
    if data is None:
        return INT32.write(NULL, path)
    if not isinstance(data, bytes):
        wrong_type("bytes", data, path)
    if len(data) > HIGHEST_INT32:
        refuse(Refusal.OUT_OF_RANGE, path, f"{len(data)} bytes")
    return INT32.write(len(data), path) + data


def _check_fields(entry: dict[str, Any], path: Path) -> None:
    wrapper = entry.get("compression", NONE) != NONE
    names = (*FIELDS[entry["magic"]], "messages" if wrapper else "value")
    for name in names:
        if name not in entry:
            refuse(Refusal.MISSING_FIELD, (path, name))
    for name in entry:
        if name not in names:
            refuse(Refusal.UNKNOWN_FIELD, (path, name), f"a message of magic {entry['magic']} has no such field")
