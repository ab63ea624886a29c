"""Whether a server survives, and which frames ended it."""

from __future__ import annotations

import time
from itertools import chain
from typing import TYPE_CHECKING, Any

from conformance.judge.case import NotAsked, Violation
from conformance.judge.events import Expectation, Expected, Noted
from conformance.judge.findings.wording import actual_text
from conformance.live.capture.frame_verdict import judge_request
from conformance.live.server.attribution import FreshServers, resend, shortest_end
from conformance.live.server.connection import CLIENT_ID, SIZE, TimeIsUp, TooBusy, request
from conformance.live.server.exchanges import ExchangeCase
from conformance.live.server.server import OLDEST
from conformance.live.server.suspects import Suspect
from conformance.targets import Blame
from conformance.targets.outcome import Kind, Outcome
from conformance.targets.plain_values import has_tags
from reference import TAGS, minimal
from reference.definitions.header_versions import API_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence

    from conformance.definitions.defining_releases import Definitions
    from conformance.judge.case import Event
    from conformance.live.server.black_box import BlackBox
    from conformance.live.server.requester import SentFrame

SURVIVAL = "connection.survival"

TRACED = 4
"""The number of deaths in one process whose frames are searched, as each search takes many starts."""

MISSING = frozenset((Kind.REJECTED, Kind.TIMED_OUT))
"""The outcomes of frames without an answer."""

AWAY = "skipped: the server was away for a while, and not by these frames"
BY_ANOTHER = "lost, by a frame of another worker"

LAST = 3
"""The number of answered frames shown where all were answered."""

LONG = 255
"""The number of characters of a client id above which it is unusual."""

EARLIER = "frames before it"
"""The name of a case of other frames than the last ones."""


def check_survival(black_box: BlackBox, case: ExchangeCase) -> Generator[Event, None, bool]:
    """Check that the server answers on a new connection, and return whether it was away, and came back by itself.

    If not, the case is the shortest sequence of frames that ends a fresh server. The search starts servers of its own.
    If the suite cannot start any, the case has the frames since the last answer.

    Raises:
        ServerLost: it does not.
        ServerBack: it was ended by these frames, and started again by others.
    """
    requester, suspects = black_box.requester, black_box.suspects
    is_away = black_box.started is None and (requester.was_refused or not black_box.server.accepts())
    if suspects is not None:
        suspects.name(_suspect(black_box, suspects.worker))
    if black_box.is_alive():
        requester.note_life()
        if suspects is not None:
            suspects.clear()
        if is_away:
            yield from _ended_again(black_box, case)
        return is_away
    blamed = suspects.at_the_end() if suspects is not None else []
    if suspects is not None and blamed[0].worker != suspects.worker:
        raise ServerLost(BY_ANOTHER)
    violation = _blame(black_box, case, len(blamed))
    yield violation
    raise ServerLost(actual_text(violation.observation))


def _blame(black_box: BlackBox, case: ExchangeCase, workers: int) -> Violation:
    """Return the end of the server as a violation by the frames that ended it, noted as the latest ones."""
    started, since, ended = black_box.started, black_box.requester.since_answer, _end_of(black_box)
    definitions = black_box.server.definitions
    how = "since its last answer" if since else "with an answer"
    how += f", and of {workers - 1} more workers at the same time" if workers > 1 else ""
    blamed_case = _case_with(definitions, case, since or black_box.requester.sent[-LAST:])
    violation = _death(definitions, blamed_case, ended, how)
    if started is not None and not black_box.is_known(violation) and black_box.traced < TRACED:
        black_box.traced += 1
        shortest = _shortest_end(black_box, black_box.requester.sent)
        if shortest:
            blamed_case = _case_with(definitions, case, shortest)
            violation = _death(definitions, blamed_case, ended, "on a fresh server")
    black_box.deaths.latest = blamed_case.frames
    return violation


def _ended_again(black_box: BlackBox, case: ExchangeCase) -> Iterator[Event]:
    """Send the frames since the last answer again, alone, or raise ServerBack if they end the server once more."""
    # A frame without an answer was sent once more on a new connection.
    since = [*{each.data: each for each in black_box.requester.since_answer}.values()]
    black_box.requester.hang_up()
    with black_box.turn(alone=True):
        resend(black_box.server, since)
        is_away = bool(since) and not black_box.server.accepts()
        if not is_away or not black_box.is_alive():
            return
    black_box.requester.note_answer()
    definitions = black_box.server.definitions
    case = _case_with(definitions, case, since)
    violation = _death(definitions, case, "no new connection for a while", "each time")
    black_box.deaths.latest = case.frames
    yield violation
    raise ServerBack(actual_text(violation.observation))


def _suspect(black_box: BlackBox, worker: str) -> Suspect:
    requester = black_box.requester
    silence = requester.silence
    if silence is None:
        return Suspect(worker, requester.sent_at, time.monotonic(), True, 0)  # noqa: FBT003  # by its name there
    since = requester.since_answer
    known = _known(black_box, since[-1].data) if since else 0
    return Suspect(worker, silence.sent_at, silence.noticed_at, False, known)  # noqa: FBT003  # by its name there


def _known(black_box: BlackBox, frame: bytes) -> int:
    """Return the number of answered requests of the message or of the variation of a frame, the smaller one."""
    asked = judge_request(black_box.server.definitions, frame[SIZE.size :])
    variation = variation_of(asked.header or {}, asked.value)
    return min(black_box.answered[asked.message], black_box.answered[variation])


def _case_with(definitions: Definitions, case: ExchangeCase, sent: Sequence[SentFrame]) -> ExchangeCase:
    """Return a case about the message of the last frame, the given one if that is its own, or if there are none."""
    if not sent or sent[-1].data == case.frames[-1]:
        return case.with_frames(sent) if sent else case
    asked = judge_request(definitions, sent[-1].data[SIZE.size :])
    if asked.schema is None or asked.release is None:
        return case.with_frames(sent)
    return ExchangeCase(asked.schema, asked.release, EARLIER, ()).with_frames(sent)


def check_survived(black_box: BlackBox, case: ExchangeCase) -> Iterator[Event]:
    """Check that the server survives the frames of a case with an earlier death, or raise ServerLost."""
    if not black_box.is_alive():
        yield (violation := _death(black_box.server.definitions, case, _end_of(black_box), "of a found case"))
        raise ServerLost(actual_text(violation.observation))


def _end_of(black_box: BlackBox) -> str:
    status = None if black_box.started is None else black_box.started.status
    return "no answer on new connections" if status is None else f"its process ended with status {status}"


def _death(definitions: Definitions, case: ExchangeCase, ended: str, how: str) -> Violation:
    asked, number = judge_request(definitions, case.frames[-1][SIZE.size :]), len(case.frames)
    variation = variation_of(asked.header or {}, asked.value)
    detail = f"after {number} frame{'s' if number != 1 else ''} {how}"
    # A variation that any API may have is one cause, however its frames were found.
    seen = Noted(str(Kind.CRASHED), f"{variation}: {ended}" if variation else ended, detail)
    return case.violation(Blame(SURVIVAL), seen, Expectation(Expected.NEXT_CONNECTION), "frame")


def variation_of(header: Mapping[str, Any], value: Any) -> str:
    """Return the variation of a request that any API may have, or nothing for a usual header without unknown tags."""
    client_id = header.get("ClientId", CLIENT_ID)
    if not client_id or len(client_id) > LONG:
        return f"a client id {'of null' if client_id is None else 'of many bytes' if client_id else 'without bytes'}"
    return "tags in a header" if header.get(TAGS) else "unknown tags" if has_tags(value) else ""


def _shortest_end(black_box: BlackBox, sent: Sequence[SentFrame]) -> Sequence[SentFrame] | None:
    """Return None if no part ends a fresh server, the time is up, or the machine is too busy."""
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


class ServerBack(ServerLost):
    """Ends a check, as its frames end the server, which others start again."""


def started_again(black_box: BlackBox, events: Iterable[Event]) -> Generator[Event, None, bool]:
    """Yield the events of a check, start a lost server again, and return whether it was lost.

    Raises:
        ServerLost: the suite cannot start it.
    """
    try:
        yield from events
    except ServerBack:
        return True
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
    """Yield the events of a check, then of one for survival, until the server is lost for good or the time is up."""
    every = chain(_of_living(black_box, events), check_survival(black_box, plain_case(black_box)))
    try:
        yield from started_again(black_box, every)
    except (ServerLost, TimeIsUp) as end:
        black_box.lost = str(end)


def _of_living(black_box: BlackBox, events: Iterable[Event]) -> Iterator[Event]:
    """Leave out missing answers of a lost server, as it breaks one rule, and raise ServerLost."""
    for event in events:
        case = event.case if isinstance(event, Violation) and _is_missing(event) else None
        if isinstance(case, ExchangeCase) and (yield from check_survival(black_box, case)):
            yield NotAsked("frame", case.schema.message, Outcome(Kind.NOT_RUN, text=AWAY))
        else:
            yield event


def _is_missing(violation: Violation) -> bool:
    return violation.rule != SURVIVAL and violation.outcome in MISSING
