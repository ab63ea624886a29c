"""From the streams of a connection to its frames, whatever segments they come in, and to pairs of request and response.

A response answers the request with its correlation id, in the order of the requests of a connection.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


PRODUCE, SASL_HANDSHAKE = 0, 17

HEAD = 8
"""API key, version and correlation id: every request begins with them."""

CORRELATION_ID = 4
KEPT = 1000
"""How many requests are remembered that others have overtaken, or that are answered."""

SIZE = 4
"""The number of bytes of the size before a frame."""

LARGEST = 100 * 2**20
"""The largest size that is waited for, in bytes: what Apache Kafka takes by default."""

FIRST_BYTES = 4096
"""How many bytes are kept of a stream that cannot be cut."""


class PendingRequest(NamedTuple):
    """A request that waits for its response."""

    api_key: int
    version: int
    correlation_id: int
    number: int
    """The number of its frame."""


@dataclass(frozen=True)
class PairedResponse:
    """A response and what it answers.

    Attributes:
        request: the request; None if there is none that it might answer.
        departure: why the correlation id is not that of the oldest request without an answer; empty if it is.
        expected: the correlation id that was due; None if none was.
        rule: the rule that the departure breaks.
    """

    request: PendingRequest | None
    departure: str = ""
    expected: int | None = None
    rule: str = "header.correlation-id"


class Pairing:
    """The requests of one connection that wait for responses."""

    def __init__(self) -> None:
        self._waiting: deque[PendingRequest] = deque()
        self._overtaken: deque[PendingRequest] = deque(maxlen=KEPT)
        self._answered: deque[PendingRequest] = deque(maxlen=KEPT)

    def ask(self, payload: bytes, number: int = 0) -> PendingRequest | None:
        """Take a request; return None if it is too short to be one."""
        if len(payload) < HEAD:
            return None
        api_key, version = (int.from_bytes(payload[at : at + 2], signed=True) for at in (0, 2))
        asked = PendingRequest(api_key, version, int.from_bytes(payload[4:HEAD], signed=True), number)
        self._waiting.append(asked)
        return asked

    def silence(self, asked: PendingRequest) -> None:
        """Do not wait for the response to a request: it asks for none."""
        self._waiting.remove(asked)

    def answer(self, payload: bytes) -> PairedResponse:
        """Take a response; return the request that it answers."""
        identity = int.from_bytes(payload[:CORRELATION_ID], signed=True)
        due = self._waiting[0] if self._waiting else None
        place = next((at for at, asked in enumerate(self._waiting) if asked.correlation_id == identity), None)
        if place is not None and len(payload) >= CORRELATION_ID:
            for _ in range(place):
                self._overtaken.append(self._waiting.popleft())
            self._answered.append(self._waiting[0])
            return PairedResponse(self._waiting.popleft())
        late = next((asked for asked in self._overtaken if asked.correlation_id == identity), None)
        if late is not None:
            self._overtaken.remove(late)
            self._answered.append(late)
            text = f"{identity}, behind the response to a later request"
            return PairedResponse(late, text, late.correlation_id, "connection.order")
        expected = None if due is None else due.correlation_id
        if any(asked.correlation_id == identity for asked in self._answered):
            return PairedResponse(due, f"{identity}, which is answered already", expected)
        return PairedResponse(due, f"{identity}, which no request has", expected)

    def settle(self, asked: PendingRequest) -> None:
        """Count a request as answered, by a response with another correlation id."""
        if asked in self._waiting:
            self._waiting.remove(asked)
            self._answered.append(asked)

    @property
    def unanswered(self) -> list[PendingRequest]:
        """The requests without a response so far, in their order."""
        return sorted([*self._overtaken, *self._waiting], key=lambda asked: asked.number)


class Cutter:
    """Takes the segments of a stream, and gives the frames that they complete.

    A size that cannot be ends it: nobody knows where the next frame begins.
    """

    def __init__(self, largest: int = LARGEST) -> None:
        self._largest = largest
        self._waiting = bytearray()
        self.is_lost = False
        """Whether a size came that cannot be."""

    def feed(self, segment: bytes) -> Iterator[bytes]:
        """Take a segment; yield each frame that is complete now, without its size."""
        if self.is_lost:
            self._waiting += segment[: max(0, FIRST_BYTES - len(self._waiting))]
            return
        self._waiting += segment
        at = 0
        while len(self._waiting) - at >= SIZE:
            size = int.from_bytes(self._waiting[at : at + SIZE], signed=True)
            if not 0 <= size <= self._largest:
                self.is_lost = True
                break
            if len(self._waiting) - at < SIZE + size:
                break
            yield bytes(self._waiting[at + SIZE : at + SIZE + size])
            at += SIZE + size
        del self._waiting[:at]

    @property
    def rest(self) -> bytes:
        """The first bytes of what is no frame, or not yet a whole one; its size included."""
        return bytes(self._waiting[:FIRST_BYTES])

    @property
    def waiting(self) -> bytes:
        """All bytes that came since the last whole frame, as long as no size was wrong before them."""
        return bytes(self._waiting)
