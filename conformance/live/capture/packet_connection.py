"""Cuts a captured TCP connection between a client and a server into frames.

After missing bytes, cutting begins anew with the first segment at the start of a frame: a request of a known API, or
the answer to a captured request. Answers to requests outside the capture are left out, since their API is unknown. A
capture may have one direction alone: then requests have no answers, or all answers are left out.

Each direction is put together first. Retransmissions are dropped, and early segments wait. Sequence numbers count bytes
modulo 2^32. Bytes missing in the capture are a gap; the next piece has their number.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from conformance.live.capture.capture import CapturedFrame
from conformance.live.capture.pairing import CORRELATION_ID, HEAD, LARGEST, SIZE, Cutter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from conformance.live.address import Address
    from conformance.live.capture.capture import Side
    from conformance.live.capture.packet_segments import Segment

MODULUS = 2**32
HALF = 2**31
MOST_WAITING = 4 * 2**20
"""The maximum number of bytes kept waiting for those before them."""


class StreamPiece(NamedTuple):
    """Bytes of a stream, in their order.

    Attributes:
        at: when their segment was captured, in seconds since 1970.
        data: empty if the piece only reports a loss.
        lost: the number of missing bytes before them.
    """

    at: float
    data: bytes
    lost: int = 0


class _Waiting(NamedTuple):
    at: float
    data: bytes
    missing: int


class HalfStream:
    """Takes the segments of one direction, and gives their bytes in order."""

    def __init__(self) -> None:
        self._first: int | None = None
        self._next: int | None = None
        self._waiting: dict[int, _Waiting] = {}
        self._end: int | None = None
        self._lost = 0
        self.has_beginning = False
        """Whether the first byte of the stream is known, from a SYN."""

    @property
    def is_captured(self) -> bool:
        """Whether there was a segment."""
        return self._first is not None

    @property
    def is_waiting(self) -> bool:
        """Whether bytes wait for others before them."""
        return bool(self._waiting)

    def take(self, segment: Segment) -> Iterator[StreamPiece]:
        """Take a segment, and yield the bytes now in order."""
        start = self._place(segment)
        if segment.closes:
            self._end = start + len(segment.data) + segment.missing
        # A retransmission may carry more than the first transmission, so the longer one is kept.
        known = self._waiting.get(start)
        if (segment.data or segment.missing) and (known is None or len(known.data) < len(segment.data)):
            self._waiting[start] = _Waiting(segment.at, segment.data, segment.missing)
        yield from self._ready()
        if sum(len(each.data) for each in self._waiting.values()) > MOST_WAITING:
            yield from self.give_up()

    def reaches(self, number: int) -> bool:
        """Return whether everything before a sequence number is known, also before the first segment."""
        if self._next is None:
            return True
        has_ended = self._end is not None and self._next >= self._end  # a FIN is counted like a byte
        return self._absolute(number) <= self._next + has_ended

    def give_up(self, number: int | None = None, at: float = 0.0) -> Iterator[StreamPiece]:
        """Count missing bytes as lost, those before the waiting ones, or else those before an acknowledged number.

        `at` is the time of a piece without bytes.
        """
        if self._next is None:
            return
        if self._waiting:
            self._skip_to(min(self._waiting))
            yield from self._ready()
        elif number is not None and not self.reaches(number):
            self._skip_to(self._absolute(number))
            yield StreamPiece(at, b"", self._take_lost())

    def _place(self, segment: Segment) -> int:
        """Return the position of a segment's first byte. The first segment decides where the stream begins."""
        start = segment.sequence + segment.opens
        if self._next is None:
            self._first = self._next = start
        if segment.opens and self.may_begin_at(start):
            self.has_beginning = True
        return self._absolute(start)

    def may_begin_at(self, number: int) -> bool:
        """Return whether a stream may begin at a number. A SYN may be captured after the segments behind it."""
        return self._first is None or self._absolute(number) == self._first

    def _absolute(self, number: int) -> int:
        """Count beyond 2^32, and of the possible numbers take the nearest to the next expected one."""
        due = self._next or 0
        return due + (number - due + HALF) % MODULUS - HALF

    def _skip_to(self, start: int) -> None:
        self._lost += start - (self._next or 0)
        self._next = start

    def _take_lost(self) -> int:
        lost, self._lost = self._lost, 0
        return lost

    def _ready(self) -> Iterator[StreamPiece]:
        while self._waiting and self._next is not None and (start := min(self._waiting)) <= self._next:
            waiting = self._waiting.pop(start)
            new = waiting.data[self._next - start :]
            self._next = max(self._next, start + len(waiting.data))
            if new:
                yield StreamPiece(waiting.at, new, self._take_lost())
            self._skip_to(max(self._next, start + len(waiting.data) + waiting.missing))


PATIENCE = 64
"""The number of server segments kept waiting for client bytes: these may be captured late, or never."""

TLS_HANDSHAKE = bytes.fromhex("1603")
REMEMBERED = 10_000
"""The number of remembered correlation ids."""


@dataclass
class _Direction:
    """The stream of one side.

    Attributes:
        begins: returns whether bytes begin with a frame, size included; asked where cutting begins anew.
        lost: the number of bytes missing in the capture.
        skipped: the number of captured bytes outside of frames, since something before them is missing.
    """

    side: Side
    begins: Callable[[bytes], bool]
    half: HalfStream = field(default_factory=HalfStream)
    cutter: Cutter | None = None
    lost: int = 0
    skipped: int = 0
    at: float = 0.0

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing so far, from the first byte on."""
        return self.half.has_beginning and not self.lost


class TcpConnection:
    """Takes the segments of a connection, and gives its frames.

    Args:
        number: of the connection in the capture.
        client: the end with the requests.
        server: the end with the answers.
        is_version: returns whether an API key has a version.
        began: when the capture began, in seconds since 1970.
    """

    def __init__(
        self, number: int, client: Address, server: Address, is_version: Callable[[int, int], bool], began: float
    ) -> None:
        self.number = number
        self.ends = client, server
        self.opened_at: int | None = None
        """The sequence number of the client's SYN."""
        self.is_tls = False
        self.left_out = 0
        """Answers to requests that were not captured."""
        self._is_version = is_version
        self._began = began
        self._client = _Direction("client", self._begins_with_request)
        self._server = _Direction("server", self._begins_with_response)
        self._held: deque[Segment] = deque()
        self._requested: deque[int] = deque(maxlen=REMEMBERED)
        self._closed: set[Address] = set()

    def _is_whole(self, direction: _Direction) -> bool:
        # An answer needs every request before it; a request has its own API and version.
        return direction.is_whole and (direction is self._client or self._client.is_whole)

    @property
    def is_over(self) -> bool:
        """Whether both sides have ended their streams and no segment waits."""
        waits = self._held or self._client.half.is_waiting or self._server.half.is_waiting
        return len(self._closed) == len(self.ends) and not waits

    def is_opened_by(self, segment: Segment) -> bool:
        """Return whether a client's SYN belongs to this connection, or to a later one between the same ends."""
        return self.opened_at == segment.sequence or (
            self.opened_at is None and self._client.half.may_begin_at(segment.sequence + 1)
        )

    def take(self, segment: Segment) -> Iterator[CapturedFrame]:
        """Take a segment, and yield the frames completed by it."""
        if segment.source == self.ends[0]:
            if segment.opens:
                self.opened_at = segment.sequence
            yield from self._frames(self._client, self._client.half.take(segment))
        else:
            # An answer needs its request, so segments of the server wait for those of the client.
            self._held.append(segment)
        yield from self._release()
        if segment.closes or segment.resets:
            self._closed |= {*self.ends} if segment.resets else {segment.source}

    def end(self) -> Iterator[CapturedFrame]:
        """End the connection, and yield the frames left over, an incomplete one as a rest."""
        while self._client.half.is_waiting:
            yield from self._frames(self._client, self._client.half.give_up())
        yield from self._release(patience=0)
        while self._server.half.is_waiting:
            yield from self._frames(self._server, self._server.half.give_up())
        for direction in (self._client, self._server):
            rest = direction.cutter.rest if direction.cutter else b""
            if rest and self._is_whole(direction) and not self.is_tls:
                yield CapturedFrame(self.number, direction.side, self._since(direction.at), rest, is_rest=True)
            else:
                direction.skipped += len(rest)
            direction.cutter = None

    def troubles(self) -> Iterator[str]:
        """Yield the problems of reading, in words."""
        name = f"connection {self.number} ({self.ends[0]} to {self.ends[1]})"
        if self.is_tls:
            yield f"{name}: TLS, which cannot be read"
            return
        both = (self._client, self._server)
        for direction in both:
            if not direction.half.is_captured and any(each.at for each in both):
                yield f"{name}: nothing of the {direction.side} is in the capture"
            if direction.at and not direction.half.has_beginning:
                yield f"{name}: the beginning of what the {direction.side} wrote is not in the capture"
            if direction.lost:
                yield f"{name}: {direction.lost:,} bytes of the {direction.side} are not in the capture"
            if direction.skipped:
                yield f"{name}: {direction.skipped:,} bytes of the {direction.side} are not cut into frames"
        if self.left_out:
            yield f"{name}: {self.left_out:,} responses are left out, whose requests are not in the capture"

    def _release(self, patience: int = PATIENCE) -> Iterator[CapturedFrame]:
        """Let server segments wait until client bytes acknowledged by them are known, or too many segments wait."""
        while self._held:
            segment = self._held[0]
            knows = segment.acknowledged is None or self._client.half.reaches(segment.acknowledged)
            if not knows and len(self._held) <= patience:
                return
            if not knows:
                yield from self._frames(self._client, self._client.half.give_up(segment.acknowledged, segment.at))
            self._held.popleft()
            yield from self._frames(self._server, self._server.half.take(segment))

    def _frames(self, direction: _Direction, pieces: Iterable[StreamPiece]) -> Iterator[CapturedFrame]:
        for piece in pieces:
            direction.at = piece.at
            if piece.lost:
                direction.lost += piece.lost
                self._stop_cutting(direction)
            if self.is_tls:
                continue
            if direction.cutter is None and not self._starts(direction, piece.data):
                direction.skipped += len(piece.data)
                continue
            for payload in direction.cutter.feed(piece.data) if direction.cutter else ():
                if self._is_known(direction, payload):
                    yield CapturedFrame(self.number, direction.side, self._since(piece.at), payload)
            if direction.cutter and direction.cutter.is_lost and not self._is_whole(direction):
                self._stop_cutting(direction)

    def _starts(self, direction: _Direction, data: bytes) -> bool:
        is_first = direction.half.has_beginning and not direction.lost and not direction.skipped
        if is_first and data.startswith(TLS_HANDSHAKE):
            self.is_tls = True
            return False
        if is_first or direction.begins(data):
            direction.cutter = Cutter()
        return direction.cutter is not None

    def _stop_cutting(self, direction: _Direction) -> None:
        if direction.cutter is not None:
            direction.skipped += len(direction.cutter.waiting)
            direction.cutter = None

    def _is_known(self, direction: _Direction, payload: bytes) -> bool:
        """Take all requests, and all answers of a whole connection, but others only if their request was captured."""
        if direction.side == "client":
            if len(payload) >= HEAD:
                self._requested.append(int.from_bytes(payload[HEAD - CORRELATION_ID : HEAD], "big", signed=True))
            return True
        if self._is_whole(direction):
            return True
        identity = int.from_bytes(payload[:CORRELATION_ID], "big", signed=True)
        if identity in self._requested:
            self._requested.remove(identity)
            return True
        self.left_out += 1
        return False

    def _begins_with_request(self, data: bytes) -> bool:
        size = int.from_bytes(data[:SIZE], "big", signed=True)
        api_key, version = (int.from_bytes(data[at : at + 2], "big", signed=True) for at in (SIZE, SIZE + 2))
        return len(data) >= SIZE + HEAD and HEAD <= size <= LARGEST and self._is_version(api_key, version)

    def _begins_with_response(self, data: bytes) -> bool:
        size = int.from_bytes(data[:SIZE], "big", signed=True)
        identity = int.from_bytes(data[SIZE : SIZE + CORRELATION_ID], "big", signed=True)
        return len(data) >= SIZE + CORRELATION_ID and CORRELATION_ID <= size <= LARGEST and identity in self._requested

    def _since(self, at: float) -> float:
        return max(0.0, at - self._began)
