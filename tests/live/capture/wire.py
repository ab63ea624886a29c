"""Packets of a client and a server, made by hand, and their capture."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

import pcapng.blocks
from dpkt import ethernet, ip, ip6, loopback, pcap, sll, sll2, tcp
from pcapng.writer import FileWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

ETHERNET, RAW, SLL, SLL2, LOOPBACK = 1, 101, 113, 276, 0
CLIENT, SERVER = ("127.0.0.1", 40_000), ("127.0.0.1", 9092)
START = 1_700_000_000.0
STEP = 0.001
MODULUS = 2**32


@dataclass
class Conversation:
    """The packets of one TCP connection, in the order of the capture, a millisecond apart.

    Attributes:
        client: address and port of the client.
        server: address and port of the server.
        first: the sequence numbers before the first bytes of both.
        packets: times and packets of IP so far.
    """

    client: tuple[str, int] = CLIENT
    server: tuple[str, int] = SERVER
    first: tuple[int, int] = (1000, 5000)
    packets: list[tuple[float, bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._next = {self.client: self.first[0], self.server: self.first[1]}

    def open(self) -> Conversation:
        """Shake hands."""
        self._put(self._segment(self.client, b"", tcp.TH_SYN, acknowledges=False))
        self._next[self.client] += 1
        self._put(self._segment(self.server, b"", tcp.TH_SYN))
        self._next[self.server] += 1
        return self

    def ask(self, data: bytes) -> bytes:
        """Write bytes as the client in one segment, and return its packet."""
        return self._say(self.client, data)

    def answer(self, data: bytes) -> bytes:
        """Write bytes as the server in one segment, and return its packet."""
        return self._say(self.server, data)

    def lose(self, data: bytes, *, of_server: bool = False) -> bytes:
        """Write bytes without capturing them, and return their packet."""
        packet = self.answer(data) if of_server else self.ask(data)
        self.packets.pop()
        return packet

    def repeat(self, packet: bytes) -> None:
        """Capture a packet, perhaps once more."""
        self._put(packet)

    def close(self) -> Conversation:
        """End both sides."""
        for side in (self.client, self.server):
            self._put(self._segment(side, b"", tcp.TH_FIN))
            self._next[side] += 1
        return self

    def _say(self, side: tuple[str, int], data: bytes) -> bytes:
        packet = self._segment(side, data, tcp.TH_PUSH)
        self._next[side] += len(data)
        self._put(packet)
        return packet

    def _put(self, packet: bytes) -> None:
        self.packets.append((START + STEP * len(self.packets), packet))

    def _segment(self, side: tuple[str, int], data: bytes, flags: int, *, acknowledges: bool = True) -> bytes:
        other = self.server if side == self.client else self.client
        segment = tcp.TCP(
            sport=side[1],
            dport=other[1],
            seq=self._next[side] % MODULUS,
            ack=self._next[other] % MODULUS if acknowledges else 0,
            flags=flags | (tcp.TH_ACK if acknowledges else 0),
            data=data,
        )
        source, target = (ip_address(end[0]) for end in (side, other))
        if source.version == 6:
            network = ip6.IP6(src=source.packed, dst=target.packed, nxt=ip.IP_PROTO_TCP, data=segment)
            network.plen = len(segment)
            return bytes(network)
        return bytes(ip.IP(src=source.packed, dst=target.packed, p=ip.IP_PROTO_TCP, data=segment))


def ip_number(packet: bytes) -> int:
    """Return the type of a packet in Ethernet."""
    return 0x86DD if packet[0] >> 4 == 6 else 0x0800


def link_packet(link: int, packet: bytes) -> bytes:
    """Return a packet of IP as it is captured on a link."""
    kinds: dict[int, Callable[[], Any]] = {
        ETHERNET: lambda: ethernet.Ethernet(type=ip_number(packet), data=packet),
        SLL: lambda: sll.SLL(ethtype=ip_number(packet), data=packet),
        SLL2: lambda: sll2.SLL2(ethtype=ip_number(packet), data=packet),
        LOOPBACK: lambda: loopback.Loopback(family=2, data=packet),
        RAW: lambda: packet,
    }
    return bytes(kinds[link]())


def write_pcap(
    path: Path, packets: Iterable[tuple[float, bytes]], *, link: int = ETHERNET, snapshot: int = 65_535
) -> Path:
    """Write packets of IP as pcap, each cut to so many bytes."""
    buffer = BytesIO()
    writer = pcap.Writer(buffer, linktype=link, snaplen=snapshot)
    for at, packet in packets:
        writer.writepkt(link_packet(link, packet)[:snapshot], at)
    path.write_bytes(buffer.getvalue())
    return path


def write_pcapng(path: Path, packets: Sequence[tuple[float, bytes]], links: Sequence[int]) -> Path:
    """Write packets of IP as pcapng, in turn on interfaces of these link types, the second with nanoseconds."""
    with path.open("wb") as file:
        section = pcapng.blocks.SectionHeader(endianness="<")
        interfaces = [
            section.new_member(
                pcapng.blocks.InterfaceDescription,
                link_type=link,
                snaplen=65_535,
                options={"if_tsresol": bytes([9 if number else 6])},
            )
            for number, link in enumerate(links)
        ]
        writer = FileWriter(file, section)
        for number, (at, packet) in enumerate(packets):
            place = number % len(links)
            units = round(at * (1e9 if place else 1e6))
            block = section.new_member(pcapng.blocks.EnhancedPacket)
            block.interface_id, block.packet_data = place, link_packet(links[place], packet)
            block.timestamp_high, block.timestamp_low = divmod(units, 2**32)
            writer.write_block(block)
    assert interfaces
    return path
