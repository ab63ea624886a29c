"""A child process as its owner sees it: how it is started, and how it ended."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Protocol

from conformance.bridge.errors import Ending, HarnessStartError
from conformance.implementation.plain_values import printable_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PIPE_SIZE = 1 << 20
_STDERR_TAIL = 4000


class Child(Protocol):
    """A running child process, as `subprocess.Popen` is one."""

    @property
    def stdin(self) -> IO[bytes] | None:
        """The pipe to its standard input."""

    @property
    def stdout(self) -> IO[bytes] | None:
        """The pipe from its standard output."""

    def wait(self, timeout: float | None = None) -> int:
        """Return its exit status, minus the signal's number if a signal ended it.

        Raises:
            subprocess.TimeoutExpired: it has not ended within `timeout` seconds.
        """

    def kill(self) -> None:
        """End it by force."""


Starter = Callable[[IO[bytes]], Child]
"""Starts a child with the given file for its standard error."""


def program(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Starter:
    """Return a starter of a program; `environment` is this process's own if it is None."""

    def start(stderr: IO[bytes]) -> Child:
        try:
            return subprocess.Popen(  # noqa: S603  # running the given program is what this is for
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                bufsize=0,
                pipesize=PIPE_SIZE,
                env=environment,
            )
        except OSError as error:
            raise cannot_run(command, error) from error

    return start


def cannot_run(command: Sequence[str], error: OSError) -> HarnessStartError:
    """Return the error for a command that the operating system does not run."""
    return HarnessStartError(f"{command[0]} cannot be run: {error.strerror}")


def ending_of(child: Child, stderr: IO[bytes], grace: float = 0) -> Ending:
    """Return how a child ended; a child that has not ended within `grace` seconds is killed."""
    with suppress(subprocess.TimeoutExpired):
        child.wait(timeout=grace)
    child.kill()
    status = child.wait()
    stderr.seek(0)
    tail = stderr.read()[-_STDERR_TAIL:].decode(errors="replace").strip()
    return Ending(status, printable_lines(tail))
