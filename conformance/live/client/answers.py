"""The scripted broker with some of its answers changed, for one run of a client."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from conformance.live.broker.connection import UNKNOWN_TAG, sized
from conformance.live.scripted.broker import ScriptedBroker
from reference import TAGS, encode

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.live.address import Address
    from conformance.live.judging.definitions import Definitions
    from conformance.live.judging.frame import JudgedFrame
    from reference import MessageSchema


class AskedPair(NamedTuple):
    """A version of an API that a client asks for."""

    api: str
    api_key: int
    version: int

    def __str__(self) -> str:
        return f"{self.api}Response-v{self.version}"


class Change(Protocol):
    """What is changed in the answers of one run."""

    def __call__(self, broker: ChangedBroker, judged: JudgedFrame, value: dict[str, Any]) -> bytes | None:
        """Return what is sent for a request; None: the plain answer."""


class ChangedBroker(ScriptedBroker):
    """A scripted broker for one run.

    Args:
        definitions: see `ScriptedBroker`.
        address: see `ScriptedBroker`.
        change: what is changed.
    """

    def __init__(self, definitions: Definitions, address: Callable[[], Address], change: Change | None = None) -> None:
        super().__init__(definitions, address)
        self._change = change
        self._noting = threading.Lock()
        self.heard_at = time.monotonic()
        """When the last request came."""
        self.asked: dict[AskedPair, int] = {}
        """How often each version of an API was answered, in the order in which they were first."""

    def answer(self, payload: bytes) -> bytes | None:
        """Return what is sent for a request; None: the connection is closed."""
        self.heard_at = time.monotonic()
        return super().answer(payload)

    def response(self, judged: JudgedFrame, value: dict[str, Any]) -> bytes:
        """Return the frame of a response, changed or not."""
        pair = AskedPair(judged.name, judged.api_key, judged.version)
        with self._noting:
            self.asked[pair] = self.asked.get(pair, 0) + 1
            changed = None if self._change is None else self._change(self, judged, value)
        return super().response(judged, value) if changed is None else changed

    def framed(self, judged: JudgedFrame, body: bytes, *, tagged: bool = False) -> bytes:
        """Return a frame with a sound header and a body of any bytes."""
        header = self.definitions.header("response", judged.api_key, judged.version)
        if header is None:
            raise LookupError(str(judged))
        value: dict[str, Any] = {"CorrelationId": judged.correlation_id or 0}
        if tagged and header.flexible:
            value[TAGS] = [UNKNOWN_TAG]
        return sized(encode(header, value) + body)


def response_schema(definitions: Definitions, pair: AskedPair) -> MessageSchema:
    """Return the schema of the response of a pair."""
    schema = definitions.body("response", pair.api_key, pair.version)
    if schema is None:
        raise LookupError(str(pair))
    return schema
