"""Write batches of magic 2, messages of magic 0 and 1, and wrappers of such messages.

A plain batch has one form only. Length, CRC and count follow from the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.errors import Refusal
from reference.records import attributes as bits
from reference.records.batch import FIELDS, MAGIC, NUMBERS, UNUSED_FROM, UNUSED_WIDTH
from reference.records.batch_rules import ABSENT, NEGATIVE_OFFSET, check_written, is_negative
from reference.records.checksums import crc32, crc32c
from reference.records.compression import CODECS, NONE, lz4
from reference.records.layouts import BATCH_HEADER, COVERED_FROM, CRC, HEADER_SIZE, MESSAGE_ENTRY, OVERHEAD
from reference.records.message_set import CODECS_OF_MESSAGES, CRC_SIZE, UNUSED, layout_of
from reference.records.message_set import FIELDS as MESSAGE_FIELDS
from reference.records.quick import quick_bytes
from reference.records.record import RECORD
from reference.wire.lengths import HIGHEST_INT32, NULL
from reference.wire.numbers import INT32
from reference.wire.stream import refuse, shown, wrong_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference.paths import Path


def write_batch(batch: dict[str, Any], path: Path) -> bytes:
    """Return the bytes of a batch, compressed by this project's compressors if at all, or raise Unencodable."""
    _check_fields(batch, FIELDS, path, "a batch")
    number = bits.codec_number(batch["compression"], (path, "compression"))
    attributes = number | bits.timestamp_type_bit(batch["timestampType"], (path, "timestampType"))
    attributes |= bits.flag_bits(batch, path)
    attributes |= bits.unused_bits(batch["unusedAttributes"], UNUSED_FROM, UNUSED_WIDTH, (path, "unusedAttributes"))
    payload = _payload(batch["records"], (path, "records"))
    check_written(batch, path)
    if number:
        payload = CODECS[batch["compression"]].compress(payload)
    # The layout writes the attributes as an int16, with the highest bit as its sign.
    return _sealed(batch, attributes - (attributes >> 15 << 16), payload, path)


def _payload(records: Any, path: Path) -> bytes:
    if not isinstance(records, list | tuple):
        wrong_type("a list of records", records, path)
    quick = quick_bytes(records)
    if quick is not None:
        return quick
    return b"".join(RECORD.write(record, (path, index)) for index, record in enumerate(records))


def _sealed(batch: dict[str, Any], attributes: int, payload: bytes, path: Path) -> bytes:
    length = HEADER_SIZE - OVERHEAD + len(payload)
    if length > HIGHEST_INT32 - OVERHEAD:
        refuse(Refusal.OUT_OF_RANGE, path, f"{length} bytes")
    header = {name: batch[name] for name in NUMBERS}
    derived = {"magic": MAGIC, "length": length, "crc": 0, "attributes": attributes}
    wire = BATCH_HEADER.write(header | derived | {"recordCount": len(batch["records"])}, path)
    crc = crc32c(wire[COVERED_FROM:] + payload)
    return wire[: CRC.start] + crc + wire[COVERED_FROM:] + payload


def _check_fields(value: dict[str, Any], names: Sequence[str], path: Path, owner: str) -> None:
    for name in names:
        if name not in value:
            refuse(Refusal.MISSING_FIELD, (path, name))
    for name in value:
        if name not in names:
            refuse(Refusal.UNKNOWN_FIELD, (path, name), f"{owner} has no such field")


def write_entry(entry: dict[str, Any], path: Path, *, nested: bool = False) -> bytes:
    """Return the bytes of a message or of a whole wrapper, with its offset and size, or raise Unencodable."""
    magic = entry["magic"]
    names, rule = ((NONE,), "message.nested") if nested else (CODECS_OF_MESSAGES, "message.codec")
    content = "messages" if entry.get("compression", NONE) != NONE else "value"
    _check_fields(entry, (*MESSAGE_FIELDS[magic], content), path, f"a message of magic {magic}")
    number = bits.codec_number(entry["compression"], (path, "compression"), names, rule)
    attributes = number | bits.unused_bits(entry["unusedAttributes"], *UNUSED[magic], (path, "unusedAttributes"))
    if magic:
        attributes |= bits.timestamp_type_bit(entry["timestampType"], (path, "timestampType"))
    value = _wrapped(entry, path) if number else entry["value"]
    head = {"crc": 0, "magic": magic, "attributes": attributes - (attributes >> 7 << 8)}
    if magic:
        head["timestamp"] = _timestamp(entry, path)
    body = layout_of(magic).write(head, path)[CRC_SIZE:]
    body += _written_bytes(entry["key"], (path, "key")) + _written_bytes(value, (path, "value"))
    prefix = MESSAGE_ENTRY.write({"offset": _offset(entry, path), "size": CRC_SIZE + len(body)}, path)
    return prefix + crc32(body) + body


def _offset(entry: dict[str, Any], path: Path) -> Any:
    offset = entry["offset"]
    if isinstance(offset, int) and is_negative(offset):
        refuse(Refusal.OUT_OF_RANGE, (path, "offset"), f"{shown(offset)} is below -1", NEGATIVE_OFFSET)
    return offset


def _timestamp(entry: dict[str, Any], path: Path) -> Any:
    timestamp = entry["timestamp"]
    # the layout checks its type on writing
    if isinstance(timestamp, int) and timestamp < ABSENT:
        refuse(Refusal.OUT_OF_RANGE, (path, "timestamp"), f"{shown(timestamp)} is below -1", "batch.negative-field")
    return timestamp


def _wrapped(entry: dict[str, Any], path: Path) -> bytes:
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
