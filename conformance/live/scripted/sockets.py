"""The sockets of a scripted broker, with one thread for each connection."""

from __future__ import annotations

import socket
import socketserver
import threading
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING, Protocol, Self

from conformance.live.address import Address
from conformance.live.server.connection import SIZE

if TYPE_CHECKING:
    from collections.abc import Callable

LARGEST = 2**26
"""The maximum of bytes of a request; a connection with a larger one is closed."""


class LastWords(bytes):
    """An answer before the end of its connection."""


class ScriptedConversation(Protocol):
    """One connection, seen from the broker."""

    def answer(self, payload: bytes) -> bytes | None:
        """Return the bytes to send for a request, sizes included, empty for none, or None to close the connection."""


class ScriptedServer(AbstractContextManager["ScriptedServer"]):
    """A server on a port of 127.0.0.1 chosen by the system, as long as the context lasts.

    `converse` makes the conversation of a new connection.
    """

    def __init__(self, converse: Callable[[], ScriptedConversation]) -> None:
        peers = self._peers = set[socket.socket]()
        serve = self.serve

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                peers.add(self.request)
                self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                serve(self.request, converse())
                peers.discard(self.request)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def address(self) -> Address:
        """Its address."""
        return Address("127.0.0.1", self._server.server_address[1])

    def serve(self, peer: socket.socket, conversation: ScriptedConversation) -> None:
        """Answer the frames of one connection, until one of both sides closes."""
        _serve(peer, conversation)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        """Close the port and every connection."""
        self._server.shutdown()
        self._server.server_close()
        for peer in list(self._peers):
            with suppress(OSError):  # closed by the other side
                peer.shutdown(socket.SHUT_RDWR)


def _serve(peer: socket.socket, conversation: ScriptedConversation) -> None:
    while True:
        head = _exactly(peer, SIZE.size)
        size = SIZE.unpack(head)[0] if head else -1
        if not 0 <= size <= LARGEST:
            return
        payload = _exactly(peer, size)
        answer = None if payload is None else conversation.answer(payload)
        if answer is None:
            return
        try:
            peer.sendall(answer)
        except OSError:
            return
        if isinstance(answer, LastWords):
            return


def _exactly(peer: socket.socket, length: int) -> bytes | None:
    data = bytearray()
    while len(data) < length:
        try:
            more = peer.recv(min(length - len(data), 2**16))
        except OSError:
            return None
        if not more:
            return None
        data += more
    return bytes(data)
