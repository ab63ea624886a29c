"""Files of packets: pcap by dpkt, pcapng by python-pcapng, which knows the link type of each interface."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PCAP = frozenset(map(bytes.fromhex, ("a1b2c3d4", "d4c3b2a1", "a1b23c4d", "4d3cb2a1")))
"""The first bytes of pcap: times in microseconds or nanoseconds, of either byte order."""

PCAPNG = bytes.fromhex("0a0d0d0a")
GZIP = bytes.fromhex("1f8b")
MAGIC = 4


class Packet(NamedTuple):
    """A packet as it was captured.

    Attributes:
        at: seconds since 1970.
        link: the number of its link type.
        data: its bytes, from the header of the link.
    """

    at: float
    link: int
    data: bytes


def has_packets(path: Path) -> bool:
    """Say whether a file is one of packets, by its first bytes.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        first = file.read(MAGIC)
    return first in PCAP or first == PCAPNG or first.startswith(GZIP)


def read_packets(path: Path) -> Iterator[Packet]:
    """Yield the packets of a file, in their order.

    Raises:
        BadPackets: it is compressed, damaged, or cut inside of a packet; what was before that is yielded.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        first = file.read(MAGIC)
        file.seek(0)
        if first.startswith(GZIP):
            raise BadPackets(f"{path} is compressed by gzip: unpack it first")
        yield from (_pcapng if first == PCAPNG else _pcap)(path, file)


def _pcap(path: Path, file: BinaryIO) -> Iterator[Packet]:
    dpkt = library("dpkt")
    try:
        reader = library("dpkt.pcap").Reader(file)
        for at, data in reader:
            yield Packet(float(at), reader.datalink(), data)
    except (dpkt.Error, ValueError) as error:
        raise BadPackets(f"{path} is damaged, or ends inside of a packet: {error}") from error


def _pcapng(path: Path, file: BinaryIO) -> Iterator[Packet]:
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
    """A file of packets cannot be read; the text says why."""


def library(name: str) -> Any:
    """Return a module of the extra.

    Raises:
        BadPackets: it is not installed.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        needed = name.partition(".")[0]
        raise BadPackets(
            f"a file of packets needs {needed}, which is not installed: install kafka-wire-conformance[packets]"
        ) from error
