"""Sends several requests before the first answer, and requests in pieces, as TCP does not keep the bounds of frames."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from conformance.judge.case import Judged, RulesTried
from conformance.judge.events import Expected, number, wrote_such
from conformance.live.server.connection import Connection, EncodedRequest, End, Reply, request
from conformance.live.server.exchanges import ExchangeCase
from conformance.live.server.sound_requests import ANSWERED
from conformance.live.server.survival import check_survival, plain_case
from conformance.live.server.tiers import Permission, RequestForm
from conformance.targets import Blame
from reference import api_schema, minimal
from reference.definitions.header_versions import API_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.judge.case import Event, Violation
    from conformance.live.server.black_box import BlackBox

CATEGORY = "pipelined requests"
TOGETHER = 24
"""The number of requests sent before an answer is read."""

ORDER = "connection.order"
CORRELATION_ID = "header.correlation-id"
PAUSE = 0.002
"""Seconds between two pieces; without them the system may join them again."""


def check_pipelining(black_box: BlackBox) -> Iterator[Event]:
    """Check the answers to many requests in one segment, and to a request sent byte by byte."""
    many = _requests(black_box)
    yield from _check(black_box, "in one segment", many, [b"".join(asked.wire for asked in many)])
    single = many[:1]
    pieces = [bytes([byte]) for asked in single for byte in asked.wire]
    yield from _check(black_box, "byte by byte", single, pieces)
    halves = many[:2]
    data = b"".join(asked.wire for asked in halves)
    cut = len(halves[0].wire) + 2 if halves else 0  # inside the size of the second frame
    yield from _check(black_box, "cut inside a size", halves, [data[:cut], data[cut:]])


def _requests(black_box: BlackBox) -> list[EncodedRequest]:
    """Return smallest requests of different APIs, all with an answer and a correlation id of their own."""
    definitions, permission = black_box.server.definitions, Permission()  # those that change nothing are enough
    newest = dict(black_box.pairs)
    asked: list[EncodedRequest] = []
    for api_key in [API_VERSIONS, *newest]:
        api = definitions.name(api_key)
        release = definitions.release_of(api_key, newest.get(api_key, -1))
        if release is None or permission.form(api) is not RequestForm.ANY or len(asked) == TOGETHER:
            continue
        version, number = newest[api_key], -(2**31) + 7 + 1_000_003 * len(asked)
        value = black_box.restricted(api_key, minimal(api_schema(release, "request", api_key, version)))
        candidate = request(release, api_key, version, number, value)
        if black_box.requester.ask(candidate).is_frame:  # the sound requests report those without an answer
            asked.append(candidate)
    return asked


def _check(black_box: BlackBox, name: str, asked: list[EncodedRequest], pieces: list[bytes]) -> Iterator[Event]:
    yield Judged(CATEGORY, len(asked))
    yield RulesTried.of(ANSWERED, CORRELATION_ID, *([] if len(asked) == 1 else [ORDER]))
    case = _case(black_box, asked, name, pieces)
    if case is None:
        return
    try:
        replies = _replies(black_box, case, asked)
    except OSError:
        yield from check_survival(black_box, plain_case(black_box))
        return
    numbers = [_number(reply) for reply in replies]
    if numbers == [each.correlation_id for each in asked]:
        return
    missing = _missing(replies)
    if missing is not None:
        yield _not_answered(case, asked, missing)
    else:
        is_swapped = sorted(map(str, numbers)) == sorted(str(each.correlation_id) for each in asked)
        rule = ORDER if is_swapped else CORRELATION_ID
        expected = number(Expected.CORRELATION_IDS, *(each.correlation_id for each in asked))
        yield case.violation(Blame(rule, "header"), wrote_such(f"correlation ids {numbers}"), expected, "frame")


def _replies(black_box: BlackBox, case: ExchangeCase, asked: list[EncodedRequest]) -> list[Reply]:
    """Return the replies on a new connection, up to the first missing answer, or raise OSError if nobody listens."""

    def silences(replies: list[Reply]) -> list[Violation]:
        return [_not_answered(case, asked, reply) for reply in replies if reply.end is End.SILENT]

    return black_box.surely(partial(_exchanged, black_box, case.frames, len(asked)), silences)


def _exchanged(black_box: BlackBox, pieces: Sequence[bytes], number: int, deadline: float) -> list[Reply]:
    replies: list[Reply] = []
    with black_box.server.connect(deadline) as connection:
        black_box.requester.note_sent(b"".join(pieces))
        _send(connection, pieces)
        while len(replies) < number and _missing(replies) is None:
            replies.append(black_box.requester.noted(connection.receive()))
    if _missing(replies) is None:
        black_box.requester.note_answer()
    return replies


def _missing(replies: list[Reply]) -> Reply | None:
    return next((reply for reply in replies if not reply.is_frame), None)


def _not_answered(case: ExchangeCase, asked: list[EncodedRequest], reply: Reply) -> Violation:
    return case.unanswered(Blame(ANSWERED), reply, number(Expected.RESPONSES, len(asked)))


def _send(connection: Connection, pieces: Sequence[bytes]) -> None:
    for piece in pieces:
        connection.send(piece)
        if len(pieces) > 1:
            time.sleep(PAUSE)


def _number(reply: Reply) -> int | None:
    return int.from_bytes(reply.payload[:4], signed=True) if reply.is_frame else None


def _case(black_box: BlackBox, asked: list[EncodedRequest], name: str, pieces: list[bytes]) -> ExchangeCase | None:
    release = black_box.server.definitions.release_of(asked[0].api_key, asked[0].version) if asked else None
    if release is None:
        return None
    schema = api_schema(release, "response", asked[0].api_key, asked[0].version)
    return ExchangeCase(schema, release, name, tuple(pieces))
