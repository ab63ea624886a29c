"""A server started by the suite, and started again after its death."""

from __future__ import annotations

import os
import re
import signal
import threading
from contextlib import suppress
from subprocess import PIPE
from typing import IO, TYPE_CHECKING, Protocol, cast

from conformance.live.address import Address, BadAddress
from conformance.live.server.server import NoServer
from conformance.system.printable import printable_lines
from conformance.system.program_output import PIECE, Listener
from conformance.system.programs import start
from conformance.system.time_limits import TimeLimit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.system.programs import Program

START_DEADLINE = 120.0
"""Seconds to wait for the address on a server's output, as of `TimeLimit`."""

END_DEADLINE = 20.0
ADDRESS = re.compile(r"(?:^|\s)((?:[\w.-]+|\[[0-9a-fA-F:]+\]):\d{1,5})\s*$")
KEPT = 2_000
"""The number of bytes looked at, at the end of its standard error and of a line."""


class Startable(Protocol):
    """A server that can be started again."""

    @property
    def address(self) -> Address:
        """Its address."""

    @property
    def pid(self) -> int:
        """The id of its process."""

    @property
    def status(self) -> int | None:
        """Its exit status, or None while it lives."""

    def start(self) -> None:
        """Start it, and end an earlier process."""

    def stop(self) -> None:
        """End it."""


class StartedServer:
    """A server process, which prints HOST:PORT at the end of a line once it accepts requests, and ends on SIGTERM.

    Raises:
        NoServer: it ended, or did not print an address in time.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = tuple(command)
        self._program: Program | None = None
        self.starts = 0
        self.start()

    def start(self) -> None:
        """Start it, and end an earlier process."""
        self.stop()
        try:
            self._program = start(self._command, stdin=PIPE, stdout=PIPE, stderr=PIPE)
        except OSError as error:
            raise NoServer(f"--start: cannot run {self._command[0]!r}: {error.strerror}") from error
        self._output = _OutputReader(cast("IO[bytes]", self._program.stdout))
        self._errors = Listener(cast("IO[bytes]", self._program.stderr), KEPT)
        self.starts += 1
        self._address = self._read_address()

    def _read_address(self) -> Address:
        limit = TimeLimit(self.pid, START_DEADLINE)
        address = self._output.address(limit)
        if address is not None:
            return address
        ended = f"nothing within {limit}" if self.status is None else f"it ended with status {self.status}"
        self.stop()
        text = f"--start: no line that ends with HOST:PORT: {ended}\n{printable_lines(self.errors())}"
        raise NoServer(text)

    @property
    def address(self) -> Address:
        """Its address."""
        return self._address

    @property
    def _running(self) -> Program:
        if self._program is None:
            raise RuntimeError("the server has been ended")
        return self._program

    @property
    def pid(self) -> int:
        """The id of its process."""
        return self._running.pid

    @property
    def status(self) -> int | None:
        """Its exit status, or None while it lives."""
        return self._running.status

    def errors(self) -> str:
        """Return the end of its standard error."""
        return self._errors.text

    def stop(self) -> None:
        """End it by SIGTERM, or by force after the deadline."""
        if self._program is None:
            return
        try:
            self._program.signal(signal.SIGTERM)
            self._program.wait(END_DEADLINE)
        finally:
            self._program.kill()
            cast("IO[bytes]", self._program.stdin).close()
            self._errors.finish()
            self._program = None


class _OutputReader:
    """Finds an address at the end of a line of an output, in a thread, as a full pipe would stop the server."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._address: Address | None = None
        self._is_known = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()

    def address(self, limit: TimeLimit) -> Address | None:
        """Return the first address, as soon as it is there, or None if the output or the limit ends without one."""
        while not self._is_known.wait(limit.pause) and not limit.is_over():
            pass
        return self._address

    def _read(self) -> None:
        begun = b""
        with self._stream:
            while piece := os.read(self._stream.fileno(), PIECE):
                if not self._is_known.is_set():
                    *lines, begun = (begun + piece).split(b"\n")
                    self._look_at(lines)
                    begun = begun[-KEPT:]
        self._is_known.set()

    def _look_at(self, lines: Sequence[bytes]) -> None:
        for line in lines:
            match = ADDRESS.search(line[-KEPT:].decode(errors="replace"))
            if match:
                with suppress(BadAddress):
                    self._address = Address.parse(match[1])
                    self._is_known.set()
                    return
