"""Cuts the stream of one side of a connection into frames, whatever segments it comes in."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZE = 4
"""The number of bytes of the size before a frame."""

LARGEST = 256 * 2**20
"""The largest size that is waited for, in bytes; Apache Kafka's default is 100 MiB."""

KEPT = 4096
"""How many bytes are kept of a stream that cannot be cut."""


class Cutter:
    """Takes the segments of a stream, and gives the frames that they complete.

    A size that cannot be ends it: nobody knows where the next frame begins.
    """

    def __init__(self, largest: int = LARGEST) -> None:
        self._largest = largest
        self._waiting = bytearray()
        self.is_lost = False
        """Whether a size came that cannot be."""

    def feed(self, segment: bytes) -> Iterator[bytes]:
        """Take a segment; yield each frame that is complete now, without its size."""
        if self.is_lost:
            self._waiting += segment[: max(0, KEPT - len(self._waiting))]
            return
        self._waiting += segment
        at = 0
        while len(self._waiting) - at >= SIZE:
            size = int.from_bytes(self._waiting[at : at + SIZE], signed=True)
            if not 0 <= size <= self._largest:
                self.is_lost = True
                break
            if len(self._waiting) - at < SIZE + size:
                break
            yield bytes(self._waiting[at + SIZE : at + SIZE + size])
            at += SIZE + size
        del self._waiting[:at]

    @property
    def rest(self) -> bytes:
        """The first bytes of what is no frame, or not yet a whole one; its size included."""
        return bytes(self._waiting[:KEPT])

    @property
    def waiting(self) -> bytes:
        """All bytes that came since the last whole frame, as long as no size was wrong before them."""
        return bytes(self._waiting)
