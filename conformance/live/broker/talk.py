"""Talking to a server: one request after another on a connection, or anything on a connection of its own."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from conformance.live.broker.connection import End, Reply
from conformance.live.broker.server import REFUSAL_DEADLINE

if TYPE_CHECKING:
    from conformance.live.broker.connection import Connection
    from conformance.live.broker.requests import Asked
    from conformance.live.broker.server import Server

REMEMBERED = 64
"""The number of frames that are kept for what happens later."""

UNREACHABLE = Reply(End.CLOSED, b"")


class Talk:
    """What was said to a server, and the connection on which it is going on.

    Attributes:
        frames: how many were sent.
        since_answer: the last frames since it last answered a sound request, the oldest first.
    """

    def __init__(self, server: Server) -> None:
        self.server = server
        self.frames = 0
        self.since_answer: deque[bytes] = deque(maxlen=REMEMBERED)
        self._connection: Connection | None = None

    def ask(self, asked: Asked) -> Reply:
        """Send a sound request on the connection that is open, and return what comes.

        A connection that does not answer is given up; the request is then tried once on a new one.
        """
        was_open = self._connection is not None
        reply = self._ask(asked)
        if not reply.is_frame and was_open:
            reply = self._ask(asked)
        if reply.is_frame:
            self.since_answer.clear()
        return reply

    def _ask(self, asked: Asked) -> Reply:
        try:
            connection = self._connection or self.server.connect()
        except OSError:
            return UNREACHABLE
        self._connection = connection
        self._count(asked.wire)
        connection.send(asked.wire)
        reply = connection.receive()
        if not reply.is_frame:
            self.hang_up()
        return reply

    def alone(self, data: bytes, deadline: float = REFUSAL_DEADLINE) -> Reply:
        """Send bytes on a connection of their own, and return what comes."""
        try:
            connection = self.server.connect()
        except OSError:
            return UNREACHABLE
        with connection:
            self._count(data)
            connection.send(data)
            return connection.receive(deadline)

    def hang_up(self) -> None:
        """Close the connection that is open."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _count(self, data: bytes) -> None:
        self.frames += 1
        self.since_answer.append(data)
