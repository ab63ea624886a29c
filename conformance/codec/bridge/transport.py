"""A child process with many requests in flight and replies in their order.

Requests are written and replies read as the pipes allow, whichever is ready first, so neither side blocks the other.
The window limits the number of unanswered requests. The deadline limits the silence of the child while any request is
unanswered, whatever the load of the machine. Threads would spend most of their time waiting for each other.
"""

from __future__ import annotations

import os
import selectors
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from subprocess import PIPE
from typing import IO, TYPE_CHECKING, Any, Protocol, cast

from conformance.codec.bridge.bridge_json import dumps, loads
from conformance.codec.bridge.harness_errors import (
    Ending,
    HarnessDiedError,
    HarnessProtocolError,
    HarnessStartError,
    HarnessTimeoutError,
)
from conformance.system.printable import printable_lines
from conformance.system.proc import largest_memory
from conformance.system.program_output import PIPE_SIZE, Pipe
from conformance.system.programs import start
from conformance.system.time_limits import TimeLimit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Reply = dict[str, Any]

DEFAULT_DEADLINE = 30.0
"""Seconds of silence; generous, since the first request waits for the start of the child."""

WINDOW = 256
"""The number of requests in flight, few enough to be sent again after each failure."""

ALLOWANCE = 4 << 20
"""Bytes for the replies of one exchange: parsed, the worst of them take 24 times as much memory."""

FACTOR = 64
"""Further bytes for each byte of the requests: in JSON an element of one byte has a name."""

FIRST = 2
"""The exchanges before which the memory of a child is looked at: the first may be its start."""

_BATCH = 64
_STDERR = 2000
"""Bytes kept of the beginning, and of the end, of a standard error."""

_SECONDS_TO_END = 2.0


class ChildProcess(ABC):
    """One run of a child process, from its start to `close`, for one thread."""

    def __init__(self, starter: Starter, *, deadline: float = DEFAULT_DEADLINE) -> None:
        """Start the child, or raise HarnessStartError."""
        self.deadline = deadline
        """The limit on a silence of the child in seconds, as of `TimeLimit`; may be changed between exchanges."""
        self.longest = 0.0
        """The seconds at most for a reply, without those in which the child waited for a processor."""
        self._exchanges = self._memory = 0
        self._sent = 0
        self._answered = 0
        self._outgoing: deque[memoryview] = deque()
        self._incoming = bytearray()  # the beginning of a line or message
        self._allowed = 0  # bytes of replies that may still come
        self._child = starter()
        self._stdin = cast("IO[bytes]", self._child.stdin)
        self._stdout = cast("IO[bytes]", self._child.stdout)
        self._stderr = Pipe(cast("IO[bytes]", self._child.stderr), _STDERR)
        os.set_blocking(self._stdin.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr.stream, selectors.EVENT_READ)

    @abstractmethod
    def _packed(self, batch: Sequence[Any]) -> bytes:
        """Return requests in their written form, the first of them number `_sent`."""

    @abstractmethod
    def _take(self, piece: bytes) -> Iterator[Reply]:
        """Accept bytes that have arrived, and yield the replies complete by now, or raise BadReply."""

    def _lost(self) -> int:
        """Return the number of requests done by an ended child without an arrived reply."""
        return 0

    def exchange(self, requests: Iterable[Any]) -> list[Reply]:
        """Send requests and return their replies, in order, or end the child and raise HarnessFailedError."""
        if self._sent != self._answered:
            raise RuntimeError("an earlier exchange was interrupted: close this process and start another")
        if self._exchanges < FIRST:
            self._exchanges, self._memory = self._exchanges + 1, largest_memory(self.pid)
        replies: list[Reply] = []
        self._allowed = ALLOWANCE
        remaining = iter(requests)
        while batch := list(islice(remaining, _BATCH)):
            self._send(batch)
            while self._sent - self._answered > WINDOW - _BATCH:
                self._receive_into(replies)
        while self._answered < self._sent:
            self._receive_into(replies)
        return replies

    @property
    def pid(self) -> int:
        """The process id."""
        return self._child.pid

    def close(self) -> None:
        """End the child by closing its input, or by force if it does not end in time."""
        self._selector.close()
        for pipe in (self._stdin, self._stdout, self._stderr.stream):
            pipe.close()
        self._child.wait(_SECONDS_TO_END)
        self._child.kill()

    def _send(self, batch: Sequence[Any]) -> None:
        """Queue requests, and write at once what the pipe takes. The rest is written while replies are awaited."""
        data = self._packed(batch)
        self._sent += len(batch)
        self._allowed += FACTOR * len(data)
        if not self._outgoing:
            with suppress(BlockingIOError):
                data = data[self._write_some(data) :]
        if data:
            self._outgoing.append(memoryview(data))
            self._write()

    def _write(self) -> None:
        with suppress(BlockingIOError):
            while self._outgoing:
                written = self._write_some(self._outgoing[0])
                self._outgoing[0] = self._outgoing[0][written:]
                if not self._outgoing[0]:
                    self._outgoing.popleft()
        is_waiting = self._stdin in self._selector.get_map()
        if self._outgoing and not is_waiting:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        elif is_waiting and not self._outgoing:
            self._selector.unregister(self._stdin)

    def _write_some(self, data: memoryview | bytes) -> int:
        """Write once, and return the number of bytes written."""
        try:
            return os.write(self._stdin.fileno(), data)
        except BrokenPipeError:
            # every byte counts as written: the end of the child's output then raises the error
            return len(data)

    def _receive_into(self, replies: list[Reply]) -> None:
        answered, limit = self._answered, TimeLimit(self.pid, self.deadline)
        while self._answered == answered:
            for key, _ in self._selector.select(limit.pause):
                if key.fileobj is self._stdin:
                    self._write()
                elif key.fileobj is self._stderr.stream:
                    if self._stderr.read() == 0:
                        self._selector.unregister(self._stderr.stream)
                elif piece := os.read(key.fd, PIPE_SIZE):
                    self._append(piece, replies)
                else:
                    error = f"the harness ended before it answered request {self._answered}"
                    raise HarnessDiedError(error, self._stop(), replies, self._lost())
            if self._answered == answered and limit.is_over() and not self._has_output():
                error = f"the harness did not answer request {self._answered} within {limit}"
                raise HarnessTimeoutError(error, self._stop(), replies, self._lost(), limit)
        self.longest = max(self.longest, limit.taken())

    def _has_output(self) -> bool:
        """Return whether a reply may have come meanwhile, as on a busy machine."""
        return any(key.fileobj is self._stdout for key, _ in self._selector.select(0))

    def _append(self, piece: bytes, replies: list[Reply]) -> None:
        self._count(piece, replies)
        try:
            for reply in self._take(piece):
                self._answered += 1
                replies.append(reply)
        except BadReply as bad:
            error = f"the harness should have answered request {self._answered}, but wrote {bad.wrote[:200]!r}"
            raise HarnessProtocolError(error, self._stop(), replies) from None

    def _count(self, piece: bytes, replies: Sequence[Reply]) -> None:
        self._allowed -= len(piece)
        if self._allowed < 0:
            error = f"the harness wrote more than {ALLOWANCE >> 20} MiB, and {FACTOR} times the size of the requests"
            error = f"{error}, before it had answered request {self._answered}"
            raise HarnessProtocolError(error, self._stop(), replies)

    def _stop(self) -> Ending:
        return ending_of(self._child, self._stderr, before=self._memory)


class BadReply(Exception):
    """The output of a child is no reply. Only the formats raise it, and this module catches it."""

    def __init__(self, wrote: bytes) -> None:
        super().__init__(wrote)
        self.wrote = wrote


class JsonLinesProcess(ChildProcess):
    """A harness with JSON Lines. Requests and replies of `exchange` are objects without the ids on the lines."""

    def _packed(self, batch: Sequence[Any]) -> bytes:
        lines = [dumps({"id": number, **request}) for number, request in enumerate(batch, start=self._sent)]
        return b"\n".join([*lines, b""])

    def _take(self, piece: bytes) -> Iterator[Reply]:
        self._incoming += piece
        if b"\n" not in piece:
            return
        *lines, self._incoming = self._incoming.split(b"\n")
        for line in lines:
            reply = _parse(bytes(line))
            number = reply.pop("id", None)
            if type(number) is not int or number != self._answered or self._answered == self._sent:
                raise BadReply(bytes(line))
            yield reply


def _parse(line: bytes) -> Reply:
    with suppress(ValueError, RecursionError):
        reply = loads(line)
        if isinstance(reply, dict):
            return reply
    # answers no request
    return {}


class RunningChild(Protocol):
    """A running child process, such as `Program`."""

    @property
    def pid(self) -> int:
        """The process id."""

    @property
    def stdin(self) -> IO[bytes] | None:
        """The pipe to its standard input."""

    @property
    def stdout(self) -> IO[bytes] | None:
        """The pipe from its standard output."""

    @property
    def stderr(self) -> IO[bytes] | None:
        """The pipe from its standard error."""

    def wait(self, seconds: float | None = None) -> int | None:
        """Return the exit status, minus the number of a signal that ended the child, or None if it runs for longer."""

    @property
    def peak(self) -> int:
        """The peak of the resident memory of the ended child in bytes, or 0 if it is unknown."""

    def kill(self) -> int:
        """End the child by force, and return its exit status."""


Starter = Callable[[], RunningChild]
"""Starts a child."""


def program(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Starter:
    """Return a starter of a program, with the variables of `environment`, or None for those of this process."""

    def begin() -> RunningChild:
        try:
            return start(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, environment=environment)
        except OSError as error:
            raise cannot_run(command, error) from error

    return begin


def cannot_run(command: Sequence[str], error: OSError) -> HarnessStartError:
    """Return the error for a command refused by the operating system."""
    return HarnessStartError(f"{command[0]} cannot be run: {error.strerror}")


def ending_of(child: RunningChild, stderr: Pipe, *, grace: float = 0, before: int = 0) -> Ending:
    """Return how a child ended.

    Args:
        child: the child.
        stderr: its standard error.
        grace: the seconds after which it is killed.
        before: the bytes of its resident memory when it was ready, or 0.
    """
    child.wait(grace)
    status = child.kill()
    return Ending(status, printable_lines(stderr.text()), child.peak - before if child.peak and before else None)
