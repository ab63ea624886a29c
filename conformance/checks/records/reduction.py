"""Makes random values of `records` fields smaller, and names the rule of the one thing that is left in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.blame.records.values import RULES
from conformance.generate.records.building import batch as smallest_batch
from conformance.generate.records.building import message as smallest_message
from conformance.generate.records.building import record as smallest_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Value = dict[str, Any]

HELD = ("batches", "records", "messages", "headers")
IGNORED = frozenset(("batch.attributes-unused", "record.attributes-unused"))
OF_MESSAGES = {
    "timestampType": "message.timestamps",
    "timestamp": "message.timestamps",
    "compression": "message.wrapper",
    "messages": "message.wrapper",
    "offset": "message.offsets",
}
DERIVED = frozenset(("lastOffsetDelta", "maxTimestamp"))
"""Members that follow from the records: that they differ from those of the smallest batch says nothing."""


def reduced_records(content: Value, fails: Callable[[Value], bool]) -> Value:
    """Return a smaller value that fails as well, by one step after another, until none fails that is smaller."""
    smaller = next((tried for tried in _steps(content) if fails(tried)), None)
    return content if smaller is None else reduced_records(smaller, fails)


def rule_of_remainder(content: Value) -> str:
    """Return the rule of the only thing that is not as in the smallest field; empty if there are several or none.

    A member that readers must ignore is the one, whatever is beside it: without it the value did not fail.
    """
    batches = content["batches"]
    if len(batches) > 1:
        return "field.batches" if len({"records" in batch for batch in batches}) == 1 else "field.mixed-magic"
    if not batches:
        return "field.empty"
    [only] = batches
    rules_of, other = (RULES, "record.layout") if "records" in only else (OF_MESSAGES, "message.layout")
    rules = {rules_of.get(name, other) for name in _departures(only)}
    told = sorted(rules & IGNORED) or sorted(rules)
    return told[0] if len(told) == 1 else ""


def _departures(part: Value) -> Iterator[str]:
    for name, item in part.items():
        if name in HELD:
            yield from (departure for held in item if isinstance(held, dict) for departure in _departures(held))
            yield from ("headers" for held in item if not isinstance(held, dict))
        elif item != _plain(part)[name] and name not in DERIVED:
            yield name


def _plain(part: Value) -> Value:
    """Return the smallest part of this kind: a batch, a record or a message."""
    if "offsetDelta" in part:
        return smallest_record(part["offsetDelta"])
    if "records" in part:
        return smallest_batch()
    return {"messages": None, **smallest_message(part["offset"], magic=part["magic"])}


def _steps(value: Value) -> Iterator[Value]:
    """Yield the value with one part less, or with one member as in the smallest field; all timestamps go together."""
    if "records" in value:
        yield from (tried for tried in [_without_times(value)] if tried != value)
    for name, item in value.items():
        if name in HELD:
            yield from ({**value, name: other} for other in _steps_of_list(item))
        elif name != "partial" and "batches" not in value and item != _plain(value)[name]:
            yield {**value, name: _plain(value)[name]}


def _without_times(batch: Value) -> Value:
    records = [record | {"timestampDelta": 0} for record in batch["records"]]
    times = {name: item for name, item in smallest_batch().items() if name in {"baseTimestamp", "maxTimestamp"}}
    return {**batch, **times, "records": records}


def _steps_of_list(items: list[Any]) -> Iterator[list[Any]]:
    for index, item in enumerate(items):
        yield items[:index] + items[index + 1 :]
        if isinstance(item, dict):
            yield from ([*items[:index], other, *items[index + 1 :]] for other in _steps(item))
