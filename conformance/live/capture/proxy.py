"""A recording proxy between clients and a server.

    async with RecordingProxy(Address("127.0.0.1", 9092), frames.append) as proxy:
        ...                    # clients connect to proxy.address

Bytes are forwarded as they come. Frames are cut from a copy of the stream, so a wrong size stops nothing. The proxy
waits for whole responses only to rewrite announced versions and advertised addresses. An unreadable response is passed
on unchanged, and named.
"""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from conformance.live.address import Address
from conformance.live.capture.capture import CapturedFrame, Side
from conformance.live.capture.frame_verdict import judge_response
from conformance.live.capture.pairing import SIZE, Cutter, Pairing
from conformance.system.system_errors import text_of
from reference import encode_frame
from reference.definitions.header_versions import API_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from types import TracebackType

    from conformance.definitions.defining_releases import Definitions
    from conformance.live.capture.frame_verdict import JudgedFrame

    AddressOf = Callable[[str, int], Awaitable[tuple[str, int]]]
    "Returns the address of a broker as clients reach it through the proxy."

HOST = "127.0.0.1"

SEGMENT = 2**16


class ResponseChanges(NamedTuple):
    """The changes of a proxy to responses.

    Attributes:
        cap_versions: the number by which announced maximum versions are lowered.
        addresses: whether advertised addresses become the proxy's own.
    """

    definitions: Definitions
    cap_versions: int = 0
    addresses: bool = True


class RecordingProxy:
    """Listens for clients, and connects each of them with the server. Each further broker gets a port of its own.

    Args:
        upstream: the server.
        take: gets each frame as the client or the server wrote it, in the order of their arrival.
        changes: the changes to responses; None forwards every byte as it comes.
        port: the port to listen on; for 0 the system chooses one.
    """

    def __init__(
        self,
        upstream: Address,
        take: Callable[[CapturedFrame], object],
        *,
        changes: ResponseChanges | None = None,
        port: int = 0,
    ) -> None:
        self._upstream = upstream
        self._take = take
        self._changes = changes
        self._port = port
        self._servers: dict[Address, asyncio.Server] = {}
        self._growing = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._began = time.monotonic()
        self.connections = 0
        self.troubles: list[str] = []
        """The problems, once each: brokers without an answer, responses that could not be rewritten."""

    async def start(self) -> None:
        """Begin to listen, or raise OSError if the port is taken."""
        self._began = time.monotonic()
        await self._listen(self._upstream, self._port)

    @property
    def address(self) -> Address:
        """The address for clients."""
        return self._address_of(self._upstream)

    @property
    def is_idle(self) -> bool:
        """Whether no connection is open."""
        return not self._tasks

    async def stop(self) -> None:
        """Close all connections. Bytes of an incomplete frame are taken as a rest."""
        for server in self._servers.values():
            server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.stop()

    async def _listen(self, upstream: Address, port: int = 0) -> None:
        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self.connections += 1
            task = asyncio.create_task(self._serve(upstream, self.connections, (reader, writer)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        self._servers[upstream] = await asyncio.start_server(accept, HOST, port)

    def _address_of(self, upstream: Address) -> Address:
        return Address(*self._servers[upstream].sockets[0].getsockname()[:2])

    async def _advertised(self, host: str, port: int) -> tuple[str, int]:
        """Return the proxy's address for a broker, for which it begins to listen the first time."""
        broker = Address(host, port)
        # Two responses may name a new broker at the same time; the lock keeps one listener for each.
        async with self._growing:
            if broker not in self._servers:
                await self._listen(broker)
        return self._address_of(broker)

    def _trouble(self, text: str) -> None:
        if text not in self.troubles:
            self.troubles.append(text)

    def _rewriting(self) -> Rewriting | None:
        if self._changes is None:
            return None
        return Rewriting(
            self._changes.definitions,
            cap_versions=self._changes.cap_versions,
            address_of=self._advertised if self._changes.addresses else None,
            unread=lambda name: self._trouble(f"{name} cannot be read, and was passed on as it is"),
        )

    async def _serve(
        self, upstream: Address, number: int, client: tuple[asyncio.StreamReader, asyncio.StreamWriter]
    ) -> None:
        try:
            server = await asyncio.open_connection(*upstream)
        except OSError as error:
            self._trouble(f"{upstream} does not answer: {text_of(error)}")
            client[1].close()
            return
        rewriting = self._rewriting()
        requests = Unchanged(server[1], self._tap(number, "client"), rewriting)
        tap = self._tap(number, "server")
        responses = Unchanged(client[1], tap) if rewriting is None else Rewritten(client[1], tap, rewriting)
        try:
            await asyncio.gather(requests.forward(client[0]), responses.forward(server[0]))
        finally:
            for writer in (client[1], server[1]):
                writer.close()

    def _tap(self, number: int, side: Side) -> Tap:
        def take(payload: bytes, *, is_rest: bool = False) -> None:
            at = time.monotonic() - self._began
            self._take(CapturedFrame(number, side, at, payload, is_rest=is_rest))

        return Tap(take, partial(take, is_rest=True))


class Tap(NamedTuple):
    """The receivers of a stream's contents.

    Attributes:
        frame: gets each frame as it was written, without its size.
        rest: gets the bytes at the end of the stream, an incomplete frame.
    """

    frame: Callable[[bytes], object]
    rest: Callable[[bytes], object]


class ProxyStream(ABC):
    """The bytes from one side to the other, whose frames a tap gets."""

    def __init__(self, writer: asyncio.StreamWriter, tap: Tap) -> None:
        self._writer = writer
        self._tap = tap
        self._cutter = Cutter()

    async def forward(self, reader: asyncio.StreamReader) -> None:
        """Forward everything up to the end of the stream, then end the other side's."""
        try:
            with suppress(ConnectionError):
                while segment := await reader.read(SEGMENT):
                    await self._pass_on(segment)
                    await self._writer.drain()
            with suppress(OSError):
                self._writer.write_eof()
        finally:
            if self._cutter.rest:
                self._tap.rest(self._cutter.rest)

    @abstractmethod
    async def _pass_on(self, segment: bytes) -> None:
        """Forward one segment, changed or not, and take its frames."""


class Unchanged(ProxyStream):
    """Forwards segments as they come, and gives their requests to a rewriting, if there is one."""

    def __init__(self, writer: asyncio.StreamWriter, tap: Tap, rewriting: Rewriting | None = None) -> None:
        super().__init__(writer, tap)
        self._rewriting = rewriting

    async def _pass_on(self, segment: bytes) -> None:
        self._writer.write(segment)  # nothing is awaited before the requests in it are known
        for payload in self._cutter.feed(segment):
            self._tap.frame(payload)
            if self._rewriting is not None:
                self._rewriting.request(payload)


class Rewritten(ProxyStream):
    """Forwards whole responses as returned by the rewriting, and bytes outside of frames unchanged."""

    def __init__(self, writer: asyncio.StreamWriter, tap: Tap, rewriting: Rewriting) -> None:
        super().__init__(writer, tap)
        self._rewriting = rewriting

    async def _pass_on(self, segment: bytes) -> None:
        was_lost = self._cutter.is_lost
        for payload in self._cutter.feed(segment):
            self._tap.frame(payload)
            changed = await self._rewriting.response(payload)
            self._writer.write(len(changed).to_bytes(SIZE) + changed)
        # After a wrong size no frame can be cut, so all bytes are passed on as they come.
        if was_lost:
            self._writer.write(segment)
        elif self._cutter.is_lost:
            self._writer.write(self._cutter.waiting)


ADDRESSES = {
    "MetadataResponse": "Brokers",
    "FindCoordinatorResponse": "Coordinators",
    "DescribeClusterResponse": "Brokers",
    "ProduceResponse": "NodeEndpoints",
    "FetchResponse": "NodeEndpoints",
    "ShareFetchResponse": "NodeEndpoints",
    "ShareAcknowledgeResponse": "NodeEndpoints",
}
"""Responses with addresses of brokers, and the array of structs with Host and Port in each.

Early versions of FindCoordinatorResponse have these fields themselves. Other responses with such fields are for brokers
or controllers, or are about clients.
"""


NO_FEATURES: dict[str, Any] = {"SupportedFeatures": [], "FinalizedFeatures": [], "FinalizedFeaturesEpoch": -1}
"""A response to ApiVersions without features, as finalized features ask for a broker's newest versions."""


class Rewriting:
    """Changes the responses of one connection.

    Args:
        definitions: the schemas for reading them.
        cap_versions: the number by which the maximum of each announced API is lowered, though never below its minimum.
        address_of: returns the address to advertise in place of a broker's; None keeps addresses.
        unread: takes the name of each unreadable response among those to change.
    """

    def __init__(
        self,
        definitions: Definitions,
        *,
        cap_versions: int = 0,
        address_of: AddressOf | None = None,
        unread: Callable[[str], object] = lambda _: None,
    ) -> None:
        self._definitions = definitions
        self._cap = cap_versions
        self._address_of = address_of
        self._unread = unread
        self._pairing = Pairing()
        self._concerned = self._keys()

    def _keys(self) -> set[int]:
        names = set(ADDRESSES) if self._address_of else set()
        keys = {
            definition.api_key
            for release in self._definitions.among
            for definition in map(release.definition, names & set(release.messages))
            if definition.api_key is not None
        }
        return keys | ({API_VERSIONS} if self._cap else set())

    def request(self, payload: bytes) -> None:
        """Take a request, to be able to read its response."""
        self._pairing.ask(payload)

    async def response(self, payload: bytes) -> bytes:
        """Return the bytes to pass on in place of a response, the same ones if there is nothing to change."""
        request = self._pairing.answer(payload).request
        if request is None or request.api_key not in self._concerned:
            return payload
        frame = judge_response(self._definitions, request.api_key, request.version, payload)
        if frame.value is None or frame.header is None:
            self._unread(str(frame))
            return payload
        return self._written(frame) if await self._is_changed(frame) else payload

    async def _is_changed(self, frame: JudgedFrame) -> bool:
        """Change the value of a response, and return whether anything had to be."""
        value = frame.value or {}
        if frame.api_key == API_VERSIONS:
            return self._lower(value)
        changed = False
        for place in _addresses(frame.message, value):
            changed |= await self._move(place)
        return changed

    def _lower(self, value: dict[str, Any]) -> bool:
        for api in value["ApiKeys"]:
            api["MaxVersion"] = max(api["MinVersion"], api["MaxVersion"] - self._cap)
        value.update({name: nothing for name, nothing in NO_FEATURES.items() if name in value})
        return True

    async def _move(self, place: dict[str, Any]) -> bool:
        # The struct of an unknown broker has neither Host nor Port.
        if self._address_of is None or not place["Host"] or place["Port"] <= 0:
            return False
        place["Host"], place["Port"] = await self._address_of(place["Host"], place["Port"])
        return True

    def _written(self, frame: JudgedFrame) -> bytes:
        assert frame.release is not None, "only what was read is written again"  # noqa: S101  # for the type
        number = frame.correlation_id or 0
        wire = encode_frame(frame.release, "response", frame.api_key, frame.version, number, None, frame.value or {})
        return wire[SIZE:]


def _addresses(message: str, value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "Host" in value and "Port" in value:
        yield value
    yield from value.get(ADDRESSES[message]) or ()
