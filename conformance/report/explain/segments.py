"""The entries of a log segment one after another: batches, messages of magic 0 and 1, and what lies between.

Nothing but one entry is in memory. After damage the next batch with a right CRC is searched; the bytes up to it are an
entry of their own. A partial or preallocated tail is no damage: a broker that was killed leaves it.
"""

from __future__ import annotations

import os
import re
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, BinaryIO

import crc32c as castagnoli

from reference import judge_records
from reference.records import attributes as bits
from reference.records.batch import MAGIC as BATCHES
from reference.records.compression import NONE
from reference.records.layouts import (
    BATCH_HEADER,
    COVERED_FROM,
    CRC,
    HEADER_SIZE,
    LENGTH,
    MAGIC_AT,
    MESSAGE_CRC,
    MESSAGE_V1,
    OVERHEAD,
    UP_TO_MAGIC,
)
from reference.records.message_set import SMALLEST_MESSAGE
from reference.records.verdict import HARMLESS
from reference.wire.stream import Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BATCH, MESSAGE, PARTIAL, ZEROS, GARBAGE = "batch", "message", "partial", "zeros", "garbage"
"""The kinds of entries."""

CHUNK = 2**20
LARGEST = 64 * CHUNK
"""The greatest size of an entry whose records are read."""

MESSAGE_ATTRIBUTES_AT, MESSAGE_TIME_AT = (OVERHEAD + MESSAGE_V1.at(name).start for name in ("attributes", "timestamp"))


@dataclass(frozen=True)
class LogEntry:
    """One entry of a log segment.

    `number` counts batches and messages from 1, and is 0 for others. `position` is the offset of the first byte in the
    file. A partial batch has the size of the bytes that are there. A message has the count 1, also if it is a wrapper.
    `timestamp` is the highest one in milliseconds, or -1. `codec` is a name, or `codec 7`. `producer` is producer id,
    epoch and base sequence. `detail` says what is wrong or remarkable.
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
    """A log segment in a file, open for reading and seeking. With `judges` the records of batches are read."""

    def __init__(self, file: BinaryIO, *, judges: bool = False) -> None:
        self._file = file
        self._judges = judges
        self._tried = 0
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

    @property
    def begins_soundly(self) -> bool:
        """Whether the file begins with an entry that has a right CRC."""
        return self._is_sound(0, self._head(0))

    def data(self, entry: LogEntry) -> bytes:
        """Return the bytes of an entry."""
        return self._read(entry.position, entry.size)

    def _read(self, at: int, size: int) -> bytes:
        self._file.seek(at)
        return self._file.read(size)

    def _head(self, at: int) -> _EntryHead:
        return _EntryHead(self._read(at, HEADER_SIZE), self.size - at)

    def _entry(self, at: int, number: int) -> LogEntry:
        head = self._head(at)
        if not head.fits:
            return self._between(at, head)
        computed = self._crc(at, head)
        if computed != head.crc and not self._follows(at + head.size, head):
            return self._between(at, head)
        rule = "batch.crc" if head.magic == BATCHES else "message.crc"
        wrong = (rule,), f"CRC {head.crc.hex()}, computed {computed.hex()}"
        rules, detail = self._records(at, head.size) if computed == head.crc else wrong
        return (
            head.batch(number, at, rules, detail) if head.magic == BATCHES else head.message(number, at, rules, detail)
        )

    def _records(self, at: int, size: int) -> tuple[tuple[str, ...], str]:
        if not self._judges:
            return (), ""
        if size > LARGEST:
            return (), f"its records are not read: more than {LARGEST:,} bytes"
        verdict = judge_records(self._read(at, size))
        return verdict.rules, verdict.detail

    def _crc(self, at: int, head: _EntryHead) -> bytes:
        start, add = (COVERED_FROM, castagnoli.crc32c) if head.magic == BATCHES else (MAGIC_AT, zlib.crc32)
        crc, left = 0, head.size - start
        self._file.seek(at + start)
        while left > 0 and (chunk := self._file.read(min(CHUNK, left))):
            crc, left = add(chunk, crc), left - len(chunk)
        return crc.to_bytes(4, "big")

    def _follows(self, at: int, before: _EntryHead) -> bool:
        """Return whether the end, zeros, or an entry of later offsets is at a position."""
        head = self._head(at)
        is_later = head.fits and before.offset < head.offset < before.offset + MOST_OFFSETS
        return at == self.size or head.is_zero or is_later

    def _between(self, at: int, head: _EntryHead) -> LogEntry:
        """Return the bytes up to the next entry with a right CRC, or to the end, as one entry."""
        begins = self._end_of_zeros(at) if head.is_zero else at
        if begins == self.size:
            return LogEntry(ZEROS, 0, at, self.size - at, detail="preallocated")
        found = self._next_sound(max(at + 1, begins - HEADER_SIZE))
        if found is None and head.may_be_cut:
            missing = head.size - (self.size - at)
            text = f", {missing:,} bytes are missing" if missing > 0 else ""
            return LogEntry(PARTIAL, 0, at, self.size - at, detail=f"the beginning of a batch{text}")
        end = self.size if found is None else found
        rule = "batch.magic" if head.magic not in MAGICS else "batch.length"
        return LogEntry(GARBAGE, 0, at, end - at, rules=(rule,), detail="zeros" if head.is_zero else "no batch")

    def _end_of_zeros(self, at: int) -> int:
        self._file.seek(at)
        while chunk := self._file.read(CHUNK):
            if rest := chunk.lstrip(b"\0"):
                return at + len(chunk) - len(rest)
            at += len(chunk)
        return self.size

    def _next_sound(self, at: int) -> int | None:
        while at < self.size:
            window = self._read(at, CHUNK + HEADER_SIZE)
            for start in (match.start() for match in MAY_BEGIN.finditer(window, 0, CHUNK + UP_TO_MAGIC)):
                head = _EntryHead(window[start : start + HEADER_SIZE], self.size - at - start)
                if self._is_sound(at + start, head):
                    return at + start
            at += CHUNK
        return None

    def _is_sound(self, at: int, head: _EntryHead) -> bool:
        """Return whether an entry has a right CRC; after many tries on damaged bytes, none has."""
        if not head.fits or not head.is_plain or self._tried > MOST_TRIED * CHUNK + 2 * self.size:
            return False
        self._tried += head.size
        return self._crc(at, head) == head.crc


MAY_BEGIN = re.compile(rb"(?=\0.{7}(?!\0{4})[\0-\x0f].{7}[\0-\2])", re.DOTALL)
"""What may begin an entry: an offset below 2^56, a length above 0 and below 2^28, and a magic, after four bytes."""

MOST_OFFSETS = 2**32
MOST_TRIED = 64
"""The number of chunks of which CRCs are computed in the search for entries, besides twice the size of the file."""

MAGICS = {0, 1, BATCHES}

SMALLEST = {0: OVERHEAD + SMALLEST_MESSAGE, 1: OVERHEAD + SMALLEST_MESSAGE + 8, BATCHES: HEADER_SIZE}
"""The smallest sizes of entries, by magic."""


@dataclass(frozen=True)
class _EntryHead:
    """The first bytes of an entry, and the number of bytes from there to the end of the file."""

    wire: bytes
    rest: int

    @property
    def offset(self) -> int:
        return int.from_bytes(self.wire[: LENGTH.start], "big", signed=True)

    @property
    def size(self) -> int:
        return OVERHEAD + int.from_bytes(self.wire[LENGTH], "big", signed=True)

    @property
    def magic(self) -> int:
        return self.wire[MAGIC_AT] if len(self.wire) > MAGIC_AT else -1

    @property
    def crc(self) -> bytes:
        return self.wire[CRC if self.magic == BATCHES else MESSAGE_CRC]

    @property
    def fits(self) -> bool:
        return not self.is_zero and self.magic in MAGICS and SMALLEST[self.magic] <= self.size <= self.rest

    @property
    def is_plain(self) -> bool:
        """Whether the offset is one that a log has."""
        return 0 <= self.offset < 2**56

    @property
    def may_be_cut(self) -> bool:
        """Whether it may be the beginning of an entry whose end was not written."""
        has_magic = self.magic in MAGICS if len(self.wire) > MAGIC_AT else True
        is_long = self.size > self.rest if len(self.wire) >= OVERHEAD else True
        return has_magic and is_long and (self.is_plain or len(self.wire) < LENGTH.start)

    @property
    def is_zero(self) -> bool:
        return not self.wire.strip(b"\0")

    def batch(self, number: int, at: int, rules: tuple[str, ...], detail: str) -> LogEntry:
        part = BATCH_HEADER.read(Reader(self.wire))
        attributes = part["attributes"]
        flags = [name for name, bit in bits.FLAGS.items() if attributes & bit]
        return LogEntry(
            *(BATCH, number, at, self.size, BATCHES),
            first=part["baseOffset"],
            last=part["baseOffset"] + part["lastOffsetDelta"],
            count=part["recordCount"],
            timestamp=part["maxTimestamp"],
            codec=_codec(attributes),
            producer=(part["producerId"], part["producerEpoch"], part["baseSequence"]),
            leader_epoch=part["partitionLeaderEpoch"],
            flags=(*flags, *(("append-time",) if attributes & bits.LOG_APPEND_BIT else ())),
            rules=rules,
            detail=detail,
        )

    def message(self, number: int, at: int, rules: tuple[str, ...], detail: str) -> LogEntry:
        time = self.wire[MESSAGE_TIME_AT : MESSAGE_TIME_AT + 8] if self.magic else b"\xff"
        timestamp, codec = int.from_bytes(time, "big", signed=True), _codec(self.wire[MESSAGE_ATTRIBUTES_AT])
        return LogEntry(
            *(MESSAGE, number, at, self.size, self.magic),
            first=self.offset,
            last=self.offset,
            count=1,
            timestamp=timestamp,
            codec=codec,
            rules=rules,
            detail=detail,
        )


def _codec(attributes: int) -> str:
    return bits.codec_name(attributes) or f"codec {attributes & bits.CODEC_BITS}"


def _with_hole(entry: LogEntry, due: int | None) -> LogEntry:
    """Return an entry with a remark about offsets that are not between it and the one before."""
    if entry.kind == MESSAGE and entry.codec != NONE and due is not None:
        return replace(entry, first=min(due, entry.last))  # a wrapper has the offset of its last message
    if due is None or entry.first == due or entry.kind == MESSAGE:
        return entry
    text = (
        f"no offsets {due:,} to {entry.first - 1:,}" if entry.first > due else f"its offsets go back, from {due - 1:,}"
    )
    return replace(entry, detail=", ".join(filter(None, (entry.detail, text))))
