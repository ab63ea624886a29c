"""Frames that are sent to a server again, by hand: what comes for each, and what is wrong with it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformance.live.broker.connection import SIZE, Reply
from conformance.live.broker.pipelining import ORDER
from conformance.live.broker.resources import HELD
from conformance.live.broker.server import REFUSAL_DEADLINE
from conformance.live.broker.verdicts import departures_of, what_is
from conformance.live.judging.frame import Departure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.live.broker.connection import Connection
    from conformance.live.broker.server import Server

NUMBER = slice(4, 8)
"""The bytes of a request that are its correlation id."""


@dataclass(frozen=True)
class Exchange:
    """A frame that was sent, what came for it, and what is wrong with that."""

    about: str
    reply: Reply
    departures: tuple[Departure, ...] = ()


def say_pieces(server: Server, pieces: Sequence[bytes], *, is_authenticated: bool = True) -> Iterator[Exchange]:
    """Send pieces of frames on one connection; after each, yield what comes for the frames that are complete.

    Raises:
        OSError: nobody listens.
    """
    with server.connect() if is_authenticated else server.open() as connection:
        rest = b""
        for piece in pieces:
            connection.send(piece)
            frames, rest = cut(rest + piece)
            replies = [connection.receive() for _ in frames]
            swapped = _swapped(frames, replies)
            for payload, reply in zip(frames, replies, strict=True):
                found = departures_of(server.definitions, payload, reply, is_authenticated=is_authenticated)
                yield Exchange(what_is(server.definitions, payload), reply, swapped.get(payload) or tuple(found))
        if rest:
            yield _of_rest(server, connection, rest)


def _swapped(frames: Sequence[bytes], replies: Sequence[Reply]) -> dict[bytes, tuple[Departure]]:
    """Return what is wrong with answers that came for other requests sent with them, by the request."""
    asked = [frame[NUMBER] for frame in frames]
    came = [reply.payload[:4] if reply.is_frame else b"" for reply in replies]
    if sorted(asked) != sorted(came):
        return {}
    return {
        frame: (Departure(ORDER, "header", *(f"correlation id {int.from_bytes(each, signed=True)}" for each in ids)),)
        for frame, *ids in zip(frames, asked, came, strict=True)
        if ids[0] != ids[1]
    }


def _of_rest(server: Server, connection: Connection, rest: bytes) -> Exchange:
    """Return what comes for bytes that are no frame: a part of one is waited for, a size below 0 is refused."""
    if len(rest) >= SIZE.size and SIZE.unpack_from(rest)[0] < 0:
        reply = connection.receive()
        found = departures_of(server.definitions, b"", reply)
        return Exchange(f"size {SIZE.unpack_from(rest)[0]}", reply, tuple(found))
    time.sleep(HELD)
    return Exchange(f"{len(rest)} bytes of a frame", connection.receive(REFUSAL_DEADLINE))


def cut(data: bytes) -> tuple[list[bytes], bytes]:
    """Return the frames that bytes begin with, without their sizes, and the rest."""
    frames = []
    while len(data) >= SIZE.size:
        size = SIZE.unpack_from(data)[0]
        if not 0 <= size <= len(data) - SIZE.size:
            break
        frames.append(data[SIZE.size : SIZE.size + size])
        data = data[SIZE.size + size :]
    return frames, data
