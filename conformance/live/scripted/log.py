"""The records of topics, in batches as written by producers, with offsets assigned by the broker.

A broker changes two fields of a batch outside of its CRC, the base offset and the epoch of the leader.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from conformance.generate import record_building as building
from reference import Malformed, decode_records, encode_control, encode_records
from reference.records.attributes import FLAGS
from reference.records.batch import MAGIC
from reference.records.layouts import BATCH_HEADER, HEADER_SIZE, OVERHEAD
from reference.wire.stream import LenientReader

LEADER_EPOCH = 0
NO_TIMESTAMP = -1


class BadBatch(Exception):
    """A producer's bytes are no acceptable batch."""


class Batch(NamedTuple):
    """One batch in the log, with its offsets."""

    first: int
    last: int
    wire: bytes

    @property
    def timestamp(self) -> int:
        """The highest timestamp of its records."""
        return int.from_bytes(self.wire[BATCH_HEADER.at("maxTimestamp")], signed=True)


def header_of(wire: bytes) -> dict[str, int]:
    """Return the header of the batch at the beginning of some bytes, or raise BadBatch.

    It must be whole, and of magic 2.
    """
    if len(wire) < HEADER_SIZE:
        raise BadBatch(wire.hex())
    header: dict[str, int] = BATCH_HEADER.read(LenientReader(wire))
    if header["magic"] != MAGIC or not HEADER_SIZE <= OVERHEAD + header["length"] <= len(wire):
        raise BadBatch(wire.hex())
    return header


@dataclass
class Partition:
    """The log of one partition."""

    first: int = 0
    batches: list[Batch] = field(default_factory=list)
    end: int = 0
    """The offset of the next record."""
    open: dict[int, int] = field(default_factory=dict)
    """The first offset of each open transaction, by producer."""
    aborted: list[tuple[int, int, int]] = field(default_factory=list)
    """Producer, first offset, and offset of the marker."""
    sequences: dict[tuple[int, int, int], int] = field(default_factory=dict)
    """The offset of each batch of an idempotent producer, by producer, epoch and sequence."""

    def append(self, wire: bytes) -> int:
        """Append the bytes of a producer, and return the offset of its first record.

        Raises:
            BadBatch: they are not one valid batch.
        """
        header = header_of(wire)
        try:
            decode_records(wire)
        except Malformed as error:
            raise BadBatch(str(error)) from error
        producer = header["producerId"]
        identity = producer, header["producerEpoch"], header["baseSequence"]
        # A batch sent again by an idempotent producer is not appended twice.
        if producer >= 0 and identity in self.sequences:
            return self.sequences[identity]
        offset = self._put(wire, header)
        if producer >= 0:
            self.sequences[identity] = offset
            if header["attributes"] & FLAGS["transactional"]:
                self.open.setdefault(producer, offset)
        return offset

    def _put(self, wire: bytes, header: dict[str, int]) -> int:
        offset = self.end
        set_by_leader = {"baseOffset": offset, "partitionLeaderEpoch": LEADER_EPOCH}
        placed = BATCH_HEADER.write(header | set_by_leader) + wire[HEADER_SIZE : OVERHEAD + header["length"]]
        self.end = offset + header["lastOffsetDelta"] + 1
        self.batches.append(Batch(offset, self.end - 1, placed))
        return offset

    def finish(self, producer: int, epoch: int, *, commits: bool) -> None:
        """End the transaction of a producer by a marker."""
        first = self.open.pop(producer, None)
        if first is None:
            return
        wire = marker(producer, epoch, commits=commits)
        at = self._put(wire, header_of(wire))
        if not commits:
            self.aborted.append((producer, first, at))

    @property
    def stable(self) -> int:
        """The offset of the first open transaction, or the end of the log."""
        return min((self.end, *self.open.values()))

    def read(self, offset: int, limit: int, *, committed: bool) -> bytes:
        """Return the batches from an offset on, at least one if there is any."""
        end = self.stable if committed else self.end
        taken = b""
        for batch in self.batches:
            if batch.last < offset or batch.first >= end:
                continue
            if taken and len(taken) + len(batch.wire) > limit:
                break
            taken += batch.wire
        return taken

    def aborted_from(self, offset: int) -> list[tuple[int, int]]:
        """Return producer and first offset of the transactions aborted after an offset."""
        return [(producer, first) for producer, first, marked in self.aborted if marked >= offset]

    def at_time(self, timestamp: int) -> tuple[int, int]:
        """Return offset and timestamp of the first batch at or after a time, or -1 and -1."""
        for batch in self.batches:
            if batch.timestamp >= timestamp:
                return batch.first, batch.timestamp
        return -1, NO_TIMESTAMP


def marker(producer: int, epoch: int, *, commits: bool) -> bytes:
    """Return the control batch at the end of a transaction."""
    kind = "commit" if commits else "abort"
    key, value = encode_control({"type": kind, "version": 0, "coordinatorEpoch": 0})
    fields = {"partitionLeaderEpoch": LEADER_EPOCH, "producerId": producer, "producerEpoch": epoch}
    flags = {"transactional": True, "control": True}
    batch = building.batch(building.record(key=key, value=value), baseTimestamp=0, maxTimestamp=0, **fields, **flags)
    return encode_records({"batches": [batch], "partial": b""})
