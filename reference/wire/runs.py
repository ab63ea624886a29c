"""Runs of integers of fixed width, read or written at once for speed. Wire types get the exceptional values."""

from __future__ import annotations

import struct
from collections.abc import Callable
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, Any

from reference.wire.numbers import FixedInteger

if TYPE_CHECKING:
    from collections.abc import Sequence
    from io import BytesIO

    from reference.paths import Path
    from reference.wire.base import WireType
    from reference.wire.stream import Reader

Step = tuple[str | None, Callable[..., Any]]
"""The name of a field and its read function, or None and the read function of a run of fields."""


FEW = 8
"""The number of elements up to which writing one after the other is as fast."""


class IntegerRun:
    """Consecutive fields of integer types of fixed width."""

    def __init__(self, members: Sequence[tuple[str, Any]]) -> None:
        self.names = tuple(name for name, _ in members)
        self._ends = tuple(accumulate(member.width for _, member in members))
        self._width = self._ends[-1]
        self._unpack = struct.Struct(">" + "".join(member.code for _, member in members)).unpack

    def read_into(self, value: dict[str, Any], stream: Reader, path: Path) -> None:
        """Read the fields into `value`, from a reader without tracing."""
        data = stream.read(self._width)
        if len(data) != self._width:
            whole = sum(end <= len(data) for end in self._ends)
            stream.truncated((path, self.names[whole]))
        value.update(zip(self.names, self._unpack(data), strict=True))


def steps(members: Sequence[tuple[str, WireType]]) -> tuple[Step, ...]:
    """Return the steps for reading the members of a struct, with runs of integers as one step, or none without runs."""
    found: list[Step] = []
    for is_integer, group in groupby(members, lambda member: type(member[1]) is FixedInteger):
        run = list(group)
        if is_integer and len(run) > 1:
            found.append((None, IntegerRun(run).read_into))
        else:
            found += [(name, member.read) for name, member in run]
    return tuple(found) if len(found) < len(members) else ()


def pack_of(member: WireType) -> Callable[[int], bytes] | None:
    """Return the function for the bytes of a number, whose errors have no path, or None for all but integers."""
    return member.pack if type(member) is FixedInteger else None


def read_integers(integer: FixedInteger, count: int, stream: Reader, path: Path) -> list[int]:
    """Read the elements of an array, from a reader without tracing."""
    data = stream.read(count * integer.width)
    if len(data) != count * integer.width:
        stream.truncated((path, len(data) // integer.width))
    return list(struct.unpack(f">{count}{integer.code}", data))


def write_integers(integer: FixedInteger, numbers: list[int], stream: BytesIO) -> bool:
    """Write the elements of an array at once, or return False without writing if one is no integer or out of range."""
    if set(map(type, numbers)) != {int}:  # bools would be written as numbers
        return False
    try:
        stream.write(struct.pack(f">{len(numbers)}{integer.code}", *numbers))
    except struct.error:
        return False
    return True
