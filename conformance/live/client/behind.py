"""What a client connects to: a recording proxy before a real broker, or before the scripted one."""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Self

from conformance.live.traffic.proxy import Changes, RecordingProxy

if TYPE_CHECKING:
    from conformance.live.address import Address
    from conformance.live.judging.definitions import Definitions
    from conformance.live.traffic.capture import Frame


PATIENCE = 0.5
"""Seconds to wait for the end of connections whose client has ended."""


class Recorder(AbstractContextManager["Recorder"]):
    """A recording proxy in a thread of its own, as long as the context lasts.

    Args:
        upstream: the broker.
        definitions: by which responses are read.
        cap_versions: by how much announced maximum versions are lowered.
    """

    def __init__(self, upstream: Address, definitions: Definitions, cap_versions: int = 0) -> None:
        self.frames: list[Frame] = []
        changes = Changes(definitions, cap_versions)
        self._proxy = RecordingProxy(upstream, self.frames.append, changes=changes)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    @property
    def address(self) -> Address:
        """Where clients connect to."""
        return self._proxy.address

    @property
    def connections(self) -> int:
        """The number of connections so far."""
        return self._proxy.connections

    @property
    def troubles(self) -> list[str]:
        """See `RecordingProxy.troubles`."""
        return self._proxy.troubles

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._proxy.start(), self._loop).result()
        return self

    def __exit__(self, *exception: object) -> None:
        """Close every connection, once what is on its way has come."""
        end = time.monotonic() + PATIENCE
        while not self._proxy.is_idle and time.monotonic() < end:
            time.sleep(PATIENCE / 50)
        asyncio.run_coroutine_threadsafe(self._proxy.stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
