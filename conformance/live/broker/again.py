"""Frames that are sent to a server again, by hand: what comes for each, and what is wrong with it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformance.live.broker.connection import SIZE, End, Reply
from conformance.live.broker.resources import HELD
from conformance.live.broker.server import REFUSAL_DEADLINE
from conformance.live.broker.verdicts import departures_of, what_is

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.live.broker.connection import Connection
    from conformance.live.broker.server import Server
    from conformance.live.judging.frame import Departure

UNREACHABLE = Reply(End.CLOSED)


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
            for payload in frames:
                reply = connection.receive()
                found = departures_of(server.definitions, payload, reply, is_authenticated=is_authenticated)
                yield Exchange(what_is(server.definitions, payload), reply, tuple(found))
        if rest:
            yield _of_rest(server, connection, rest)


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
