"""One direction of a connection that a proxy forwards: its bytes go on, and its frames are taken."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from conformance.live.traffic.cutting import SIZE, Cutter

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from conformance.live.traffic.rewriting import Rewriting

SEGMENT = 2**16


class Tap(NamedTuple):
    """Who learns what went over a stream.

    Attributes:
        frame: gets each frame as it was written, without its size.
        rest: gets what is left at the end of the stream, which is no frame.
    """

    frame: Callable[[bytes], object]
    rest: Callable[[bytes], object]


class Stream(ABC):
    """The bytes from one side to the other.

    Args:
        writer: to the other side.
        tap: gets what was written.
    """

    def __init__(self, writer: asyncio.StreamWriter, tap: Tap) -> None:
        self._writer = writer
        self._tap = tap
        self._cutter = Cutter()

    async def forward(self, reader: asyncio.StreamReader) -> None:
        """Forward everything up to the end of the stream, then end the other side's."""
        try:
            with suppress(ConnectionError):
                while segment := await reader.read(SEGMENT):
                    await self._pass_on(segment)
                    await self._writer.drain()
            with suppress(OSError):
                self._writer.write_eof()
        finally:
            if self._cutter.rest:
                self._tap.rest(self._cutter.rest)

    @abstractmethod
    async def _pass_on(self, segment: bytes) -> None:
        """Forward one segment, changed or not, and take its frames."""


class Unchanged(Stream):
    """Forwards segments as they come.

    Args:
        writer: see `Stream`.
        tap: see `Stream`.
        rewriting: learns of the requests that go over this stream; None: nothing is rewritten.
    """

    def __init__(self, writer: asyncio.StreamWriter, tap: Tap, rewriting: Rewriting | None = None) -> None:
        super().__init__(writer, tap)
        self._rewriting = rewriting

    async def _pass_on(self, segment: bytes) -> None:
        self._writer.write(segment)  # nothing is awaited before the requests in it are known
        for payload in self._cutter.feed(segment):
            self._tap.frame(payload)
            if self._rewriting is not None:
                self._rewriting.request(payload)


class Rewritten(Stream):
    """Forwards whole responses, each as the rewriting returns it; bytes that are no frames as they are.

    Args:
        writer: see `Stream`.
        tap: see `Stream`.
        rewriting: what is changed.
    """

    def __init__(self, writer: asyncio.StreamWriter, tap: Tap, rewriting: Rewriting) -> None:
        super().__init__(writer, tap)
        self._rewriting = rewriting

    async def _pass_on(self, segment: bytes) -> None:
        was_lost = self._cutter.is_lost
        for payload in self._cutter.feed(segment):
            self._tap.frame(payload)
            changed = await self._rewriting.response(payload)
            self._writer.write(len(changed).to_bytes(SIZE) + changed)
        if was_lost:
            self._writer.write(segment)
        elif self._cutter.is_lost:
            self._writer.write(self._cutter.waiting)
