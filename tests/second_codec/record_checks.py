"""The checks of writers of record batches and message sets, by chapter 16 of the book."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

Value = dict[str, Any]
Check = Callable[[Value], Any]
HIGHEST = 2**63 - 1
ABSENT = (
    *("baseOffset", "partitionLeaderEpoch", "baseTimestamp", "maxTimestamp"),
    *("producerId", "producerEpoch", "baseSequence"),
)
"""The numbers of a batch with -1 as the least."""
FLAGS = ("transactional", "control", "deleteHorizon")
NAMES = {"magic", "compression", "timestampType", "unusedAttributes", "records", *FLAGS, *ABSENT, "lastOffsetDelta"}
RECORD_NAMES = {"attributes", "timestampDelta", "offsetDelta", "key", "value", "headers"}


def deltas(batch: Value, name: str = "offsetDelta") -> list[int]:
    return [record[name] for record in batch["records"]]


def times(batch: Value) -> list[int]:
    """Return the timestamps of records, unless the log has its own."""
    if batch["timestampType"] == "log-append":
        return []
    return [batch["baseTimestamp"] + delta for delta in deltas(batch, "timestampDelta")]


def ascend(offsets: list[int]) -> bool:
    return all(before < after for before, after in pairwise(offsets))


def _last(batch: Value) -> int:
    return max(deltas(batch), default=0)


def _below_none(name: str) -> Check:
    return lambda batch: batch[name] < -1


CHECKS: dict[str, Check] = {
    **{f"{name}-below-none": _below_none(name) for name in ABSENT},
    "offsets-that-do-not-ascend": lambda batch: not ascend(deltas(batch)),
    "offset-delta-below-0": lambda batch: min(deltas(batch), default=0) < 0,
    "offset-beyond-the-last": lambda batch: batch["records"] and batch["lastOffsetDelta"] < _last(batch),
    "last-offset-delta-below-0": lambda batch: batch["lastOffsetDelta"] < 0,
    "offset-beyond-63-bits": lambda batch: batch["baseOffset"] + max(_last(batch), batch["lastOffsetDelta"]) > HIGHEST,
    "timestamp-below-none": lambda batch: -HIGHEST - 1 <= min(times(batch), default=0) < -1,
    "timestamp-below-64-bits": lambda batch: min(times(batch), default=0) < -HIGHEST - 1,
    "timestamp-beyond-63-bits": lambda batch: max(times(batch), default=0) > HIGHEST,
    "maximum-too-low": lambda batch: times(batch) and batch["maxTimestamp"] < max(times(batch)),
    "maximum-too-high": lambda batch: times(batch) and batch["maxTimestamp"] > max(times(batch)),
    "empty-compressed": lambda batch: not batch["records"] and batch["compression"] != "none",
}
"""Of batches."""


def _offset_below(message: Value) -> bool:
    messages = message.get("messages")
    if not messages or not message["magic"] or type(message["offset"]) is not int:
        return False
    return bool(0 != message["offset"] < messages[-1]["offset"])


MESSAGE_CHECKS: dict[str, Check] = {
    "zstd": lambda message: message["compression"] == "zstd",
    "no-messages": lambda message: message["compression"] != "none" and not message["messages"],
    "offset-below-the-last": _offset_below,
    "timestamp-below-none": lambda message: type(message.get("timestamp")) is int and message["timestamp"] < -1,
    "other-magic": lambda message: any(each.get("magic") != message["magic"] for each in message.get("messages") or ()),
}
"""Of messages and wrappers."""
