"""Cuts the streams of a connection into frames, and pairs requests with responses.

Segments may split a stream anywhere. A response has the correlation id of its request, and responses come in the order
of the requests of a connection.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


PRODUCE, SASL_HANDSHAKE = 0, 17

HEAD = 8
"""The size of API key, version and correlation id, the beginning of every request."""

CORRELATION_ID = 4
KEPT = 1000
"""The number of remembered requests among the overtaken ones, and among the answered ones."""

SIZE = 4

LARGEST = 100 * 2**20
"""The largest accepted frame size, in bytes; the default of Apache Kafka."""

FIRST_BYTES = 4096
"""The number of bytes kept of a stream with a wrong size."""


class PendingRequest(NamedTuple):
    """A request waiting for its response."""

    api_key: int
    version: int
    correlation_id: int
    number: int
    """The number of its frame."""


@dataclass(frozen=True)
class PairedResponse:
    """A response and its request.

    Attributes:
        request: None if no request is possible.
        departure: the difference of the correlation id from the expected one; empty if equal.
        expected: the correlation id of the oldest request without an answer; None if there is no such request.
        rule: the rule broken by the departure.
    """

    request: PendingRequest | None
    departure: str = ""
    expected: int | None = None
    rule: str = "header.correlation-id"


class Pairing:
    """The requests of one connection without responses so far."""

    def __init__(self) -> None:
        self._waiting: deque[PendingRequest] = deque()
        self._overtaken: deque[PendingRequest] = deque(maxlen=KEPT)
        self._answered: deque[PendingRequest] = deque(maxlen=KEPT)

    def ask(self, payload: bytes, number: int = 0) -> PendingRequest | None:
        """Take a request, and return it, or None if the bytes are too short for one."""
        if len(payload) < HEAD:
            return None
        api_key, version = (int.from_bytes(payload[at : at + 2], signed=True) for at in (0, 2))
        request = PendingRequest(api_key, version, int.from_bytes(payload[4:HEAD], signed=True), number)
        self._waiting.append(request)
        return request

    def silence(self, request: PendingRequest) -> None:
        """Do not wait for the response to a request, as with Acks 0."""
        self._waiting.remove(request)

    def is_expecting(self, payload: bytes) -> bool:
        """Return whether a response answers a request that waits for one."""
        identity = int.from_bytes(payload[:CORRELATION_ID], signed=True)
        return any(request.correlation_id == identity for request in self._waiting)

    def answer(self, payload: bytes) -> PairedResponse:
        """Take a response, and return it with its request."""
        identity = int.from_bytes(payload[:CORRELATION_ID], signed=True)
        due = self._waiting[0] if self._waiting else None
        place = next((at for at, request in enumerate(self._waiting) if request.correlation_id == identity), None)
        if place is not None and len(payload) >= CORRELATION_ID:
            # Requests before this one are kept: their responses may still come, out of order.
            for _ in range(place):
                self._overtaken.append(self._waiting.popleft())
            self._answered.append(self._waiting[0])
            return PairedResponse(self._waiting.popleft())
        late = next((request for request in self._overtaken if request.correlation_id == identity), None)
        if late is not None:
            self._overtaken.remove(late)
            self._answered.append(late)
            text = f"{identity}, behind the response to a later request"
            return PairedResponse(late, text, late.correlation_id, "connection.order")
        expected = None if due is None else due.correlation_id
        if any(request.correlation_id == identity for request in self._answered):
            return PairedResponse(due, f"{identity}, which is answered already", expected)
        return PairedResponse(due, f"{identity}, which no request has", expected)

    def settle(self, request: PendingRequest) -> None:
        """Count a request as answered by a response with another correlation id."""
        if request in self._waiting:
            self._waiting.remove(request)
            self._answered.append(request)

    @property
    def unanswered(self) -> list[PendingRequest]:
        """The requests without a response so far, in their order."""
        return sorted([*self._overtaken, *self._waiting], key=lambda request: request.number)


class Cutter:
    """Takes the segments of a stream, and gives their complete frames.

    An impossible size ends the cutting, as the beginning of the next frame is unknown then.
    """

    def __init__(self, largest: int = LARGEST) -> None:
        self._largest = largest
        self._waiting = bytearray()
        self.is_lost = False
        """Whether an impossible size came."""

    def feed(self, segment: bytes) -> Iterator[bytes]:
        """Take a segment, and yield each completed frame without its size."""
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
        """The first bytes of an incomplete frame, its size included."""
        return bytes(self._waiting[:FIRST_BYTES])

    @property
    def waiting(self) -> bytes:
        """All bytes since the last complete frame. After a wrong size only the first ones are kept."""
        return bytes(self._waiting)
