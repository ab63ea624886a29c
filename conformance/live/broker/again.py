"""Frames that are sent to a server again, by hand: what comes for each, and what is wrong with it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformance.live.broker.announced import OLDEST, announced_in
from conformance.live.broker.announcement import RANGES, TOO_NEW, range_problems
from conformance.live.broker.authentication import BEFORE, RULE
from conformance.live.broker.connection import SIZE, End, Reply
from conformance.live.broker.hostile import REFUSED, is_error, refuses
from conformance.live.broker.pipelining import ORDER
from conformance.live.broker.resources import HELD
from conformance.live.broker.server import REFUSAL_DEADLINE
from conformance.live.broker.sound import ANSWERED
from conformance.live.broker.tiers import MAY_BE_SILENT
from conformance.live.judging.frame import UNSUPPORTED_VERSION, Departure, judge_request, judge_response
from reference import Result, judge
from reference.headers import API_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.live.broker.connection import Connection, Reply
    from conformance.live.broker.server import Server
    from conformance.live.judging.definitions import Definitions
    from conformance.live.judging.frame import JudgedFrame

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


def what_is(definitions: Definitions, payload: bytes) -> str:
    """Return a request in words, as `MetadataRequest-v9`."""
    asked = judge_request(definitions, payload)
    if asked.api_key < 0:
        return "no request"
    invalid = "" if _is_sound(asked) else ", not sound"
    return f"{asked}{f', {asked.unknown}' if asked.unknown else invalid}"


def departures_of(
    definitions: Definitions, payload: bytes, reply: Reply, *, is_authenticated: bool = True
) -> Iterator[Departure]:
    """Yield what is wrong with the answer to a request, given without its size."""
    asked = judge_request(definitions, payload)
    if not is_authenticated:
        if reply.is_frame and asked.name not in BEFORE:
            yield Departure(RULE.rule, "", "the connection is closed", str(reply))
    elif asked.api_key == API_VERSIONS and asked.unknown:
        yield from _of_too_new(definitions, reply)
    elif _is_sound(asked):
        yield from _of_sound(definitions, asked, reply)
    else:
        yield from _of_broken(definitions, asked, reply)


def _is_sound(asked: JudgedFrame) -> bool:
    return asked.value is not None and not asked.departures


def _of_sound(definitions: Definitions, asked: JudgedFrame, reply: Reply) -> Iterator[Departure]:
    if not reply.is_frame:
        if reply.end is not End.SILENT or reply.payload or asked.name not in MAY_BE_SILENT:
            yield Departure(ANSWERED, "", f"a response of version {asked.version}", str(reply))
        return
    judged = judge_response(definitions, asked.api_key, asked.version, reply.payload)
    yield from judged.departures
    if judged.correlation_id not in {None, asked.correlation_id}:
        expected, actual = (f"correlation id {number}" for number in (asked.correlation_id, judged.correlation_id))
        yield Departure("header.correlation-id", "header", expected, actual)
    if asked.api_key == API_VERSIONS and judged.value is not None:
        for problem in range_problems(announced_in(judged.value)):
            yield Departure(*RANGES, "each API once, lowest version <= highest", problem)


def _of_too_new(definitions: Definitions, reply: Reply) -> Iterator[Departure]:
    judged = judge_response(definitions, API_VERSIONS, OLDEST, reply.payload) if reply.is_frame else None
    has_error = judged is not None and judged.value is not None and judged.value["ErrorCode"] == UNSUPPORTED_VERSION
    if judged is None or judged.departures or not has_error:
        yield Departure(*TOO_NEW, f"ApiVersionsResponse-v0 with error code {UNSUPPORTED_VERSION}", str(reply))


def _of_broken(definitions: Definitions, asked: JudgedFrame, reply: Reply) -> Iterator[Departure]:
    """Yield why what must be refused is not; what the protocol leaves open may be taken."""
    body = definitions.body("request", asked.api_key, asked.version)
    if body is None or asked.header is None:
        if reply.end is End.SILENT or (reply.is_frame and not refuses(reply)):
            yield Departure(REFUSED, "", "refused: an error response, or the connection is closed", str(reply))
        return
    verdict = judge(body, _body(definitions, asked))
    is_taken = reply.is_frame and not is_error(definitions, asked.api_key, asked.version, reply)
    is_silent = reply.end is End.SILENT and asked.name not in MAY_BE_SILENT
    if verdict.result is Result.INVALID and (is_taken or is_silent):
        yield Departure(verdict.rules[-1], verdict.path, "refused", str(reply))


def _body(definitions: Definitions, asked: JudgedFrame) -> bytes:
    """Return the bytes behind the header of a request."""
    header = definitions.header("request", asked.api_key, asked.version)
    consumed = None if header is None else judge(header, asked.payload).consumed
    return asked.payload[consumed or 0 :]
