"""A server that the suite starts itself, and again when it has died."""

from __future__ import annotations

import re
import subprocess
import tempfile
import threading
from typing import TYPE_CHECKING, Protocol

from conformance.implementation.plain_values import printable_lines
from conformance.live.address import Address
from conformance.live.broker.server import NoServer

if TYPE_CHECKING:
    from collections.abc import Sequence

START_DEADLINE = 120.0
"""Seconds within which a server must print its address."""

END_DEADLINE = 20.0
ADDRESS = re.compile(r"(?:^|\s)((?:[\w.-]+|\[[0-9a-fA-F:]+\]):\d{1,5})\s*$")
KEPT = 2_000
"""Characters of the end of its standard error that are shown."""


class Startable(Protocol):
    """A server that can be started again."""

    @property
    def address(self) -> Address:
        """Where it listens."""

    @property
    def pid(self) -> int:
        """The id of its process."""

    @property
    def status(self) -> int | None:
        """Its exit status; None while it lives."""

    def start(self) -> None:
        """Start it; end the one before."""

    def stop(self) -> None:
        """End it."""


class StartedServer:
    """A server process: it prints HOST:PORT at the end of a line as soon as it can be asked, and ends on SIGTERM.

    Args:
        command: the program and its arguments.

    Raises:
        NoServer: it ended, or did not print an address in time.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = tuple(command)
        self.starts = 0
        self.start()

    def start(self) -> None:
        """Start it; end the one before."""
        self.stop()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  # it lives as long as the process
        try:
            self._process = subprocess.Popen(  # noqa: S603  # the user's own command
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, text=True
            )
        except OSError as error:
            raise NoServer(f"--start: cannot run {self._command[0]!r}: {error.strerror}") from error
        self.starts += 1
        self._address = self._read_address()

    def _read_address(self) -> Address:
        found: list[Address] = []
        reader = threading.Thread(target=self._read, args=(found,), daemon=True)
        reader.start()
        reader.join(START_DEADLINE)
        if found:
            return found[0]
        status = self._process.poll()
        ended = f"it ended with status {status}" if status is not None else f"nothing within {START_DEADLINE:g} s"
        text = f"--start: no line that ends with HOST:PORT: {ended}\n{printable_lines(self.errors())}"
        self.stop()
        raise NoServer(text)

    def _read(self, found: list[Address]) -> None:
        """Read lines up to that with the address, then drop the others, so that the process never waits."""
        stream = self._process.stdout
        for line in stream or ():
            match = ADDRESS.search(line)
            if match and not found:
                found.append(Address.parse(match[1]))
                threading.Thread(target=lambda: list(stream or ()), daemon=True).start()
                return

    @property
    def address(self) -> Address:
        """Where it listens."""
        return self._address

    @property
    def pid(self) -> int:
        """The id of its process."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """Its exit status; None while it lives."""
        return self._process.poll()

    def errors(self) -> str:
        """Return the end of what it wrote to its standard error."""
        self._log.seek(0)
        return self._log.read().decode(errors="replace")[-KEPT:]

    def stop(self) -> None:
        """End it."""
        process: subprocess.Popen[str] | None = getattr(self, "_process", None)
        if process is None:
            return
        process.terminate()
        try:
            process.wait(END_DEADLINE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
        self._log.close()
        del self._process
