"""The ways of the steps of a codec, and the missteps with another one.

A misstep names a place, as `client-id`, or a pattern of places, as `string/*`, and the way of one kind of step there.
Every other step is sound.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from typing import Any, TypeVar

AnyWay = TypeVar("AnyWay")


class NotTaken(Exception):
    """Raised by reader and writer for refused bytes and values."""

    def __init__(self, reason: str = "", offset: int = 0) -> None:
        super().__init__(reason, offset)
        self.reason, self.offset = reason, offset


class LeftOpen(NotTaken):
    """Raised for refused bytes that the protocol leaves open."""


def same(given: Any) -> Any:
    return given


def swap(one: Any, other: Any) -> Callable[[Any], Any]:
    """Return a function to take one value for another."""
    return lambda given: other if given == one and type(given) is type(one) else given


def never(*_given: Any) -> bool:
    return False


@dataclass(frozen=True)
class FixedWay:
    """How a number of a fixed width is read or written."""

    piece: Callable[[bytes], bytes] = same
    """From its bytes to the ones in use, or to the written ones."""
    number: Callable[[int], int] = same
    more: int = 0
    """The bytes read beyond its width."""
    pads: bool = False
    """Whether zeros stand in for missing bytes."""
    refuses: Callable[[int], bool] = never


@dataclass(frozen=True)
class VarintWay:
    """How a number of variable width is read or written."""

    form: Callable[[bytes], bytes] = same
    """From the shortest form to the written one."""
    number: Callable[[int], int] = same
    most: int = 0
    """The most bytes of it, or 0 for the limit of the type."""
    stops: bool = False
    """Whether it ends after `most` bytes, whatever the top bit says."""
    pads: bool = False
    refuses: Callable[[int, int], bool] = never
    """By the number and its bytes."""
    order: int = 1
    """-1 if the highest seven bits come first."""


@dataclass(frozen=True)
class LengthWay:
    """How a length or count is read or written."""

    of: Callable[[int], int | None] = same
    """From the number to the length (None is null), and in a writer from the length to the number."""
    form: "Callable[[Counting], Counting]" = same
    """From the form of the number to the one in use."""
    counts: Callable[[bytes], int] = len
    is_bound: bool = True
    """Whether a length beyond the input is refused, otherwise cut."""
    beyond: Callable[[bytes], bytes | None] = same
    """From the bytes left to the bytes taken, if they are fewer than the length."""
    pads: bool = False
    limit: int = 0
    """The highest length, or 0 for that of the type."""


@dataclass(frozen=True)
class ContentWay:
    """How a content is changed after reading, or before writing."""

    raw: Callable[[bytes], bytes] = same
    value: Callable[[Any], Any] = same


@dataclass(frozen=True)
class CheckWay:
    """How a check refuses."""

    refuses: Callable[..., bool] = lambda is_wrong, *_facts: is_wrong
    """By the sound answer, and its facts."""


@dataclass(frozen=True)
class CrcWay:
    """How a checksum is written."""

    of: Callable[[bytes, bytes], bytes] = lambda right, _chunk: right
    """By the right one, and the whole batch or the covered bytes of a message."""


@dataclass(frozen=True)
class StreamWay:
    """How a compressed stream differs."""

    name: str = ""


FIXED, VARINT, LENGTH, CONTENT = FixedWay(), VarintWay(), LengthWay(), ContentWay()
CHECK, CRC, STREAM = CheckWay(), CrcWay(), StreamWay()
"""The sound way of each kind of step."""
_matches = lru_cache(maxsize=None)(fnmatchcase)


@dataclass(frozen=True)
class Misstep:
    """The wrong step of a codec."""

    place: str = ""
    """Its place, or a pattern of places."""
    way: Any = None
    """The way of the step, or None for a step named in full by its place."""
    also: "Misstep | None" = None
    """A second one."""
    context: str = ""
    """Its only context, as `second-batch`, or empty for all."""

    def at(self, place: str, sound: AnyWay) -> AnyWay:
        """Return the way of a step at a place."""
        if self.place:
            found = self._ways.get((place, type(sound)))
            if found is None:
                found = self._ways[place, type(sound)] = self._at(place, sound)
            return found
        return sound

    @cached_property
    def _ways(self) -> dict[tuple[str, type], Any]:
        """The ways of steps so far, as every number asks for one."""
        return {}

    def _at(self, place: str, sound: AnyWay) -> AnyWay:
        if type(self.way) is type(sound) and self._is_at(place):
            return self.way
        return self.also.at(place, sound) if self.also else sound

    def has(self, place: str) -> bool:
        """Return whether the misstep names this step in full."""
        return self.way is None and place == self.place

    def _is_at(self, place: str) -> bool:
        name, *contexts = place.split(BETWEEN)
        return self._is_of(name) and (not self.context or self.context in contexts)

    def _is_of(self, name: str) -> bool:
        return name == self.place or ("*" in self.place and _matches(name, self.place))

    def touches(self, place: str) -> bool:
        """Return whether any way differs at a place, in any context."""
        return bool(self.place) and (self._is_of(place) or (self.also is not None and self.also.touches(place)))


SOUND = Misstep()
BETWEEN = "@"
"""The separator between a place and its contexts."""


class Stepwise:
    """Asks a misstep for the way of each step, in its contexts."""

    misstep: Misstep
    here: str
    """The contexts, each with `BETWEEN` before it."""

    def way(self, place: str, sound: AnyWay) -> AnyWay:
        return self.misstep.at(place + self.here, sound)

    def check(self, place: str, is_wrong: bool, *facts: Any) -> None:  # noqa: FBT001  # the answer of a sound codec
        """Refuse a wrong value, or one wrong for a misstep."""
        if self.way(place, CHECK).refuses(is_wrong, *facts):
            raise NotTaken

    def accept(self, place: str, *facts: Any) -> None:
        """Go on as a sound codec does, unless a misstep refuses."""
        self.check(place, False, *facts)  # noqa: FBT003  # the sound answer

    def changed(self, place: str, value: Any) -> Any:
        return self.way(place, CONTENT).value(value)

    @contextmanager
    def within(self, *contexts: str) -> Iterator[None]:
        """Enter these contexts, too."""
        before = self.here
        self.here += "".join(BETWEEN + context for context in contexts)
        yield
        self.here = before


@dataclass(frozen=True)
class Counting:
    """How a content of variable size is counted."""

    compact: bool = False
    nullable: bool = False
    zigzag: bool = False
    """Whether it is counted by a signed varint, as in record batches."""
    width: int = 4
    """The bytes of a length of fixed width."""
    limit: int = 2**31 - 1
