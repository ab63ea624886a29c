"""One connection to a server.

Requests and other bytes go out, frames come in, each with a deadline and within a budget.
"""

from __future__ import annotations

import socket
import struct
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from conformance.codec.plain_values import short_hex
from conformance.live.capture.answer_rules import answers_of, departures_from
from conformance.live.capture.frame_verdict import judge_request, judge_response
from reference import encode_frame

if TYPE_CHECKING:
    import ssl
    from collections.abc import Sequence

    from conformance.live.address import Address
    from conformance.live.capture.defining_releases import Definitions
    from conformance.live.capture.frame_verdict import JudgedFrame
    from reference import Release

SIZE = struct.Struct(">i")
LARGEST = 64 * 2**20
"""The maximum of bytes read of a response; the suite's requests cause less than a hundredth of that."""

CLIENT_ID = "kafka-wire-conformance"

UNKNOWN_TAG = (9_999, b"\xca\xfe")
"""A tagged field unknown to every header."""


class End(StrEnum):
    """The end of waiting for a frame."""

    FRAME = "frame"
    CLOSED = "closed"
    """The server closed the connection, before the frame or inside it."""
    SILENT = "silent"
    """Nothing came before the deadline, or only a part of a frame."""
    NO_FRAME = "no-frame"
    """Bytes came with an impossible size, or a larger one than is read."""


@dataclass(frozen=True)
class Reply:
    """The reply of a server to a frame.

    Attributes:
        end: the end of waiting for it.
        payload: the frame without its size; without a whole frame all received bytes, size included.
        seconds: the time of waiting.
    """

    end: End
    payload: bytes = b""
    seconds: float = 0.0

    @property
    def is_frame(self) -> bool:
        """Whether a whole frame came."""
        return self.end is End.FRAME

    def __str__(self) -> str:
        if self.end is End.SILENT:
            part = f" but {short_hex(self.payload)}" if self.payload else ""
            return f"no answer within {self.seconds:.1f} s{part}"
        if self.end is End.CLOSED:
            return "closed the connection" + (f" after {short_hex(self.payload)}" if self.payload else "")
        if self.end is End.NO_FRAME:
            size = SIZE.unpack_from(self.payload)[0]
            return f"{short_hex(self.payload)}, whose size is {size:,}, and not one from 0 to {LARGEST:,}"
        return short_hex(self.payload)


class Connection(AbstractContextManager["Connection"]):
    """An open connection.

    Args:
        peer: a connected socket.
        deadline: seconds to wait for one frame.
        budget: the rate of frames; None without a limit.
    """

    def __init__(self, peer: socket.socket, deadline: float, budget: Budget | None = None) -> None:
        self._peer = peer
        self._deadline = deadline
        self._budget = budget
        self._buffer = bytearray()

    def send(self, data: bytes) -> bool:
        """Send bytes, and return whether the server still accepted them."""
        if self._budget is not None:
            self._budget.pace()
        self._peer.settimeout(self._deadline)
        try:
            self._peer.sendall(data)
        except OSError:
            return False
        return True

    def receive(self, deadline: float | None = None) -> Reply:
        """Wait for one frame, as long as the deadline allows."""
        start = time.monotonic()
        end = start + (self._deadline if deadline is None else deadline)
        kind = self._fill(SIZE.size, end)
        if kind is End.FRAME:
            size: int = SIZE.unpack_from(self._buffer)[0]
            kind = self._fill(SIZE.size + size, end) if 0 <= size <= LARGEST else End.NO_FRAME
            if kind is End.FRAME:
                return Reply(End.FRAME, self._taken(size), time.monotonic() - start)
        return Reply(kind, bytes(self._buffer), time.monotonic() - start)

    def _taken(self, size: int) -> bytes:
        """Take a whole frame out of the buffer, and return it without its size."""
        rest = self._buffer[SIZE.size + size :]
        # A view saves one copy of a large frame.
        with memoryview(self._buffer) as view:
            payload = bytes(view[SIZE.size : SIZE.size + size])
        self._buffer = rest
        return payload

    def _fill(self, length: int, end: float) -> End:
        """Read until the buffer has a number of bytes."""
        while len(self._buffer) < length:
            left = end - time.monotonic()
            if left <= 0:
                return End.SILENT
            self._peer.settimeout(left)
            try:
                data = self._peer.recv(2**16)
            except TimeoutError:
                return End.SILENT
            except OSError:
                return End.CLOSED
            if not data:
                return End.CLOSED
            self._buffer += data
        return End.FRAME

    def close(self) -> None:
        """Close it."""
        self._peer.close()

    def __exit__(self, *exception: object) -> None:
        self.close()


def connect(
    address: Address, deadline: float, context: ssl.SSLContext | None = None, budget: Budget | None = None
) -> Connection:
    """Connect to a server, by TLS if there is a context.

    Raises:
        OSError: nobody listens, or the two sides do not agree on TLS.
    """
    peer = socket.create_connection((address.host, address.port), timeout=deadline)
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if context is not None:
        try:
            peer = context.wrap_socket(peer, server_hostname=address.host)
        except BaseException:
            peer.close()
            raise
    return Connection(peer, deadline, budget)


class TimeIsUp(Exception):
    """Ends a check at the end of the run's time."""


class Budget:
    """The rate of frames and the time of one process.

    Args:
        rate: the maximum of frames per second; 0 for no limit.
        seconds: the time from the first frame on; 0 for no end.
    """

    def __init__(self, rate: float = 0.0, seconds: float = 0.0) -> None:
        self.rate = rate
        self.seconds = seconds
        self._next = 0.0
        self._end = 0.0

    def pace(self) -> None:
        """Wait until one more frame may be sent."""
        now = time.monotonic()
        self._end = self._end or now + self.seconds
        if self.rate:
            time.sleep(max(0.0, self._next - now))
            self._next = max(self._next, now) + 1 / self.rate

    def check(self) -> None:
        """Check that there is time left.

        Raises:
            TimeIsUp: there is none.
        """
        if self.seconds and self._end and time.monotonic() > self._end:
            raise TimeIsUp(f"the time of the run, {self.seconds:g} s, was up")


@dataclass(frozen=True)
class EncodedRequest:
    """A request with its bytes, size included."""

    api_key: int
    version: int
    correlation_id: int
    wire: bytes

    def judge(self, definitions: Definitions, reply: Reply) -> JudgedFrame:
        """Return the verdict on a received frame, as an answer to this request."""
        judged = judge_response(definitions, self.api_key, self.version, reply.payload)
        if answers_of(judged.name, judged.version) is None:
            return judged
        asked = judge_request(definitions, self.wire[SIZE.size :])
        departures = tuple(departures_from(asked, judged))
        return replace(judged, departures=(*judged.departures, *departures)) if departures else judged


def request(  # noqa: PLR0913  # what a request consists of
    release: Release,
    api_key: int,
    version: int,
    correlation_id: int,
    value: dict[str, Any],
    *,
    client_id: str | None = CLIENT_ID,
    header_tags: Sequence[tuple[int, bytes]] = (),
) -> EncodedRequest:
    """Return a request with a value.

    Raises:
        UnsupportedApi: the release has no such API or version.
        Unencodable: the value cannot be written.
    """
    numbers = api_key, version, correlation_id
    if (api_key, version) == (7, 0):  # ControlledShutdown 0 has a header without a client id
        client_id = None
    wire = encode_frame(release, "request", *numbers, client_id, value, header_tags=header_tags)
    return EncodedRequest(*numbers, wire)


def sized(payload: bytes) -> bytes:
    """Return a frame of a size and the payload."""
    return SIZE.pack(len(payload)) + payload
