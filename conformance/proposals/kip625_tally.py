"""What numbers the integers of messages hold: how many of each sign and length, field by field.

The sign and the number of bits decide how long a number is in each of the nine encodings, and whether it fits at all.
So a few counts for each field, which add up over any number of messages, are all that advice rests on.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.proposals.kip625_schemas import ENTRY
from reference import Malformed, decode, load_release
from reference.proposals.kip625_rules import TYPES
from reference.values.defaults import is_default

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference import FieldSchema, MessageSchema


class Sort(NamedTuple):
    """A sort of things that are counted; with all but `what` left out, it is about messages."""

    what: str
    """A number; or a row that was read, its bytes, or a row that could not be read."""
    path: str = ""
    """Of a number: `Topics[].Partitions[].LeaderId`."""
    type: str = ""
    negative: bool = False
    bits: int = 0
    """How many bits it has without its sign: those of -1 - n if it is negative."""


NUMBER, ROWS, BYTES, UNREADABLE = "number", "rows", "bytes", "unreadable"


def tally(message: str, rows: Iterable[tuple[str, int, bytes]]) -> Counter[Sort]:
    """Count what is in rows of a message.

    Args:
        message: its name.
        rows: release, version and wire bytes; those that are not valid are only counted.
    """
    counts = Counter[Sort]()
    for release, version, wire in rows:
        schema = load_release(release).schema(message, version)
        try:
            value = decode(schema, wire).value
        except Malformed:
            counts[Sort(UNREADABLE)] += 1
            continue
        counts[Sort(ROWS)] += 1
        counts[Sort(BYTES)] += len(wire)
        counts.update(sort_of(field, path, number) for path, field, number in integers(schema, value))
    return counts


def sort_of(field: FieldSchema, path: str, number: int) -> Sort:
    """What a number of a field is counted as."""
    return Sort(NUMBER, path, field.type, number < 0, (~number if number < 0 else number).bit_length())


def integers(schema: MessageSchema, value: dict[str, Any]) -> Iterator[tuple[str, FieldSchema, int]]:
    """Every integer of a message that is on the wire and can have an encoding: its path, its field, the number."""
    return _of_struct(schema.body, value, "")


def _of_struct(struct: FieldSchema, value: dict[str, Any], path: str) -> Iterator[tuple[str, FieldSchema, int]]:
    for field in struct.fields:
        item = value[field.name]
        if item is not None and not (field.tag is not None and is_default(field, item)):
            yield from _of_field(field, item, f"{path}.{field.name}" if path else field.name)


def _of_field(field: FieldSchema, value: Any, path: str) -> Iterator[tuple[str, FieldSchema, int]]:
    if field.element is not None:
        if field.element.fields or field.element.type in TYPES:
            for item in value:
                yield from _of_field(field.element, item, path + ENTRY)
    elif field.type == "struct":
        yield from _of_struct(field, value, path)
    elif field.type in TYPES:
        yield path, field, value
