"""A child process that answers JSON Lines: many requests under way at once, replies in order.

Requests are written and replies read as the pipes allow, whichever comes first, so neither side can block the other,
however large requests and replies are. The window bounds how many requests are unanswered, the deadline how long the
child may be silent while any is. There are no threads: they would spend most of their time waiting for each other.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Reply = dict[str, Any]

DEFAULT_DEADLINE = 30.0
"""Seconds of silence; generous, since the first request waits for the start of the child."""

WINDOW = 256
"""Requests under way: enough that the child never waits, and few enough to be sent again after each death."""

_BATCH = 64
_PIPE_SIZE = 1 << 20
_SECONDS_TO_END = 2.0
_STDERR_TAIL = 4000


@dataclass(frozen=True)
class Ending:
    """How a child ended, or was made to end, and the last of what it wrote to standard error."""

    status: int
    """The exit status; minus the signal's number if a signal ended it."""
    said: str

    @property
    def cause(self) -> str:
        """The signal by its name, or the exit status."""
        if self.status < 0:
            return f"ended by {signal.Signals(-self.status).name}"
        return f"exit status {self.status}"

    def __str__(self) -> str:
        return f"{self.cause}; standard error: {self.said or 'nothing'}"


class Child(Protocol):
    """A running child, as `subprocess.Popen` is one."""

    @property
    def stdin(self) -> IO[bytes] | None:
        """What it reads."""

    @property
    def stdout(self) -> IO[bytes] | None:
        """What it writes."""

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status.

        Raises:
            subprocess.TimeoutExpired: it goes on for longer than `timeout` seconds.
        """

    def kill(self) -> None:
        """End it by force."""


Starter = Callable[[IO[bytes]], Child]
"""Starts a child, given the file for its standard error."""


class HarnessError(Exception):
    """The child no longer answers and has been stopped; what it wrote to standard error is in the text.

    `replies` are those that still came. The first request without a reply need not be the culprit: replies to later
    ones, and its own, may have been lost in the child. To find the culprit, send the window again one by one.
    """

    def __init__(self, problem: str, ending: Ending, replies: Sequence[Reply]) -> None:
        super().__init__(f"{problem}; {ending}")
        self.problem = problem
        self.ending = ending
        self.replies = replies


class HarnessDiedError(HarnessError):
    """The child ended with requests unanswered."""


class HarnessTimeoutError(HarnessError):
    """The child did not answer within the deadline."""


class HarnessProtocolError(HarnessError):
    """The child answered something that is not the reply to the oldest request."""


class JsonLinesProcess:
    """One run of a harness, from its start to `close`. Not for use by several threads at a time."""

    def __init__(
        self,
        command: Sequence[str] | Starter,
        *,
        deadline: float = DEFAULT_DEADLINE,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.deadline = deadline
        """Seconds of silence that the child is allowed; may be changed between exchanges."""
        self._sent = 0
        self._answered = 0
        self._outgoing: deque[memoryview] = deque()
        self._incoming = b""  # the beginning of a line
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the child: see close
        self._child = command(self._stderr) if callable(command) else _program(command, self._stderr, environment)
        self._stdin = cast("IO[bytes]", self._child.stdin)
        self._stdout = cast("IO[bytes]", self._child.stdout)
        os.set_blocking(self._stdin.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdout, selectors.EVENT_READ)

    def exchange(self, requests: Iterable[Mapping[str, Any]]) -> list[Reply]:
        """Send requests, each with an id of its own, and return their replies, in order and without the ids.

        Raises:
            HarnessError: no reply, or none that fits; the child is no longer usable.
        """
        if self._sent != self._answered:
            raise RuntimeError("an earlier exchange was interrupted: close this process and start another")
        replies: list[Reply] = []
        remaining = iter(requests)
        while batch := list(islice(remaining, _BATCH)):
            self._send(batch)
            while self._sent - self._answered > WINDOW - _BATCH:
                self._receive_into(replies)
        while self._answered < self._sent:
            self._receive_into(replies)
        return replies

    def close(self) -> None:
        """End the child: by the end of its input, or by force if that takes too long."""
        self._selector.close()
        self._stdin.close()
        self._stdout.close()
        try:
            self._child.wait(timeout=_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._stderr.close()

    def _send(self, batch: Sequence[Mapping[str, Any]]) -> None:
        """Put requests in line; they are written while replies are awaited, and as far as possible at once."""
        lines = [json.dumps({"id": number, **request}) for number, request in enumerate(batch, start=self._sent)]
        self._outgoing.append(memoryview(("\n".join(lines) + "\n").encode()))
        self._sent += len(batch)
        self._write()

    def _write(self) -> None:
        """Write what the pipe takes, and have the selector say when it takes more."""
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

    def _write_some(self, data: memoryview) -> int:
        """Write once; to a child that is gone everything can be written, for its output will tell."""
        try:
            return os.write(self._stdin.fileno(), data)
        except BrokenPipeError:
            return len(data)

    def _receive_into(self, replies: list[Reply]) -> None:
        """Wait until there is at least one more reply, and take all there are."""
        *lines, self._incoming = (self._incoming + self._read_line_end(replies)).split(b"\n")
        for line in lines:
            reply = _parse(line)
            if reply.pop("id", None) != self._answered or self._answered == self._sent:
                error = f"the harness should have answered request {self._answered}, but wrote {line[:200]!r}"
                raise HarnessProtocolError(error, self._stop(), replies)
            self._answered += 1
            replies.append(reply)

    def _read_line_end(self, replies: Sequence[Reply]) -> bytes:
        """Read on until a line ends, and write requests meanwhile."""
        pieces: list[bytes] = []
        deadline = time.monotonic() + self.deadline
        while not pieces or b"\n" not in pieces[-1]:
            ready = self._selector.select(deadline - time.monotonic())
            if not ready and time.monotonic() >= deadline:
                error = f"the harness did not answer request {self._answered} within {self.deadline:g} seconds"
                raise HarnessTimeoutError(error, self._stop(), replies)
            for key, _ in ready:
                if key.fileobj is self._stdin:
                    self._write()
                elif piece := os.read(key.fd, _PIPE_SIZE):
                    pieces.append(piece)
                else:
                    error = f"the harness ended before it answered request {self._answered}"
                    raise HarnessDiedError(error, self._stop(), replies)
        return b"".join(pieces)

    def _stop(self) -> Ending:
        """Kill the child, if it still lives, and say how it ended."""
        return ending_of(self._child, self._stderr)


def ending_of(child: Child, stderr: IO[bytes], grace: float = 0) -> Ending:
    """How a child ended; one that goes on for longer than `grace` seconds is killed."""
    with suppress(subprocess.TimeoutExpired):
        child.wait(timeout=grace)
    child.kill()
    status = child.wait()
    stderr.seek(0)
    return Ending(status, stderr.read()[-_STDERR_TAIL:].decode(errors="replace").strip())


def _program(command: Sequence[str], stderr: IO[bytes], environment: Mapping[str, str] | None) -> Child:
    """Start a program of this machine."""
    return subprocess.Popen(  # noqa: S603 - running the given program is what this is for
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        bufsize=0,
        pipesize=_PIPE_SIZE,
        env=environment,
    )


def _parse(line: bytes) -> Reply:
    """Return the object on a line; an empty one, which answers nothing, if there is none."""
    with suppress(ValueError):
        reply = json.loads(line)
        if isinstance(reply, dict):
            return reply
    return {}
