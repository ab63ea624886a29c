"""Reads files of packets as captures, with frames from every connection to a server's port as they become complete."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from conformance.live.capture.capture import BadCapture, CapturedFrame, CaptureHeader, Redaction, read_capture
from conformance.live.capture.packet_connection import TcpConnection
from conformance.live.capture.packet_segments import BadPackets, Segments, has_packets, read_packets
from conformance.live.capture.pairing import HEAD, SIZE
from conformance.live.capture.redaction import Redactor
from conformance.live.capture.tshark_json import has_tshark_json, segments_in
from conformance.report.explain.data_folder import kind_of
from reference import CodecError, decode_frame

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from conformance.definitions.defining_releases import Definitions
    from conformance.live.address import Address
    from conformance.live.capture.packet_segments import Segment

FALLBACK = 9092
"""The port of servers in a file in which no port speaks Kafka, as with TLS."""

MOST_PORTS = 8

SEGMENTS_LOOKED_AT = 50_000
"""The number of segments among which the ports of servers are searched."""


class PacketImport:
    """Reads the frames in a file of packets.

    Args:
        path: the file.
        definitions: the known versions of APIs, and the places of secrets.
        ports: the ports of servers; none for those to which requests of known APIs go.
    """

    def __init__(self, path: Path, definitions: Definitions, ports: Collection[int] = ()) -> None:
        self._path = path
        self._definitions = definitions
        self._ports = frozenset(ports)
        self._seen_ports: Counter[int] = Counter()
        self._segments = Segments()
        self._open: dict[frozenset[Address], TcpConnection] = {}
        self._over: set[frozenset[Address]] = set()
        self._texts: list[str] = []
        self._began: float | None = None
        self.connections = 0
        """The number of connections so far."""

    def frames(self, redaction: Redaction = "no", only: int | None = None) -> Iterator[CapturedFrame]:
        """Yield the frames without secrets, in the order of their completion.

        With `only` all frames but that of this number keep their secrets.

        Raises:
            BadPackets: the file cannot be read to its end, or has no packets of these ports.
            OSError: it cannot be read.
        """
        redactor = Redactor(self._definitions, redaction)
        for number, frame in enumerate(self._all(), start=1):
            if only in {None, number}:
                yield replace(redactor.take(frame), number=number)
            else:
                redactor.skip(frame)
                yield replace(frame, number=number)

    @property
    def troubles(self) -> list[str]:
        """The problems of reading, in words, complete once all frames have been yielded."""
        return [*self._texts, *(f"{count:,} packets {kind}" for kind, count in sorted(self._segments.others.items()))]

    def _read(self, segments: Segments) -> Iterator[Segment]:
        """Yield the segments in the file, which has packets or tshark's JSON."""
        return segments_in(self._path) if has_tshark_json(self._path) else segments.of(read_packets(self._path))

    def _find_ports(self) -> None:
        found: set[int] = set()
        with suppress(BadPackets):
            for segment in islice(self._read(Segments()), SEGMENTS_LOOKED_AT):
                self._seen_ports[min(segment.source.port, segment.target.port)] += 1
                if segment.target.port not in found and self._is_request(segment.data):
                    found.add(segment.target.port)
        self._ports = frozenset(found or (FALLBACK,))

    def _is_request(self, data: bytes) -> bool:
        size = int.from_bytes(data[:SIZE], "big", signed=True)
        if not HEAD <= size <= len(data) - SIZE:
            return False
        api_key, version = (int.from_bytes(data[at : at + 2], "big", signed=True) for at in (SIZE, SIZE + 2))
        release = self._definitions.release_of(api_key, version)
        try:
            return release is not None and decode_frame(release, "request", data[: SIZE + size]).consumed == SIZE + size
        except CodecError:
            return False

    def _all(self) -> Iterator[CapturedFrame]:
        if not self._ports:
            self._find_ports()
        try:
            for segment in self._read(self._segments):
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
            others = ", ".join(str(port) for port, _ in self._seen_ports.most_common(MOST_PORTS))
            what = f", and none to another one speaks Kafka ({others})" if others else ""
            raise BadPackets(f"{self._path} has no connection to port {ports}{what}: name the server's port (--port)")

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
        self.connections += 1
        client, server = segment.source, segment.target
        # The server is the sender of a SYN with ACK, else the end with a server's port.
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


def is_of_packets(path: Path) -> bool:
    """Return whether a file has packets, in pcap, pcapng, gzip of these, or tshark's JSON."""
    return has_packets(path) or has_tshark_json(path)


@dataclass(frozen=True)
class Traffic:
    """Frames being read from a capture, or by `packets` from a file of packets."""

    header: CaptureHeader
    frames: Iterator[CapturedFrame]
    packets: PacketImport | None = None

    @property
    def troubles(self) -> list[str]:
        """The problems of reading, in words, complete once all frames have been taken."""
        return [] if self.packets is None else self.packets.troubles


def open_traffic(path: Path, definitions: Definitions, ports: Collection[int] = (), only: int | None = None) -> Traffic:
    """Open a capture or a file of packets, told by its first bytes. Frames are read one by one.

    Of a file of packets, `ports` are those of servers, and `only` is the number of the only frame that is used.

    Raises:
        BadCapture: the file is a damaged capture. The frames raise it, or `BadPackets`, for damage in their lines.
        OSError: it cannot be read.
    """
    if is_of_packets(path):
        packets = PacketImport(path, definitions, ports)
        return Traffic(CaptureHeader(), packets.frames(only=only), packets)
    if (kind := kind_of(path.name)) is not None:
        raise BadCapture(f"{path} is {kind}, and no capture: see kafka-conformance explain {path}")
    capture = read_capture(path)
    return Traffic(capture.header, capture.frames)
