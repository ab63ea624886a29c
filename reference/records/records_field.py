"""The whole `records` field, batches and messages back to back.

A broker cuts its answer at a number of bytes, so the last batch may be partial. A reader decides in this order:

    fewer than 12 bytes left       the end
    length below 14                refused
    fewer than 17 bytes left       the end
    magic other than 0, 1, 2       refused
    fewer bytes left than length   the end
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from reference.errors import Reason, Refusal
from reference.records.batch import MAGIC as BATCH
from reference.records.batch import read_batch
from reference.records.layouts import LENGTH, MAGIC_AT, OVERHEAD, UP_TO_MAGIC
from reference.records.message_set import FIELDS as MESSAGE_FIELDS
from reference.records.message_set import SMALLEST_MESSAGE, read_entry
from reference.records.writing import write_batch, write_entry
from reference.wire.lengths import HIGHEST_INT32
from reference.wire.stream import refuse, shown, wrong_type

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.paths import Path
    from reference.records.reading import Reading

HIGHEST_LENGTH = HIGHEST_INT32 - OVERHEAD
"""The highest length for which length and overhead together fit into an int32."""
BATCHES, PARTIAL = "batches", "partial"


class Head(NamedTuple):
    """The facts in the first bytes of a batch or message."""

    magic: int
    end: int


def read_field(reading: Reading) -> dict[str, Any]:
    """Read a whole field, or raise Malformed."""
    reader = reading.reader
    batches: list[dict[str, Any]] = []
    while (head := next_batch(reading, (("", BATCHES), len(batches)))) is not None:
        read = read_batch if head.magic == BATCH else read_entry
        batches.append(read(reading, head.end, (("", BATCHES), len(batches))))
    start = reader.tell()
    partial = reader.read()
    if partial:
        reader.note("field.partial-tail", start, ("", PARTIAL))
        reader.span(start, ("", PARTIAL), "payload", "field.partial-tail", "raw")
    return {BATCHES: batches, PARTIAL: partial}


def next_batch(reading: Reading, path: Path) -> Head | None:
    """Return the head of the next batch, None if it is missing or partial, or raise Malformed if it is impossible."""
    reader = reading.reader
    start = reader.tell()
    first = reader.getvalue()[start : start + UP_TO_MAGIC]
    if len(first) < OVERHEAD:
        return None
    length = int.from_bytes(first[LENGTH], "big", signed=True)
    at, here = start + LENGTH.start, (path, "length")
    if length < SMALLEST_MESSAGE:
        reader.malformed("batch.length", Reason.BATCH_TOO_SHORT, at, here, f"{length} bytes")
    if len(first) < UP_TO_MAGIC:
        return None
    magic = int.from_bytes(first[MAGIC_AT:], "big", signed=True)
    if magic != BATCH and magic not in MESSAGE_FIELDS:
        here = (path, "magic")
        reader.malformed("batch.magic", Reason.UNKNOWN_MAGIC, start + MAGIC_AT, here, f"magic {magic}")
    if length > HIGHEST_LENGTH:
        reading.unspecified("batch.length-overflow", at, here, f"{length} bytes")
    end = start + OVERHEAD + length
    return Head(magic, end) if end <= reader.size else None


def write_field(value: Any) -> bytes:
    """Return the bytes of a whole field, or raise Unencodable if the value has none."""
    if not isinstance(value, dict):
        wrong_type("a dict with batches", value, "")
    if BATCHES not in value:
        refuse(Refusal.MISSING_FIELD, ("", BATCHES))
    for name in value:
        if name not in (BATCHES, PARTIAL):
            refuse(Refusal.UNKNOWN_FIELD, ("", name), "a records field has no such part")
    if value.get(PARTIAL):
        refuse(Refusal.OUT_OF_RANGE, ("", PARTIAL), "nobody writes a part of a batch", "produce.no-tail")
    batches, path = value[BATCHES], ("", BATCHES)
    if not isinstance(batches, list | tuple):
        wrong_type("a list of batches", batches, path)
    return b"".join(_write(batch, (path, index)) for index, batch in enumerate(batches))


def _write(batch: Any, path: Path) -> bytes:
    if not isinstance(batch, dict):
        wrong_type("a dict of fields", batch, path)
    magic = batch.get("magic", BATCH)
    if type(magic) is not int:
        wrong_type("int8", magic, (path, "magic"))
    if magic == BATCH:
        return write_batch(batch, path)
    if magic not in MESSAGE_FIELDS:
        refuse(Refusal.OUT_OF_RANGE, (path, "magic"), f"{shown(magic)} is none of 0, 1 and 2", "batch.magic")
    return write_entry(batch, path)


def entry_ends(wire: bytes) -> Iterator[int]:
    """Yield the end of each batch or message of a field by its length, the last one perhaps beyond the bytes."""
    end = 0
    while len(wire) - end >= OVERHEAD:
        length = int.from_bytes(wire[end + LENGTH.start : end + OVERHEAD], "big", signed=True)
        if length < SMALLEST_MESSAGE:
            return
        end += OVERHEAD + length
        yield end
