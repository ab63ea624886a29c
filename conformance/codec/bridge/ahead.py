"""Requests sent before their turn, since a round trip for each costs more than most answers.

Only requests that a check is certain to make are sent ahead. A request that loses its reply, because the child died,
hung or wrote something else meanwhile, is asked alone in its turn. Outcomes and budgets are those of lock-step.
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
"""The maximum number of failures on requests sent ahead; after that none is, as each failure costs a start."""


def kind_of_request(request: Request) -> str:
    """Return the operation and message of a request of the bridge protocol."""
    return f"{request['op']} {request.get('message', '')}"


def unit_of_request(request: Request) -> str:
    """Return the operation, message and version of a request of the bridge protocol."""
    return f"{kind_of_request(request)} {request.get('version', '')}"


class Ahead:
    """The requests to one client that were sent ahead, until they are asked for."""

    def __init__(self, client: Client, kind_of: Callable[[Request], str]) -> None:
        """Create the queue of a client. After a request has ended the child, others of its kind are skipped."""
        self._client = client
        self._kind_of = kind_of
        self._waiting: deque[tuple[Request, Reply]] = deque()
        self._failures = 0

    def send(self, requests: Sequence[Request]) -> None:
        """Send requests in about the order in which they will be asked, and forget those of an earlier call."""
        self._waiting.clear()
        sent = [request for request in requests if not self._client.known(request, self._kind_of(request))]
        if not sent or self._failures >= FAILURES:
            return
        replies = self._client.ask_ahead(sent)
        self._waiting.extend(zip(sent, replies, strict=False))
        self._failures += len(replies) < len(sent)

    def ask(self, request: Request) -> Reply:
        """Return the reply to a request as `Client.ask` does."""
        for index, (sent, reply) in enumerate(self._waiting):
            if sent == request:  # a field has one type, so that no number equals a truth value
                del self._waiting[index]
                return self._client.ask(request, self._kind_of(request), reply)
        return self._client.ask(request, self._kind_of(request))
