"""Rules on related fields of a batch, its offsets, timestamps, and numbers of -1 or more, and on offsets of messages.

A reader may refuse a batch that violates them, or continue as Apache Kafka's consumer does. A writer must not write it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from reference.errors import Refusal
from reference.records.attributes import CREATE
from reference.records.compression import NONE
from reference.records.layouts import BATCH_HEADER, HEADER_SIZE
from reference.wire.stream import refuse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.paths import Path
    from reference.wire.stream import Reader

HIGHEST, LOWEST = 2**63 - 1, -(2**63)
ABSENT = -1
NOT_BELOW_ABSENT = (
    "partitionLeaderEpoch",
    "baseTimestamp",
    "maxTimestamp",
    "producerId",
    "producerEpoch",
    "baseSequence",
)
NUMBERS = ("baseOffset", "lastOffsetDelta", *NOT_BELOW_ABSENT)
PLACES = {"records": HEADER_SIZE, **{name: BATCH_HEADER.at(name).start for name in NUMBERS}}
"""The offset of each field in a batch."""
NEGATIVE_OFFSET = "batch.negative-offset"


class Departure(NamedTuple):
    """A rule violated by a batch."""

    rule: str
    field: str
    detail: str
    record: int | None = None
    """The index of the record, if the violation is in one."""

    def path(self, batch: Path) -> Path:
        """Return the path of the violation."""
        path: Path = (batch, self.field)
        return path if self.record is None else (path, self.record)


def check_batch(reader: Reader, batch: dict[str, Any], start: int, path: Path) -> None:
    """Report every rule violated by a batch to the reader."""
    for departure in departures(batch):
        reader.deviation(departure.rule, start + PLACES[departure.field], departure.path(path))


def check_written(batch: dict[str, Any], path: Path) -> None:
    """Raise Unencodable for a batch that violates a rule."""
    # the writer refuses numbers of a wrong type later
    if not _has_numbers(batch):
        return
    if not batch["records"] and batch["compression"] != NONE:
        refuse(Refusal.OUT_OF_RANGE, (path, "compression"), "a batch without records", "batch.empty-with-bytes")
    for departure in departures(batch):
        refuse(Refusal.OUT_OF_RANGE, departure.path(path), departure.detail, departure.rule)


def is_negative(offset: int) -> bool:
    """Return whether an int64 is an offset that neither readers nor writers need take."""
    return LOWEST <= offset < ABSENT


def _has_numbers(batch: dict[str, Any]) -> bool:
    return all(type(batch[name]) is int for name in NUMBERS)


def departures(batch: dict[str, Any]) -> Iterator[Departure]:
    """Yield every rule violated by a batch, a rule about records only once."""
    if is_negative(batch["baseOffset"]):
        yield Departure(NEGATIVE_OFFSET, "baseOffset", f"{batch['baseOffset']} is below -1")
    for name in NOT_BELOW_ABSENT:
        if batch[name] < ABSENT:
            yield Departure("batch.negative-field", name, f"{batch[name]} is below -1")
    yield from _of_offsets(batch)
    if batch["timestampType"] == CREATE and batch["records"]:
        yield from _of_timestamps(batch)


def _of_offsets(batch: dict[str, Any]) -> Iterator[Departure]:
    last = ABSENT
    for index, record in enumerate(batch["records"]):
        delta = record["offsetDelta"]
        if delta <= last:
            yield Departure("record.offset-delta", "records", f"{delta} does not follow {last}", index)
            break
        last = delta
    highest = max((record["offsetDelta"] for record in batch["records"]), default=0)
    if batch["lastOffsetDelta"] < max(highest, 0):
        detail = f"{batch['lastOffsetDelta']} is below {max(highest, 0)}"
        yield Departure("batch.last-offset-delta", "lastOffsetDelta", detail)
    if batch["baseOffset"] + max(highest, batch["lastOffsetDelta"]) > HIGHEST:
        yield Departure("batch.negative-field", "baseOffset", "the last offset is beyond 64 bits")


def _of_timestamps(batch: dict[str, Any]) -> Iterator[Departure]:
    base = batch["baseTimestamp"]
    deltas = [record["timestampDelta"] for record in batch["records"]]
    low, high = base + min(deltas), base + max(deltas)
    if low < LOWEST or high > HIGHEST:
        yield Departure("record.timestamp-wrap", "records", f"timestamps from {low} to {high}")
        return
    if low < ABSENT:
        yield Departure("batch.negative-field", "records", f"a timestamp of {low}", deltas.index(min(deltas)))
    if batch["maxTimestamp"] != high:
        yield Departure("batch.max-timestamp", "maxTimestamp", f"{batch['maxTimestamp']}, the highest is {high}")
