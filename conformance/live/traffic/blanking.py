"""The contents of records blanked: keys, values and values of headers, with everything around them as it was.

Lengths stay. Checksums that were right are right again, wrong ones stay wrong; compressed batches are compressed anew.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reference import CodecError, MissingLibrary, Result, encode_records, judge_records, records_spans
from reference.records.checksums import crc32c
from reference.records.layouts import COVERED_FROM, CRC_AT, HEADER_SIZE
from reference.records.records_field import LENGTH_AT, MAGIC_AT, UP_TO_MAGIC

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.live.traffic.capture import Redaction

Blank = Callable[[bytes], bytes]
"""Returns as many bytes as it gets."""

OVERHEAD, BATCH, SMALLEST = 12, 2, 14
ATTRIBUTES_AT = 21
CODEC_BITS, CONTROL_BIT = 0x07, 0x20
CONTENTS = re.compile(r"\.(records\[\d+\]\.(key|value)|headers\[\d+\]\.value)$")
"""The paths of what is blanked, in a batch of magic 2."""


def dropping(contents: bytes) -> bytes:
    """Return zeros."""
    return bytes(len(contents))


def hashing(key: bytes = b"") -> Blank:
    """Return what hashes contents: equal ones to equal bytes, by a key that is kept nowhere."""
    key = key or secrets.token_bytes(32)
    return lambda contents: hashlib.shake_256(key + contents).digest(len(contents))


def blank_for(how: Redaction) -> Blank | None:
    """Return what blanks contents; None if they stay."""
    return {"no": None, "drop": dropping, "hash": hashing()}[how]


def blank_records(wire: bytes, blank: Blank) -> bytes | None:
    """Return a `records` field without the contents of its records; None if not all of them can be found."""
    blanked = bytearray()
    rest = wire
    while rest:
        end = _end(rest)
        if end is None:
            return bytes(blanked + rest[:UP_TO_MAGIC] + blank(rest[UP_TO_MAGIC:]))
        part = _blank_batch(rest[:end], blank)
        if part is None:
            return None
        blanked += part
        rest = rest[end:]
    return bytes(blanked)


def _end(wire: bytes) -> int | None:
    """Return where the first batch ends; None if it is none, or not the whole of one."""
    end = OVERHEAD + int.from_bytes(wire[LENGTH_AT:OVERHEAD], signed=True)
    return end if len(wire) >= end >= OVERHEAD + SMALLEST else None


def _blank_batch(wire: bytes, blank: Blank) -> bytes | None:
    if wire[MAGIC_AT] == BATCH and len(wire) >= HEADER_SIZE:
        attributes = int.from_bytes(wire[ATTRIBUTES_AT : ATTRIBUTES_AT + 2])
        if attributes & CONTROL_BIT:
            return wire
        if not attributes & CODEC_BITS:
            return _blank_in_place(wire, blank)
    return _blank_and_write(wire, blank)


def _blank_in_place(wire: bytes, blank: Blank) -> bytes:
    """Return a plain batch with its contents blanked, and all bytes that nobody can read."""
    blanked = bytearray(wire)
    spans = records_spans(wire)
    for span in spans:
        if span.role == "payload" and CONTENTS.search(span.path):
            blanked[span.start : span.end] = blank(wire[span.start : span.end])
    end = max([HEADER_SIZE, *(span.end for span in spans)])
    blanked[end:] = blank(wire[end:])
    if wire[CRC_AT:COVERED_FROM] == crc32c(wire[COVERED_FROM:]):
        blanked[CRC_AT:COVERED_FROM] = crc32c(bytes(blanked[COVERED_FROM:]))
    return bytes(blanked)


def _blank_and_write(wire: bytes, blank: Blank) -> bytes | None:
    """Return a compressed batch or a message of magic 0 or 1, written anew; None unless it is sound."""
    try:
        verdict = judge_records(wire)
        if verdict.result is not Result.VALID or verdict.rules or verdict.value is None:
            return None
        for record in _records(verdict.value):
            _blank_record(record, blank)
        return encode_records(verdict.value)
    except (CodecError, MissingLibrary):
        return None


def _records(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the records of batches, and the messages of message sets that have contents of their own."""
    for batch in value["batches"]:
        inner = batch.get("records", batch.get("messages"))
        yield from [batch] if inner is None else inner


def _blank_record(record: dict[str, Any], blank: Blank) -> None:
    for name in ("key", "value"):
        if record.get(name) is not None:
            record[name] = blank(record[name])
    if "headers" in record:
        record["headers"] = [(key, None if value is None else blank(value)) for key, value in record["headers"]]
