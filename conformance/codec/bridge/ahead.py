"""Replies that are asked for before their turn, many at a time: a round trip for each costs more than most answers.

A check asks for one thing at a time, since what it asks next may depend on the answer. What it is certain to ask is
sent ahead; each reply waits for its request. A request without a reply, because the child died, hung or wrote something
else meanwhile, is asked alone when its turn comes, as if it had never been sent: outcomes and budgets are those of
lock-step.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.codec.bridge.child_client import Client
    from conformance.codec.bridge.transport import Reply

    Request = Any

FAILURES = 10
"""How often the child may fail on requests that were sent ahead; after that none is, as each failure costs a start."""


class Ahead:
    """The requests that were sent ahead to one client, and have not been asked for yet."""

    def __init__(self, client: Client, kind_of: Callable[[Request], str]) -> None:
        """Create it for a client; `kind_of` tells what alike requests have in common, for what is deadly."""
        self._client = client
        self._kind_of = kind_of
        self._waiting: deque[tuple[Request, Reply]] = deque()
        self._failures = 0

    def send(self, requests: Sequence[Request]) -> None:
        """Send requests that will be asked for, in about this order; those that were sent before are forgotten."""
        self._waiting.clear()
        sent = [request for request in requests if not self._client.known(request, self._kind_of(request))]
        if not sent or self._failures >= FAILURES:
            return
        replies = self._client.ask_ahead(sent)
        self._waiting.extend(zip(sent, replies, strict=False))
        self._failures += len(replies) < len(sent)

    def ask(self, request: Request) -> Reply:
        """Return the reply to a request; see `Client.ask`."""
        for index, (sent, reply) in enumerate(self._waiting):
            if sent == request:  # a field has one type, so that no number equals a truth value
                del self._waiting[index]
                return self._client.ask(request, self._kind_of(request), reply)
        return self._client.ask(request, self._kind_of(request))


def kind_of_request(request: Request) -> str:
    """Return what alike requests of the bridge protocol have in common."""
    return f"{request['op']} {request.get('message', '')}"
