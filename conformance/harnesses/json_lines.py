"""A child process that answers JSON Lines: many requests under way at once, replies in order.

One thread feeds the child and one drains it, so neither side can block the other, however large requests and replies
are, and a child that hangs is noticed. The window bounds how many requests are unanswered, the deadline how long the
oldest of them may be.
"""

from __future__ import annotations

import json
import queue
import subprocess
import tempfile
import threading
from contextlib import suppress
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Reply = dict[str, Any]

DEFAULT_DEADLINE = 30.0
"""Seconds without any reply; generous, since the first ones include the start of the child."""

WINDOW = 1024
_BATCH = 128
_SECONDS_TO_END = 2.0
_STDERR_TAIL = 4000


class HarnessError(Exception):
    """The child no longer answers and has been stopped; what it wrote to standard error is in the text.

    `replies` are those that still came. The first request without a reply need not be the culprit: replies to later
    ones, and its own, may have been lost in the child. To find the culprit, send the window again one by one.
    """

    def __init__(self, text: str, replies: Sequence[Reply]) -> None:
        super().__init__(text)
        self.replies = replies


class HarnessDiedError(HarnessError):
    """The child ended with requests unanswered."""


class HarnessTimeoutError(HarnessError):
    """The child did not answer within the deadline."""


class HarnessProtocolError(HarnessError):
    """The child answered something that is not the reply to the oldest request."""


class JsonLinesProcess:
    """One run of a harness, from its start to `close`. Not for use by several threads at a time."""

    def __init__(self, command: Sequence[str], *, deadline: float = DEFAULT_DEADLINE) -> None:
        self._deadline = deadline
        self._sent = 0
        self._answered = 0
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the child: see close
        self._child = subprocess.Popen(  # noqa: S603 - running the given program is what this is for
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._stderr
        )
        self._requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._replies: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._threads = (
            threading.Thread(target=_feed, args=(self._child.stdin, self._requests), daemon=True),
            threading.Thread(target=_drain, args=(self._child.stdout, self._replies), daemon=True),
        )
        for thread in self._threads:
            thread.start()

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
        self._requests.put(None)
        try:
            self._child.wait(timeout=_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        for thread in self._threads:
            thread.join()
        self._stderr.close()

    def _send(self, batch: Sequence[Mapping[str, Any]]) -> None:
        lines = [json.dumps({"id": number, **request}) for number, request in enumerate(batch, start=self._sent)]
        self._requests.put(("\n".join(lines) + "\n").encode())
        self._sent += len(batch)

    def _receive_into(self, replies: list[Reply]) -> None:
        try:
            line = self._replies.get(timeout=self._deadline)
        except queue.Empty:
            error = f"the harness did not answer request {self._answered} within {self._deadline:g} seconds"
            raise HarnessTimeoutError(self._stop(error), replies) from None
        if line is None:
            error = f"the harness ended before it answered request {self._answered}"
            raise HarnessDiedError(self._stop(error), replies)
        reply = _parse(line)
        if reply.pop("id", None) != self._answered:
            error = f"the harness should have answered request {self._answered}, but wrote {line[:200]!r}"
            raise HarnessProtocolError(self._stop(error), replies)
        self._answered += 1
        replies.append(reply)

    def _stop(self, error: str) -> str:
        """Kill the child; return the error with how it ended and the last of what it said."""
        self._child.kill()
        status = self._child.wait()
        self._stderr.seek(0)
        said = self._stderr.read()[-_STDERR_TAIL:].decode(errors="replace").strip()
        return f"{error} (exit status {status}); standard error: {said or 'nothing'}"


def _parse(line: bytes) -> Reply:
    """Return the object on a line; an empty one, which answers nothing, if there is none."""
    with suppress(ValueError):
        reply = json.loads(line)
        if isinstance(reply, dict):
            return reply
    return {}


def _feed(stdin: IO[bytes], requests: queue.SimpleQueue[bytes | None]) -> None:
    with suppress(BrokenPipeError), stdin:
        while (lines := requests.get()) is not None:
            stdin.write(lines)
            stdin.flush()


def _drain(stdout: IO[bytes], replies: queue.SimpleQueue[bytes | None]) -> None:
    with stdout:
        for line in stdout:
            replies.put(line)
    replies.put(None)
