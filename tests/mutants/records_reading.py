"""Readers that do not look at what they read: counts, lengths, checksums, and what stands behind the records."""

import re

from reference import Malformed
from reference.errors import Reason
from reference.paths import Path
from reference.records.checksums import crc32c
from reference.records.layouts import COVERED_FROM, CRC, HEADER_SIZE, MAGIC_AT
from reference.records.reading import Reading, default_limit
from reference.records.records_field import read_field
from reference.wire.stream import LenientReader
from tests.mutants.records_forms import (
    RecordsMutant,
    Value,
    each,
    is_batch,
    overlooking,
    read_after,
    read_leniently,
    records,
    refusing,
    skipping,
    then,
    with_count,
)

COUNT = slice(57, 61)
MOST_RECORDS = 400
HUGE = 1 << 20
CLAIMS = frozenset(("header.count", "record.length", "record.length-within", "record.count"))


def unsigned_byte(record: Value) -> None:
    record["attributes"] &= 0xFF


def without_crc(wire: bytes) -> Value:
    return read_field(Reading(LenientReader(wire), default_limit(wire), check_crc=False))


def negative_count_as_none(part: bytes) -> bytes:
    return with_count(part, 0) if is_batch(part) and part[COUNT.start] & 0x80 else part


def as_many_as_there_are(part: bytes) -> bytes:
    """The batch with a count of records that is not too high."""
    if not is_batch(part) or not _breaks_count(part) or part[COUNT.start] & 0x80:
        return part
    return next((other for n in range(MOST_RECORDS) if not _fails(other := with_count(part, n))), part)


def _breaks_count(part: bytes) -> bool:
    try:
        read_leniently(part)
    except Malformed as error:
        return error.rule == "record.count"
    return False


def _fails(part: bytes) -> bool:
    try:
        read_leniently(part)
    except Malformed:
        return True
    return False


def count_reserved(wire: bytes) -> Value:
    """Room for all records is taken before the first one is read."""
    if is_batch(wire) and len(wire) > HEADER_SIZE and int.from_bytes(wire[COUNT], "big", signed=True) > HUGE:
        raise MemoryError
    return read_leniently(wire)


class Reserving(LenientReader):
    """Takes the room for a length or a number of headers before it is held against the record."""

    def malformed(self, rule: str, reason: Reason, offset: int, path: Path, detail: str = "") -> None:  # type: ignore[override]  # a lie
        claim = re.match(r"(\d+) (bytes|headers)", detail)
        if rule in CLAIMS and claim and int(claim[1]) > HUGE:
            raise MemoryError
        super().malformed(rule, reason, offset, path, detail)


def crc_to_the_end(wire: bytes) -> Value:
    """The CRC of a batch is compared with that of all bytes of the field behind it."""
    if wire[MAGIC_AT : MAGIC_AT + 1] != b"\2":
        return read_leniently(wire)
    if wire[CRC] != crc32c(wire[COVERED_FROM:]):
        raise Malformed("batch.crc", None, CRC.start, "batches[0]")
    return without_crc(wire)


MUTANTS = (
    RecordsMutant("crc-to-the-end-of-the-field", "batch.crc", reads=crc_to_the_end),
    RecordsMutant("crc-not-checked", "batch.crc", reads=without_crc),
    RecordsMutant("codec-5-as-none", "batch.codec", reads=overlooking("batch.codec")),
    RecordsMutant(
        "bytes-behind-the-records-ignored", "batch.trailing-bytes", reads=overlooking("batch.trailing-bytes")
    ),
    RecordsMutant("negative-count-is-none", "record.count", reads=read_after(each(negative_count_as_none))),
    RecordsMutant("records-as-many-as-there-are", "record.count", reads=read_after(each(as_many_as_there_are))),
    RecordsMutant("room-for-the-count-of-records", "record.count-bound", reads=count_reserved),
    RecordsMutant(
        "room-for-lengths-and-headers", "record.count-bound", reads=lambda wire: read_leniently(wire, Reserving)
    ),
    RecordsMutant("length-of-a-record-not-compared", "record.length", reads=overlooking("record.length")),
    RecordsMutant(
        "record-that-reaches-beyond-itself-skipped", "record.length-within", reads=skipping("record.length-within")
    ),
    RecordsMutant(
        "attributes-of-a-record-refused", "record.attributes-unused", reads=refusing("record.attributes-unused")
    ),
    RecordsMutant("record-attributes-read-as-unsigned", "record.attributes-unused", reads=then(records(unsigned_byte))),
    RecordsMutant("count-of-headers-not-checked", "header.count", reads=overlooking("header.count")),
    RecordsMutant("null-header-key-as-empty", "header.key-null", reads=overlooking("header.key-null")),
)
"""Every mutant that reads on where it should not."""
