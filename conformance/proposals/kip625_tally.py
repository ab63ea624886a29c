"""Counts of the integers in messages by field, sign and number of bits.

The sign and the number of bits determine the length of a number in each of the nine encodings, and whether it fits. So
a few counts for each field are enough for advice, and counts of many messages can be added.
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


class Kind(NamedTuple):
    """What is counted: numbers of one kind, or, with `counted` alone, messages or bytes."""

    counted: str
    """`number`; or `rows` that were read, their `bytes`, or `unreadable` rows."""
    path: str = ""
    """The path of a number: `Topics[].Partitions[].LeaderId`."""
    type: str = ""
    negative: bool = False
    bits: int = 0
    """The number of its bits without the sign: those of -1 - n if it is negative."""


NUMBER, ROWS, BYTES, UNREADABLE = "number", "rows", "bytes", "unreadable"


def tally(message: str, rows: Iterable[tuple[str, int, bytes]]) -> Counter[Kind]:
    """Count the numbers in rows of a message.

    Args:
        message: its name.
        rows: release, version and wire bytes; invalid ones are only counted.
    """
    counts = Counter[Kind]()
    for release, version, wire in rows:
        schema = load_release(release).schema(message, version)
        try:
            value = decode(schema, wire).value
        except Malformed:
            counts[Kind(UNREADABLE)] += 1
            continue
        counts[Kind(ROWS)] += 1
        counts[Kind(BYTES)] += len(wire)
        counts.update(kind_of(field, path, number) for path, field, number in integers(schema, value))
    return counts


def kind_of(field: FieldSchema, path: str, number: int) -> Kind:
    """Return the kind of a number of a field."""
    return Kind(NUMBER, path, field.type, number < 0, (~number if number < 0 else number).bit_length())


def integers(schema: MessageSchema, value: dict[str, Any]) -> Iterator[tuple[str, FieldSchema, int]]:
    """Yield every integer that is on the wire and can have an encoding: its path, its field, the number.

    The elements of an array can have none in a definition (14.94).
    """
    return _of_struct(schema.body, value, "")


def _of_struct(struct: FieldSchema, value: dict[str, Any], path: str) -> Iterator[tuple[str, FieldSchema, int]]:
    for field in struct.fields:
        item = value[field.name]
        if item is not None and not (field.tag is not None and is_default(field, item)):
            yield from _of_field(field, item, f"{path}.{field.name}" if path else field.name)


def _of_field(field: FieldSchema, value: Any, path: str) -> Iterator[tuple[str, FieldSchema, int]]:
    if field.element is not None:
        for item in value if field.element.fields else ():
            yield from _of_field(field.element, item, path + ENTRY)
    elif field.type == "struct":
        yield from _of_struct(field, value, path)
    elif field.type in TYPES:
        yield path, field, value
