"""The address of a server or a proxy."""

from __future__ import annotations

import ipaddress
import socket
from typing import NamedTuple

from conformance.system.system_errors import text_of
from reference import ConformanceError

DEADLINE = 5.0
"""Seconds to wait for an answer to a sound request."""


class BadAddress(ConformanceError):
    """A text is not an address with a port, or its host is unknown."""


class Address(NamedTuple):
    """A host by name or number, and a port. As text, an IPv6 number stands in brackets."""

    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> Address:
        """Return the address in a text of the form `HOST:PORT`, or raise BadAddress."""
        host, colon, port = text.rpartition(":")
        if not colon or not host or not port.isdecimal() or not 0 < int(port) < 2**16:
            raise BadAddress(f"{text!r} is not HOST:PORT, as in 127.0.0.1:9092")
        return cls(host.removeprefix("[").removesuffix("]"), int(port))

    def is_loopback(self) -> bool:
        """Return whether every number of the host is a loopback address, or raise BadAddress if it has none."""
        try:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise BadAddress(f"the host {self.host!r} is unknown: {text_of(error)}") from error
        return all(ipaddress.ip_address(entry[4][0]).is_loopback for entry in found)

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"
