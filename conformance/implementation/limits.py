"""Limits of an implementation's own: what it refuses for its size, though the protocol allows it.

An adapter or harness declares them as `limits`, a server's by an option: `{"tags": 64, "tag-bytes": 65_536}`. To refuse
what is beyond one is legal, and counted. None may be so low that ordinary values are beyond it: that would hide what is
wrong with them. How deeply values nest is no limit of an implementation's: the definitions alone decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from conformance.generate.sizes import (
    ARRAY_BYTES,
    DECOMPRESSED,
    ELEMENTS,
    FRAME_BYTES,
    TAG_BYTES,
    TAG_COUNT,
    sizes_of,
)

if TYPE_CHECKING:
    from reference import MessageSchema

FLOORS = {
    TAG_COUNT: 16,
    TAG_BYTES: 4_096,
    ELEMENTS: 1_000,
    ARRAY_BYTES: 1 << 16,
    DECOMPRESSED: 1 << 20,
    FRAME_BYTES: 1 << 20,
}
"""The limits that there are, each with its lowest value: tagged fields in one section, bytes of one of them, elements
of an array, bytes of one, bytes out of a compressed stream, bytes of a frame."""


STEPS = {
    TAG_COUNT: (65, 257, 1_025, 4_097),
    TAG_BYTES: (65_537, 131_073, 1_048_577),
    ELEMENTS: (10_001, 32_769, 100_001),
    ARRAY_BYTES: (65_537, 1_048_577, 4_194_305),
    DECOMPRESSED: (1_048_577, 4_194_305, 12_582_912),
    FRAME_BYTES: (1_048_577, 16_777_217),
}
"""The sizes that are tried of each sort, whatever is declared."""

LARGEST = {TAG_COUNT: 20_000, ELEMENTS: 1_000_000, FRAME_BYTES: 128 << 20}
LARGEST_BYTES = 64 << 20
"""What a limit may be beyond which it is not tried; of bytes, where nothing else is said, as many."""

SMALLEST = 12
"""A size that is tried first, of any sort but frames: who refuses it has no limit, but refuses such values."""


class BadLimit(Exception):
    """A declaration of limits in another form, or of one that is too low."""


@dataclass(frozen=True)
class Limits:
    """The declared limits, by name."""

    declared: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, declared: Any) -> Limits:
        """Return the declaration, checked.

        Raises:
            BadLimit: it is no mapping of the names in `FLOORS` to numbers that are no lower.
        """
        if not isinstance(declared, Mapping):
            raise BadLimit("it is not a mapping of names to numbers")
        for name, number in declared.items():
            if name not in FLOORS:
                raise BadLimit(f"{name!r} is none of {', '.join(FLOORS)}")
            if not isinstance(number, int) or isinstance(number, bool):
                raise BadLimit(f"{name} is {number!r}, not a number")
            if number < FLOORS[name]:
                raise BadLimit(f"{name} is {number:,}: below {FLOORS[name]:,} it would hide what is wrong with others")
        return cls({str(name): number for name, number in declared.items()})

    def next_size(self, name: str, taken: int, refused: int | None) -> int | None:
        """Return the size that is tried next; None: the limit is found, or there is none.

        Args:
            name: of the limit.
            taken: the largest size that was taken; 0: none was.
            refused: the smallest that was refused.
        """
        if refused is None:
            return next((size for size in self._steps(name) if size > taken), None)
        middle = (taken + refused) // 2
        return None if refused == SMALLEST or middle in {taken, refused} else middle

    def _steps(self, name: str) -> list[int]:
        declared, first = self.declared.get(name), 1 << 16 if name == FRAME_BYTES else SMALLEST
        is_tried = declared is not None and declared <= LARGEST.get(name, LARGEST_BYTES)
        return sorted({first, *STEPS[name], *((declared, declared + 1) if is_tried and declared else ())})

    def exceeded(self, sizes: Mapping[str, int]) -> str:
        """Return the name of a limit beyond which something is; empty if it is within all of them."""
        return next((name for name, limit in self.declared.items() if sizes.get(name, 0) > limit), "")

    def exceeded_by(self, schema: MessageSchema, value: dict[str, Any]) -> str:
        """Return the name of a limit beyond which a value of a message is; empty if it is within all of them."""
        return self.exceeded(sizes_of(schema, value)) if self.declared else ""


UNLIMITED = Limits()
