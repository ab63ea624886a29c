"""Which encoding makes each integer of a message smallest, by what its numbers are; and what the message would save."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformance.proposals.kip625_tally import BYTES, NUMBER, ROWS, UNREADABLE, Sort
from reference.proposals.kip625_encodings import ENCODINGS, WIDTHS, Encoding

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class FieldAdvice:
    """One integer field, or the entries of an array."""

    path: str
    type: str
    values: int
    """How many numbers were on the wire."""
    sizes: Mapping[str, int | None]
    """All numbers in each encoding of the type, in bytes; None where some do not fit."""
    beyond: Mapping[int, int]
    """By the bits of a narrower encoding: how many numbers do not fit."""

    @property
    def today(self) -> int:
        """The bytes of all numbers in the fixed encoding of the type."""
        return self.sizes[_fixed(self.type)] or 0

    @property
    def smallest(self) -> str:
        """The encoding of fewest bytes that holds every number; of equal ones today's, the widest, the signed one."""
        fitting = {name: size for name, size in self.sizes.items() if size is not None}
        return min(fitting, key=lambda name: (fitting[name], name != _fixed(self.type), -ENCODINGS[name].bits))

    @property
    def saving(self) -> int:
        """How many bytes fewer that is than today."""
        return self.today - (self.sizes[self.smallest] or 0)


@dataclass(frozen=True)
class Advice:
    """What the encodings would do for a message."""

    message: str
    rows: int
    """Of the message that could be read."""
    unreadable: int
    """Rows that are not valid messages."""
    bytes: int
    """Of all that could be read."""
    fields: tuple[FieldAdvice, ...]
    """Every integer that was on the wire, those that save most first."""

    @property
    def saving(self) -> int:
        """How many bytes fewer the fields take, each in its smallest encoding."""
        return sum(field.saving for field in self.fields)


def advise(message: str, counts: Counter[Sort]) -> Advice:
    """The advice that follows from the counts of a message."""
    by_field: dict[tuple[str, str], Counter[Sort]] = {}
    for sort, count in counts.items():
        if sort.what == NUMBER:
            by_field.setdefault((sort.path, sort.type), Counter())[sort] += count
    fields = [_field(path, type_name, numbers) for (path, type_name), numbers in by_field.items()]
    return Advice(
        message,
        rows=counts[Sort(ROWS)],
        unreadable=counts[Sort(UNREADABLE)],
        bytes=counts[Sort(BYTES)],
        fields=tuple(sorted(fields, key=lambda field: (-field.saving, field.path, field.type))),
    )


def _field(path: str, type_name: str, numbers: Counter[Sort]) -> FieldAdvice:
    bits = int(type_name.removeprefix("int"))
    return FieldAdvice(
        path,
        type_name,
        values=numbers.total(),
        sizes={name: _size(encoding, numbers) for name, encoding in ENCODINGS.items() if encoding.bits <= bits},
        beyond={
            width: sum(count for sort, count in numbers.items() if sort.bits >= width)
            for width in WIDTHS
            if width < bits
        },
    )


def _size(encoding: Encoding, numbers: Counter[Sort]) -> int | None:
    """All of the numbers in an encoding; None if it does not hold them all."""
    if any(sort.bits >= encoding.bits for sort in numbers):
        return None
    return sum(encoding.size(_example(sort)) * count for sort, count in numbers.items())


def _example(sort: Sort) -> int:
    """A number of that sort."""
    highest = (1 << sort.bits) - 1
    return ~highest if sort.negative else highest


def _fixed(type_name: str) -> str:
    return type_name.replace("int", "fixed")
