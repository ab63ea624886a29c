"""Runs of a program from its start to its end, with limits on time and output."""

from __future__ import annotations

import os
import selectors
from dataclasses import dataclass
from subprocess import PIPE
from typing import IO, TYPE_CHECKING, cast

from conformance.system.program_output import PIECE, Pipe
from conformance.system.programs import start
from conformance.system.time_limits import TimeLimit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from conformance.system.programs import Program

MOST = 16 << 20
"""Bytes of standard output after which a program is ended."""

KEPT = 1 << 15
"""Bytes to keep of the beginning, and of the end, of standard error."""


@dataclass(frozen=True)
class Finished:
    """The outcome of a run.

    Attributes:
        status: the exit status, minus a signal's number if the program ended by one, or None if a bound ended it.
        errors: the beginning and the end of standard error.
        bound: the bound that ended the program, in words; empty if none did.
        limit: the exceeded limit of time, or None.
    """

    status: int | None
    output: bytes
    errors: str
    bound: str = ""
    is_full: bool = False
    limit: TimeLimit | None = None

    @property
    def text(self) -> str:
        """Both outputs, and the bound."""
        return "\n".join(filter(None, (self.output.decode(errors="replace").strip(), self.errors, self.bound)))


def run(  # noqa: PLR0913  # what a run consists of
    command: Sequence[str],
    *,
    stdin: bytes = b"",
    seconds: float | None = None,
    most: int = MOST,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Finished:
    """Run a program to its end, or to one of its bounds, and end all processes that it has started.

    Args:
        command: the program and its arguments.
        stdin: the bytes for its standard input.
        seconds: the longest run time, as of `TimeLimit`; None for no bound.
        most: the bound on standard output, in bytes.
        environment: as for `start`.
        folder: as for `start`.

    Raises:
        OSError: the operating system does not run it.
    """
    program = start(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, environment=environment, folder=folder)
    try:
        return _Run(program, stdin, seconds, most).finished()
    finally:
        program.end()


class _Run:
    def __init__(self, program: Program, stdin: bytes, seconds: float | None, most: int) -> None:
        self._program = program
        self._unsent = memoryview(stdin)
        self._seconds, self._most = seconds, most
        self._limit = None if seconds is None else TimeLimit(program.pid, seconds)
        self._is_late = False
        self._output = bytearray()
        self._stdin, self._stdout = cast("IO[bytes]", program.stdin), cast("IO[bytes]", program.stdout)
        self._errors = Pipe(cast("IO[bytes]", program.stderr), KEPT)
        os.set_blocking(self._stdin.fileno(), False)

    def finished(self) -> Finished:
        """Exchange data with the program while an output is open, then wait for its end."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdin, selectors.EVENT_WRITE, self._write)
            selector.register(self._stdout, selectors.EVENT_READ, self._read)
            selector.register(self._errors.stream, selectors.EVENT_READ, self._errors.read)
            # A program may end its outputs without having read its input: the latter is not waited for.
            while any(key.events == selectors.EVENT_READ for key in selector.get_map().values()):
                for key, _ in selector.select(self._pause):
                    if key.data() == 0:  # `_write`, `_read` or `Pipe.read`: each returns 0 at the end of its stream
                        selector.unregister(key.fileobj)
                        cast("IO[bytes]", key.fileobj).close()
                if len(self._output) > self._most:
                    return self._ended(f"ended, since it wrote more than {self._most:,} bytes", is_full=True)
                if self._is_over():
                    break
        while not self._is_late and self._program.wait(self._pause) is None:
            self._is_over()
        return self._ended(f"ended, since it took more than {self._seconds:g} seconds" if self._is_late else "")

    @property
    def _pause(self) -> float | None:
        return None if self._limit is None else self._limit.pause

    def _is_over(self) -> bool:
        self._is_late = self._limit is not None and self._limit.is_over()
        return self._is_late

    def _ended(self, bound: str, *, is_full: bool = False) -> Finished:
        status, limit = self._program.kill(), self._limit if self._is_late else None
        return Finished(None if bound else status, bytes(self._output), self._errors.text(), bound, is_full, limit)

    def _write(self) -> int | None:
        """Return the number of bytes left, 0 if the other end is closed too, or None if the pipe is full."""
        try:
            self._unsent = self._unsent[os.write(self._stdin.fileno(), self._unsent) :]
        except BlockingIOError:
            return None
        except BrokenPipeError:
            return 0
        return len(self._unsent)

    def _read(self) -> int:
        data = os.read(self._stdout.fileno(), PIECE)
        self._output += data
        return len(data)
