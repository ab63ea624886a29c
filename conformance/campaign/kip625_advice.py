"""The smallest encoding of each integer of a message, computed from its numbers, and schemas with such encodings.

The sign and the number of bits determine the length of a number in each of the nine encodings, and whether it fits. So
a few counts for each field are enough, and counts of many messages can be added. A definition cannot give the entries
of an array an encoding (14.94); a schema can.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from reference import ArrayType, Malformed, PrimitiveType, StructType, decode, load_release
from reference.proposals.kip625 import ENCODINGS, KIP_625, TYPES, WIDTHS, Encoding
from reference.values.defaults import is_default

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from reference import FieldSchema, MessageSchema

    Choose = Callable[[str, FieldSchema], str | None]
    "Returns the name of the encoding for an integer's path and field; None: the fixed one of its type."

ENTRY = "[]"
"""The end of the path of an array's entries: `Topics[].Partitions[].ReplicaNodes[]`."""


@dataclass(frozen=True)
class FieldAdvice:
    """One integer field."""

    path: str
    type: str
    values: int
    """The count of numbers on the wire."""
    sizes: Mapping[str, int | None]
    """The bytes of all numbers in each encoding of the type; None if some do not fit."""
    beyond: Mapping[int, int]
    """The count of numbers that do not fit, by the bits of a narrower encoding."""

    @property
    def today(self) -> int:
        """Return the bytes of all numbers in the fixed encoding of the type."""
        return self.sizes[_fixed(self.type)] or 0

    @property
    def smallest(self) -> str:
        """Return the smallest encoding that holds every number; of equal ones today's, the widest, the signed one."""
        fitting = {name: size for name, size in self.sizes.items() if size is not None}
        return min(fitting, key=lambda name: (fitting[name], name != _fixed(self.type), -ENCODINGS[name].bits))

    @property
    def saving(self) -> int:
        """Return the bytes that it saves compared with today."""
        return self.today - (self.sizes[self.smallest] or 0)


@dataclass(frozen=True)
class Advice:
    """The effect of the encodings on a message."""

    message: str
    rows: int
    """Valid rows of the message."""
    unreadable: int
    """Rows that are not valid messages."""
    bytes: int
    """Bytes of the valid rows."""
    fields: tuple[FieldAdvice, ...]
    """Every integer that was on the wire; the largest saving comes first."""

    @property
    def saving(self) -> int:
        """Return the bytes that all fields save, each in its smallest encoding."""
        return sum(field.saving for field in self.fields)


def advise(message: str, counts: Counter[Metric]) -> Advice:
    """Return the advice for the counts of a message."""
    by_field: dict[tuple[str, str], Counter[Metric]] = {}
    for kind, count in counts.items():
        if kind.counted == NUMBER:
            by_field.setdefault((kind.path, kind.type), Counter())[kind] += count
    fields = [_field(path, type_name, numbers) for (path, type_name), numbers in by_field.items()]
    return Advice(
        message,
        rows=counts[Metric(ROWS)],
        unreadable=counts[Metric(UNREADABLE)],
        bytes=counts[Metric(BYTES)],
        fields=tuple(sorted(fields, key=lambda field: (-field.saving, field.path, field.type))),
    )


def _field(path: str, type_name: str, numbers: Counter[Metric]) -> FieldAdvice:
    bits = int(type_name.removeprefix("int"))
    return FieldAdvice(
        path,
        type_name,
        values=numbers.total(),
        sizes={name: _size(encoding, numbers) for name, encoding in ENCODINGS.items() if encoding.bits <= bits},
        beyond={
            width: sum(count for kind, count in numbers.items() if kind.bits >= width)
            for width in WIDTHS
            if width < bits
        },
    )


def _size(encoding: Encoding, numbers: Counter[Metric]) -> int | None:
    """Return the bytes of all numbers in an encoding; None if some do not fit."""
    if any(kind.bits >= encoding.bits for kind in numbers):
        return None
    return sum(encoding.size(_example(kind)) * count for kind, count in numbers.items())


def _example(kind: Metric) -> int:
    highest = (1 << kind.bits) - 1
    return ~highest if kind.negative else highest


def _fixed(type_name: str) -> str:
    return type_name.replace("int", "fixed")


class Metric(NamedTuple):
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


def tally(message: str, rows: Iterable[tuple[str, int, bytes]]) -> Counter[Metric]:
    """Count the numbers in rows of a message.

    Args:
        message: its name.
        rows: release, version and wire bytes; invalid ones are only counted.
    """
    counts = Counter[Metric]()
    for release, version, wire in rows:
        schema = load_release(release).schema(message, version)
        try:
            value = decode(schema, wire).value
        except Malformed:
            counts[Metric(UNREADABLE)] += 1
            continue
        counts[Metric(ROWS)] += 1
        counts[Metric(BYTES)] += len(wire)
        counts.update(kind_of(field, path, number) for path, field, number in integers(schema, value))
    return counts


def kind_of(field: FieldSchema, path: str, number: int) -> Metric:
    """Return the kind of a number of a field."""
    return Metric(NUMBER, path, field.type, number < 0, (~number if number < 0 else number).bit_length())


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


def encoded(schema: MessageSchema, choose: Choose) -> MessageSchema:
    """Return the message with the chosen encodings for its integers."""
    fields = tuple(_encoded(field, field.name, choose) for field in schema.fields)
    return replace(schema, fields=fields, dialect=KIP_625.name)


def _encoded(field: FieldSchema, path: str, choose: Choose) -> FieldSchema:
    match field.data_type:
        case ArrayType(element):
            return replace(field, data_type=ArrayType(_encoded(element, path + ENTRY, choose)))
        case StructType() as struct:
            fields = tuple(_encoded(each, f"{path}.{each.name}", choose) for each in struct.fields)
            return field.with_struct(replace(struct, fields=fields))
        case PrimitiveType(name) if name in TYPES:
            return replace(field, data_type=PrimitiveType(name, choose(path, field)))
        case _:
            return field


def in_width_of_type(kind: str, field: FieldSchema) -> str:
    """Return the encoding of a kind with as many bits as the type of a field."""
    return kind + field.type.removeprefix("int")
