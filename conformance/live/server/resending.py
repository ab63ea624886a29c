"""Sends frames to a server again, and judges each answer by its request alone.

Frames come from the command line, or from found cases of earlier runs. A found case is sent only if the run may send
its frames itself. Memory and descriptors are not measured here, as every permitted run measures them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from conformance.codec.bridge.hangs import SURE
from conformance.judge.case import Judged, NotAsked
from conformance.judge.events import FRAME_REFUSAL, REJECTION, Expected, number, wrote_such
from conformance.judge.judgement import due_of_refusal
from conformance.judge.judgement import judge as judge_outcome
from conformance.live.capture.answer_rules import departures_from
from conformance.live.capture.frame_verdict import (
    TOO_NEW,
    UNSUPPORTED_VERSION,
    BrokenRule,
    judge_request,
    judge_response,
)
from conformance.live.capture.pairing import Cutter
from conformance.live.server.announcement import RANGES, SOUND_RANGES, VERSION_0, range_problems
from conformance.live.server.authentication import BEFORE, CLOSED, RULE
from conformance.live.server.connection import SIZE, End, Reply
from conformance.live.server.exchanges import came
from conformance.live.server.hostile_requests import REFUSED, outcome_of_broken, refuses
from conformance.live.server.pipelining import ORDER
from conformance.live.server.resources import hold
from conformance.live.server.server import OLDEST, REFUSAL_DEADLINE, announced_in
from conformance.live.server.sound_requests import ANSWERED, version_withheld
from conformance.live.server.survival import check_survived
from conformance.live.server.tiers import MAY_BE_SILENT, RequestForm, Tier
from conformance.targets import EVERYTHING, Blame, WholeFrame
from conformance.targets.outcome import Kind, Outcome
from reference import judge, minimal
from reference.definitions.header_versions import API_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.definitions.defining_releases import Definitions
    from conformance.judge.case import Event, Violation
    from conformance.live.capture.frame_verdict import JudgedFrame
    from conformance.live.server.black_box import BlackBox
    from conformance.live.server.connection import Connection
    from conformance.live.server.exchanges import ExchangeCase
    from conformance.live.server.server import Server

NUMBER = slice(4, 8)
"""The bytes of a request with its correlation id."""

CATEGORY = "found cases"
NOT_PERMITTED = "skipped: a found case that this tier does not send"


@dataclass(frozen=True)
class Exchange:
    """A sent frame, its reply, and the departures of the reply."""

    about: str
    reply: Reply
    departures: tuple[BrokenRule, ...] = ()


def send_pieces(server: Server, pieces: Sequence[bytes], *, is_authenticated: bool = True) -> Iterator[Exchange]:
    """Send pieces of frames on one connection, and yield the reply to each frame completed by a piece.

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
                found = departures_of(server, payload, reply, is_authenticated=is_authenticated)
                yield Exchange(what_is(server.definitions, payload), reply, swapped.get(payload) or tuple(found))
        if rest:
            yield _of_rest(server, connection, rest)


def say_surely(server: Server, pieces: Sequence[bytes], *, is_authenticated: bool = True) -> list[Exchange]:
    """Send pieces as `send_pieces` does, and once more with `SURE` times the deadline after wrong silence.

    Raises:
        OSError: nobody listens.
        TooBusy: the machine gave no processor to the server.
    """
    exchanges = list(send_pieces(server, pieces, is_authenticated=is_authenticated))
    if any(each.reply.end is End.SILENT and each.departures for each in exchanges):
        patient = replace(server, deadline=SURE * server.deadline)
        return list(send_pieces(patient, pieces, is_authenticated=is_authenticated))
    return exchanges


def _swapped(frames: Sequence[bytes], replies: Sequence[Reply]) -> dict[bytes, tuple[BrokenRule]]:
    """Return the departures of swapped answers by the request, and none if other correlation ids came."""
    asked = [frame[NUMBER] for frame in frames]
    numbers = [reply.payload[:4] if reply.is_frame else b"" for reply in replies]
    if sorted(asked) != sorted(numbers):
        return {}
    return {
        frame: (_in_another_order(*(int.from_bytes(each, signed=True) for each in ids)),)
        for frame, *ids in zip(frames, asked, numbers, strict=True)
        if ids[0] != ids[1]
    }


def _in_another_order(expected: int, received: int) -> BrokenRule:
    seen = wrote_such(f"correlation id {received}")
    return BrokenRule(ORDER, "header", number(Expected.CORRELATION_ID, expected), seen)


def _of_rest(server: Server, connection: Connection, rest: bytes) -> Exchange:
    # A size below 0 is to be refused; for a part of a frame the server waits.
    if len(rest) >= SIZE.size and SIZE.unpack_from(rest)[0] < 0:
        reply = connection.receive()
        found = departures_of(server, b"", reply)
        return Exchange(f"size {SIZE.unpack_from(rest)[0]}", reply, tuple(found))
    hold(server.pid)
    return Exchange(f"{len(rest)} bytes of a frame", connection.receive(REFUSAL_DEADLINE))


def cut(data: bytes) -> tuple[list[bytes], bytes]:
    """Return the frames at the beginning of some bytes, without their sizes, and the rest."""
    cutter = Cutter()
    return list(cutter.feed(data)), cutter.waiting


def what_is(definitions: Definitions, payload: bytes) -> str:
    """Return a request in words, as `MetadataRequest-v9`."""
    asked = judge_request(definitions, payload)
    if asked.api_key < 0:
        return "no request"
    invalid = "" if _is_sound(asked) else ", not sound"
    return f"{asked}{f', {asked.unknown}' if asked.unknown else invalid}"


def departures_of(
    server: Server, payload: bytes, reply: Reply, *, is_authenticated: bool = True
) -> Iterator[BrokenRule]:
    """Yield the departures of the answer to a request, which is given without its size."""
    definitions = server.definitions
    asked = judge_request(definitions, payload)
    if not is_authenticated:
        if reply.is_frame and asked.name not in BEFORE:
            yield BrokenRule(RULE.rule, "", CLOSED, came(reply))
    elif asked.api_key == API_VERSIONS and asked.unknown:
        yield from _of_too_new(definitions, reply)
    elif _is_sound(asked):
        yield from _of_sound(server, asked, reply)
    else:
        yield from _of_broken(definitions, asked, reply)


def _is_sound(asked: JudgedFrame) -> bool:
    return asked.value is not None and not asked.departures


def _of_sound(server: Server, asked: JudgedFrame, reply: Reply) -> Iterator[BrokenRule]:
    if not reply.is_frame:
        if reply.end is not End.SILENT or reply.payload or asked.name not in MAY_BE_SILENT:
            yield BrokenRule(ANSWERED, "", number(Expected.RESPONSE, asked.version), came(reply))
        return
    judged = judge_response(server.definitions, asked.api_key, asked.version, reply.payload)
    yield from judged.departures
    yield from departures_from(asked, judged)
    yield from version_withheld(server, judged)
    if judged.correlation_id not in {None, asked.correlation_id}:
        expected = number(Expected.CORRELATION_ID, asked.correlation_id or 0)
        yield BrokenRule(
            "header.correlation-id", "header", expected, wrote_such(f"correlation id {judged.correlation_id}")
        )
    if asked.api_key == API_VERSIONS and judged.value is not None:
        for problem in range_problems(announced_in(judged.value)):
            yield BrokenRule(*RANGES, SOUND_RANGES, wrote_such(problem))


def _of_too_new(definitions: Definitions, reply: Reply) -> Iterator[BrokenRule]:
    judged = judge_response(definitions, API_VERSIONS, OLDEST, reply.payload) if reply.is_frame else None
    has_error = judged is not None and judged.value is not None and judged.value["ErrorCode"] == UNSUPPORTED_VERSION
    if judged is None or judged.departures or not has_error:
        seen = wrote_such(str(reply)) if reply.is_frame else came(reply)
        yield BrokenRule(*TOO_NEW, VERSION_0, seen)


def _of_broken(definitions: Definitions, asked: JudgedFrame, reply: Reply) -> Iterator[BrokenRule]:
    body = definitions.body("request", asked.api_key, asked.version)
    # Without a known body nobody can read the response, so only its first bytes are looked at.
    if body is None or asked.header is None:
        if reply.end is End.SILENT or (reply.is_frame and not refuses(reply)):
            yield BrokenRule(REFUSED, "", FRAME_REFUSAL, came(reply))
        return
    verdict = judge(body, _body(definitions, asked))
    # The server may accept bytes left open by the protocol.
    due, target = due_of_refusal(verdict), WholeFrame(body, definitions.release_that_has(asked.api_key, asked.version))
    outcome = outcome_of_broken(definitions, target, due, reply)
    if judge_outcome(EVERYTHING, target, due, outcome).is_wrong:
        yield BrokenRule(verdict.rules[-1], verdict.path, REJECTION, came(reply))


def _body(definitions: Definitions, asked: JudgedFrame) -> bytes:
    header = definitions.header("request", asked.api_key, asked.version)
    consumed = None if header is None else judge(header, asked.payload).consumed
    return asked.payload[consumed or 0 :]


def check_found_exchange(black_box: BlackBox, case: ExchangeCase) -> Iterator[Event]:
    """Send the frames of a found case again, if the run may, and check the answers and the server's survival."""
    if not is_permitted(black_box, case):
        yield NotAsked("frame", case.schema.message, Outcome(Kind.NOT_RUN, text=NOT_PERMITTED))
        return
    yield Judged(CATEGORY)
    try:
        found = black_box.surely(partial(_violations_of, black_box, case), _silences)
    except OSError:
        found = []
    yield from (violation for _, violation in found)
    yield from check_survived(black_box, case)


def is_permitted(black_box: BlackBox, case: ExchangeCase) -> bool:
    """Return whether the run may send these frames, any in the tier `throw-away`, else valid requests of the tier."""
    if black_box.permission.tier is Tier.THROW_AWAY:
        return True
    for pieces in case.by_connection:
        payloads, rest = cut(b"".join(pieces))
        if rest or not all(_is_harmless(black_box, payload) for payload in payloads):
            return False
    return True


def _is_harmless(black_box: BlackBox, payload: bytes) -> bool:
    definitions = black_box.server.definitions
    asked = judge_request(definitions, payload)
    if asked.api_key == API_VERSIONS and asked.unknown:
        return True
    form, schema = black_box.permission.form(definitions.name(asked.api_key)), asked.schema
    if asked.value is None or asked.departures or schema is None or form is RequestForm.NONE:
        return False
    restricted = asked.value if form is RequestForm.ANY else minimal(schema)
    return black_box.restricted(asked.api_key, restricted) == asked.value


def _silences(found: Iterable[tuple[Exchange, Violation]]) -> list[Violation]:
    return [violation for exchange, violation in found if exchange.reply.end is End.SILENT]


def _violations_of(black_box: BlackBox, case: ExchangeCase, deadline: float) -> list[tuple[Exchange, Violation]]:
    """Raise OSError if nobody listens, TimeIsUp if nothing more may be sent, or TooBusy."""
    found, server = [], replace(black_box.server, deadline=deadline)
    for _ in range(case.times):
        for pieces in case.by_connection:
            black_box.server.budget.check()
            for exchange in send_pieces(server, pieces, is_authenticated=case.is_authenticated):
                found += [(exchange, _violation(case, exchange, departure)) for departure in exchange.departures]
    return found


def _violation(case: ExchangeCase, exchange: Exchange, departure: BrokenRule) -> Violation:
    blame = Blame(departure.rule, departure.path)
    return case.answered(exchange.reply).violation(blame, departure.observation, departure.expectation, "frame")
