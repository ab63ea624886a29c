"""The writer: a field of batches, messages and wrappers from its value, as chapter 16 of the book says.

What no writer may write is refused, each thing in a step of its own. Length, CRC and count follow from the rest, so
that bytes in which one step is done wrong are wrong in that thing alone.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from itertools import pairwise
from typing import Any

from crc32c import crc32c

from tests.mutants.single_faults.records.changes import CHANGED_BATCHES, CHANGED_HEADERS, CHANGED_TEXTS, Value
from tests.mutants.single_faults.records.entries import CRCS, written_message
from tests.mutants.single_faults.records.numbers import written_fixed, written_varint
from tests.mutants.single_faults.records.reading import ALSO, FLAGS, HEADER, NUMBERS
from tests.mutants.single_faults.records.streams import CODECS, compressed
from tests.mutants.single_faults.records.switch import Refused, Switch

HIGHEST = 2**63 - 1
ABSENT = (
    "baseOffset",
    "partitionLeaderEpoch",
    "baseTimestamp",
    "maxTimestamp",
    "producerId",
    "producerEpoch",
    "baseSequence",
)
"""The numbers of a batch that are -1 at the least."""
NAMES = {"magic", "compression", "timestampType", "unusedAttributes", "records", *FLAGS, *ABSENT, "lastOffsetDelta"}
RECORD_NAMES = {"attributes", "timestampDelta", "offsetDelta", "key", "value", "headers"}
TYPES = ("create", "log-append")


def write_field(value: Value, switch: Switch, *, checked: bool = True) -> bytes:
    """Return the bytes of a field; without `checked`, whatever no writer may write as well.

    Raises:
        Refused: no writer may write the value.
    """
    if checked and value.get("partial") and switch.at("field.tail") != "written":
        raise Refused
    wire = b""
    for index, batch in enumerate(value["batches"]):
        with switch.within(*(["second-batch"] if index else [])):
            if index and switch.at("field.batches") == "second-lost":
                break
            wire += _entry(batch, switch, checked=checked)
    tail = value.get("partial") or b""
    return wire + (tail if not checked or switch.at("field.tail") == "written" else b"")


def _entry(batch: Value, switch: Switch, *, checked: bool) -> bytes:
    magic = batch["magic"]
    if magic in (0, 1):
        return written_message(batch, switch, checked=checked)
    if magic != 2 and switch.at("batch.magic") != "left-out":  # the magic of batches
        raise Refused
    with switch.within(*_contexts(batch)):
        if checked:
            _check(batch, switch)
        change, _, what = switch.at("batch").partition("=")
        if change == "changed":
            batch = deepcopy(batch)
            CHANGED_BATCHES[what](batch)
        return _written(batch, switch)


def _contexts(batch: Value) -> set[str]:
    names = {str(batch["compression"])} | {name for name in FLAGS if batch.get(name)}
    names |= {"compressed"} if batch["compression"] in CODECS else set()
    names |= {"log-append"} if batch["timestampType"] == "log-append" else set()
    names |= {"no-base-timestamp"} if batch.get("baseTimestamp") == -1 else set()
    names |= {"producer"} if (batch.get("producerId") or 0) >= 0 else set()
    return names if batch.get("records") else names | {"empty"}


def _check(batch: Value, switch: Switch) -> None:
    """Refuse what no writer may write."""
    left_out = switch.at("check")
    if set(batch) != NAMES or not isinstance(batch["records"], list | tuple):
        raise Refused
    if any(set(record) != RECORD_NAMES for record in batch["records"]):
        raise Refused
    numbers = [batch[name] for name, _ in (("baseOffset", 8), ("partitionLeaderEpoch", 4), *NUMBERS)]
    numbers += [record[name] for record in batch["records"] for name in ("timestampDelta", "offsetDelta")]
    if any(type(number) is not int for number in numbers):
        return
    for name, is_broken in CHECKS.items():
        if name != left_out and is_broken(batch):
            raise Refused


def _deltas(batch: Value, name: str) -> list[int]:
    return [record[name] for record in batch["records"]]


def _ascend(batch: Value) -> bool:
    offsets = _deltas(batch, "offsetDelta")
    return all(before < after for before, after in pairwise(offsets))


def _times(batch: Value) -> list[int]:
    if batch["timestampType"] == "log-append":
        return []
    return [batch["baseTimestamp"] + delta for delta in _deltas(batch, "timestampDelta")]


def _last(batch: Value) -> int:
    return max(_deltas(batch, "offsetDelta"), default=0)


def _below_none(name: str) -> Callable[[Value], Any]:
    return lambda batch: batch[name] < -1


CHECKS: dict[str, Callable[[Value], Any]] = {
    **{f"{name}-below-none": _below_none(name) for name in ABSENT},
    "offsets-that-do-not-ascend": lambda batch: not _ascend(batch),
    "offset-delta-below-0": lambda batch: min(_deltas(batch, "offsetDelta"), default=0) < 0,
    "offset-beyond-the-last": lambda batch: batch["records"] and batch["lastOffsetDelta"] < _last(batch),
    "last-offset-delta-below-0": lambda batch: batch["lastOffsetDelta"] < 0,
    "offset-beyond-63-bits": lambda batch: batch["baseOffset"] + max(_last(batch), batch["lastOffsetDelta"]) > HIGHEST,
    "timestamp-below-none": lambda batch: -HIGHEST - 1 <= min(_times(batch), default=0) < -1,
    "timestamp-below-64-bits": lambda batch: min(_times(batch), default=0) < -HIGHEST - 1,
    "timestamp-beyond-63-bits": lambda batch: max(_times(batch), default=0) > HIGHEST,
    "maximum-too-low": lambda batch: _times(batch) and batch["maxTimestamp"] < max(_times(batch)),
    "maximum-too-high": lambda batch: _times(batch) and batch["maxTimestamp"] > max(_times(batch)),
    "empty-compressed": lambda batch: not batch["records"] and batch["compression"] != "none",
}
"""What no writer may write."""


def _written(batch: Value, switch: Switch) -> bytes:
    payload = b""
    for index, record in enumerate(batch["records"]):
        with switch.within(*(["second-record"] if index else [])):
            payload += _record(record, switch)
    payload += bytes.fromhex(switch.at("batch.rest"))
    codec = _codec(batch, switch)
    attributes = _attributes(batch, switch) | codec
    names = ("none", *CODECS)
    stream = compressed(names[codec] if codec < len(names) else "none", payload, switch)
    head = _fixed(switch, batch, "baseOffset", 8)
    tail = attributes.to_bytes(2, "big") + b"".join(_fixed(switch, batch, name, width) for name, width in NUMBERS)
    tail += written_fixed(switch, "batch.recordCount", _count(batch, switch), 4) + stream
    length = written_fixed(switch, "batch.length", HEADER - 12 + len(stream) + _more(switch.at("batch.length")), 4)
    chunk = head + length + _fixed(switch, batch, "partitionLeaderEpoch", 4) + _magic(switch) + bytes(4) + tail
    return chunk[:17] + _crc(chunk, switch.at("batch.crc")) + chunk[21:]


def _more(wrong: str) -> int:
    return {"one-more": 1, "one-less": -1, "itself-counted": 4, "overhead-counted": 12}.get(wrong, 0)


def _magic(switch: Switch) -> bytes:
    wrong = switch.at("batch.magic")
    return bytes([int(wrong) & 0xFF if wrong.lstrip("-").isdigit() else 2])


def _count(batch: Value, switch: Switch) -> int:
    return len(batch["records"]) + {"one-more": 1, "one-less": -1}.get(switch.at("batch.recordCount"), 0)


def _fixed(switch: Switch, batch: Value, name: str, width: int) -> bytes:
    return written_fixed(switch, f"batch.{name}", batch[name], width)


def _crc(chunk: bytes, wrong: str) -> bytes:
    if wrong in ALSO:
        return ALSO[wrong](chunk)
    right = crc32c(chunk[21:])
    return (right ^ CRCS.get(wrong, 0)).to_bytes(4, "big")


def _codec(batch: Value, switch: Switch) -> int:
    name, wrong = batch["compression"], switch.at("batch.codec")
    if wrong.isdigit():
        return int(wrong)
    if name not in ("none", *CODECS):
        if wrong != "unknown-as-none":
            raise Refused
        name = "none"
    return ("none", *CODECS).index("none" if wrong == f"{name}-as-none" else name)


def _attributes(batch: Value, switch: Switch) -> int:
    type_, unused = batch["timestampType"], batch["unusedAttributes"]
    if type_ not in TYPES and switch.at("flag.timestampType") != "unknown-as-create":
        raise Refused
    attributes = _flag(switch, "timestampType", is_set=type_ == "log-append") << 3
    for name, bit in FLAGS.items():
        if not isinstance(batch[name], bool):
            raise Refused
        attributes |= _flag(switch, name, is_set=bool(batch[name])) << bit
    if not isinstance(unused, int) or not 0 <= unused < 1 << 9:
        if switch.at("flag.unused") != "range-left-out":
            raise Refused
        unused &= 0x1FF
    return attributes | (0 if switch.at("flag.unused") == "dropped" else unused << 7)


def _flag(switch: Switch, name: str, *, is_set: bool) -> int:
    wrong = switch.at(f"flag.{name}")
    if is_set and wrong == "refused":
        raise Refused
    return int((is_set or wrong == "always") and wrong != "dropped")


def _record(record: Value, switch: Switch) -> bytes:
    wrong = switch.at("record.attributes")
    attributes = 0 if wrong == "dropped" else record["attributes"]
    body = written_fixed(switch, "record.attributes", attributes, 1)
    body += written_varint(switch, "record.timestampDelta", record["timestampDelta"], 64)
    body += written_varint(switch, "record.offsetDelta", record["offsetDelta"])
    body += _bytes(switch, "record.key", record["key"]) + _bytes(switch, "record.value", record["value"])
    body += _headers(record["headers"], switch)
    wrong = switch.at("record.length")
    body += b"\0" * (wrong == "one-byte-behind")
    body = body[:-1] if wrong == "one-byte-missing" else body
    if wrong.startswith("alone="):
        return written_varint(Switch(), "", int(wrong[6:]))
    more = {"one-more": 1, "one-less": -1, "itself-counted": 1}.get(wrong, 0)
    return written_varint(switch, "record.length", len(body) + more) + body


def _bytes(switch: Switch, place: str, data: Any) -> bytes:
    """Write a length and so many bytes."""
    wrong = switch.at(place)
    if data is not None and not isinstance(data, bytes):
        raise Refused
    if (data is None and wrong == "null-refused") or (data == b"" and wrong == "empty-refused"):
        raise Refused
    if wrong == "null-as-empty":
        data = data or b""
    if data is None or (wrong == "empty-as-null" and not data):
        return written_varint(switch, place, -1)
    is_alone = wrong.startswith("=-")
    return written_varint(switch, place, len(data)) + (b"" if is_alone else data)


def _headers(headers: Any, switch: Switch) -> bytes:
    wrong = switch.at("record.headers")
    if not isinstance(headers, list | tuple):
        if headers is not None or wrong != "null-as-none":
            raise Refused
        headers = []
    change, _, what = wrong.partition("=")
    if change == "changed":
        headers = CHANGED_HEADERS[what]([tuple(pair) for pair in headers])
    count = len(headers) + {"one-more": 1, "one-less": -1}.get(wrong, 0)
    wire = written_varint(switch, "record.headers", count)
    for index, (key, value) in enumerate(headers):
        with switch.within(*(["second-header"] if index else [])):
            wire += _header_key(key, switch) + _bytes(switch, "header.value", value)
    return wire


def _header_key(key: Any, switch: Switch) -> bytes:
    wrong = switch.at("header.key")
    if key is None:
        if wrong == "null-taken":
            return written_varint(switch, "header.key", -1)
        if wrong != "null-as-empty":
            raise Refused
        key = ""
    change, _, what = wrong.partition("=")
    if change == "changed" and isinstance(key, str):
        key = CHANGED_TEXTS[what](key)
    if not isinstance(key, str | bytes):
        raise Refused
    data = key if isinstance(key, bytes) else key.encode("utf-16-be" if wrong == "utf-16" else "utf-8")
    signs = len(key) if wrong == "signs-counted" else len(data)
    return written_varint(switch, "header.key", signs) + (b"" if wrong.startswith("=-") else data)
