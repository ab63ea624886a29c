"""Sound requests to a server.

Each is to be answered by the response of its version, in canonical form, with its correlation id.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import chain, count
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.codec.outcome import Kind, Outcome
from conformance.generate.drawn_values import sample
from conformance.generate.edge_values import Bases
from conformance.judge.case import Judged, NotAsked, Replied, RulesTried, Waited
from conformance.judge.events import Expectation, Expected, Noted, number, wrote_such
from conformance.judge.findings.wording import actual_text
from conformance.judge.standing import Blame
from conformance.live.capture.answer_rules import RULE as ANSWERS_ASKED
from conformance.live.capture.answer_rules import answers_of, is_asked
from conformance.live.capture.frame_verdict import UNSUPPORTED_VERSION, BrokenRule, judge_request
from conformance.live.server.attribution import FreshServers, shortest_end
from conformance.live.server.connection import CLIENT_ID, SIZE, UNKNOWN_TAG, End, TimeIsUp, TooBusy, request
from conformance.live.server.exchanges import ExchangeCase, departures, outcome_of
from conformance.live.server.server import OLDEST
from conformance.live.server.tiers import MAY_BE_SILENT, RequestForm
from reference import api_schema, minimal
from reference.definitions.header_versions import API_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from conformance.judge.case import Event, Violation
    from conformance.live.capture.frame_verdict import JudgedFrame
    from conformance.live.server.black_box import BlackBox
    from conformance.live.server.connection import EncodedRequest, Reply
    from conformance.live.server.requester import SentFrame
    from conformance.live.server.server import Server
    from reference import Release

CATEGORY = "sound requests"
SAMPLES = 18
"""The number of generated values of each version."""

CLIENT_IDS = {"client id null": None, "client id empty": "", "client id long": "kafka-wire-" + "conformance" * 90}
"""Unusual client ids, by the names of their requests; the long one has a thousand bytes."""

OF_MINIMAL_FORM = 3 + len(CLIENT_IDS)
OF_ANY_FORM = OF_MINIMAL_FORM + 2 + SAMPLES
"""The maximum number of requests of a version, by the permitted form."""

TRACED = 4
"""The number of deaths in one process whose frames are searched, as each search takes many starts."""

FIRST_CORRELATION_ID = 1_000

AFTER_HANGS = "skipped: the server did not answer others like it, or did not survive them"

ANSWERED = "connection.answered"
SURVIVAL = "connection.survival"
CORRELATION_ID = "header.correlation-id"


class Sound(NamedTuple):
    """A sound request with its name."""

    name: str
    value: dict[str, Any]
    header_tags: tuple[tuple[int, bytes], ...] = ()
    client_id: str | None = CLIENT_ID


def sound_requests(black_box: BlackBox, api_key: int, version: int) -> Iterator[Sound]:
    """Yield the permitted requests of one version of an API."""
    definitions, restricted = black_box.server.definitions, black_box.restricted
    schema, form = definitions.body("request", api_key, version), black_box.permission.form(definitions.name(api_key))
    if schema is None or form is RequestForm.NONE:
        return
    bases = Bases.usual(schema)
    minimal_value = restricted(api_key, bases.minimal)
    yield Sound("minimal", minimal_value)
    yield from (Sound(name, minimal_value, client_id=client_id) for name, client_id in CLIENT_IDS.items())
    if schema.flexible:
        yield Sound("header tags", restricted(api_key, bases.minimal), (UNKNOWN_TAG,))
        yield Sound("unknown tag", restricted(api_key, {**minimal(schema), **(bases.unknown_tag or {})}))
    if form is RequestForm.ANY:
        yield Sound("populated", restricted(api_key, bases.populated))
        if bases.tagged is not None:
            yield Sound("populated with unknown tags", restricted(api_key, bases.tagged))
        for index in range(SAMPLES):
            yield Sound(f"sample {index}", restricted(api_key, sample(schema, f"broker/{index}")))


def check_sound_requests(black_box: BlackBox, api_key: int, version: int) -> Iterator[Event]:
    """Check every sound request of one version of an API."""
    release = black_box.server.definitions.release_of(api_key, version)
    if release is None:
        return
    numbers, schema = count(FIRST_CORRELATION_ID), api_schema(release, "request", api_key, version)
    for sound in sound_requests(black_box, api_key, version):
        if not black_box.hangs.allows(str(schema), ""):
            yield NotAsked("frame", schema.message, Outcome(Kind.NOT_RUN, text=AFTER_HANGS))
            continue
        tags, who = sound.header_tags, sound.client_id
        asked = request(release, api_key, version, next(numbers), sound.value, client_id=who, header_tags=tags)
        yield Judged(CATEGORY)
        yield RulesTried.of(ANSWERED)
        yield from unless_busy(schema.message, check_answer(black_box, release, asked, sound.name))


def check_answer(black_box: BlackBox, release: Release, asked: EncodedRequest, name: str) -> Iterator[Event]:
    """Check the reply of a server to one sound request."""
    schema = api_schema(release, "request", asked.api_key, asked.version)
    case = ExchangeCase(schema, release, name, (asked.wire,))
    reply = _reply(black_box, case, asked)
    yield Replied(schema.message, outcome_of(reply))
    if not reply.is_frame:
        yield from _unanswered(black_box, case, asked, reply)
        return
    judged = asked.judge(black_box.server.definitions, reply)
    has_row = answers_of(judged.name, judged.version) is not None
    is_compared = has_row and is_asked(judge_request(black_box.server.definitions, asked.wire[SIZE.size :]), judged)
    yield RulesTried.of(CORRELATION_ID, *judged.tried, *([ANSWERS_ASKED] if is_compared else []))
    about = replace(case, schema=judged.schema or schema).answered(reply)
    withheld = version_withheld(black_box.server, judged)
    yield from departures(about, replace(judged, departures=(*judged.departures, *withheld)))
    if judged.correlation_id not in {None, asked.correlation_id}:
        seen = wrote_such(f"correlation id {judged.correlation_id}")
        expected = number(Expected.CORRELATION_ID, asked.correlation_id)
        yield about.violation(Blame(CORRELATION_ID, "header"), seen, expected, "frame")


def version_withheld(server: Server, judged: JudgedFrame) -> Iterator[BrokenRule]:
    """Yield a departure if a server refuses a version of ApiVersions in spite of announcing it."""
    if judged.asked is None or judged.departures:
        return
    if judged.asked in server.announced.ranges.get(API_VERSIONS, ()):
        seen = wrote_such(f"version {judged.version} with error code {UNSUPPORTED_VERSION}")
        yield BrokenRule(ANSWERED, "ErrorCode", number(Expected.RESPONSE, judged.asked), seen)


def _reply(black_box: BlackBox, case: ExchangeCase, asked: EncodedRequest) -> Reply:
    """Return the reply to a sound request.

    A request without its due answer is sent again.
    """
    if _may_be_silent(black_box, asked):
        return black_box.requester.ask(asked, may_be_silent=True)
    blame, expected = Blame(ANSWERED), number(Expected.RESPONSE, asked.version)
    return black_box.surely(
        partial(black_box.requester.ask, asked), lambda reply: case.silences(blame, reply, expected)
    )


def _not_answered(case: ExchangeCase, asked: EncodedRequest, reply: Reply) -> Violation:
    return case.unanswered(Blame(ANSWERED), reply, number(Expected.RESPONSE, asked.version))


def _may_be_silent(black_box: BlackBox, asked: EncodedRequest) -> bool:
    return black_box.server.definitions.name(asked.api_key) in MAY_BE_SILENT


def _unanswered(black_box: BlackBox, case: ExchangeCase, asked: EncodedRequest, reply: Reply) -> Iterator[Event]:
    """Yield the reason for a missing answer.

    Either the server is gone, or it does not answer this request.
    """
    if reply.end is End.SILENT:
        yield Waited(reply.seconds)
    yield from check_survival(black_box, case)
    if reply.end is End.SILENT and not reply.payload and _may_be_silent(black_box, asked):
        return
    if reply.end is End.SILENT:
        black_box.hangs.note(str(case.schema), "")
    yield _not_answered(case, asked, reply)


def check_survival(black_box: BlackBox, case: ExchangeCase) -> Iterator[Event]:
    """Check that the server answers on a new connection.

    If not, the case is the shortest sequence of frames that ends a fresh server. The search starts servers of its own.
    If the suite cannot start any, the case has the frames since the last answer.

    Raises:
        ServerLost: it does not.
    """
    if black_box.is_alive():
        return
    started, since, ended = black_box.started, black_box.requester.since_answer, _end_of(black_box)
    violation = _death(case.with_frames(since) if since else case, ended, "since its last answer")
    if started is not None and not black_box.is_known(violation) and black_box.traced < TRACED:
        black_box.traced += 1
        shortest = _shortest_end(black_box, black_box.requester.sent)
        violation = _death(case.with_frames(shortest), ended, "which end a fresh server") if shortest else violation
    yield violation
    raise ServerLost(actual_text(violation.observation))


def check_survived(black_box: BlackBox, case: ExchangeCase) -> Iterator[Event]:
    """Check that the server answers on a new connection after the frames of a case.

    The case has ended a server before.

    Raises:
        ServerLost: it does not.
    """
    if not black_box.is_alive():
        yield (violation := _death(case, _end_of(black_box), "of a found case"))
        raise ServerLost(actual_text(violation.observation))


def _end_of(black_box: BlackBox) -> str:
    """Return the end of a lost server in words."""
    status = None if black_box.started is None else black_box.started.status
    return "no answer on new connections" if status is None else f"its process ended with status {status}"


def _death(case: ExchangeCase, ended: str, how: str) -> Violation:
    """Return the end of a server after the frames of a case."""
    text = f"{ended}, after {len(case.frames)} frames {how}"
    seen, expected = Noted(str(Kind.CRASHED), text), Expectation(Expected.NEXT_CONNECTION)
    return case.violation(Blame(SURVIVAL), seen, expected, "frame")


def _shortest_end(black_box: BlackBox, sent: Sequence[SentFrame]) -> Sequence[SentFrame] | None:
    """Return the shortest part of the sent frames that ends a fresh server.

    None if no part does, the time is up, or the machine is too busy.
    """
    try:
        return shortest_end(sent, FreshServers(black_box))
    except (TimeIsUp, TooBusy):
        return None


def plain_case(black_box: BlackBox) -> ExchangeCase:
    """Return a case of a smallest request, for findings without a message of their own."""
    release = black_box.server.definitions.among[0]
    schema = release.schema("ApiVersionsRequest", OLDEST)
    asked = request(release, API_VERSIONS, OLDEST, 1, minimal(schema))
    return ExchangeCase(schema, release, "plain", (asked.wire,))


class ServerLost(Exception):
    """Ends a check, as the server answers no more."""


def started_again(black_box: BlackBox, events: Iterable[Event]) -> Generator[Event, None, bool]:
    """Yield the events of a check, and start a lost server again.

    Returns:
        Whether the server was lost.

    Raises:
        ServerLost: the suite cannot start it.
    """
    try:
        yield from events
    except ServerLost:
        if black_box.started is None:
            raise
        black_box.restart()
        return True
    return False


def unless_busy(message: str, events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events of a check, or that the machine was too busy for it."""
    try:
        yield from events
    except TooBusy as busy:
        yield NotAsked("frame", message, Outcome(Kind.NOT_RUN, text=str(busy)))


def until_lost(black_box: BlackBox, events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events of a check, then of a check for survival.

    They end when the server is lost, or the time is up. A server started by the suite is started again.
    """
    try:
        yield from started_again(black_box, chain(events, check_survival(black_box, plain_case(black_box))))
    except (ServerLost, TimeIsUp) as end:
        black_box.lost = str(end)
