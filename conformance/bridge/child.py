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
from functools import cache
from typing import TYPE_CHECKING, TextIO

import click

from conformance.bridge.fork_server import serve
from conformance.bridge.loading import load_adapter
from conformance.bridge.memory import MEBIBYTE, limit_memory, out_of_proportion, peak_memory
from conformance.bridge.server import RequestHandler
from conformance.implementation.driver import Implementation
from conformance.implementation.outcome import Kind
from reference import ConformanceError, load_release

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.bridge.protocol import Message


@click.command()
@click.option("--impl", required=True, help="As in pytest's --impl.")
@click.option("--release", "release_name", required=True, help="The release whose definitions to use.")
@click.option("--memory", type=int, default=0, help="MiB of address space beyond what the start takes; 0: no limit.")
@click.option("--fork-for", type=int, help="A socket: fork a child for each request that comes over it.")
def main(impl: str, release_name: str, memory: int, fork_for: int | None) -> None:
    """Answer requests until the input ends."""
    own_output = _own_standard_output() if fork_for is None else None
    try:
        release = load_release(release_name)
        handler = RequestHandler(Implementation(load_adapter(impl, release)), release)
    except ConformanceError as error:
        raise click.ClickException(str(error)) from error

    def answer_all() -> None:
        _answer_all(handler.reply, own_output or _own_standard_output(), memory)

    if fork_for is None:
        answer_all()
    else:
        serve(fork_for, answer_all, cache(handler.reply))


def _answer_all(answer: Callable[[bytes], Message], replies: TextIO, memory: int) -> None:
    """Write one reply for each line, and flush it before the next line is taken up: the client relies on it."""
    if memory:
        limit_memory(memory)
    peak = peak_memory()
    for line in sys.stdin.buffer:
        reply = answer(line)
        before, peak = peak, peak_memory()
        grown = peak - before
        if out_of_proportion(grown, len(line)):
            text = f"resident memory grew by {grown // MEBIBYTE} MiB for {len(line)} bytes of request"
            reply = {"id": reply["id"], "outcome": Kind.EXHAUSTED_MEMORY, "text": text}
        text = json.dumps(reply, default=repr)
        replies.write(text + "\n")
        replies.flush()
        if len(text) > MEBIBYTE:  # memory of a large reply does not count for the next request
            peak = peak_memory()


def _own_standard_output() -> TextIO:
    """Return standard output, for replies alone; from now on `print` writes to standard error."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return replies


if __name__ == "__main__":
    main()
