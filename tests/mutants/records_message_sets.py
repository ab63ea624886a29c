"""Messages of magic 0 and 1, alone and in wrappers, written or read wrong."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from conformance.codec.targets.record_claims import RecordsClaims
from conformance.codec.targets.shown_records import shown
from conformance.generate.records.building import sealed
from tests.mutants.records_forms import (
    Read,
    RecordsMutant,
    Tamper,
    Value,
    each,
    first,
    is_whole,
    overlooking,
    read_after,
    read_leniently,
    refusing_values,
    skipping,
    then,
    written,
)

DELIVERED = RecordsClaims.of({"wrapped-messages": "delivered"})
TIMESTAMP = slice(18, 26)
MESSAGES = (0, 1)


def entries(tamper: Tamper, *magics: int) -> Tamper:
    """A lie about messages that are no wrappers, under a right size and CRC; other ones are left as they are."""

    def tampered(part: bytes) -> bytes:
        is_plain = len(part) > 17 and is_whole(part) and not part[17] & 7
        return sealed(tamper(part)) if is_plain and sealed(part) == part else part

    return each(tampered, *(magics or MESSAGES))


def _key_end(part: bytes) -> tuple[int, int]:
    """Where the key of a message begins with its length, and where it ends."""
    start = 26 if part[16] else 18
    length = int.from_bytes(part[start : start + 4], "big", signed=True)
    return start, start + 4 + max(length, 0)


def value_before_key(part: bytes) -> bytes:
    start, end = _key_end(part)
    return part[:start] + part[end:] + part[start:end]


def timestamp_reversed(part: bytes) -> bytes:
    return part[: TIMESTAMP.start] + part[TIMESTAMP][::-1] + part[TIMESTAMP.stop :]


def null_as_empty(message: Value) -> None:
    if "records" not in message:
        message.update({name: message[name] or b"" for name in ("key", "value") if name in message})


def absolute_offsets(batch: Value) -> None:
    """A wrapper of magic 1 holds the offsets that its messages have in the log."""
    if batch["magic"] == 1 and "messages" in batch and batch["offset"]:
        base = batch["offset"] - batch["messages"][-1]["offset"]
        for message in batch["messages"]:
            message["offset"] += base


def first_message_only(batch: Value) -> None:
    if "messages" in batch:
        del batch["messages"][1:]


def delivered(change: Callable[[Value], Any]) -> Read:
    """A reader that delivers the messages of wrappers, which it takes for other ones."""

    def read(wire: bytes) -> Value:
        value = read_leniently(wire)
        other = deepcopy(value)
        for batch in other["batches"]:
            change(batch)
        batches = (shown(DELIVERED, value) or {})["batches"]
        for batch, wrong in zip(batches, (shown(DELIVERED, other) or {})["batches"], strict=True):
            batch.update({"messages": wrong["messages"]} if "messages" in wrong else {})
        return {"batches": batches, "partial": value["partial"]}

    return read


def without_base(batch: Value) -> None:
    """Offsets inside of a wrapper are taken as they are."""
    if "messages" in batch:
        batch["offset"] = 0


def without_wrapper_time(batch: Value) -> None:
    if "messages" in batch and batch.get("timestampType") == "log-append":
        batch["timestampType"] = "create"


def is_wrapper(batch: Value) -> bool:
    return "messages" in batch


MUTANTS = (
    RecordsMutant("value-before-key-in-messages", "message.layout", written(entries(value_before_key))),
    RecordsMutant(
        "message-timestamp-little-endian",
        "message.layout",
        written(entries(timestamp_reversed, 1)),
        read_after(entries(timestamp_reversed, 1)),
    ),
    RecordsMutant("null-in-messages-read-as-empty", "message.layout", reads=then(null_as_empty)),
    RecordsMutant("null-in-messages-written-as-empty", "message.layout", first(null_as_empty)),
    RecordsMutant("message-crc-not-checked", "message.crc", reads=overlooking("message.crc")),
    RecordsMutant(
        "message-that-reaches-beyond-itself-skipped", "message.length-within", reads=skipping("message.length-within")
    ),
    RecordsMutant("wrapped-wrappers-read", "message.nested", reads=overlooking("message.nested")),
    RecordsMutant("zstd-in-messages-read", "message.codec", reads=overlooking("message.codec")),
    RecordsMutant("absolute-offsets-in-wrappers", "message.offsets", first(absolute_offsets)),
    RecordsMutant(
        "offsets-of-wrapped-messages-not-added-up", "message.offsets", reads=delivered(without_base), claims=DELIVERED
    ),
    RecordsMutant(
        "time-of-the-wrapper-ignored", "message.timestamps", reads=delivered(without_wrapper_time), claims=DELIVERED
    ),
    RecordsMutant("first-wrapped-message-only", "message.wrapper", reads=then(first_message_only)),
    RecordsMutant("wrappers-refused", "message.wrapper", reads=refusing_values(is_wrapper, "message.wrapper")),
    RecordsMutant("empty-wrapper-read", "message.wrapper", reads=overlooking("message.wrapper")),
)
"""Every mutant of message sets."""
