"""A harness in any language, as the suite uses it: started with `hello`, and again after each failure."""

from __future__ import annotations

import atexit
from typing import TYPE_CHECKING

from conformance.bridge.client import DEADLINE, START_DEADLINE, Client, Policy
from conformance.bridge.errors import HarnessFailedError, HarnessHelloError
from conformance.bridge.process import program
from conformance.bridge.protocol import HELLO, PROTOCOL_ERROR, Message, hello_request, reply_problem
from conformance.bridge.transport import JsonLinesProcess
from conformance.implementation.plain_values import printable, short_repr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from conformance.bridge.process import Starter
    from reference import Release

MAXIMUM_RESTARTS = 200
"""How often one run may start a harness again: an implementation that crashes all the time would take hours."""


class Harness(Client):
    """One harness over any number of restarts, with its reply to `hello`, which is empty before the first start."""

    def __init__(
        self,
        command: Sequence[str],
        release: Release,
        *,
        deadline: float = DEADLINE,
        maximum_restarts: int = MAXIMUM_RESTARTS,
    ) -> None:
        super().__init__(self._ready, Policy.BATCHED, deadline=deadline, maximum_restarts=maximum_restarts)
        self._command = tuple(command)
        self._release = release
        self.hello: Message = {}
        atexit.register(self.close)

    def _ready(self, _request: Mapping[str, object]) -> JsonLinesProcess:
        process, self.hello = start_harness(program(self._command), self._release)
        return process


def start_harness(start: Starter, release: Release) -> tuple[JsonLinesProcess, Message]:
    """Return a running harness and its reply to `hello`.

    Raises:
        HarnessStartError: the command cannot be run.
        HarnessHelloError: it does not answer `hello` as it should.
    """
    process = JsonLinesProcess(start, deadline=START_DEADLINE)
    return process, say_hello(process, release)


def say_hello(process: JsonLinesProcess, release: Release) -> Message:
    """Send `hello` to a process that has just started, and return its reply; the process is ended if that fails.

    Raises:
        HarnessHelloError: there is no reply, or not one of this version of the protocol.
    """
    request = hello_request(release)
    try:
        [reply] = process.exchange([request])
    except HarnessFailedError as error:
        process.close()
        raise HarnessHelloError(f"the harness does not answer hello: {error}") from error
    problem = _hello_problem(request, reply)
    if problem is not None:
        process.close()
        raise HarnessHelloError(printable(problem))
    return reply


def _hello_problem(request: Message, reply: Message) -> str | None:
    """Return what is wrong with a reply to `hello`; None if nothing is."""
    if reply.get("outcome") == PROTOCOL_ERROR:
        return f"the harness refuses hello with version {request['protocol']} of the protocol: {reply.get('text')}"
    problem = reply_problem(request, {"id": 0, **reply})
    if problem is None and reply["outcome"] != HELLO:
        problem = f"its outcome is {reply['outcome']!r}"
    if problem is None and request["protocol"] not in reply["protocols"]:
        problem = f"it speaks the versions {short_repr(reply['protocols'])}, but answers version {request['protocol']}"
    return None if problem is None else f"the harness's reply to hello is not of the protocol: {problem}"
