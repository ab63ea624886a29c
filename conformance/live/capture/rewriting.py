"""Changes of responses on their way through a proxy: versions that are announced, addresses that are advertised.

What cannot be read is passed on as it is, and named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.live.capture.frame_verdict import judge_response
from conformance.live.capture.pairing import Pairing
from reference import encode_frame
from reference.definitions.header_versions import API_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from conformance.live.capture.defining_releases import Definitions
    from conformance.live.capture.frame_verdict import JudgedFrame

    AddressOf = Callable[[str, int], Awaitable[tuple[str, int]]]
    """Returns the address under which a client reaches a broker through the proxy."""

SIZE = 4

ADDRESSES = {
    "MetadataResponse": "Brokers",
    "FindCoordinatorResponse": "Coordinators",
    "DescribeClusterResponse": "Brokers",
    "ProduceResponse": "NodeEndpoints",
    "FetchResponse": "NodeEndpoints",
    "ShareFetchResponse": "NodeEndpoints",
    "ShareAcknowledgeResponse": "NodeEndpoints",
}
"""Responses that tell clients where brokers are, with the array that has the structs with Host and Port.

Early versions of FindCoordinatorResponse have these fields themselves. Other responses with such fields are for brokers
or controllers, or are about clients.
"""


NO_FEATURES: dict[str, Any] = {"SupportedFeatures": [], "FinalizedFeatures": [], "FinalizedFeaturesEpoch": -1}
"""A response to ApiVersions without features: those that a broker has finalized ask for its newest versions."""


class Rewriting:
    """Changes the responses of one connection.

    Args:
        definitions: by which they are read.
        cap_versions: by how much the maximum of each announced API is lowered, though never below its minimum.
        address_of: gives the address to advertise in the place of a broker's; None: addresses stay.
        unread: takes the name of each response that should be changed and cannot be read.
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
        """Return the API keys of the responses that may have to be changed."""
        names = set(ADDRESSES) if self._address_of else set()
        keys = {
            definition.api_key
            for release in self._definitions.among
            for definition in map(release.definition, names & set(release.messages))
            if definition.api_key is not None
        }
        return keys | ({API_VERSIONS} if self._cap else set())

    def request(self, payload: bytes) -> None:
        """Take a request, so that its response can be read."""
        self._pairing.ask(payload)

    async def response(self, payload: bytes) -> bytes:
        """Return what is passed on in the place of a response: the same bytes if there is nothing to change."""
        asked = self._pairing.answer(payload).request
        if asked is None or asked.api_key not in self._concerned:
            return payload
        frame = judge_response(self._definitions, asked.api_key, asked.version, payload)
        if frame.value is None or frame.header is None:
            self._unread(str(frame))
            return payload
        return self._written(frame) if await self._is_changed(frame) else payload

    async def _is_changed(self, frame: JudgedFrame) -> bool:
        """Change the value of a response; return whether anything had to be."""
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
        """Put the proxy's address into a struct with Host and Port; a broker that is not known has none."""
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
    """Yield the structs of a response that have a broker's address."""
    if "Host" in value and "Port" in value:
        yield value
    yield from value.get(ADDRESSES[message]) or ()
