"""Frames of requests, as the reference writes them, and what a server sent for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.live.broker.connection import SIZE
from conformance.live.judging.frame import judge_response
from reference import encode_frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.live.broker.connection import Reply
    from conformance.live.judging.definitions import Definitions
    from conformance.live.judging.frame import JudgedFrame
    from reference import Release

CLIENT_ID = "kafka-wire-conformance"

UNKNOWN_TAG = (9_999, b"\xca\xfe")
"""A tagged field that no header has."""


@dataclass(frozen=True)
class Asked:
    """A request: what it is, and its bytes with their size."""

    api_key: int
    version: int
    correlation_id: int
    wire: bytes

    def judge(self, definitions: Definitions, reply: Reply) -> JudgedFrame:
        """Return the verdict on a frame that came for it."""
        return judge_response(definitions, self.api_key, self.version, reply.payload)


def request(  # noqa: PLR0913  # what a request consists of
    release: Release,
    api_key: int,
    version: int,
    correlation_id: int,
    value: dict[str, Any],
    *,
    client_id: str | None = CLIENT_ID,
    header_tags: Sequence[tuple[int, bytes]] = (),
) -> Asked:
    """Return a request of a value.

    Raises:
        UnsupportedApi: the release has no such API or version.
        Unencodable: the value cannot be written.
    """
    numbers = api_key, version, correlation_id
    if (api_key, version) == (7, 0):  # ControlledShutdown 0 has a header without a client id
        client_id = None
    wire = encode_frame(release, "request", *numbers, client_id, value, header_tags=header_tags)
    return Asked(*numbers, wire)


def sized(payload: bytes) -> bytes:
    """Return a frame: its size, and the payload."""
    return SIZE.pack(len(payload)) + payload
