"""Programs, each in a session of its own and ended with all its processes.

A supervisor, one for each process of the suite, starts them and ends them, even if this process is killed
(`supervisor.py`). This module is its client. A fork of this process has nothing to do with its parent's programs.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import weakref
from contextlib import ExitStack, suppress
from importlib.resources import files
from pathlib import Path
from typing import IO, TYPE_CHECKING, Self

from conformance.system.own_processes import foreign_environment
from conformance.system.proc import bytes_of_peak, processor_seconds
from conformance.system.program_output import new_pipe
from conformance.system.supervisor import END, ENDED, LENGTH, STARTED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Seconds for the supervisor to end after this process: more than it takes itself to give up.
SECONDS_TO_END = 10.0


class Program:
    """A started program. As a context manager, it is ended with the block.

    Attributes:
        pid: the id of its first process, also the number of its process group and session.
        stdin: the pipe to its standard input, unbuffered; None if none was requested.
        stdout: likewise.
        stderr: likewise.
        peak: the peak of resident memory of its first process in bytes, once that has ended; 0 if it is unknown.
        left: processes that could not be ended with it, such as another user's.
    """

    def __init__(self, link: socket.socket, pid: int, pipes: Sequence[IO[bytes] | None]) -> None:
        self._link = link
        self._status: int | None = None
        self.peak = 0
        self.pid = pid
        self.stdin, self.stdout, self.stderr = pipes
        self.left: tuple[int, ...] = ()

    @property
    def status(self) -> int | None:
        """Its exit status, or None while it runs. It is minus a signal's number if the program ended by one."""
        return self.wait(0.0)

    def wait(self, seconds: float | None = None) -> int | None:
        """Return the status as soon as all its processes have ended, or None after these seconds."""
        if self._status is None and _is_readable(self._link, seconds):
            reply = _received(self._link, ENDED.size)
            # Without a reply someone has ended the supervisor.
            status, peak, *left = ENDED.unpack(reply) if reply else (signal.SIGKILL, 0)
            self.peak = bytes_of_peak(peak)
            self._status = os.waitstatus_to_exitcode(status)
            self.left = tuple(pid for pid in left if pid)
            _SUPERVISOR.left.update(self.left)
            self._link.close()
        return self._status

    def signal(self, number: int) -> None:
        """Send a signal to its process group, as a terminal does, unless it has ended."""
        self._tell(bytes([number]))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def kill(self) -> int:
        """End it now, by force, with all its processes, and return its status."""
        self._tell(END)
        status = self.wait()
        return -signal.SIGKILL if status is None else status

    def end(self) -> int:
        """Close its pipes, end it as `kill` does, and return its status."""
        for pipe in (self.stdin, self.stdout, self.stderr):
            if pipe is not None:
                pipe.close()
        return self.kill()

    def forget(self) -> None:
        """Leave it to the process that this one is a fork of."""
        self._status = -signal.SIGKILL
        self._link.close()

    def _tell(self, word: bytes) -> None:
        if self._status is None:
            with suppress(OSError):  # it has just ended
                self._link.sendall(word)


def start(  # noqa: PLR0913  # what a program is started with
    command: Sequence[str],
    *,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.DEVNULL,
    stderr: int = subprocess.DEVNULL,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    others: Sequence[int] = (),
) -> Program:
    """Start a program.

    Args:
        command: the program, looked up as by a shell, and its arguments.
        stdin: a descriptor; or as in `subprocess`: DEVNULL, PIPE.
        stdout: likewise.
        stderr: likewise, or STDOUT.
        environment: its variables; None for those of this process.
        folder: its current folder; None for that of this process.
        others: further descriptors for it, as numbers 3, 4, and so on.

    Raises:
        OSError: the operating system does not run it.
    """
    with ExitStack() as theirs:
        pipes: list[IO[bytes] | None] = []
        streams = [_stream(place, requested, pipes, theirs) for place, requested in enumerate((stdin, stdout, stderr))]
        streams[2] = streams[1] if stderr == subprocess.STDOUT else streams[2]
        link, keepers = socket.socketpair()
        theirs.callback(keepers.close)
        try:
            _SUPERVISOR.send(_request(command, environment, folder), [keepers.fileno(), *streams, *others])
            keepers.close()
            pid = _started(link, command)
        except BaseException:
            link.close()
            for pipe in filter(None, pipes):
                pipe.close()
            raise
    return _SUPERVISOR.remember(Program(link, pid, pipes))


def _stream(place: int, requested: int, pipes: list[IO[bytes] | None], theirs: ExitStack) -> int:
    """Return the descriptor for a standard stream, and add our end of its pipe, or None, to `pipes`."""
    if requested != subprocess.PIPE:
        pipes.append(None)
        if requested >= 0 or requested == subprocess.STDOUT:
            return requested
        return theirs.enter_context(Path(os.devnull).open("r+b", buffering=0)).fileno()
    reading, writing = new_pipe()
    ours, other, mode = (reading, writing, "rb") if place else (writing, reading, "wb")
    theirs.callback(os.close, other)
    pipes.append(os.fdopen(ours, mode, buffering=0))
    return other


def _request(command: Sequence[str], environment: Mapping[str, str] | None, folder: Path | None) -> bytes:
    pairs = (foreign_environment() if environment is None else environment).items()
    request = {
        "command": _texts(command),
        "environment": _texts([text for pair in pairs for text in pair]),
        "folder": _texts([str((folder or Path()).absolute())]),
    }
    return json.dumps(request).encode()


def _texts(words: Sequence[str]) -> list[str]:
    """Return words as the operating system takes them, with a character for each byte."""
    return [os.fsencode(word).decode("latin-1") for word in words]


def _started(link: socket.socket, command: Sequence[str]) -> int:
    reply = _received(link, STARTED.size)
    if not reply:
        raise OSError(0, "the supervisor of programs has been ended", command[0])
    pid, number = STARTED.unpack(reply)
    if not pid:
        raise OSError(number, os.strerror(number), command[0])
    return int(pid)


def _received(link: socket.socket, size: int) -> bytes:
    with suppress(OSError):
        reply = link.recv(size, socket.MSG_WAITALL)
        if len(reply) == size:
            return reply
    return b""


def _is_readable(link: socket.socket, seconds: float | None) -> bool:
    poll = select.poll()
    poll.register(link, select.POLLIN)
    return bool(poll.poll(None if seconds is None else seconds * 1000))


class Supervisor:
    """The supervisor of this process, started with the first program and ended with this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._programs: weakref.WeakSet[Program] = weakref.WeakSet()
        self.left: set[int] = set()
        """Processes that could not be ended with their programs."""

    def send(self, request: bytes, descriptors: Sequence[int]) -> None:
        """Request the start of a program, or raise OSError if the supervisor does not run."""
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._start()
            assert self._control is not None  # noqa: S101  # it has just been made
            socket.send_fds(self._control, [LENGTH.pack(len(request))], descriptors)
            self._control.sendall(request)

    @property
    def seconds(self) -> float:
        """The processor time of all programs and the supervisor in seconds, or 0 on systems without /proc."""
        return 0.0 if self._process is None else processor_seconds(self._process.pid)

    def remember(self, program: Program) -> Program:
        """Register a program that has been started, and return it."""
        self._programs.add(program)
        return program

    def _start(self) -> None:
        self._close_control()
        self._control, theirs = socket.socketpair()
        source = (files(__package__) / "supervisor.py").read_bytes()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603  # our own program
                (sys.executable, "-I", "-S", "-", str(theirs.fileno())),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                cwd="/",
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        assert self._process.stdin is not None  # noqa: S101  # it was requested
        with self._process.stdin as stdin:
            stdin.write(source)

    def end(self) -> None:
        """End all programs and the supervisor, and name processes that could not be ended on standard error."""
        self._close_control()
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(SECONDS_TO_END)
        if self.left:
            numbers = ", ".join(map(str, sorted(self.left)))
            sys.stderr.write(
                f"kafka-conformance: a tested program has left processes that could not be ended: {numbers}\n"
            )

    def forget(self) -> None:
        """Leave everything to the process that this one is a fork of."""
        if self._process is not None:
            self._process.returncode = 0  # it is not this one's child, and so is not waited for
        self._close_control()
        for program in self._programs:
            program.forget()
        self.__init__()  # type: ignore[misc]

    def _close_control(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None


# State of this process, as its children are. The supervisor itself starts with the first program.
_SUPERVISOR = Supervisor()


def seconds_of_programs() -> float:
    """Return the processor time in seconds of the programs of this process, or 0 on systems without /proc."""
    return _SUPERVISOR.seconds


def end_programs() -> None:
    """End all programs of this process, as its end does where Python has its way."""
    _SUPERVISOR.end()


atexit.register(end_programs)
os.register_at_fork(after_in_child=_SUPERVISOR.forget)
