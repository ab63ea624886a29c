"""A connection to a server that asks one thing after another."""

import socket
from typing import Any, Self

from reference import decode_frame, encode_frame, load_release, newest_release


class Connection:
    """A connection; whoever is asked answers, or closes it."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), 5.0)
        self._file = self._socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._socket.close()

    def ask(self, api_key: int, version: int, value: dict[str, Any]) -> dict[str, Any]:
        """Return the value of the response.

        Raises:
            ConnectionError: the connection was closed.
        """
        release = load_release(newest_release())
        self._socket.sendall(encode_frame(release, "request", api_key, version, 1, "test", value))
        size = self._file.read(4)
        if not size:
            raise ConnectionError("closed")
        response = size + self._file.read(int.from_bytes(size))
        return decode_frame(release, "response", response, api_key=api_key, api_version=version).value
