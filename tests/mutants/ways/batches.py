"""Additional checks of valid batches and messages, and changes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from itertools import pairwise
from typing import Any

Value = dict[str, Any]
MARKERS = {"ABORT": 0, "COMMIT": 1}
TYPES = {f"type-{number}": number for number in range(2, 7)}


def _keys(batch: Value) -> list[Any]:
    return [record["key"] for record in batch["records"]]


def _control(number: int) -> Callable[[Value], bool]:
    key = b"\0\0\0" + bytes([number])
    return lambda batch: batch["control"] and key in _keys(batch)


def _any(test: Callable[[Value], Any]) -> Callable[[Value], bool]:
    return lambda batch: any(test(record) for record in batch["records"])


def _any_header(test: Callable[[Any, Any], Any]) -> Callable[[Value], bool]:
    return _any(lambda record: any(test(key, value) for key, value in record["headers"]))


def _offsets(batch: Value) -> list[int]:
    return [record["offsetDelta"] for record in batch["records"]]


def _times(batch: Value) -> list[int]:
    return [record["timestampDelta"] for record in batch["records"]]


def _gap(batch: Value) -> bool:
    return any(after - before > 1 for before, after in pairwise(_offsets(batch)))


REFUSED_BATCHES: dict[str, Callable[[Value], Any]] = {
    **{f"control-{name}": _control(number) for name, number in (MARKERS | TYPES).items()},
    "control-of-unknown-type": lambda batch: (
        batch["control"] and any((key or b"\0\0\0\0")[2:4] > b"\0\6" for key in _keys(batch))
    ),
    "control-of-later-version": lambda batch: (
        batch["control"] and any((key or b"\0\0")[:2] > b"\0\0" for key in _keys(batch))
    ),
    "control-with-a-longer-key": lambda batch: batch["control"] and any(len(key or b"") > 4 for key in _keys(batch)),
    "control-with-a-longer-value": lambda batch: (
        batch["control"] and any(len(record["value"] or b"") > 6 for record in batch["records"])
    ),
    "control-with-a-later-value": lambda batch: (
        batch["control"] and any((record["value"] or b"\0\0")[:2] > b"\0\0" for record in batch["records"])
    ),
    "control-with-headers": lambda batch: batch["control"] and any(record["headers"] for record in batch["records"]),
    "control-of-two-records": lambda batch: batch["control"] and len(batch["records"]) > 1,
    "control-without-transaction": lambda batch: batch["control"] and not batch["transactional"],
    "control-without-producer": lambda batch: batch["control"] and batch["producerId"] < 0,
    "control-with-a-sequence": lambda batch: batch["control"] and batch["baseSequence"] >= 0,
    "control-compressed": lambda batch: batch["control"] and batch["compression"] != "none",
    "control-log-append": lambda batch: batch["control"] and batch["timestampType"] == "log-append",
    "control-delete-horizon": lambda batch: batch["control"] and batch["deleteHorizon"],
    "control-empty": lambda batch: batch["control"] and not batch["records"],
    "transactional-without-producer": lambda batch: batch["transactional"] and batch["producerId"] < 0,
    "transactional-compressed": lambda batch: batch["transactional"] and batch["compression"] != "none",
    "transactional-log-append": lambda batch: batch["transactional"] and batch["timestampType"] == "log-append",
    "delete-horizon-log-append": lambda batch: batch["deleteHorizon"] and batch["timestampType"] == "log-append",
    "delete-horizon-compressed": lambda batch: batch["deleteHorizon"] and batch["compression"] != "none",
    "log-append-compressed": lambda batch: batch["timestampType"] == "log-append" and batch["compression"] != "none",
    "log-append-without-time": lambda batch: batch["timestampType"] == "log-append" and batch["maxTimestamp"] == -1,
    "log-append-with-deltas": lambda batch: batch["timestampType"] == "log-append" and any(_times(batch)),
    "producer-without-epoch": lambda batch: batch["producerId"] >= 0 > batch["producerEpoch"],
    "producer-without-sequence": lambda batch: (
        batch["producerId"] >= 0 > batch["baseSequence"] and not batch["control"]
    ),
    "epoch-without-producer": lambda batch: batch["producerEpoch"] >= 0 > batch["producerId"],
    "sequence-without-producer": lambda batch: batch["baseSequence"] >= 0 > batch["producerId"],
    "sequence-beyond-31-bits": lambda batch: batch["baseSequence"] + batch["lastOffsetDelta"] > 2**31 - 1,
    "empty": lambda batch: not batch["records"],
    "empty-with-producer": lambda batch: not batch["records"] and batch["producerId"] >= 0,
    "empty-transactional": lambda batch: not batch["records"] and batch["transactional"],
    "empty-log-append": lambda batch: not batch["records"] and batch["timestampType"] == "log-append",
    "empty-without-maximum": lambda batch: not batch["records"] and batch["maxTimestamp"] < 0,
    "empty-behind-offset-0": lambda batch: not batch["records"] and batch["baseOffset"] > 0,
    "empty-of-one-offset": lambda batch: not batch["records"] and batch["lastOffsetDelta"] == 0,
    "first-offset-not-0": lambda batch: _offsets(batch)[:1] > [0],
    "gap-of-offsets": _gap,
    "offsets-behind-the-last": lambda batch: batch["records"] and batch["lastOffsetDelta"] > _offsets(batch)[-1],
    "first-delta-not-0": lambda batch: any(_times(batch)[:1]),
    "timestamps-that-descend": lambda batch: _times(batch) != sorted(_times(batch)),
    "delta-below-0": lambda batch: min(_times(batch), default=0) < 0,
    "delta-beyond-31-bits": lambda batch: max(_times(batch), default=0) > 2**31 - 1,
    "no-base-timestamp": lambda batch: batch["baseTimestamp"] == -1,
    "no-maximum-timestamp": lambda batch: batch["maxTimestamp"] == -1,
    "timestamp-0": lambda batch: batch["baseTimestamp"] == 0,
    "maximum-that-is-not-the-base": lambda batch: batch["maxTimestamp"] != batch["baseTimestamp"],
    "base-offset-above-31-bits": lambda batch: batch["baseOffset"] > 2**31 - 1,
    "key-null-and-value-null": _any(lambda record: record["key"] is None and record["value"] is None),
    "key-and-value-empty": _any(lambda record: record["key"] == b"" == record["value"]),
    "tombstone": _any(lambda record: record["key"] is not None and record["value"] is None),
    "key-of-128": _any(lambda record: len(record["key"] or b"") >= 128),
    "key-of-16384": _any(lambda record: len(record["key"] or b"") >= 16384),
    "key-of-32768": _any(lambda record: len(record["key"] or b"") >= 32768),
    "key-of-65536": _any(lambda record: len(record["key"] or b"") >= 65536),
    "value-of-16384": _any(lambda record: len(record["value"] or b"") >= 16384),
    "value-of-32768": _any(lambda record: len(record["value"] or b"") >= 32768),
    "value-of-65536": _any(lambda record: len(record["value"] or b"") >= 65536),
    "headers-of-64": _any(lambda record: len(record["headers"]) >= 64),
    "headers-of-8192": _any(lambda record: len(record["headers"]) >= 8192),
    "headers-repeated": _any(lambda record: len({key for key, _ in record["headers"]}) < len(record["headers"])),
    "records-of-128": lambda batch: len(batch["records"]) >= 128,
    "records-of-1001": lambda batch: len(batch["records"]) >= 1001,
    "records-of-16384": lambda batch: len(batch["records"]) >= 16384,
    "header-key-empty": _any_header(lambda key, value: not key),
    "header-value-null": _any_header(lambda key, value: value is None),
    "header-value-empty": _any_header(lambda key, value: value == b""),
    "header-key-not-ascii": _any_header(lambda key, value: not key.isascii()),
    "header-key-with-nul": _any_header(lambda key, value: "\0" in str(key)),
    "header-key-of-four-bytes": _any_header(
        lambda key, value: isinstance(key, str) and any(sign > "\uffff" for sign in key)
    ),
    "header-key-of-64": _any_header(lambda key, value: len(key) >= 64),
    "header-key-of-128": _any_header(lambda key, value: len(key) >= 128),
    "header-key-of-8192": _any_header(lambda key, value: len(key) >= 8192),
    "header-key-of-32768": _any_header(lambda key, value: len(key) >= 32768),
    "header-value-of-64": _any_header(lambda key, value: len(value or b"") >= 64),
    "header-value-of-128": _any_header(lambda key, value: len(value or b"") >= 128),
    "header-value-of-8192": _any_header(lambda key, value: len(value or b"") >= 8192),
    "header-value-of-32768": _any_header(lambda key, value: len(value or b"") >= 32768),
}
"""Valid batches, each with a possible reason to refuse it."""

OPEN_BATCHES: dict[str, Callable[[Value], Any]] = {
    "offsets-that-repeat": lambda batch: len(set(_offsets(batch))) < len(_offsets(batch)),
    "offsets-that-descend": lambda batch: _offsets(batch) != sorted(_offsets(batch)),
    "offset-below-0": lambda batch: min(_offsets(batch), default=0) < 0,
    "offset-beyond-the-last": lambda batch: max(_offsets(batch), default=0) > batch["lastOffsetDelta"],
    "last-offset-delta-below-0": lambda batch: batch["lastOffsetDelta"] < 0,
    "maximum-that-is-not-the-highest": lambda batch: (
        batch["timestampType"] == "create"
        and batch["records"]
        and batch["maxTimestamp"] != batch["baseTimestamp"] + max(_times(batch))
    ),
    "timestamp-that-wraps": lambda batch: (
        batch["timestampType"] == "create" and batch["baseTimestamp"] + max(_times(batch), default=0) > 2**63 - 1
    ),
    "control-key-null": lambda batch: batch["control"] and None in _keys(batch),
    "control-key-short": lambda batch: batch["control"] and any(len(key or b"") < 4 for key in _keys(batch)),
    "marker-value-short": lambda batch: (
        batch["control"]
        and any(
            record["key"] and record["key"][2:4] < b"\0\2" and len(record["value"] or b"") < 6
            for record in batch["records"]
        )
    ),
    "header-key-malformed": _any_header(lambda key, value: isinstance(key, bytes)),
}
"""Batches open to refusal by a reader."""


def _with_records(change: Callable[[Value], Any]) -> Callable[[Value], None]:
    def change_all(batch: Value) -> None:
        for record in batch["records"]:
            change(record)

    return change_all


def _swap(batch: Value) -> None:
    batch["baseTimestamp"], batch["maxTimestamp"] = batch["maxTimestamp"], batch["baseTimestamp"]


CHANGED_BATCHES: dict[str, Callable[[Value], Any]] = {
    "last-offset-delta-from-the-records": lambda batch: batch.update(lastOffsetDelta=(_offsets(batch) or [0])[-1]),
    "last-offset-delta-from-the-count": lambda batch: batch.update(lastOffsetDelta=max(len(batch["records"]) - 1, 0)),
    "maximum-from-the-records": lambda batch: batch.update(
        maxTimestamp=batch["baseTimestamp"] + max(_times(batch), default=0)
    ),
    "maximum-as-the-base": lambda batch: batch.update(maxTimestamp=batch["baseTimestamp"]),
    "base-and-maximum-swapped": _swap,
    "sequence-without-producer-dropped": lambda batch: batch["producerId"] < 0 and batch.update(baseSequence=-1),
    "epoch-without-producer-dropped": lambda batch: batch["producerId"] < 0 and batch.update(producerEpoch=-1),
    "offsets-counted": lambda batch: [record.update(offsetDelta=at) for at, record in enumerate(batch["records"])],
    "offsets-from-the-first": lambda batch: [
        record.update(offsetDelta=record["offsetDelta"] - batch["records"][0]["offsetDelta"])
        for record in reversed(batch["records"])
    ],
    "deltas-lost-in-log-append": lambda batch: (
        batch["timestampType"] == "log-append" and [record.update(timestampDelta=0) for record in batch["records"]]
    ),
    "deltas-lost-without-base": lambda batch: (
        batch["baseTimestamp"] == -1 and [record.update(timestampDelta=0) for record in batch["records"]]
    ),
    "deltas-from-the-first": lambda batch: [
        record.update(timestampDelta=record["timestampDelta"] - batch["records"][0]["timestampDelta"])
        for record in reversed(batch["records"])
    ],
    "control-records-lost": lambda batch: batch["control"] and batch.update(records=[]),
    "second-control-record-lost": lambda batch: batch["control"] and batch.update(records=batch["records"][:1]),
    "control-headers-lost": lambda batch: (
        batch["control"] and [record.update(headers=[]) for record in batch["records"]]
    ),
    "control-keys-cut": lambda batch: (
        batch["control"] and [record.update(key=record["key"] and record["key"][:4]) for record in batch["records"]]
    ),
    "control-values-cut": lambda batch: (
        batch["control"]
        and [record.update(value=record["value"] and record["value"][:6]) for record in batch["records"]]
    ),
    "tombstones-lost": lambda batch: batch.update(
        records=[each for each in batch["records"] if each["value"] is not None]
    ),
    "key-and-value-swapped": _with_records(lambda record: record.update(key=record["value"], value=record["key"])),
    "records-reversed": lambda batch: batch["records"].reverse(),
    "last-record-lost-of-many": lambda batch: len(batch["records"]) > 2 and batch["records"].pop(),
}
"""Changes of batches after reading."""


Headers = list[tuple[Any, Any]]
CHANGED_HEADERS: dict[str, Callable[[Headers], Headers]] = {
    "sorted": lambda headers: sorted(headers, key=lambda pair: str(pair[0])),
    "reversed": lambda headers: headers[::-1],
    "first-of-a-key": lambda headers: list({key: (key, value) for key, value in reversed(headers)}.values())[::-1],
    "last-of-a-key": lambda headers: list({key: (key, value) for key, value in headers}.values()),
    "same-pairs-once": lambda headers: list(dict.fromkeys(headers)),
    "nulls-lost": lambda headers: [pair for pair in headers if pair[1] is not None],
    "empties-lost": lambda headers: [pair for pair in headers if pair[1] != b""],
    "empty-keys-lost": lambda headers: [pair for pair in headers if pair[0] != ""],
    "third-lost": lambda headers: headers[:2] + headers[3:],
}
"""Changes of the headers of a record."""


def _messages(message: Value) -> list[Value]:
    messages: list[Value] = message.get("messages", [])
    return messages


REFUSED_MESSAGES: dict[str, Any] = {
    "key-of-a-wrapper": lambda message: "messages" in message and message["key"] is not None,
    "one-message-in-a-wrapper": lambda message: len(_messages(message)) == 1,
    "more-than-two-messages": lambda message: len(_messages(message)) > 2,
    "inner-log-append": lambda message: any(each.get("timestampType") == "log-append" for each in _messages(message)),
    "wrapper-log-append": lambda message: "messages" in message and message.get("timestampType") == "log-append",
    "wrapper-time-not-the-highest": lambda message: (
        "messages" in message
        and "timestamp" in message
        and message["timestamp"] < max(each.get("timestamp", -1) for each in _messages(message))
    ),
    "inner-offsets-that-descend": lambda message: (
        (offsets := [each["offset"] for each in _messages(message)]) != sorted(offsets)
    ),
    "no-timestamp": lambda message: message.get("timestamp") == -1,
    "timestamp-0": lambda message: message.get("timestamp") == 0,
    "offset-0": lambda message: message["offset"] == 0,
    "offset-above-31-bits": lambda message: message["offset"] > 2**31 - 1,
    "key-and-value-null": lambda message: message["key"] is None and message.get("value", b"") is None,
    "key-of-128": lambda message: len(message["key"] or b"") >= 128,
    "value-of-256": lambda message: len(message.get("value") or b"") >= 256,
    "value-of-65536": lambda message: len(message.get("value") or b"") >= 65536,
}
"""Valid messages, each with a possible reason to refuse it."""


def _changed_inside(name: str, of: Any) -> Any:
    return lambda message: [each.update({name: of(message, each)}) for each in _messages(message) if name in each]


CHANGED_MESSAGES: dict[str, Any] = {
    "time-of-the-wrapper": _changed_inside("timestamp", lambda wrapper, each: wrapper["timestamp"]),
    "type-of-the-wrapper": _changed_inside("timestampType", lambda wrapper, each: wrapper["timestampType"]),
    "offsets-of-the-wrapper-added": _changed_inside(
        "offset", lambda wrapper, each: each["offset"] + wrapper["offset"] - wrapper["messages"][-1]["offset"]
    ),
    "offsets-from-the-first": lambda message: [
        each.update(offset=each["offset"] - _messages(message)[0]["offset"]) for each in reversed(_messages(message))
    ],
    "key-of-the-wrapper-lost": lambda message: "messages" in message and message.update(key=None),
    "wrapper-time-from-the-messages": lambda message: (
        "messages" in message
        and message["magic"]
        and message.update(timestamp=max(each.get("timestamp", -1) for each in _messages(message)))
    ),
    "messages-reversed": lambda message: _messages(message).reverse(),
    "nulls-lost": lambda message: (
        "messages" in message
        and message.update(messages=[each for each in _messages(message) if each.get("value", b"") is not None])
    ),
}
"""Changes of messages after reading."""


def edited(change: Callable[[Value], Any]) -> Callable[[Value], Value]:
    """Return a change of a copy."""

    def changed(value: Value) -> Value:
        other = deepcopy(value)
        change(other)
        return other

    return changed


REFUSED: dict[str, Mapping[str, Callable[[Value], Any]]] = {
    "batch": REFUSED_BATCHES,
    "open-batch": OPEN_BATCHES,
    "message": REFUSED_MESSAGES,
}
CHANGED: dict[str, Mapping[str, Callable[[Any], Any]]] = {
    "batch": {name: edited(change) for name, change in CHANGED_BATCHES.items()},
    "message": {name: edited(change) for name, change in CHANGED_MESSAGES.items()},
    "headers": CHANGED_HEADERS,
}
