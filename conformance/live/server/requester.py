"""Sends requests to a server, one after another on a connection, or bytes on a connection of their own."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from conformance.live.server.connection import Connection, EncodedRequest, End, Reply
from conformance.live.server.server import REFUSAL_DEADLINE

if TYPE_CHECKING:
    from conformance.live.server.server import Server


class SentFrame(NamedTuple):
    """Sent bytes, and the number of their connection."""

    connection: int
    data: bytes


class Silence(NamedTuple):
    """The first frame without an answer, by the time of the machine in seconds."""

    sent_at: float
    noticed_at: float


class Requester:
    """The frames sent to a server, and the current connection.

    Attributes:
        answered: the number of frames sent before the last answer to a sound request.
        sent_at: when the last frame was sent.
        silence: the first frame without an answer since the last sign of life; None if there is none.
        was_refused: whether a connection was refused since then.
    """

    def __init__(self, server: Server) -> None:
        self.server = server
        self.sent: list[SentFrame] = []
        self.answered = 0
        self.sent_at = time.monotonic()
        self.silence: Silence | None = None
        self.was_refused = False
        self._connections = 0
        self._connection: Connection | None = None
        self._open = 0

    @property
    def since_answer(self) -> tuple[SentFrame, ...]:
        """The frames sent since the last answer to a sound request."""
        return tuple(self.sent[self.answered :])

    def ask(self, asked: EncodedRequest, deadline: float | None = None, *, may_be_silent: bool = False) -> Reply:
        """Send a sound request on the open connection, and return the reply, also silence if that is an answer.

        A connection without an answer is closed. If the server closed it, the request is tried once on a new one.
        """
        was_open = self._connection is not None
        deadline = REFUSAL_DEADLINE if may_be_silent else deadline
        reply = self._ask(asked, deadline)
        if not reply.is_frame and was_open and reply.end is not End.SILENT:
            reply = self._ask(asked, deadline)
        if reply.is_frame:
            self.note_answer()
        return reply

    def note_answer(self) -> None:
        """Note an answer of the server, as a sign of its survival of all frames so far."""
        self.answered = len(self.sent)
        self.note_life()

    def note_life(self) -> None:
        """Note that the server lives."""
        self.silence, self.was_refused = None, False

    def _ask(self, asked: EncodedRequest, deadline: float | None) -> Reply:
        connection = self._connection
        if connection is None:
            try:
                connection = self._connection = self._connect(deadline)
            except OSError as error:
                return self._refused(error)
            self._open = self._connections
        self._note(self._open, asked.wire)
        reply = None
        try:
            connection.send(asked.wire, deadline)
            reply = connection.receive(deadline)
        finally:
            if reply is None or not reply.is_frame:
                self.hang_up()
        return self.noted(reply)

    def alone(self, data: bytes, deadline: float = REFUSAL_DEADLINE) -> Reply:
        """Send bytes on a connection of their own, and return the reply."""
        try:
            connection = self._connect(deadline)
        except OSError as error:
            return self._refused(error)
        with connection:
            self._note(self._connections, data)
            connection.send(data)
            return self.noted(connection.receive())

    def hang_up(self) -> None:
        """Close the open connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connect(self, deadline: float | None) -> Connection:
        self._connections += 1
        return self.server.connect(deadline)

    def _note(self, connection: int, data: bytes) -> None:
        """Raise TimeIsUp if nothing more may be sent."""
        self.server.budget.check()
        self.sent_at = time.monotonic()
        self.sent.append(SentFrame(connection, data))

    def _refused(self, error: OSError) -> Reply:
        self.was_refused = True
        return self.noted(unreachable(error))

    def note_sent(self, data: bytes) -> None:
        """Note bytes sent on a connection that is not one of its own, or raise TimeIsUp."""
        self._connections += 1
        self._note(self._connections, data)

    def noted(self, reply: Reply) -> Reply:
        """Return a reply, noted as a sign of life or as a silence."""
        if reply.is_frame:
            self.note_life()
        elif self.silence is None:
            self.silence = Silence(self.sent_at, time.monotonic())
        return reply


def unreachable(error: OSError) -> Reply:
    """Return the reply of a server that accepts no connection."""
    return Reply(End.SILENT, limit=str(error)) if isinstance(error, TimeoutError) else Reply(End.CLOSED)
