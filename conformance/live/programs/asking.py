"""Asking a server what it announces: the question after which it counts as started."""

from __future__ import annotations

import socket

from reference import decode_frame, encode_frame, load_release, newest_release

API_VERSIONS = 18
SIZE = 4


def announced_apis(address: str, timeout: float) -> dict[int, tuple[int, int]]:
    """Return the lowest and highest version of each API key that a server announces, by ApiVersions v0.

    Raises:
        OSError: nobody listens there, or the answer does not come in time.
        CodecError: the answer is none.
    """
    release = load_release(newest_release())
    request = encode_frame(release, "request", API_VERSIONS, 0, 1, "conformance", {})
    host, _, port = address.rpartition(":")
    with socket.create_connection((host, int(port)), timeout) as connection:
        connection.settimeout(timeout)
        connection.sendall(request)
        size = _exactly(connection, SIZE)
        response = size + _exactly(connection, int.from_bytes(size))
    frame = decode_frame(release, "response", response, api_key=API_VERSIONS, api_version=0)
    return {api["ApiKey"]: (api["MinVersion"], api["MaxVersion"]) for api in frame.value["ApiKeys"]}


def free_ports(count: int) -> list[int]:
    """Return ports of 127.0.0.1 on which nobody listens."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def _exactly(connection: socket.socket, size: int) -> bytes:
    content = b""
    while len(content) < size:
        received = connection.recv(size - len(content))
        if not received:
            raise ConnectionError(f"the connection was closed after {len(content)} of {size} bytes")
        content += received
    return content
