"""Sound requests to a server, each to be answered by the canonical response of its version, with its correlation id."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.drawn_values import sample
from conformance.generate.edge_values import Bases
from conformance.judge.case import Judged, NotAsked, Replied, RulesTried, Waited
from conformance.judge.count_lines import AFTER_DEATH
from conformance.judge.events import Expected, number, wrote_such
from conformance.live.capture.answer_rules import RULE as ANSWERS_ASKED
from conformance.live.capture.answer_rules import answers_of, is_asked
from conformance.live.capture.frame_verdict import UNSUPPORTED_VERSION, BrokenRule, judge_request
from conformance.live.server.connection import CLIENT_ID, SIZE, UNKNOWN_TAG, End, request
from conformance.live.server.exchanges import ExchangeCase, departures, outcome_of
from conformance.live.server.survival import check_survival, started_again, unless_busy, variation_of
from conformance.live.server.tiers import MAY_BE_SILENT, RequestForm
from conformance.targets import Blame
from conformance.targets.outcome import Kind, Outcome
from reference import TAGS, api_schema, minimal
from reference.definitions.header_versions import API_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from conformance.judge.case import Event, Violation
    from conformance.live.capture.frame_verdict import JudgedFrame
    from conformance.live.server.black_box import BlackBox
    from conformance.live.server.connection import EncodedRequest, Reply
    from conformance.live.server.server import Server
    from reference import MessageSchema, Release

CATEGORY = "sound requests"
SAMPLES = 18
"""The number of generated values of each version."""

CLIENT_IDS = {"client id null": None, "client id empty": "", "client id long": "kafka-wire-" + "conformance" * 90}
"""Unusual client ids, by the names of their requests; the long one has a thousand bytes."""

OF_MINIMAL_FORM = 3 + len(CLIENT_IDS)
OF_ANY_FORM = OF_MINIMAL_FORM + 2 + SAMPLES
"""The maximum number of requests of a version, by the permitted form."""

FIRST_CORRELATION_ID = 1_000

AFTER_HANGS = "skipped: the server did not answer others like it, or did not survive them"

ANSWERED = "connection.answered"
CORRELATION_ID = "header.correlation-id"


class Sound(NamedTuple):
    """A sound request with its name."""

    name: str
    value: dict[str, Any]
    header_tags: tuple[tuple[int, bytes], ...] = ()
    client_id: str | None = CLIENT_ID

    @property
    def variation(self) -> str:
        """See `variation_of`."""
        return variation_of({"ClientId": self.client_id, TAGS: self.header_tags}, self.value)


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
        why = _why_left_out(black_box, schema, sound)
        if why:
            yield NotAsked("frame", schema.message, Outcome(Kind.NOT_RUN, text=why))
            continue
        tags, who = sound.header_tags, sound.client_id
        asked = request(release, api_key, version, next(numbers), sound.value, client_id=who, header_tags=tags)
        yield Judged(CATEGORY)
        yield RulesTried.of(ANSWERED)
        events = unless_busy(schema.message, check_answer(black_box, release, asked, sound.name))
        kinds = (schema.message, sound.variation)
        with black_box.turn(alone=not all(black_box.answered[kind] for kind in kinds)):
            is_lost = yield from started_again(black_box, events)
        if is_lost:
            # Without a variation nothing else of the version is sent: it shares its body.
            variation = sound.variation if {*black_box.deaths.latest} == {asked.wire} else ""
            black_box.deaths.note(variation or str(schema), schema.message)
        else:
            black_box.answered.update(kinds)


def _why_left_out(black_box: BlackBox, schema: MessageSchema, sound: Sound) -> str:
    if not black_box.hangs.allows(str(schema), ""):
        return AFTER_HANGS
    deadly = next((each for each in (str(schema), sound.variation) if not _allows(black_box, each, schema)), "")
    return f"{AFTER_DEATH}{deadly}" if deadly else ""


def _allows(black_box: BlackBox, variation: str, schema: MessageSchema) -> bool:
    return not variation or black_box.deaths.allows(variation, schema.message)


def check_answer(
    black_box: BlackBox, release: Release, asked: EncodedRequest, name: str, *, is_first: bool = True
) -> Iterator[Event]:
    """Check the reply of a server to one sound request, which is repeated alone if another worker may have ended it."""
    schema = api_schema(release, "request", asked.api_key, asked.version)
    case = ExchangeCase(schema, release, name, (asked.wire,))
    reply = _reply(black_box, case, asked)
    yield Replied(schema.message, outcome_of(reply))
    if not reply.is_frame:
        if (yield from _unanswered(black_box, case, asked, reply, is_first=is_first)):
            with black_box.turn(alone=True):
                yield from check_answer(black_box, release, asked, name, is_first=False)
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
    """Send a request without its due answer again."""
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


def _unanswered(
    black_box: BlackBox, case: ExchangeCase, asked: EncodedRequest, reply: Reply, *, is_first: bool
) -> Generator[Event, None, bool]:
    """Return whether to ask again, as the server was away, or may have been. Else it does not answer this request."""
    if reply.end is End.SILENT:
        yield Waited(reply.seconds)
    was_away = yield from check_survival(black_box, case)
    if was_away or (is_first and black_box.suspects is not None and reply.end is End.CLOSED):
        return True
    if reply.end is End.SILENT and not reply.payload and _may_be_silent(black_box, asked):
        return False
    if reply.end is End.SILENT:
        black_box.hangs.note(str(case.schema), "")
    yield _not_answered(case, asked, reply)
    return False
