"""Asking a server what it announces: the question after which it counts as started."""

from __future__ import annotations

import socket

from conformance.live.address import Address
from conformance.live.server.connection import connect, request, sized
from conformance.live.server.server import OLDEST
from reference import decode_frame, load_release, newest_release
from reference.definitions.header_versions import API_VERSIONS


def announced_apis(address: str, timeout: float) -> dict[int, tuple[int, int]]:
    """Return the lowest and highest version of each API key that a server announces, by ApiVersions v0.

    Raises:
        OSError: nobody listens there, or the answer does not come in time.
        CodecError: the answer is none.
    """
    release = load_release(newest_release())
    asked = request(release, API_VERSIONS, OLDEST, 1, {})
    with connect(Address.parse(address), timeout) as connection:
        connection.send(asked.wire)
        reply = connection.receive()
    if not reply.is_frame:
        raise ConnectionError(f"{address}: {reply}")
    wire = sized(reply.payload)
    frame = decode_frame(release, "response", wire, api_key=API_VERSIONS, api_version=OLDEST)
    return {api["ApiKey"]: (api["MinVersion"], api["MaxVersion"]) for api in frame.value["ApiKeys"]}


def free_ports(count: int) -> list[int]:
    """Return ports of 127.0.0.1 on which nobody listens."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
