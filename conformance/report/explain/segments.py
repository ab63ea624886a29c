"""The entries of a log segment one after another: batches, messages of magic 0 and 1, and what lies between.

Nothing but one entry is in memory. After damage the next batch with a right CRC is searched; the bytes up to it are an
entry of their own. A partial or preallocated tail is no damage: a broker that was killed leaves it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

import crc32c as castagnoli

from reference import judge_records
from reference.records import attributes as bits
from reference.records.batch import OVERHEAD
from reference.records.checksums import crc32
from reference.records.layouts import BATCH_HEADER, COVERED_FROM, CRC_AT, HEADER_SIZE
from reference.records.message_set import SMALLEST_MESSAGE
from reference.records.records_field import LENGTH_AT, MAGIC_AT
from reference.records.verdict import HARMLESS
from reference.wire.stream import Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BATCH, MESSAGE, PARTIAL, ZEROS, GARBAGE = "batch", "message", "partial", "zeros", "garbage"
"""The kinds of entries."""

CHUNK = 2**20
LARGEST = 64 * CHUNK
"""The greatest size of an entry whose records are read."""

MESSAGE_CRC_AT, MESSAGE_ATTRIBUTES_AT, MESSAGE_TIME_AT = 12, 17, 18
APPEND_TIME = 8


@dataclass(frozen=True)
class LogEntry:
    """One entry of a log segment.

    Attributes:
        kind: batch, message, partial, zeros or garbage.
        number: among batches and messages, from 1; 0 for others.
        position: the offset of its first byte in the file.
        size: its number of bytes; those that are there, of a partial batch.
        magic: 0, 1 or 2.
        first, last: the offsets of its first and last record.
        count: of its records; of a message, 1, also if it is a wrapper.
        timestamp: the highest one in milliseconds; -1 without one.
        codec: the name of its compression, or `codec 7`.
        producer: producer id, epoch and base sequence.
        leader_epoch: the epoch of the partition's leader.
        flags: such as `transactional` and `control`.
        rules: the broken rules.
        detail: what is wrong or remarkable, or "".
    """

    kind: str
    number: int
    position: int
    size: int
    magic: int = -1
    first: int = -1
    last: int = -1
    count: int = 0
    timestamp: int = -1
    codec: str = ""
    producer: tuple[int, int, int] = (-1, -1, -1)
    leader_epoch: int = -1
    flags: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    detail: str = ""

    @property
    def is_bad(self) -> bool:
        """Whether a reader of the log fails there."""
        return self.kind == GARBAGE or bool(set(self.rules) - HARMLESS)


class LogSegment:
    """A log segment in a file.

    Args:
        file: the file, open for reading and seeking.
        judges: whether the records of each batch are read as well.
    """

    def __init__(self, file: BinaryIO, *, judges: bool = False) -> None:
        self._file = file
        self._judges = judges
        self.report: Callable[[int], object] = lambda _: None
        """Is called with the position reached."""
        self.size = os.fstat(file.fileno()).st_size

    def entries(self) -> Iterator[LogEntry]:
        """Yield the entries up to the end of the file."""
        at, number, due = 0, 0, None
        while at < self.size:
            entry = self._entry(at, number + 1)
            if entry.number:
                number = entry.number
                yield _with_hole(entry, due)
                due = entry.last + 1
            else:
                yield entry
            at += entry.size
            self.report(at)

    def data(self, entry: LogEntry) -> bytes:
        """Return the bytes of an entry."""
        return self._read(entry.position, entry.size)

    def _read(self, at: int, size: int) -> bytes:
        self._file.seek(at)
        return self._file.read(size)

    def _entry(self, at: int, number: int) -> LogEntry:
        head = self._read(at, HEADER_SIZE)
        size = OVERHEAD + int.from_bytes(head[LENGTH_AT:OVERHEAD], "big", signed=True)
        magic = head[MAGIC_AT] if len(head) > MAGIC_AT else -1
        if magic == 2 and HEADER_SIZE <= size <= self.size - at:  # noqa: PLR2004  # the magic of batches
            return self._batch(at, size, head, number)
        if magic in {0, 1} and OVERHEAD + SMALLEST_MESSAGE <= size <= self.size - at and not _is_zero(head):
            return self._message(at, size, head, number)
        return self._between(at, head, size)

    def _batch(self, at: int, size: int, head: bytes, number: int) -> LogEntry:
        part = BATCH_HEADER.read(Reader(head))
        rules, detail = self._judged(at, size, head[CRC_AT:COVERED_FROM])
        attributes = part["attributes"]
        flags = [name for name, bit in bits.FLAGS.items() if attributes & bit]
        return LogEntry(
            *(BATCH, number, at, size, 2),
            first=part["baseOffset"],
            last=part["baseOffset"] + part["lastOffsetDelta"],
            count=part["recordCount"],
            timestamp=part["maxTimestamp"],
            codec=_codec(attributes),
            producer=(part["producerId"], part["producerEpoch"], part["baseSequence"]),
            leader_epoch=part["partitionLeaderEpoch"],
            flags=(*flags, *(("append-time",) if attributes & APPEND_TIME else ())),
            rules=rules,
            detail=detail,
        )

    def _judged(self, at: int, size: int, stored: bytes) -> tuple[tuple[str, ...], str]:
        """Return the broken rules of a batch: of its CRC, or of its records if these are read."""
        computed = self._crc(at + COVERED_FROM, at + size)
        if computed != stored:
            return ("batch.crc",), f"CRC {stored.hex()}, computed {computed.hex()}"
        return self._records(at, size)

    def _records(self, at: int, size: int) -> tuple[tuple[str, ...], str]:
        if not self._judges:
            return (), ""
        if size > LARGEST:
            return (), f"its records are not read: more than {LARGEST:,} bytes"
        verdict = judge_records(self._read(at, size))
        return verdict.rules, verdict.detail

    def _crc(self, start: int, end: int) -> bytes:
        crc, at = 0, start
        self._file.seek(start)
        while at < end and (chunk := self._file.read(min(CHUNK, end - at))):
            crc, at = castagnoli.crc32c(chunk, crc), at + len(chunk)
        return crc.to_bytes(4, "big")

    def _message(self, at: int, size: int, head: bytes, number: int) -> LogEntry:
        magic, offset = head[MAGIC_AT], int.from_bytes(head[:LENGTH_AT], "big", signed=True)
        data = self._read(at, min(size, LARGEST))
        stored, computed = data[MESSAGE_CRC_AT:MAGIC_AT], crc32(data[MAGIC_AT:])
        wrong = ("message.crc",), f"CRC {stored.hex()}, computed {computed.hex()}"
        rules, detail = self._records(at, size) if stored == computed else wrong
        time = int.from_bytes(data[MESSAGE_TIME_AT : MESSAGE_TIME_AT + 8], "big", signed=True) if magic else -1
        codec = _codec(data[MESSAGE_ATTRIBUTES_AT])
        whole = LogEntry(MESSAGE, number, at, size, magic, offset, offset, 1, time, codec, rules=rules, detail=detail)
        return whole if not rules or self._is_entry(at + size) else self._between(at, head, size)

    def _is_entry(self, at: int) -> bool:
        """Return whether an entry with a right CRC, or the end, is at a position."""
        head = self._read(at, HEADER_SIZE)
        return at == self.size or _is_zero(head) or self._is_sound(at, head)

    def _between(self, at: int, head: bytes, size: int) -> LogEntry:
        """Return the bytes up to the next batch, or to the end, as one entry."""
        if _is_zero(head) and (end := self._end_of_zeros(at)):
            text = "preallocated" if end == self.size else "zeros"
            return LogEntry(ZEROS, 0, at, end - at, detail=text)
        found = self._next_sound(at + 1)
        if found is None and (len(head) <= MAGIC_AT or size > self.size - at):
            missing = f", {size - (self.size - at):,} bytes are missing" if size > self.size - at else ""
            return LogEntry(PARTIAL, 0, at, self.size - at, detail=f"the beginning of a batch{missing}")
        end = self.size if found is None else found
        rule = "batch.magic" if len(head) > MAGIC_AT and head[MAGIC_AT] > 2 else "batch.length"  # noqa: PLR2004  # the highest
        return LogEntry(GARBAGE, 0, at, end - at, rules=(rule,), detail="no batch")

    def _end_of_zeros(self, at: int) -> int:
        self._file.seek(at)
        while chunk := self._file.read(CHUNK):
            rest = chunk.lstrip(b"\0")
            if rest:
                # The next offset begins with zeros as well.
                return max(at + len(chunk) - len(rest) - LENGTH_AT, 0) if len(chunk) - len(rest) > HEADER_SIZE else 0
            at += len(chunk)
        return self.size

    def _next_sound(self, at: int) -> int | None:
        """Return the position of the next batch with a right CRC, or None."""
        while at + HEADER_SIZE <= self.size:
            window = self._read(at, CHUNK)
            found = window.find(b"\2", MAGIC_AT)
            while found >= 0:
                start = found - MAGIC_AT
                if self._is_sound(at + start, window[start : start + HEADER_SIZE]):
                    return at + start
                found = window.find(b"\2", found + 1)
            at += max(len(window) - HEADER_SIZE, 1)
        return None

    def _is_sound(self, at: int, head: bytes) -> bool:
        size = OVERHEAD + int.from_bytes(head[LENGTH_AT:OVERHEAD], "big", signed=True)
        is_head = len(head) == HEADER_SIZE and head[MAGIC_AT] == 2 and head[0] == 0  # noqa: PLR2004  # the magic of batches
        return (
            is_head and HEADER_SIZE <= size <= self.size - at and self._crc(at + COVERED_FROM, at + size) == head[17:21]
        )


def _is_zero(head: bytes) -> bool:
    return not head.strip(b"\0")


def _codec(attributes: int) -> str:
    return bits.codec_name(attributes) or f"codec {attributes & bits.CODEC_BITS}"


def _with_hole(entry: LogEntry, due: int | None) -> LogEntry:
    """Return an entry with a remark about offsets that are not between it and the one before."""
    if due is None or entry.first == due or entry.kind == MESSAGE:
        return entry
    text = (
        f"no offsets {due:,} to {entry.first - 1:,}" if entry.first > due else f"its offsets go back, from {due - 1:,}"
    )
    return LogEntry(**{**vars(entry), "detail": ", ".join(filter(None, (entry.detail, text)))})
