"""The outputs of programs, read at once, so no program has to wait, and kept up to a bound."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from typing import IO

CUT = b"\n...\n"
"""Stands for the missing middle of a long output."""

PIPE_SIZE = 1 << 20
"""Bytes that a pipe to or from a program holds, where the system allows it."""

PIECE = 1 << 16


def new_pipe() -> tuple[int, int]:
    """Return the descriptors of a new pipe to read and to write, large where the system allows it."""
    reading, writing = os.pipe()
    with suppress(ImportError, OSError, AttributeError):
        import fcntl  # noqa: PLC0415  # not every system has it

        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, PIPE_SIZE)
    return reading, writing


class Ends:
    """The beginning and the end of an output of any length, each up to a number of bytes."""

    def __init__(self, beginning: int, end: int) -> None:
        self._sizes = beginning, end
        self._beginning = b""
        self._end = bytearray()
        self._is_cut = False

    def add(self, data: bytes) -> None:
        """Add bytes of the output."""
        beginning, end = self._sizes
        missing = beginning - len(self._beginning)
        self._beginning += data[:missing]
        self._end += data[missing:]
        if len(self._end) > end:
            self._is_cut = True
            del self._end[:-end]

    def __bytes__(self) -> bytes:
        return self._beginning + (CUT if self._is_cut and self._beginning else b"") + self._end


class Pipe:
    """A pipe from a program, read whenever it has data, with `kept` bytes of the beginning and of the end."""

    def __init__(self, stream: IO[bytes], kept: int) -> None:
        self.stream = stream
        self.ends = Ends(kept, kept)
        os.set_blocking(stream.fileno(), False)

    def read(self) -> int | None:
        """Read the next bytes, and return their number, 0 at the end of the pipe, or None if it is empty for now."""
        with suppress(BlockingIOError):
            data = os.read(self.stream.fileno(), PIECE)
            self.ends.add(data)
            return len(data)
        return None

    def drain(self) -> None:
        """Read until it is empty, but no more than it can hold, as a program may write faster than anyone reads."""
        for _ in range(PIPE_SIZE // PIECE + 1):
            if self.stream.closed or not self.read():
                break

    def text(self) -> str:
        """Return the kept text, including the rest of the pipe."""
        self.drain()
        return bytes(self.ends).decode(errors="replace").strip()


class Listener:
    """A thread that reads a pipe to its end, keeps the last `kept` bytes, and closes the pipe."""

    def __init__(self, stream: IO[bytes], kept: int) -> None:
        self._stream = stream
        self._ends = Ends(0, kept)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with self._stream:
            while data := os.read(self._stream.fileno(), PIECE):
                self._ends.add(data)

    def finish(self) -> None:
        """Wait up to a second until everything is read. A process that could not be ended may hold the pipe open."""
        self._thread.join(1.0)

    @property
    def text(self) -> str:
        """The text kept so far."""
        return bytes(self._ends).decode(errors="replace")
