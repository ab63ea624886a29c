"""A proxy on the loopback interface with lost connections and delayed answers."""

import socket
import threading
import time
from contextlib import suppress

LOOPBACK = "127.0.0.1"
CHUNK = 65_536
LINE = 512
"""The number of bytes that certainly have the method and the path of a request."""


class LossyProxy:
    """A proxy to a port that loses every `lose`-th connection in its middle, and delays every `delay`-th."""

    def __init__(self, port: int, *, lose: int, delay: int, seconds: float = 0.3) -> None:
        self._target = (LOOPBACK, port)
        self._lose = lose
        self._delay = delay
        self._seconds = seconds
        self._lock = threading.Lock()
        self._server = socket.create_server((LOOPBACK, 0))
        self.port = int(self._server.getsockname()[1])
        self.requests: list[str] = []
        """The method and the path of each request."""
        self.lost = 0
        self.delayed = 0
        self.is_off = False
        """Whether it ends every connection at once."""
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Accept no further connections."""
        self._server.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._server.accept()
                threading.Thread(target=self._forward, args=(client,), daemon=True).start()

    def _forward(self, client: socket.socket) -> None:
        with suppress(OSError), client, socket.create_connection(self._target) as server:
            if self.is_off:
                return
            answers = threading.Thread(target=self._copy, args=(server, client), daemon=True)
            answers.start()
            while content := client.recv(CHUNK):
                if self._is_lost(content):
                    server.sendall(content[: len(content) // 2])
                    return
                server.sendall(content)
            answers.join()

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while content := source.recv(CHUNK):
                target.sendall(content)

    def _is_lost(self, content: bytes) -> bool:
        """Return whether a request is lost half way.

        The continuation of a request counts as no request.
        """
        if self.is_off:
            return True
        if content[:4] not in {b"PUT ", b"GET ", b"POST", b"HEAD"}:
            return False
        with self._lock:
            self.requests.append(" ".join(content[:LINE].decode(errors="replace").split(" ")[:2]))
            number = len(self.requests)
        if number % self._delay == 0:
            self.delayed += 1
            time.sleep(self._seconds)
        self.lost += number % self._lose == 0
        return number % self._lose == 0
