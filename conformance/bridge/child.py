"""The child process in which a Python adapter decodes bytes that may kill it.

Run as `python -m conformance.bridge.child --impl MODULE --release 4.3.0`; it reads requests from standard input and
writes one reply for each to standard output, both JSON Lines:

    {"id": 7, "op": "decode", "message": "FetchRequest", "version": 17, "wire": "00ff"}
    {"id": 7, "outcome": "rejected", "text": "ValueError: ..."}

Replies to decodes that succeed carry `value` (JSON form) and, if the adapter counts, `consumed`. Whatever the adapter
prints goes to standard error: standard output belongs to the protocol.
"""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO

import click

from conformance.adapter import AdapterError
from conformance.adapter_loading import load_adapter
from conformance.checks.implementation import Implementation
from conformance.checks.outcomes import Kind, Outcome
from reference import Release, load_release, primitive, to_json
from reference.definitions.errors import DefinitionError

if TYPE_CHECKING:
    from collections.abc import Callable


@click.command()
@click.option("--impl", required=True, help="As in pytest's --impl.")
@click.option("--release", "release_name", required=True, help="The release whose definitions to use.")
@click.option("--memory", type=int, default=0, help="Limit of the address space, in MiB; 0: none.")
def main(impl: str, release_name: str, memory: int) -> None:
    """Answer requests until the input ends."""
    replies = _own_standard_output()
    try:
        implementation = Implementation(load_adapter(impl))
        release = load_release(release_name)
    except (AdapterError, DefinitionError) as error:
        raise click.ClickException(str(error)) from error
    if memory:
        _limit_memory(memory)
    for line in sys.stdin:
        replies.write(json.dumps(_answer(implementation, release, json.loads(line))) + "\n")
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


def _answer(implementation: Implementation, release: Release, request: dict[str, Any]) -> dict[str, Any]:
    if request["op"] == "hello":
        return {"id": request["id"], "outcome": "hello", "implementation": implementation.name}
    wire = bytes.fromhex(request["wire"])
    if request["op"] == "decode-primitive":
        each = primitive(request["name"])
        outcome, form = implementation.decode_primitive(each.name, wire), each.to_json
    else:
        schema = release.schema(request["message"], request["version"])
        outcome, form = implementation.decode(schema, wire), partial(to_json, schema)
    return {"id": request["id"], **_as_reply(form, outcome)}


def _as_reply(form: Callable[[Any], Any], outcome: Outcome) -> dict[str, Any]:
    if outcome.kind is not Kind.VALUE:
        return {"outcome": outcome.kind, "text": outcome.text}
    try:
        value = form(outcome.value)
    except Exception as error:  # noqa: BLE001  # a value that is none: it was accepted all the same
        return {"outcome": outcome.kind, "text": f"a value without JSON form ({error!r:.200})"}
    return {"outcome": outcome.kind, "value": value, "consumed": outcome.consumed}


if __name__ == "__main__":
    main()
