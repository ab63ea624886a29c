"""One connection to a server, with a deadline for each frame, and a budget.

Deadlines are limits of `conformance.system.time_limits`, or seconds of the clock if the server's process is unknown.
"""

from __future__ import annotations

import socket
import struct
import time
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, cast

from conformance.codec.bridge.harness_errors import TOO_BUSY
from conformance.live.capture.answer_rules import answers_of, departures_from
from conformance.live.capture.frame_verdict import judge_request, judge_response
from conformance.system.time_limits import TimeLimit, clock_limit
from conformance.targets.plain_values import short_hex
from reference import ConformanceError, encode_frame

if TYPE_CHECKING:
    import ssl
    from collections.abc import Sequence

    from conformance.definitions.defining_releases import Definitions
    from conformance.live.address import Address
    from conformance.live.capture.frame_verdict import JudgedFrame
    from reference import Release

SIZE = struct.Struct(">i")
LARGEST = 64 * 2**20
"""The maximum of bytes read of a response; the suite's requests cause less than a hundredth of that."""

LEAST = 0.01
"""Seconds at least to wait for the next bytes."""

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
        payload: the frame without its size; without a whole frame all received bytes, size included.
        seconds: the time of waiting.
        limit: the exceeded limit of silence in words.
    """

    end: End
    payload: bytes = b""
    seconds: float = 0.0
    limit: str = ""

    @property
    def is_frame(self) -> bool:
        """Whether a whole frame came."""
        return self.end is End.FRAME

    def __str__(self) -> str:
        if self.end is End.SILENT:
            part = f" but {short_hex(self.payload)}" if self.payload else ""
            return f"no answer{part} within {self.limit}"
        if self.end is End.CLOSED:
            return "closed the connection" + (f" after {short_hex(self.payload)}" if self.payload else "")
        if self.end is End.NO_FRAME:
            size = SIZE.unpack_from(self.payload)[0]
            return f"{short_hex(self.payload)}, whose size is {size:,}, and not one from 0 to {LARGEST:,}"
        return short_hex(self.payload)


class TooBusy(ConformanceError):
    """The machine gave no processor to a server, so its silence says nothing."""


class Connection(AbstractContextManager["Connection"]):
    """An open connection.

    Args:
        peer: a connected socket.
        deadline: seconds to wait for one frame.
        budget: the rate of frames; None without a limit.
        pid: the id of the server's process; None if it is unknown.
    """

    def __init__(
        self, peer: socket.socket, deadline: float, budget: Budget | None = None, pid: int | None = None
    ) -> None:
        self._peer = peer
        self._pid = pid
        self._deadline = deadline
        self._budget = budget
        self._buffer = bytearray()

    def handshake(self) -> None:
        """Agree on TLS with the server, or raise OSError, also after the deadline."""
        limit = self._limit()
        while not limit.is_over():
            self._peer.settimeout(max(limit.pause, LEAST))
            with suppress(TimeoutError):
                return cast("ssl.SSLSocket", self._peer).do_handshake()
        raise TimeoutError(f"no handshake within {limit}")

    def send(self, data: bytes, deadline: float | None = None) -> bool:
        """Send bytes, and return whether the server still accepted them."""
        if self._budget is not None:
            self._budget.pace()
        limit, rest = self._limit(deadline), memoryview(data)
        while rest and not limit.is_over():
            self._peer.settimeout(max(limit.pause, LEAST))
            try:
                rest = rest[self._peer.send(rest) :]
            except TimeoutError:
                continue
            except OSError:
                return False
        return not rest

    def receive(self, deadline: float | None = None) -> Reply:
        """Wait for one frame, as long as the deadline allows.

        Raises:
            TooBusy: the machine gave no processor to the server.
        """
        start, limit = time.monotonic(), self._limit(deadline)
        kind = self._fill(SIZE.size, limit)
        if kind is End.FRAME:
            size: int = SIZE.unpack_from(self._buffer)[0]
            kind = self._fill(SIZE.size + size, limit) if 0 <= size <= LARGEST else End.NO_FRAME
            if kind is End.FRAME:
                return Reply(End.FRAME, self._taken(size), time.monotonic() - start)
        if kind is End.SILENT and limit.is_for_lack_of_processors:
            raise TooBusy(TOO_BUSY)
        words = str(limit) if kind is End.SILENT else ""
        return Reply(kind, bytes(self._buffer), time.monotonic() - start, words)

    def _limit(self, deadline: float | None = None) -> TimeLimit:
        seconds = self._deadline if deadline is None else deadline
        return TimeLimit(self._pid, seconds) if self._pid else clock_limit(seconds)

    def _taken(self, size: int) -> bytes:
        rest = self._buffer[SIZE.size + size :]
        # A view saves one copy of a large frame.
        with memoryview(self._buffer) as view:
            payload = bytes(view[SIZE.size : SIZE.size + size])
        self._buffer = rest
        return payload

    def _fill(self, length: int, limit: TimeLimit) -> End:
        is_over = False
        while len(self._buffer) < length:
            if is_over:
                return End.SILENT
            # At the end of the limit bytes may have come meanwhile, as on a busy machine: they are read once more.
            is_over = limit.is_over()
            self._peer.settimeout(LEAST if is_over else max(limit.pause, LEAST))
            with suppress(TimeoutError):
                if not self._read():
                    return End.CLOSED
        return End.FRAME

    def _read(self) -> bool:
        """Return whether the connection is still open, or raise TimeoutError."""
        try:
            data = self._peer.recv(2**16)
        except TimeoutError:
            raise
        except OSError:
            return False
        self._buffer += data
        return bool(data)

    def close(self) -> None:
        """Close it."""
        self._peer.close()

    def __exit__(self, *exception: object) -> None:
        self.close()


def connect(
    address: Address,
    deadline: float,
    context: ssl.SSLContext | None = None,
    budget: Budget | None = None,
    pid: int | None = None,
) -> Connection:
    """Connect to a server, by TLS if there is a context.

    Raises:
        OSError: nobody listens, or the two sides do not agree on TLS. It is a TimeoutError if nothing came in time.
    """
    peer = socket.create_connection((address.host, address.port), timeout=deadline)
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if context is None:
        return Connection(peer, deadline, budget, pid)
    wrapped = context.wrap_socket(peer, server_hostname=address.host, do_handshake_on_connect=False)
    connection = Connection(wrapped, deadline, budget, pid)
    try:
        connection.handshake()
    except BaseException:
        connection.close()
        raise
    return connection


class TimeIsUp(Exception):
    """Ends a check at the end of the run's time."""


class Budget:
    """The rate of frames per second and the time of one process from its first frame on, 0 for no limit."""

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
        """Raise TimeIsUp unless there is time left."""
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
