"""One direction of a TCP connection, put together: retransmissions are dropped, what came too early waits.

Sequence numbers count bytes modulo 2^32. Bytes that the capture does not have are a gap: a piece behind one says how
many were lost before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.live.capture.packet_segments import Segment

MODULUS = 2**32
HALF = 2**31
MOST_WAITING = 4 * 2**20
"""How many bytes wait at most for those before them."""


class Piece(NamedTuple):
    """Bytes of a stream, in their order.

    Attributes:
        at: when the segment with them was captured, in seconds since 1970.
        data: the bytes; empty if there is only a loss to tell of.
        lost: how many bytes before them are not in the capture.
    """

    at: float
    data: bytes
    lost: int = 0


class _Waiting(NamedTuple):
    at: float
    data: bytes
    missing: int


class HalfStream:
    """Takes the segments of one direction, and gives their bytes in order."""

    def __init__(self) -> None:
        self._first: int | None = None
        self._next: int | None = None
        self._waiting: dict[int, _Waiting] = {}
        self._end: int | None = None
        self._lost = 0
        self.has_beginning = False
        """Whether the first byte of the stream is known, from a SYN."""

    @property
    def is_waiting(self) -> bool:
        """Whether bytes wait for others before them."""
        return bool(self._waiting)

    def take(self, segment: Segment) -> Iterator[Piece]:
        """Take a segment; yield the bytes that are in order now."""
        start = self._place(segment)
        if segment.closes:
            self._end = start + len(segment.data) + segment.missing
        known = self._waiting.get(start)
        if (segment.data or segment.missing) and (known is None or len(known.data) < len(segment.data)):
            self._waiting[start] = _Waiting(segment.at, segment.data, segment.missing)
        yield from self._ready()
        if sum(len(each.data) for each in self._waiting.values()) > MOST_WAITING:
            yield from self.give_up()

    def reaches(self, number: int) -> bool:
        """Say whether everything before a sequence number is known, or nothing is known at all."""
        if self._next is None:
            return True
        has_ended = self._end is not None and self._next >= self._end  # a FIN is counted like a byte
        return self._absolute(number) <= self._next + has_ended

    def give_up(self, number: int | None = None, at: float = 0.0) -> Iterator[Piece]:
        """Take what is missing for lost: before the bytes that wait, or before a number that was acknowledged."""
        if self._next is None:
            return
        if self._waiting:
            self._skip_to(min(self._waiting))
            yield from self._ready()
        elif number is not None and not self.reaches(number):
            self._skip_to(self._absolute(number))
            yield Piece(at, b"", self._take_lost())

    def _place(self, segment: Segment) -> int:
        """Return where the first byte of a segment stands; the first segment decides where the stream begins."""
        start = segment.sequence + segment.opens
        if self._next is None:
            self._first = self._next = start
        if segment.opens and self.may_begin_at(start):
            self.has_beginning = True
        return self._absolute(start)

    def may_begin_at(self, number: int) -> bool:
        """Say whether the first byte of this stream may have a sequence number: a SYN may be captured late."""
        return self._first is None or self._absolute(number) == self._first

    def _absolute(self, number: int) -> int:
        """Return a sequence number counted on beyond 2^32, as the nearest one to what comes next."""
        come_next = self._next or 0
        return come_next + (number - come_next + HALF) % MODULUS - HALF

    def _skip_to(self, start: int) -> None:
        self._lost += start - (self._next or 0)
        self._next = start

    def _take_lost(self) -> int:
        lost, self._lost = self._lost, 0
        return lost

    def _ready(self) -> Iterator[Piece]:
        """Yield the bytes that wait for nothing any more."""
        while self._waiting and self._next is not None and (start := min(self._waiting)) <= self._next:
            waiting = self._waiting.pop(start)
            new = waiting.data[self._next - start :]
            self._next = max(self._next, start + len(waiting.data))
            if new:
                yield Piece(waiting.at, new, self._take_lost())
            self._skip_to(max(self._next, start + len(waiting.data) + waiting.missing))
