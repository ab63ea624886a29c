"""The child process in which a Python adapter decodes bytes that may kill it.

Run as `python -m conformance.bridge.child --impl MODULE --release 4.3.0`; it reads requests from standard input and
writes one reply for each to standard output, both JSON Lines:

    {"id": 7, "op": "decode", "message": "FetchRequest", "version": 17, "wire": "00ff"}
    {"id": 7, "outcome": "rejected", "class": "ValueError", "text": "..."}

README.md beside this file describes the protocol; a harness in another language does the same. What the adapter prints
goes to standard error, because standard output belongs to the protocol.
"""

from __future__ import annotations

import json
import os
import sys
import time
from functools import cache, partial
from typing import TYPE_CHECKING, BinaryIO

import click

from conformance.bridge.fork_server import serve
from conformance.bridge.loading import load_adapter
from conformance.bridge.memory import MEBIBYTE, limit_memory, out_of_proportion, peak_memory
from conformance.bridge.packing import Call, Progress, packed, reply_of, unpacked
from conformance.bridge.server import RequestHandler
from conformance.implementation.asks import Ask
from conformance.implementation.driver import Implementation
from conformance.implementation.outcome import Kind, Outcome
from conformance.implementation.session import perform
from conformance.implementation.targets import target_at
from conformance.processes.output import PIPE_SIZE
from reference import ConformanceError, UnknownMessage, UnknownPrimitive, load_release

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.bridge.protocol import Message
    from conformance.bridge.transport import Reply
    from reference import Release

SECONDS_HELD = 0.001
"""For which a reply may wait for others; what is held when the codec ends the process has to be asked again."""


@click.command()
@click.option("--impl", required=True, help="As in pytest's --impl.")
@click.option("--release", "release_name", required=True, help="The release whose definitions to use.")
@click.option("--memory", type=int, default=0, help="MiB of address space beyond what the start takes; 0: no limit.")
@click.option("--packed", is_flag=True, help="Speak the suite's own form, of `packing.py`.")
@click.option("--fork-for", type=int, help="A socket: fork a child for each request that comes over it; packed.")
def main(impl: str, release_name: str, memory: int, *, packed: bool, fork_for: int | None) -> None:
    """Answer requests until the input ends."""
    output = _own_standard_output() if fork_for is None else None
    try:
        release = load_release(release_name)
        implementation = Implementation(load_adapter(impl, release))
    except ConformanceError as error:
        raise click.ClickException(str(error)) from error
    calls = Calls(implementation, release)
    if fork_for is not None:
        progress = Progress(os.fdopen(fork_for + 1, "r+b"))
        serve(fork_for, lambda: calls.answer_all(_own_standard_output(), memory, progress), cache(calls.prepare))
    elif output is not None and packed:
        calls.answer_all(output, memory)
    elif output is not None:
        _answer_lines(RequestHandler(implementation, release).reply, output)


def _answer_lines(answer: Callable[[bytes], Message], replies: BinaryIO) -> None:
    """Write one reply for each line, and flush it before the next line is taken up: the client relies on it."""
    for line in sys.stdin.buffer:
        replies.write(json.dumps(answer(line), default=repr).encode() + b"\n")
        replies.flush()


class Calls:
    """Answers calls in the suite's own form."""

    def __init__(self, implementation: Implementation, release: Release) -> None:
        self._implementation = implementation
        self._target = cache(partial(target_at, release))

    def prepare(self, message: bytes) -> None:
        """Answer the calls of a message, so that what they need is loaded, and throw the answers away."""
        for calls in unpacked(bytearray(message)):
            for call in calls:
                self._outcome(Call(*call))

    def answer_all(self, replies: BinaryIO, memory: int, progress: Progress | None = None) -> None:
        """Answer calls until the input ends.

        Replies are held back for a moment if `progress` says which call is taken up, else each is written at once.
        """
        if memory:
            limit_memory(memory)
        held = Held(replies, is_at_once=progress is None)
        buffer, taken, peak = bytearray(), 0, peak_memory()
        while piece := os.read(sys.stdin.fileno(), PIPE_SIZE):
            buffer += piece
            for calls in unpacked(buffer):
                for call in map(Call._make, calls):
                    taken += 1
                    if progress is not None:
                        progress.taken = taken
                    reply = reply_of(self._outcome(call))
                    before, peak = peak, peak_memory()
                    size = len(call.content) if isinstance(call.content, bytes) else len(piece)
                    if out_of_proportion(peak - before, size):
                        text = f"resident memory grew by {(peak - before) // MEBIBYTE} MiB for {size} bytes of request"
                        reply = {"outcome": Kind.EXHAUSTED_MEMORY, "text": text}
                    if held.add(reply):  # memory of a large reply does not count for the next request
                        peak = peak_memory()
                held.write()

    def _outcome(self, call: Call) -> Outcome:
        try:
            target = self._target(call.folder, call.message, call.version)
        except (UnknownMessage, UnknownPrimitive) as error:
            return Outcome(Kind.UNSUPPORTED, text=str(error))
        return perform(self._implementation, Ask(call.what, target, call.content))


class Held:
    """Replies that are held back for some milliseconds, or until they are many: each write wakes the suite."""

    def __init__(self, replies: BinaryIO, *, is_at_once: bool) -> None:
        self._replies = replies
        self._seconds = 0.0 if is_at_once else SECONDS_HELD
        self._items: list[bytes] = []
        self._size, self._written_at = 0, time.monotonic()

    def add(self, reply: Reply) -> bool:
        """Add a reply, and return whether it is large."""
        item = packed([reply])
        self._items.append(item)
        self._size += len(item)
        if self._size > PIPE_SIZE or time.monotonic() - self._written_at >= self._seconds:
            self.write()
        return len(item) > MEBIBYTE

    def write(self) -> None:
        """Write those that are held."""
        if self._items:
            self._replies.write(b"".join(self._items))
            self._replies.flush()
        self._items, self._size, self._written_at = [], 0, time.monotonic()


def _own_standard_output() -> BinaryIO:
    """Return standard output, for replies alone; from now on `print` writes to standard error."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return replies


if __name__ == "__main__":
    main()
