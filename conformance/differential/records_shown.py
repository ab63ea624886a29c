"""What Apache Kafka shows of the value of a `records` field: its readers hide some members and add up others."""

from __future__ import annotations

from typing import Any

from reference import records_to_json

LOG_APPEND = "log-append"
HIDDEN = "unusedAttributes"
MAGIC_WITH_TIME = 1
"""The messages that take type and time from their wrapper; readers take other magics inside of one as they are."""


def shown(value: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON form of a value as the harness replies it.

    Bits without a meaning, timestamp deltas of log-append batches and keys of wrappers are not shown. Offsets and
    timestamps of messages in a wrapper are those that a consumer gets. Header keys are text, with replacements for
    what is not UTF-8.
    """
    form = records_to_json(value)
    pairs = zip(value["batches"], form["batches"], strict=True)
    return {**form, "batches": [(_batch if "records" in batch else _entry)(batch, form) for batch, form in pairs]}


def absolute_places(value: dict[str, Any]) -> list[list[list[str]]]:
    """Return offset and timestamp of each record of each batch, as the harness replies them."""
    return [[[str(offset), str(timestamp)] for offset, timestamp in _places(batch)] for batch in value["batches"]]


def _batch(batch: dict[str, Any], form: dict[str, Any]) -> dict[str, Any]:
    hidden = {"timestampDelta": None} if batch["timestampType"] == LOG_APPEND else {}
    records = [
        {**record_form, **hidden, "headers": _headers(record["headers"])}
        for record, record_form in zip(batch["records"], form["records"], strict=True)
    ]
    return {**{name: item for name, item in form.items() if name != HIDDEN}, "records": records}


def _headers(headers: list[Any]) -> list[list[str | None]]:
    return [
        [key if isinstance(key, str) else key.decode(errors="replace"), None if value is None else value.hex()]
        for key, value in headers
    ]


def _entry(entry: dict[str, Any], form: dict[str, Any]) -> dict[str, Any]:
    form = {name: item for name, item in form.items() if name != HIDDEN}
    if "messages" not in entry:
        return form
    del form["key"]
    messages = []
    for message, (offset, timestamp) in zip(form["messages"], _places(entry), strict=True):
        own = {name: item for name, item in message.items() if name != HIDDEN} | {"offset": str(offset)}
        if message["magic"] == MAGIC_WITH_TIME:
            own |= {"timestamp": str(timestamp), "timestampType": entry.get("timestampType", "create")}
        messages.append(own)
    return form | {"messages": messages}


def _places(batch: dict[str, Any]) -> list[tuple[int, int]]:
    """Return offset and timestamp of each record or message of a batch."""
    if "records" in batch:
        return [_place(batch, record) for record in batch["records"]]
    if "messages" not in batch:
        return [(batch["offset"], batch.get("timestamp", -1))]
    base = 0
    if batch["magic"] and batch["offset"]:
        base = batch["offset"] - batch["messages"][-1]["offset"]
    log_append = batch.get("timestampType") == LOG_APPEND
    return [
        (
            _wrapped(base + message["offset"]),
            batch["timestamp"] if log_append and message["magic"] == MAGIC_WITH_TIME else message.get("timestamp", -1),
        )
        for message in batch["messages"]
    ]


def _place(batch: dict[str, Any], record: dict[str, Any]) -> tuple[int, int]:
    timestamp = batch["maxTimestamp"]
    if batch["timestampType"] != LOG_APPEND:
        timestamp = _wrapped(batch["baseTimestamp"] + record["timestampDelta"])
    return _wrapped(batch["baseOffset"] + record["offsetDelta"]), timestamp


def _wrapped(number: int) -> int:
    """Return a number of 64 bits as Java's addition gives it."""
    return (number + 2**63) % 2**64 - 2**63
