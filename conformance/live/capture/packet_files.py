"""Reads files of packets as captures.

Frames come from every connection to a server's port, in the order of their completion.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from conformance.live.capture.capture import CapturedFrame, CaptureHeader, Redaction, read_capture
from conformance.live.capture.packet_connection import TcpConnection
from conformance.live.capture.packet_segments import BadPackets, Segments, has_packets, read_packets
from conformance.live.capture.redaction import Redactor

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from conformance.live.address import Address
    from conformance.live.capture.defining_releases import Definitions
    from conformance.live.capture.packet_segments import Segment

PORTS = (9092,)
"""The ports of servers, unless others are named."""


class PacketImport:
    """Reads the frames in a file of packets.

    Args:
        path: the file.
        definitions: the known versions of APIs, and the places of secrets.
        ports: the ports of servers.
    """

    def __init__(self, path: Path, definitions: Definitions, ports: Collection[int] = PORTS) -> None:
        self._path = path
        self._definitions = definitions
        self._ports = frozenset(ports)
        self._segments = Segments()
        self._open: dict[frozenset[Address], TcpConnection] = {}
        self._over: set[frozenset[Address]] = set()
        self._texts: list[str] = []
        self._began: float | None = None
        self.connections = 0
        """The number of connections so far."""

    def frames(self, redaction: Redaction = "no") -> Iterator[CapturedFrame]:
        """Yield the frames without secrets, in the order of their completion.

        Raises:
            BadPackets: the file cannot be read to its end, or has no packets of these ports.
            OSError: it cannot be read.
        """
        redactor = Redactor(self._definitions, redaction)
        for number, frame in enumerate(self._all(), start=1):
            yield replace(redactor.take(frame), number=number)

    @property
    def troubles(self) -> list[str]:
        """The problems of reading, in words.

        They are complete once all frames have been yielded.
        """
        return [*self._texts, *(f"{count:,} packets {kind}" for kind, count in sorted(self._segments.others.items()))]

    def _all(self) -> Iterator[CapturedFrame]:
        try:
            for segment in self._segments.of(read_packets(self._path)):
                self._began = segment.at if self._began is None else self._began
                yield from self._take(segment)
        except BadPackets as error:
            if self._began is None:
                raise
            self._texts.append(f"{error}; what is before that has been read")
        for ends in list(self._open):
            yield from self._end(ends)
        if not self.connections:
            ports = ", ".join(map(str, sorted(self._ports)))
            raise BadPackets(f"{self._path} has no connection to port {ports}: name the server's port (--port)")

    def _take(self, segment: Segment) -> Iterator[CapturedFrame]:
        ends = frozenset((segment.source, segment.target))
        begins = segment.opens and segment.acknowledged is None
        if not {end.port for end in ends} & self._ports:
            self._segments.others["of other ports"] += 1
            return
        connection = self._open.get(ends)
        if connection is not None and begins and not connection.is_opened_by(segment):
            yield from self._end(ends)
            connection = None
        if connection is None:
            if ends in self._over and not begins:
                return  # a segment that is sent again, or the last acknowledgement
            connection = self._connect(ends, segment)
        yield from connection.take(segment)
        if connection.is_over:
            yield from self._end(ends)

    def _connect(self, ends: frozenset[Address], segment: Segment) -> TcpConnection:
        """Begin a connection with its first segment.

        The server is the sender of a SYN with ACK, else the end with a server's port.
        """
        self.connections += 1
        client, server = segment.source, segment.target
        answers = segment.opens and segment.acknowledged is not None
        if answers or server.port not in self._ports:
            client, server = server, client
        connection = TcpConnection(self.connections, client, server, self._is_version, self._began or segment.at)
        self._open[ends] = connection
        self._over.discard(ends)
        return connection

    def _end(self, ends: frozenset[Address]) -> Iterator[CapturedFrame]:
        connection = self._open.pop(ends)
        yield from connection.end()
        self._texts += connection.troubles()
        self._over.add(ends)

    def _is_version(self, api_key: int, version: int) -> bool:
        return self._definitions.release_of(api_key, version) is not None


@dataclass(frozen=True)
class Traffic:
    """Frames being read from a capture or from a file of packets.

    Attributes:
        header: of the capture.
        frames: in the order of the file.
        packets: the reader of the packets; None for a capture.
    """

    header: CaptureHeader
    frames: Iterator[CapturedFrame]
    packets: PacketImport | None = None

    @property
    def troubles(self) -> list[str]:
        """The problems of reading, in words.

        They are complete once all frames have been taken.
        """
        return [] if self.packets is None else self.packets.troubles


def open_traffic(path: Path, definitions: Definitions, ports: Collection[int] = PORTS) -> Traffic:
    """Open a capture or a file of packets.

    The first bytes decide which of them it is. Frames are read one by one, as the caller takes them.

    Raises:
        BadCapture: the file is a damaged capture. The frames raise it, or `BadPackets`, for damage in their lines.
        OSError: it cannot be read.
    """
    if has_packets(path):
        packets = PacketImport(path, definitions, ports)
        return Traffic(CaptureHeader(), packets.frames(), packets)
    capture = read_capture(path)
    return Traffic(capture.header, capture.frames)
