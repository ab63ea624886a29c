"""The child process for a Python adapter and bytes that may kill it.

Run as `python -m conformance.codec.bridge.child --impl MODULE --release 4.3.0`, it reads requests from standard input
and writes one reply for each to standard output, both JSON Lines:

    {"id": 7, "op": "decode", "message": "FetchRequest", "version": 17, "wire": "00ff"}
    {"id": 7, "outcome": "rejected", "class": "ValueError", "text": "..."}

docs/reference/bridge.md describes the protocol.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from functools import cache, partial
from typing import TYPE_CHECKING, BinaryIO

import click

from conformance.codec.bridge.fork_server import serve
from conformance.codec.bridge.loading import load_codec
from conformance.codec.bridge.memory import PeakWatch, limit_memory
from conformance.codec.bridge.packing import FAILED, Call, CallCounter, packed, reply_of, size_of, unpacked_calls
from conformance.codec.bridge.request_server import RequestServer
from conformance.system.program_output import PIPE_SIZE
from conformance.targets import Ask, target_at
from conformance.targets.outcome import Kind, Outcome
from reference import ConformanceError, UnknownMessage, UnknownPrimitive, load_release

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.codec.bridge.protocol import Message
    from conformance.codec.bridge.transport import Reply
    from conformance.codec.session import AnyCodec
    from reference import Release

SECONDS_HELD = 0.001
"""The maximum seconds for which a reply waits for others; held replies are lost when the codec ends the process."""


@click.command()
@click.option("--impl", required=True)
@click.option("--release", "release_name", required=True, help="The release whose definitions to use.")
@click.option("--memory", type=int, default=0, help="MiB of address space beyond what the start takes; 0: no limit.")
@click.option("--packed", is_flag=True, help="Speak the suite's own form, of `packing.py`.")
@click.option("--fork-for", type=int, help="A socket: fork a child for each request that comes over it; packed.")
def main(impl: str, release_name: str, memory: int, *, packed: bool, fork_for: int | None) -> None:
    """Answer requests until the input ends."""
    output = _own_standard_output() if fork_for is None else None
    try:
        release = load_release(release_name)
        codec = load_codec(impl, release)
    except ConformanceError as error:
        raise click.ClickException(str(error)) from error
    calls = Calls(codec, release)

    def answer(counter: CallCounter | None = None) -> None:
        replies = output or _own_standard_output()
        if memory:
            limit_memory(memory)
        if packed or counter is not None:
            calls.answer_all(replies, counter)
        else:
            _answer_lines(RequestServer(codec, release).reply, replies)

    if fork_for is None:
        answer()
    else:
        counter = CallCounter(os.fdopen(fork_for + 1, "r+b"))
        # cached, since the server does each preparation once, and all later children have it
        serve(fork_for, partial(answer, counter), cache(calls.prepare))


def _answer_lines(answer: Callable[[bytes], Message], replies: BinaryIO) -> None:
    """Write one reply for each line, and flush it before the next line. The client finds the culprit by that."""
    watch = PeakWatch()
    for line in sys.stdin.buffer:
        reply = answer(line)
        excess = watch.excess(partial(len, line))
        if excess:
            reply = {"id": reply["id"], "outcome": Kind.EXHAUSTED_MEMORY, "text": excess}
        text = json.dumps(reply, default=repr).encode()
        replies.write(text + b"\n")
        replies.flush()
        watch.forgive(len(text))


class Calls:
    """Answers calls in the suite's own form."""

    def __init__(self, codec: AnyCodec, release: Release) -> None:
        self._codec = codec
        self._target = cache(partial(target_at, release))

    def prepare(self, message: bytes) -> None:
        """Answer the calls of a message and discard the answers, so that everything they need is loaded."""
        for calls in unpacked_calls(bytearray(message)):
            for call in calls:
                self._outcome(Call(*call))

    def answer_all(self, replies: BinaryIO, counter: CallCounter | None = None) -> None:
        """Answer calls until the input ends, with replies held back only if `counter` counts the calls taken up."""
        buffer, watch = ReplyBuffer(replies, is_at_once=counter is None), PeakWatch()
        taken = 0
        for calls in _messages():
            for call in calls:
                taken += 1
                if counter is not None:
                    counter.taken = taken
                watch.forgive(buffer.add(self._reply(call, watch)))
            buffer.write()

    def _reply(self, call: Call, watch: PeakWatch) -> Reply:
        try:
            reply = reply_of(self._outcome(call))
        except MemoryError:  # for what the codec has read
            raise
        except Exception:  # noqa: BLE001  # what the adapter raises is an outcome: this is a mistake of the suite
            return {FAILED: traceback.format_exc()}
        excess = watch.excess(partial(size_of, call))
        return {"outcome": Kind.EXHAUSTED_MEMORY, "text": excess} if excess else reply

    def _outcome(self, call: Call) -> Outcome:
        try:
            target = self._target(call.folder, call.message, call.version)
        except (UnknownMessage, UnknownPrimitive) as error:
            return Outcome(Kind.UNSUPPORTED, text=str(error))
        return self._codec.perform(Ask(call.what, target, call.content))


def _messages() -> Iterator[list[Call]]:
    buffer = bytearray()
    while piece := os.read(sys.stdin.fileno(), PIPE_SIZE):
        buffer += piece
        for calls in unpacked_calls(buffer):
            yield [Call(*call) for call in calls]


class ReplyBuffer:
    """Replies that are held back for some milliseconds, or until they are many, since each write wakes the suite."""

    def __init__(self, replies: BinaryIO, *, is_at_once: bool) -> None:
        self._replies = replies
        self._seconds = 0.0 if is_at_once else SECONDS_HELD
        self._items: list[bytes] = []
        self._size, self._written_at = 0, time.monotonic()

    def add(self, reply: Reply) -> int:
        """Add a reply, and return its size in bytes."""
        item = packed([reply])
        self._items.append(item)
        self._size += len(item)
        if self._size > PIPE_SIZE or time.monotonic() - self._written_at >= self._seconds:
            self.write()
        return len(item)

    def write(self) -> None:
        """Write the held replies."""
        if self._items:
            self._replies.write(b"".join(self._items))
            self._replies.flush()
        self._items, self._size, self._written_at = [], 0, time.monotonic()


def _own_standard_output() -> BinaryIO:
    """Return standard output for replies alone, and have `print` write to standard error from now on."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return replies


if __name__ == "__main__":
    main()
