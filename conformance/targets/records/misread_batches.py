"""The rule broken by misread record batches."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.value_paths import item_at
from conformance.targets.faults.fault import Blame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference import Difference

RULES_OF_MEMBERS = {
    "partitionLeaderEpoch": "batch.crc-scope",
    "compression": "batch.attributes",
    "timestampType": "batch.attributes",
    "transactional": "batch.attributes",
    "control": "batch.attributes",
    "deleteHorizon": "batch.attributes",
    "unusedAttributes": "batch.attributes-unused",
    "attributes": "record.attributes-unused",
    "lastOffsetDelta": "batch.last-offset-delta",
    "maxTimestamp": "batch.max-timestamp",
    "producerId": "batch.producer",
    "producerEpoch": "batch.producer",
    "baseSequence": "batch.producer",
    "timestampDelta": "record.timestamp-delta",
    "offsetDelta": "record.offset-delta",
    "partial": "field.partial-tail",
    "batches": "field.batches",
    "records": "record.layout",
    "messages": "message.wrapper",
}
"""The rule of each member of a value."""

ADDED_UP = {
    "timestamp": ("record.timestamp-delta", "message.timestamps"),
    "timestampType": ("batch.attributes", "message.timestamps"),
    "offset": ("record.offset-delta", "message.offsets"),
}
"""The rules of the offset and timestamp of a record, and of a message in a wrapper."""

SURE_RULES = frozenset(("record.null", "header.value-null", "header.repeated", "header.order"))
"""Rules identified by the kind of difference, whatever rule the value was made for."""


class MisreadValue(NamedTuple):
    """A misread value, beside the right one.

    Both have only the compared parts, with their first difference.
    """

    expected: Any
    actual: Any
    difference: Difference
    content: dict[str, Any]
    """The whole right value, with the parts left out of `expected`."""


def blame_records_value(read: MisreadValue) -> Blame:
    """Return the blame for a misread value, by the place and the kind of the difference."""
    return Blame(_rule_of(read), read.difference.path)


def _rule_of(read: MisreadValue) -> str:
    path, expected, actual, _ = read.difference
    if ".headers" in path:
        return _rule_of_headers(read)
    parent, _, member = re.sub(r"\[\d+\]$", "", path).rpartition(".")
    if len({RULES_OF_MEMBERS.get(name) for name in _swapped(read, parent)}) > 1:
        return layout_of(path, in_message="magic" in item_at(read.expected, parent) and not _is_batch(read, parent))
    if member in ADDED_UP:
        return _rule_of_place(read, parent, member)
    if member in {"key", "value"}:
        is_null = (expected is None) != (actual is None) and not (expected or actual)
        in_message = "batches[" in path and not _is_batch(read, parent)
        return "message.layout" if in_message else "record.null" if is_null else "record.layout"
    return RULES_OF_MEMBERS.get(member, "batch.header-layout")


def _swapped(read: MisreadValue, parent: str) -> list[str]:
    """Return the members with swapped values, or none if others differ as well."""
    one, other = (item_at(value, parent) for value in (read.expected, read.actual))
    differing = [name for name in one if name in other and one[name] != other[name]]
    values, others = (sorted(repr(members[name]) for name in differing) for members in (one, other))
    return differing if values == others else []


def layout_of(path: str, *, in_message: bool) -> str:
    """Return the rule on the order of the parts around a path."""
    return "message.layout" if in_message else "record.layout" if ".records[" in path else "batch.header-layout"


def _is_batch(read: MisreadValue, path: str) -> bool:
    """Return whether a path of a value lies in a batch of magic 2."""
    batch: dict[str, Any] = item_at(read.expected, path.partition(".")[0])
    return "records" in batch


def _rule_of_place(read: MisreadValue, parent: str, member: str) -> str:
    """Return the rule on an offset or a timestamp.

    It is that of a record, or of a message alone or in a wrapper.
    """
    batches = read.content["batches"]
    if "batches" in read.expected:
        is_wrapped = ".messages[" in parent or (member == "offset" and "messages" in item_at(read.expected, parent))
        of_batch, of_wrapped = ADDED_UP[member]
        return of_batch if _is_batch(read, parent) else of_wrapped if is_wrapped else "message.layout"
    if member == "timestamp" and len(batches) == 1 and "records" in batches[0]:
        if batches[0]["timestampType"] == "log-append":
            return "batch.log-append-time"
        if batches[0]["deleteHorizon"]:
            return "batch.delete-horizon"
    return ADDED_UP[member][any("records" not in batch for batch in batches)]


def _rule_of_headers(read: MisreadValue) -> str:
    """Return the rule on the headers.

    Some may be lost, or a null, or their order.
    """
    path = read.difference.path.partition(".headers")[0] + ".headers"
    expected, actual = item_at(read.expected, path), item_at(read.actual, path)
    if not isinstance(actual, list | tuple) or not all(_is_pair(header) for header in actual):
        return "record.layout"
    expected, actual = [tuple(header) for header in expected], [tuple(header) for header in actual]
    if len(actual) < len(expected):
        return _rule_of_lost_headers(expected, actual)
    if [(key, value or b"") for key, value in expected] == [(key, value or b"") for key, value in actual]:
        return "header.value-null"
    return "header.order" if sorted(expected, key=repr) == sorted(actual, key=repr) else "record.layout"


def _rule_of_lost_headers(expected: Sequence[tuple[Any, Any]], actual: Sequence[tuple[Any, Any]]) -> str:
    lost = _lost(expected, actual)
    keys, kept = ([key for key, _ in headers] for headers in (expected, actual))
    if all(keys.count(key) > 1 and key in kept for key, _ in lost):
        return "header.repeated"
    return "header.value-null" if all(value is None for _, value in lost) else "record.layout"


def _lost(expected: Sequence[tuple[Any, Any]], actual: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Return the headers that were not read.

    Of two equal headers one may be read.
    """
    rest, lost = list(actual), []
    for header in expected:
        if header in rest:
            rest.remove(header)
        else:
            lost.append(header)
    return lost


def _is_pair(header: Any) -> bool:
    return isinstance(header, list | tuple) and len(header) == 2  # noqa: PLR2004  # key and value
