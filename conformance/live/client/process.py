"""One run of a client program: a process group of its own, its output, its memory, and its end.

It ends with its deadline, with too much memory, or when this process is interrupted: the group is killed as a whole.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.bridge.errors import Ending
from conformance.implementation.plain_values import printable_lines
from conformance.live.processes import group_memory
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

BOOTSTRAP = "KAFKA_BOOTSTRAP"
"""The variable of a client's environment that has the broker's address."""

KEPT = 2**16
"""Bytes of the end of its output that are kept."""

PAUSE = 0.02
MEASURED_EVERY = 5
"""Pauses between two measurements of memory."""


class CannotStart(ConformanceError):
    """The command is not found, or cannot be run."""


@dataclass(frozen=True)
class Limits:
    """What a run may take.

    Attributes:
        deadline: seconds.
        memory: bytes of resident memory of the whole process group; 0: any.
    """

    deadline: float = 30.0
    memory: int = 0


@dataclass(frozen=True)
class Run:
    """What came of a run.

    Attributes:
        status: the exit status; minus the number of a signal that ended it.
        output: the end of what it wrote.
        seconds: how long it took.
        memory: the peak of its group's resident memory, in bytes; 0 where the system does not tell.
        is_late: whether its deadline ended it.
        is_full: whether its memory did.
    """

    status: int
    output: str
    seconds: float
    memory: int
    is_late: bool = False
    is_full: bool = False

    @property
    def succeeded(self) -> bool:
        """Whether it ended by itself, with status 0."""
        return self.status == 0 and not self.is_late and not self.is_full

    @property
    def ending(self) -> str:
        """How it ended, in a few words."""
        if self.is_late:
            return f"no end within {self.seconds:.0f} s"
        if self.is_full:
            return f"ended for its memory, {self.memory // 2**20:,} MiB"
        return Ending(self.status, "").cause


def run_client(
    command: Sequence[str], address: object, limits: Limits, abandoned: Callable[[], bool] = lambda: False
) -> Run:
    """Run a program with an address in its environment, up to its end.

    Args:
        command: the program and its arguments.
        address: of the broker, as HOST:PORT.
        limits: after which it is ended.
        abandoned: asked again and again whether to end it.

    Raises:
        CannotStart: there is no such program.
    """
    try:
        child = subprocess.Popen(  # noqa: S603  # the user's own command
            command,
            env={**os.environ, BOOTSTRAP: str(address)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # an interrupt at the terminal is for this process, which ends the group
        )
    except OSError as error:
        raise CannotStart(f"cannot run {command[0]!r}: {error.strerror}") from error
    output = _Output(child)
    try:
        watched = _watch(child, limits, abandoned)
    finally:
        end_group(child.pid)
        child.wait()
        output.finish()
    return Run(child.returncode, output.text, **watched)


def _watch(child: subprocess.Popen[bytes], limits: Limits, abandoned: Callable[[], bool]) -> dict[str, Any]:
    """Wait for the end of a client or one of its limits; return what of a run is measured."""
    began, peak, rounds = time.monotonic(), 0, 0
    is_late = is_full = False
    while child.poll() is None and not (is_late or is_full or abandoned()):
        if rounds % MEASURED_EVERY == 0:
            peak = max(peak, group_memory(child.pid))
        rounds += 1
        is_full = 0 < limits.memory < peak
        is_late = time.monotonic() - began > limits.deadline
        with suppress(subprocess.TimeoutExpired):
            child.wait(PAUSE)
    return {"seconds": time.monotonic() - began, "memory": peak, "is_late": is_late, "is_full": is_full}


def end_group(group: int) -> None:
    """Kill what is left of a process group of a client."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


class _Output:
    """Reads what a client writes, so that it never waits, and keeps the end of it."""

    def __init__(self, child: subprocess.Popen[bytes]) -> None:
        self._kept = bytearray()
        self._stream = child.stdout
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self._stream is not None  # noqa: S101  # it was asked for
        while data := os.read(self._stream.fileno(), KEPT):
            self._kept += data
            del self._kept[:-KEPT]
        self._stream.close()

    def finish(self) -> None:
        """Wait until all is read; what has left the group may hold the stream open."""
        self._thread.join(1.0)

    @property
    def text(self) -> str:
        """The end of the output, printable."""
        return printable_lines(self._kept.decode(errors="replace"))
