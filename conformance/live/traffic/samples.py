"""The bodies of messages in a capture, as samples of real values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from conformance.implementation.targets import Body
from conformance.live.traffic.conversation import seen_in
from conformance.live.traffic.embedded import PREFIX
from reference import judge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.live.judging.definitions import Definitions
    from conformance.live.traffic.capture import Frame
    from conformance.live.traffic.conversation import Seen
    from reference import MessageSchema, Release


class Sample(NamedTuple):
    """A body that was seen.

    Attributes:
        release: whose message it is.
        schema: the message.
        wire: its bytes.
        frame: the number of the frame that has it.
    """

    release: Release
    schema: MessageSchema
    wire: bytes
    frame: int


def samples(definitions: Definitions, frames: Iterable[Frame]) -> Iterator[Sample]:
    """Yield the bodies of all frames that are sound, and of the group messages in them."""
    for seen in seen_in(definitions, frames):
        yield from _of_frame(definitions, seen)


def _of_frame(definitions: Definitions, seen: Seen) -> Iterator[Sample]:
    judged, number = seen.judged, seen.frame.number
    if judged is None or judged.departures or judged.schema is None or judged.release is None:
        return
    header = definitions.header(judged.direction, judged.api_key, judged.version)
    start = judge(header, judged.payload).consumed if header else None
    yield Sample(judged.release, judged.schema, judged.payload[start:], number)
    for inner in seen.embedded:
        if isinstance(inner.target, Body) and inner.release is not None and not inner.departures:
            yield Sample(inner.release, inner.target.schema, inner.wire[PREFIX:], number)
