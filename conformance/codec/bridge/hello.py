"""The start of a harness, and its reply to `hello`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.codec.bridge.child_client import START_DEADLINE
from conformance.codec.bridge.harness_errors import HarnessFailedError, HarnessHelloError
from conformance.codec.bridge.protocol import HELLO, PROTOCOL_ERROR, Message, hello_request, reply_problem
from conformance.codec.bridge.transport import JsonLinesProcess
from conformance.system.printable import printable
from conformance.targets.plain_values import short_repr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from conformance.codec.bridge.transport import Starter
    from reference import Release


def start_harness(
    start: Starter, release: Release, known: Message | None = None, *, lock_step: bool = False
) -> tuple[JsonLinesProcess, Message]:
    """Return a running harness and its reply to `hello`.

    Args:
        start: starts it.
        release: the definitions.
        known: its earlier reply. An equal one is not checked again, since that takes longer than most starts.
        lock_step: asks for each reply before the next request is taken up.

    Raises:
        HarnessStartError: the command cannot be run.
        HarnessHelloError: it does not answer `hello` as it should.
    """
    process = JsonLinesProcess(start, deadline=START_DEADLINE)
    return process, say_hello(process, release, known, lock_step=lock_step)


def note_text(note: Mapping[str, str]) -> str:
    """Return a note of `hello` as a line."""
    return f"{note['message']} {note.get('path', '')}".rstrip() + f": {note['note']}"


def say_hello(
    process: JsonLinesProcess, release: Release, known: Message | None = None, *, lock_step: bool = False
) -> Message:
    """Send `hello` to a fresh process, and return its valid reply, or end the process and raise HarnessHelloError."""
    request = hello_request(release, lock_step=lock_step)
    try:
        [reply] = process.exchange([request])
    except HarnessFailedError as error:
        process.close()
        raise HarnessHelloError(f"the harness does not answer hello: {error}") from error
    problem = None if known and reply == known else _hello_problem(request, reply)
    if problem is not None:
        process.close()
        raise HarnessHelloError(printable(problem))
    return reply


def _hello_problem(request: Message, reply: Message) -> str | None:
    if reply.get("outcome") == PROTOCOL_ERROR:
        return f"the harness refuses hello with version {request['protocol']} of the protocol: {reply.get('text')}"
    problem = reply_problem(request, {"id": 0, **reply})
    if problem is None and reply["outcome"] != HELLO:
        problem = f"its outcome is {reply['outcome']!r}{': ' * ('text' in reply)}{reply.get('text', '')}"
    if problem is None and request["protocol"] not in reply["protocols"]:
        problem = f"it speaks the versions {short_repr(reply['protocols'])}, but answers version {request['protocol']}"
    return None if problem is None else f"the harness's reply to hello is not of the protocol: {problem}"
