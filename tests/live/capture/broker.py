"""A server made of the reference, with the smallest response or a lie for each request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Self

from conformance.live.address import Address
from reference import api_schema, encode_frame, judge, load_release, minimal, newest_release, request_header_version

RELEASE = load_release(newest_release())
SIZE = 4
API_VERSIONS, METADATA, PRODUCE, FIND_COORDINATOR = 18, 3, 0, 10

Lie = Callable[[bytes], bytes]
"""Changes a whole response."""


def request(api_key: int, version: int, number: int, client: str | None = "test", **fields: Any) -> bytes:
    """Return a sound request, its size included."""
    schema = api_schema(RELEASE, "request", api_key, version)
    return encode_frame(RELEASE, "request", api_key, version, number, client, minimal(schema) | fields)


def response(api_key: int, version: int, number: int, **fields: Any) -> bytes:
    """Return a sound response, its size included."""
    schema = api_schema(RELEASE, "response", api_key, version)
    return encode_frame(RELEASE, "response", api_key, version, number, None, minimal(schema) | fields)


class Broker:
    """Answers on one port until it is closed."""

    def __init__(self, lie: Lie = bytes, **values: dict[str, Any]) -> None:
        self._lie = lie
        self._values = values
        self._server: asyncio.Server | None = None
        self.seen: list[bytes] = []

    @property
    def address(self) -> Address:
        assert self._server is not None
        return Address(*self._server.sockets[0].getsockname()[:2])

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                size = int.from_bytes(await reader.readexactly(SIZE))
                payload = await reader.readexactly(size)
                self.seen.append(payload)
                writer.write(self._answer(payload))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    def _answer(self, payload: bytes) -> bytes:
        key, version, number = (int.from_bytes(payload[a:b], signed=True) for a, b in ((0, 2), (2, 4), (4, 8)))
        message = api_schema(RELEASE, "response", key, version).message
        return self._lie(response(key, version, number, **self._values.get(message, {})))


async def read_frame(reader: asyncio.StreamReader) -> bytes:
    """Return the next frame without its size."""
    return await reader.readexactly(int.from_bytes(await reader.readexactly(SIZE)))


def value_of(api_key: int, version: int, payload: bytes) -> dict[str, Any]:
    """Return the value of a response's body."""
    header = RELEASE.schema(
        "ResponseHeader", 1 if api_key != API_VERSIONS and request_header_version(api_key, version) == 2 else 0
    )
    consumed = judge(header, payload).consumed
    value = judge(api_schema(RELEASE, "response", api_key, version), payload[consumed:]).value
    assert value is not None
    return value
