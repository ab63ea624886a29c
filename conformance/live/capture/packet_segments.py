"""TCP segments in files of packets, of IPv4 and IPv6 on the common link types of captures.

Files are read as pcap by dpkt, and as pcapng by python-pcapng, since it knows the link type of each interface.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from gzip import BadGzipFile
from importlib import import_module
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

from conformance.live.address import Address
from reference import ConformanceError
from reference.inputs.files import opened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

ETHERNET, SLL, SLL2 = 1, 113, 276
LOOPBACK = frozenset((0, 108))
RAW = frozenset((12, 14, 101, 228, 229))
"""Link types with packets that begin with the header of IP."""

IP_VERSION = 4
"""The number of bits after the version in the first byte of IP."""

PCAP = frozenset(map(bytes.fromhex, ("a1b2c3d4", "d4c3b2a1", "a1b23c4d", "4d3cb2a1")))
"""The first bytes of pcap, with times in microseconds or nanoseconds, of either byte order."""

PCAPNG = bytes.fromhex("0a0d0d0a")
GZIP = bytes.fromhex("1f8b")
MAGIC = 4


@dataclass(frozen=True)
class Segment:
    """One TCP segment.

    Attributes:
        at: seconds since 1970.
        sequence: the number of its first byte, or of the SYN.
        acknowledged: the number of the next byte expected by its sender; None without the ACK flag.
        data: its payload, as far as it was captured.
        missing: the number of payload bytes outside the capture.
        opens: whether it is a SYN.
        closes: whether it is a FIN.
        resets: whether it is an RST.
    """

    at: float
    source: Address
    target: Address
    sequence: int
    acknowledged: int | None = None
    data: bytes = field(default=b"", repr=False)
    missing: int = 0
    opens: bool = False
    closes: bool = False
    resets: bool = False


class Segments:
    """Takes packets, and gives their TCP segments. Other packets are counted by their kind."""

    def __init__(self) -> None:
        self.others: Counter[str] = Counter()

    def of(self, packets: Iterable[Packet]) -> Iterator[Segment]:
        """Yield the segments in packets."""
        for packet in packets:
            segment = self._segment(packet)
            if segment is not None:
                yield segment

    def _segment(self, packet: Packet) -> Segment | None:
        try:
            network = _network(packet)
        except library("dpkt").Error:
            self.others["damaged or cut before their TCP header"] += 1
            return None
        except KeyError:
            self.others[f"of link type {packet.link}, which is not read"] += 1
            return None
        if not isinstance(network, (library("dpkt.ip").IP, library("dpkt.ip6").IP6)):
            self.others["not of IP"] += 1
            return None
        if _is_fragment(network):
            self.others["fragments of IP, which are not put together"] += 1
            return None
        if not isinstance(network.data, library("dpkt.tcp").TCP):
            self.others["not of TCP"] += 1
            return None
        return _segment_of(packet.at, network)


def _network(packet: Packet) -> Any:
    """Return the packet inside of the link's frame.

    Raises:
        KeyError: the link type is not supported.
        dpkt.Error: the data is too short, or no such packet.
    """
    link, data = packet.link, packet.data
    if link in RAW:
        is_new = data[:1] and data[0] >> IP_VERSION == 6  # noqa: PLR2004  # IPv6
        return library("dpkt.ip6").IP6(data) if is_new else library("dpkt.ip").IP(data)
    if link in LOOPBACK:
        return library("dpkt.loopback").Loopback(data).data
    module, name = {ETHERNET: ("ethernet", "Ethernet"), SLL: ("sll", "SLL"), SLL2: ("sll2", "SLL2")}[link]
    return getattr(library(f"dpkt.{module}"), name)(data).data


def _is_fragment(network: Any) -> bool:
    if isinstance(network, library("dpkt.ip").IP):
        return bool(network.mf or network.offset)
    return any(type(header).__name__ == "IP6FragmentHeader" for header in network.all_extension_headers)


def _segment_of(at: float, network: Any) -> Segment:
    tcp, flags = network.data, library("dpkt.tcp")
    return Segment(
        at,
        Address(str(ip_address(network.src)), tcp.sport),
        Address(str(ip_address(network.dst)), tcp.dport),
        tcp.seq,
        tcp.ack if tcp.flags & flags.TH_ACK else None,
        bytes(tcp.data),
        max(0, _announced(network) - len(tcp.data)),
        bool(tcp.flags & flags.TH_SYN),
        bool(tcp.flags & flags.TH_FIN),
        bool(tcp.flags & flags.TH_RST),
    )


def _announced(network: Any) -> int:
    """Return 0 if the header has none, as in packets captured before the network card cut them (offloading)."""
    header = network.data.off * 4
    if isinstance(network, library("dpkt.ip").IP):
        return int(network.len) - network.hl * 4 - header if network.len else 0
    return int(network.plen) - header if network.plen and not network.all_extension_headers else 0


class Packet(NamedTuple):
    """A captured packet, with seconds since 1970, the number of its link type, and its bytes from the link's header."""

    at: float
    link: int
    data: bytes


def has_packets(path: Path) -> bool:
    """Return whether a file has packets, by its first bytes, or raise OSError."""
    with opened(path) as file, suppress(EOFError, BadGzipFile, zlib.error):
        first = _unpacked(file).read(MAGIC)
        return first in PCAP or first == PCAPNG
    return False


def read_packets(path: Path) -> Iterator[Packet]:
    """Yield the packets of a file, in their order.

    Raises:
        BadPackets: it is damaged, or cut inside of a packet. The packets before the damage are yielded.
        OSError: it cannot be read.
    """
    with opened(path) as packed:
        file = _unpacked(packed)
        first = file.read(MAGIC)
        file.seek(0)
        try:
            yield from (_pcapng if first == PCAPNG else _pcap)(path, _Bounded(file, os.fstat(packed.fileno()).st_size))
        except (EOFError, BadGzipFile, zlib.error) as error:
            raise BadPackets(f"{path}: a damaged gzip file: {error}") from error


MOST_OF_GZIP = 2**24
"""The greatest number of bytes that are read at once of a file in gzip, whose size is not known."""


def _unpacked(file: BinaryIO) -> BinaryIO:
    is_packed = file.read(MAGIC).startswith(GZIP)
    file.seek(0)
    return cast("BinaryIO", gzip.GzipFile(fileobj=file)) if is_packed else file


class _Bounded:
    """A file that reads no more than it has. Python reserves memory for a requested size, 4 GiB for a damaged one."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = MOST_OF_GZIP if isinstance(file, gzip.GzipFile) else size
        self.tell = file.tell

    def read(self, size: int = -1) -> bytes:
        """Return up to so many bytes, or raise BadPackets for more than a packet has, of a file of unknown size."""
        if isinstance(self._file, gzip.GzipFile) and size > self._size:
            raise BadPackets(f"a packet of {size:,} bytes, more than any has")
        return self._file.read(min(size, self._size))


def _pcap(path: Path, file: _Bounded) -> Iterator[Packet]:
    dpkt = library("dpkt")
    try:
        reader = library("dpkt.pcap").Reader(file)
        for at, data in reader:
            yield Packet(float(at), reader.datalink(), data)
    except (dpkt.Error, ValueError) as error:
        raise BadPackets(f"{path} is damaged, or ends inside of a packet: {error}") from error


def _pcapng(path: Path, file: _Bounded) -> Iterator[Packet]:
    pcapng = library("pcapng")
    errors = library("pcapng.exceptions")
    at = 0.0
    try:
        for block in pcapng.FileScanner(file):
            if isinstance(block, pcapng.blocks.BasePacketBlock):
                at = float(getattr(block, "timestamp", at))  # a simple packet has no time
                yield Packet(at, block.interface.link_type, block.packet_data)
    except (errors.PcapngException, ValueError, KeyError, IndexError) as error:
        raise BadPackets(f"{path} is damaged, or ends inside of a packet: {error}") from error


class BadPackets(ConformanceError):
    """A file of packets that cannot be read, with the reason."""


def library(name: str) -> Any:
    """Return a module of the extra, or raise BadPackets if it is not installed."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        needed = name.partition(".")[0]
        raise BadPackets(
            f"a file of packets needs {needed}, which is not installed: install kafka-wire-conformance[packets]"
        ) from error
