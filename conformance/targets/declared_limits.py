"""The size limits of an implementation, for input that the protocol allows.

An adapter or harness declares them as `limits`: `{"tags": 64, "tag-bytes": 65_536}`. For a server an option does. A
refusal beyond a limit is legal, and counted. No limit may be so low that ordinary values exceed it, since that would
hide mistakes in them. The depth of nesting is no limit of an implementation: the definitions alone decide it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from conformance.generate.sizes import ARRAY_BYTES, DECOMPRESSED, ELEMENTS, FRAME_BYTES, TAG_BYTES, TAG_COUNT, sizes_of

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
"""All limits, each with its lowest value: tagged fields in one section, bytes of one of them, elements of an array,
bytes of one, bytes out of a compressed stream, bytes of a frame.
"""


STEPS = {
    TAG_COUNT: (65, 257, 1_025, 4_097),
    TAG_BYTES: (65_537, 131_073, 1_048_577),
    ELEMENTS: (10_001, 32_769, 100_001),
    ARRAY_BYTES: (65_537, 1_048_577, 4_194_305),
    DECOMPRESSED: (1_048_577, 4_194_305, 12_582_912),
    FRAME_BYTES: (1_048_577, 16_777_217),
}
"""The sizes that are tried for each limit, independent of declarations."""

LARGEST = {TAG_COUNT: 20_000, ELEMENTS: 1_000_000, FRAME_BYTES: 128 << 20}
LARGEST_BYTES = 64 << 20
"""The maximum of a declared limit up to which it is tried; for limits not in `LARGEST` it is this number of bytes."""

SMALLEST, FEW = {ARRAY_BYTES: 1_000, FRAME_BYTES: 1 << 16}, 12
"""The sizes that are tried first, and the one for all other limits."""


OF_CODECS = (TAG_COUNT, TAG_BYTES, ELEMENTS, ARRAY_BYTES, DECOMPRESSED)
OF_SERVERS = (TAG_COUNT, TAG_BYTES, FRAME_BYTES)
"""The limits that a codec, and a server, may declare."""


class BadLimit(Exception):
    """A declaration of limits is in another form, or too low."""


@dataclass
class LimitSearch:
    """The search for one limit.

    It tries sizes upwards, on both sides of the declared limit. Then it bisects between the largest accepted and the
    smallest refused size.

    Attributes:
        name: of the limit.
        declared: its declared value, or None if there is none.
        taken: the largest accepted size, or 0.
        refused: the smallest refused size, or None.
        is_over: whether a size was neither accepted nor refused. Nothing more is tried then.
    """

    name: str
    declared: int | None = None
    taken: int = 0
    refused: int | None = None
    is_over: bool = False

    @property
    def first(self) -> int:
        """The smallest size.

        An implementation that refuses it has no limit, but another objection to such values.
        """
        return SMALLEST.get(self.name, FEW)

    @property
    def has_begun(self) -> bool:
        """Whether the smallest size was accepted."""
        return self.taken > 0

    @property
    def next_size(self) -> int | None:
        """The next size to try, or None if the limit is found or absent."""
        if self.is_over or (self.refused is not None and not self.has_begun):
            return None
        if self.refused is None:
            return next((size for size in self._steps() if size > self.taken), None)
        middle = (self.taken + self.refused) // 2
        return None if middle in {self.taken, self.refused} else middle

    @property
    def is_within(self) -> bool:
        """Whether something within the declared limit was refused."""
        return self.refused is not None and (self.declared is None or self.refused <= self.declared)

    def note(self, size: int, *, is_taken: bool) -> None:
        """Record whether the next size was accepted."""
        self.taken, self.refused = (size, self.refused) if is_taken else (self.taken, size)

    def _steps(self) -> list[int]:
        limit = self.declared
        is_tried = limit is not None and limit <= LARGEST.get(self.name, LARGEST_BYTES)
        return sorted({self.first, *STEPS[self.name], *((limit, limit + 1) if is_tried and limit else ())})


@dataclass(frozen=True)
class DeclaredLimits:
    """The declared limits, by name."""

    declared: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, declared: Any, names: Collection[str] = OF_CODECS) -> DeclaredLimits:
        """Return the declaration, checked.

        Raises:
            BadLimit: it is no mapping of these names to numbers, or a number is below that of `FLOORS`.
        """
        if not isinstance(declared, Mapping):
            raise BadLimit("it is not a mapping of names to numbers")
        for name, number in declared.items():
            if name not in names:
                raise BadLimit(f"{name!r} is none of {', '.join(names)}")
            if not isinstance(number, int) or isinstance(number, bool):
                raise BadLimit(f"{name} is {number!r}, not a number")
            if number < FLOORS[name]:
                raise BadLimit(f"{name} is {number:,}: below {FLOORS[name]:,} it would hide what is wrong with others")
        return cls({str(name): number for name, number in declared.items()})

    def search(self, name: str) -> LimitSearch:
        """Return a search for a limit, before any size is tried."""
        return LimitSearch(name, self.declared.get(name))

    def exceeded(self, sizes: Mapping[str, int]) -> str:
        """Return the name of a limit exceeded by some sizes, empty if there is none."""
        return next((name for name, limit in self.declared.items() if sizes.get(name, 0) > limit), "")

    def exceeded_by(self, schema: MessageSchema, value: dict[str, Any]) -> str:
        """Return the name of a limit exceeded by a value of a message, empty if there is none."""
        return self.exceeded(sizes_of(schema, value)) if self.declared else ""


UNLIMITED = DeclaredLimits()
