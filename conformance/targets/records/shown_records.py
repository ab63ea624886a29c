"""The shown parts of a `records` field's value, compared with the value read.

Some readers hide members, others add offsets up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference import Difference
from reference.values.comparison import same_value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from conformance.targets.record_claims import RecordsClaims

Value = dict[str, Any]

DELIVERED = ("offset", "timestampType", "timestamp", "key", "value")
"""The members of a message of magic 0 or 1 that a consumer gets."""

LOG_APPEND = "log-append"
MAGIC_WITH_TIME = 1
"""The magic of messages that take type and time from their wrapper. Readers leave other magics in a wrapper as they
are.
"""

LISTS = ("batches", "records", "messages", "headers")


def shown(claims: RecordsClaims, value: Value) -> Value | None:
    """Return the parts of a field's value shown by a reader with these claims, or None if it shows nothing."""
    if claims.values == "hidden":
        return None
    if claims.batches == "flattened":
        return {"records": list(_flattened(claims, value))}
    tail = {"partial": value["partial"]} if claims.partial_tail == "kept" else {}
    batches = [batch for batch in value["batches"] if _is_shown(claims, batch)]
    if claims.wrapped_messages == "unwrapped":
        batches = [part for batch in batches for part in _unwrapped(batch)]
    return {"batches": [_batch(claims, batch) for batch in batches], **tail}


def comparable(claims: RecordsClaims, read: Any) -> Any:
    """Return a value read, of any type, with the headers in the order of `shown`."""
    if claims.headers != "map":
        return read
    if isinstance(read, list | tuple):
        return [comparable(claims, item) for item in read]
    if not isinstance(read, dict):
        return read
    return {
        name: _in_one_order(item) if name == "headers" and isinstance(item, list | tuple) else comparable(claims, item)
        for name, item in read.items()
    }


def places(batch: Value) -> list[tuple[int, int]]:
    """Return offset and timestamp of each record or message of a batch, as a consumer gets them."""
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


def _flattened(claims: RecordsClaims, value: Value) -> Iterator[Value]:
    """Yield every record of a field with its own offset and timestamp."""
    for batch in value["batches"]:
        if not _is_shown(claims, batch):
            continue
        records = batch["records"] if "records" in batch else batch.get("messages", [batch])
        for record, (offset, timestamp) in zip(records, places(batch), strict=True):
            parts = {"offset": offset, "timestamp": timestamp, "key": record["key"], "value": record["value"]}
            yield parts | {"headers": _headers(claims, record.get("headers", []))}


def _is_shown(claims: RecordsClaims, batch: Value) -> bool:
    if claims.control == "skipped" and batch.get("control"):
        return False
    return claims.empty_batches == "shown" or batch.get("records") != []


def _batch(claims: RecordsClaims, batch: Value) -> Value:
    parts = _without(claims.hidden, batch)
    if "records" in batch:
        log_append = batch["timestampType"] == LOG_APPEND and claims.log_append_deltas == "hidden"
        hidden = claims.hidden | {"timestampDelta"} if log_append else claims.hidden
        return parts | {"records": [_record(claims, hidden, record) for record in batch["records"]]}
    if "messages" not in batch:
        return parts
    messages = batch["messages"]
    if claims.wrapped_messages == "delivered":
        del parts["key"]
        messages = _delivered(batch)
    return parts | {"messages": [_without(claims.hidden, message) for message in messages]}


def _record(claims: RecordsClaims, hidden: frozenset[str], record: Value) -> Value:
    return _without(hidden, record) | {"headers": _headers(claims, record["headers"])}


def _headers(claims: RecordsClaims, headers: list[Any]) -> list[Any]:
    return _in_one_order(headers) if claims.headers == "map" else headers


def _in_one_order(headers: Collection[Any]) -> list[Any]:
    """Return headers in an order that depends on them alone.

    An item other than a pair stays as it is.
    """
    return sorted(headers, key=lambda pair: repr(tuple(pair) if isinstance(pair, list) else pair))


def _unwrapped(batch: Value) -> list[Value]:
    """Return a batch as it is, or the delivered members of each message or of the messages in a wrapper."""
    if "records" in batch:
        return [batch]
    messages = _delivered(batch) if "messages" in batch else [batch]
    return [{name: message[name] for name in DELIVERED if name in message} for message in messages]


def _delivered(batch: Value) -> list[Value]:
    """Return the messages of a wrapper with the offset for a consumer, and in magic 1 also the time."""
    messages = []
    for message, (offset, timestamp) in zip(batch["messages"], places(batch), strict=True):
        own = {"offset": offset}
        if message["magic"] == MAGIC_WITH_TIME:
            own |= {"timestamp": timestamp, "timestampType": batch.get("timestampType", "create")}
        messages.append(message | own)
    return messages


def _without(names: Collection[str], item: Value) -> Value:
    return {name: part for name, part in item.items() if name not in names}


def _place(batch: Value, record: Value) -> tuple[int, int]:
    timestamp = batch["maxTimestamp"]
    if batch["timestampType"] != LOG_APPEND:
        timestamp = _wrapped(batch["baseTimestamp"] + record["timestampDelta"])
    return _wrapped(batch["baseOffset"] + record["offsetDelta"]), timestamp


def _wrapped(number: int) -> int:
    """Return a number in 64 bits, as by Java's addition."""
    return (number + 2**63) % 2**64 - 2**63


def records_difference(expected: Any, actual: Any, path: str = "") -> Difference | None:
    """Return the first place with a difference.

    Members without an expected value are not compared.

    Args:
        expected: the result of `shown`, or None if nothing is shown.
        actual: any object.
        path: the place of both, as `batches[0].records[1]`.
    """
    if expected is None and not path:
        return None
    if isinstance(expected, dict):
        return _of_members(expected, actual, path)
    if isinstance(expected, list):
        return _of_items(expected, actual, path)
    if same_value(expected, actual):
        return None
    return Difference(path, expected, actual, "value" if type(expected) is type(actual) else "type")


def _of_members(expected: dict[str, Any], actual: Any, path: str) -> Difference | None:
    if not isinstance(actual, dict):
        return Difference(path, expected, actual, "type")
    for name, item in expected.items():
        place = f"{path}.{name}" if path else name
        if name not in actual:
            return Difference(place, item, None, "missing")
        difference = records_difference(item, actual[name], place)
        if difference is not None:
            return difference
    return None


def _of_items(expected: list[Any], actual: Any, path: str) -> Difference | None:
    if not isinstance(actual, list | tuple):
        return Difference(path, expected, actual, "type")
    if len(expected) != len(actual):
        return Difference(path, len(expected), len(actual), "length")
    for index, (first, second) in enumerate(zip(expected, actual, strict=True)):
        place = f"{path}[{index}]"
        if isinstance(first, tuple):
            difference = _of_headers(first, second, place)
        else:
            difference = records_difference(first, second, place)
        if difference is not None:
            return difference
    return None


def _of_headers(expected: tuple[Any, ...], actual: Any, path: str) -> Difference | None:
    is_same = isinstance(actual, list | tuple) and same_value(expected, tuple(actual))
    return None if is_same else Difference(path, expected, actual, "value")
