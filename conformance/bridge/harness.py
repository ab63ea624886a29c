"""A harness in any language, from its client's side: started when it is first asked, and again after each death.

What the client concludes for itself has the form of a reply: `crashed`, `timed-out` and `protocol-error`, with a text.
A harness may hold replies back while further requests are at hand, and a dying one takes them along: the first request
without a reply need not be the culprit. What was under way is therefore asked again one by one.
"""

from __future__ import annotations

import atexit
from typing import TYPE_CHECKING

from conformance.bridge.failures import DEADLINE, START_DEADLINE, death
from conformance.bridge.protocol import HELLO, PROTOCOL_ERROR, Message, hello_request, reply_problem
from conformance.bridge.transport import HarnessDiedError, HarnessError, JsonLinesProcess

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reference import Release

RESTARTS = 200
"""How often one run may start a harness again: an implementation that dies all the time would take hours."""


class HarnessUnavailable(Exception):
    """The harness does not start, does not say hello, or has died too often; the text says which, and why."""


class Harness:
    """One harness, over any number of deaths."""

    def __init__(
        self, command: Sequence[str], release: Release, *, deadline: float = DEADLINE, budget: int = RESTARTS
    ) -> None:
        self._command = tuple(command)
        self._release = release
        self._deadline = deadline
        self._budget = budget
        self._process: JsonLinesProcess | None = None
        self.deaths = 0
        self._last_death = ""
        atexit.register(self.close)

    def start(self) -> Message:
        """Start it, and return its reply to hello, which is valid by the schema.

        Raises:
            HarnessUnavailable: it does not start, or does not say hello.
        """
        request = hello_request(self._release)
        try:
            process = JsonLinesProcess(self._command, deadline=START_DEADLINE)
            [reply] = process.exchange([request])
        except OSError as error:
            raise HarnessUnavailable(f"{self._command[0]} cannot be run: {error.strerror}") from error
        except HarnessError as error:
            raise HarnessUnavailable(f"the harness does not say hello: {error}") from error
        problem = _hello_problem(request, reply)
        if problem is not None:
            process.close()
            raise HarnessUnavailable(problem)
        process.deadline = self._deadline
        self._process = process
        return reply

    def close(self) -> None:
        """End it, if it is running."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def ask(self, request: Mapping[str, object]) -> Message:
        """The reply to one request, or what the client concludes in its place.

        Raises:
            HarnessUnavailable: it does not start again, or has died too often.
        """
        [reply] = self.ask_many([request])
        return reply

    def ask_many(self, requests: Sequence[Mapping[str, object]]) -> list[Message]:
        """One reply for each request, in order; many are under way at once.

        Raises:
            HarnessUnavailable: it does not start again, or has died too often.
        """
        replies: list[Message] = []
        while len(replies) < len(requests):
            try:
                replies += self._exchange(requests[len(replies) :])
            except HarnessError as error:
                replies += error.replies
                self._discard(error)
                is_sure = len(requests) == 1 and isinstance(error, HarnessDiedError)
                replies += [self._conclusion(error)] if is_sure else self._one_by_one(requests[len(replies) :])
        return replies

    def _one_by_one(self, requests: Sequence[Mapping[str, object]]) -> list[Message]:
        """Ask in lock-step until it dies once more; that request is the last one answered for."""
        replies: list[Message] = []
        for request in requests:
            try:
                replies += self._exchange([request])
            except HarnessError as error:
                self._discard(error)
                return [*replies, self._conclusion(error)]
        return replies

    def _exchange(self, requests: Sequence[Mapping[str, object]]) -> list[Message]:
        if self._process is None:
            self._start_again()
        return [] if self._process is None else self._process.exchange(requests)

    def _start_again(self) -> None:
        if self.deaths > self._budget:
            text = f"the harness has died {self.deaths} times, which is too often; lastly: {self._last_death}"
            raise HarnessUnavailable(text)
        self.start()

    def _discard(self, error: HarnessError) -> None:
        self.close()
        self.deaths += 1
        self._last_death = str(error)

    def _conclusion(self, error: HarnessError) -> Message:
        """The form of a reply for what the client concludes."""
        outcome = death(error, self._deadline)
        return {"outcome": outcome.kind, "text": outcome.text}


def _hello_problem(request: Message, reply: Message) -> str | None:
    """What is wrong with an answer to hello; None if nothing is."""
    numbered = {"id": 0, **reply}
    if reply.get("outcome") == PROTOCOL_ERROR:
        return f"the harness refuses hello with version {request['protocol']} of the protocol: {reply.get('text')}"
    problem = reply_problem(request, numbered)
    if problem is None and reply["outcome"] != HELLO:
        problem = f"its outcome is {reply['outcome']!r}"
    if problem is None and request["protocol"] not in reply["protocols"]:
        problem = f"it speaks the versions {reply['protocols']}, and answers to version {request['protocol']}"
    return None if problem is None else f"the harness's answer to hello is not of the protocol: {problem}"
