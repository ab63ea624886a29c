"""The child process in which a Python adapter decodes bytes that may kill it.

Run as `python -m conformance.bridge.child --impl MODULE --release 4.3.0`; it reads requests from standard input and
writes one reply for each to standard output, both JSON Lines:

    {"id": 7, "op": "decode", "message": "FetchRequest", "version": 17, "wire": "00ff"}
    {"id": 7, "outcome": "rejected", "class": "ValueError", "text": "..."}

README.md beside this file describes the protocol; a harness in any other language does the same. Whatever the adapter
prints goes to standard error: standard output belongs to the protocol.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TextIO

import click

from conformance.adapter import AdapterError
from conformance.adapter_loading import load_adapter
from conformance.bridge.answers import Answers
from conformance.checks.implementation import Implementation
from reference import load_release
from reference.definitions.errors import DefinitionError


@click.command()
@click.option("--impl", required=True, help="As in pytest's --impl.")
@click.option("--release", "release_name", required=True, help="The release whose definitions to use.")
@click.option("--memory", type=int, default=0, help="Limit of the address space, in MiB; 0: none.")
def main(impl: str, release_name: str, memory: int) -> None:
    """Answer requests until the input ends."""
    replies = _own_standard_output()
    try:
        answers = Answers(Implementation(load_adapter(impl)), load_release(release_name))
    except (AdapterError, DefinitionError) as error:
        raise click.ClickException(str(error)) from error
    if memory:
        _limit_memory(memory)
    for line in sys.stdin.buffer:
        replies.write(json.dumps(answers.answer(line), default=repr) + "\n")
        replies.flush()


def _own_standard_output() -> TextIO:
    """Standard output for replies alone: from here on `print` goes to standard error."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return replies


def _limit_memory(mebibytes: int) -> None:
    """Limit this process's address space, where the system can; an allocation beyond it is a MemoryError."""
    try:
        import resource  # noqa: PLC0415  # not every system has it
    except ImportError:  # not a Unix: no limit, and the deadline alone protects
        return
    limit = mebibytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
