"""The smallest encoding of each integer of a message, computed from its numbers, and the bytes that it saves."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformance.proposals.kip625_tally import BYTES, NUMBER, ROWS, UNREADABLE, Kind
from reference.proposals.kip625_encodings import ENCODINGS, WIDTHS, Encoding

if TYPE_CHECKING:
    from collections.abc import Mapping


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


def advise(message: str, counts: Counter[Kind]) -> Advice:
    """Return the advice for the counts of a message."""
    by_field: dict[tuple[str, str], Counter[Kind]] = {}
    for kind, count in counts.items():
        if kind.counted == NUMBER:
            by_field.setdefault((kind.path, kind.type), Counter())[kind] += count
    fields = [_field(path, type_name, numbers) for (path, type_name), numbers in by_field.items()]
    return Advice(
        message,
        rows=counts[Kind(ROWS)],
        unreadable=counts[Kind(UNREADABLE)],
        bytes=counts[Kind(BYTES)],
        fields=tuple(sorted(fields, key=lambda field: (-field.saving, field.path, field.type))),
    )


def _field(path: str, type_name: str, numbers: Counter[Kind]) -> FieldAdvice:
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


def _size(encoding: Encoding, numbers: Counter[Kind]) -> int | None:
    """Return the bytes of all numbers in an encoding; None if some do not fit."""
    if any(kind.bits >= encoding.bits for kind in numbers):
        return None
    return sum(encoding.size(_example(kind)) * count for kind, count in numbers.items())


def _example(kind: Kind) -> int:
    highest = (1 << kind.bits) - 1
    return ~highest if kind.negative else highest


def _fixed(type_name: str) -> str:
    return type_name.replace("int", "fixed")
