"""Broken frames and hostile bodies sent to a server.

The server is to refuse each of them, by closing the connection or by an error, and to survive. Bodies are the suite's
hostile cases after a valid header. A server refuses invalid bytes: an answer without any error code means acceptance.
Its treatment of bytes left open by the protocol belongs to its profile.
"""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from conformance.generate.edge_values import Bases
from conformance.generate.hostile_bodies import hostile_cases
from conformance.judge.case import Judged, LeftOpen, NotAsked, Replied, RulesTried, Waited
from conformance.judge.events import FRAME_REFUSAL, REJECTION
from conformance.judge.judgement import LEFT_OPEN, Due, due_of_refusal
from conformance.judge.judgement import judge as judge_outcome
from conformance.live.capture.frame_verdict import judge_response
from conformance.live.server.connection import CLIENT_ID, End, TooBusy, sized
from conformance.live.server.exchanges import ExchangeCase, outcome_of
from conformance.live.server.sound_requests import AFTER_HANGS
from conformance.live.server.survival import SURVIVAL, check_survival, started_again, unless_busy
from conformance.live.server.tiers import MAY_BE_SILENT, RequestForm
from conformance.targets import EVERYTHING, Blame
from conformance.targets.listed import CLIENT_ID_AT
from conformance.targets.outcome import Kind, Outcome
from reference import Result, completed, encode, judge
from reference.definitions.header_versions import API_VERSIONS
from reference.error_codes import codes_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.definitions.defining_releases import Definitions
    from conformance.generate.origin import ChangedBytes
    from conformance.judge.case import Event, Violation
    from conformance.live.server.black_box import BlackBox
    from conformance.live.server.connection import Reply
    from conformance.targets import WholeFrame
    from reference import MessageSchema, Release, Verdict

CATEGORY = "hostile requests"
CORRELATION_ID = 77
EVERY = 20
"""The number of hostile cases sent for a version, taken at even distances."""

REFUSED = "connection.refused"


def hostile_bodies(black_box: BlackBox, api_key: int, version: int) -> list[ChangedBytes]:
    """Return the hostile bodies for one version of an API, without any that could change anything."""
    definitions = black_box.server.definitions
    schema, api = definitions.body("request", api_key, version), definitions.name(api_key)
    if schema is None or black_box.permission.form(api) is not RequestForm.ANY:
        return []
    restricted = partial(black_box.restricted, api_key)
    usual = Bases.usual(schema)
    bases = Bases(*(None if value is None else restricted(value) for value in usual))  # type: ignore[arg-type]
    every = hostile_cases(schema, bases, lambda values: [restricted(value) for value in values])
    cases = [case for case in every if _is_safe(schema, case)]
    step = max(1, len(cases) // EVERY)
    return list(islice(cases[::step], EVERY))


def _is_safe(schema: MessageSchema, case: ChangedBytes) -> bool:
    """Return whether even a lenient reader refuses the bytes, since others might be read as a forbidden request."""
    return judge(schema, case.wire).value is None


def check_hostile_bodies(black_box: BlackBox, api_key: int, version: int) -> Iterator[Event]:
    """Check the hostile bodies of one version of an API."""
    release = black_box.server.definitions.release_of(api_key, version)
    schema = black_box.server.definitions.body("request", api_key, version)
    if release is None or schema is None:
        return
    head = _header(black_box, release, api_key, version)
    for case in hostile_bodies(black_box, api_key, version):
        if not black_box.hangs.allows(schema.message, case.origin.tampering):
            yield NotAsked("frame", schema.message, Outcome(Kind.NOT_RUN, text=AFTER_HANGS))
            continue
        exchange = ExchangeCase(schema, release, case.name, (sized(head + case.wire),), case.path)
        yield Judged(CATEGORY)
        verdict = judge(schema, case.wire)
        is_open = verdict.result is Result.UNSPECIFIED
        with black_box.turn(alone=True):
            try:
                reply = _reply(black_box, exchange, None if is_open else Blame(verdict.rules[-1], verdict.path))
            except TooBusy as busy:
                yield NotAsked("frame", schema.message, Outcome(Kind.NOT_RUN, text=str(busy)))
                continue
            yield RulesTried.of(SURVIVAL, *verdict.rules)
            yield Replied(schema.message, outcome_of(reply))
            found = _check(black_box, exchange, verdict, reply)
            is_lost = yield from started_again(black_box, unless_busy(schema.message, found))
        if is_lost or reply.end is End.SILENT:
            black_box.hangs.note(schema.message, case.origin.tampering)
        if reply.end is End.SILENT:
            yield Waited(reply.seconds)
            if not is_lost:
                black_box.free()


def _header(black_box: BlackBox, release: Release, api_key: int, version: int) -> bytes:
    header = black_box.server.definitions.header("request", api_key, version)
    if header is None:
        raise LookupError((release.name, api_key, version))
    value = {"RequestApiKey": api_key, "RequestApiVersion": version, "CorrelationId": CORRELATION_ID}
    return encode(header, completed(header, {**value, "ClientId": CLIENT_ID}))


def _reply(black_box: BlackBox, case: ExchangeCase, blame: Blame | None) -> Reply:
    """Return the reply to a frame, with the whole deadline after silence, and once more if that is a new finding."""
    [frame] = case.frames
    ask = partial(black_box.requester.alone, frame)

    def silences(reply: Reply) -> list[Violation]:
        # Without a rule to blame the protocol leaves silence open.
        if blame is None or not _is_silent(black_box, case, reply):
            return []
        return [case.unanswered(blame, reply, REJECTION)]

    reply = ask()
    return black_box.surely(ask, silences) if _is_silent(black_box, case, reply) else reply


def _check(black_box: BlackBox, case: ExchangeCase, verdict: Verdict, reply: Reply) -> Iterator[Event]:
    due = due_of_refusal(verdict)
    outcome = outcome_of_broken(black_box.server.definitions, case.target, due, reply)
    judgement = judge_outcome(EVERYTHING, case.target, due, outcome)
    if judgement.is_wrong:
        yield case.unanswered(Blame(verdict.rules[-1], verdict.path), reply, REJECTION)
    elif judgement.is_open:
        yield LeftOpen(verdict.rules, outcome.kind is Kind.VALUE)
    if reply.end is not End.FRAME:
        yield from check_survival(black_box, case)
    black_box.requester.note_answer()


def _is_silent(black_box: BlackBox, case: ExchangeCase, reply: Reply) -> bool:
    api = black_box.server.definitions.name(case.schema.api_key or 0)
    return reply.end is End.SILENT and api not in MAY_BE_SILENT


def outcome_of_broken(definitions: Definitions, target: WholeFrame, due: Due, reply: Reply) -> Outcome:
    """Return a reply to a body without a valid reading as an outcome, accepted, refused, or without a due answer."""
    may_be_silent = due == LEFT_OPEN or definitions.name(target.api_key) in MAY_BE_SILENT
    if reply.end is End.SILENT and not may_be_silent:
        return Outcome(Kind.TIMED_OUT)
    is_taken = reply.is_frame and not is_error(definitions, target.api_key, target.version, reply)
    return Outcome(Kind.VALUE if is_taken else Kind.REJECTED)


def is_error(definitions: Definitions, api_key: int, version: int, reply: Reply) -> bool:
    """Return whether an answer to a request of a version has an error code, or is unreadable."""
    value = judge_response(definitions, api_key, version, reply.payload).value
    return value is None or any(codes_in(value))


def check_broken_frames(black_box: BlackBox) -> Iterator[Event]:
    """Check impossible frames, and requests of unknown APIs and versions."""
    definitions = black_box.server.definitions
    release = definitions.among[0]
    schema = release.schema("ApiVersionsRequest", 0)
    deadly = set()
    for name, frame in broken_frames(black_box):
        # Names begin with the kind of frame: after a death no more of it are sent.
        kind = name.split()[0]
        if kind in deadly:
            yield NotAsked("frame", schema.message, Outcome(Kind.NOT_RUN, text=AFTER_HANGS))
            continue
        case = ExchangeCase(schema, release, name, (frame,))
        yield Judged(CATEGORY)
        yield RulesTried.of(SURVIVAL, REFUSED)
        events = unless_busy(schema.message, _check_broken(black_box, case))
        if (yield from started_again(black_box, events)):
            deadly.add(kind)


def _check_broken(black_box: BlackBox, case: ExchangeCase) -> Iterator[Event]:
    reply = _reply(black_box, case, Blame(REFUSED))
    if reply.end is End.SILENT:
        yield Waited(reply.seconds)
    if reply.end is End.SILENT or (reply.is_frame and not refuses(reply)):
        yield case.unanswered(Blame(REFUSED), reply, FRAME_REFUSAL)
    yield from check_survival(black_box, case)
    black_box.requester.note_answer()


def refuses(reply: Reply) -> bool:
    """Return whether a response to an impossible request can be an error, by any bytes after the correlation id."""
    return any(reply.payload[4:6])


def broken_frames(black_box: BlackBox) -> Iterator[tuple[str, bytes]]:
    """Yield whole frames without a valid request, by name."""
    announced, definitions = black_box.server.announced.ranges, black_box.server.definitions
    sound = _header(black_box, definitions.among[0], API_VERSIONS, 0)
    yield "size 0", sized(b"")
    yield "size 1", sized(b"\0")
    for end in (2, 4, 7, 8, 9):
        yield f"header cut at {end}", sized(sound[:end])
    yield "client id beyond the frame", sized(sound[:CLIENT_ID_AT] + b"\x7f\xff")
    for size in (-1, -(2**31)):
        yield f"size {size}", size.to_bytes(4, signed=True) + sound
    for api_key in (-1, min(max(announced, default=0) + 1_000, 2**15 - 2), 2**15 - 1):
        yield f"API key {api_key}", sized(api_key.to_bytes(2, signed=True) + sound[2:])
    for api_key, versions in sorted(announced.items()):
        if api_key != API_VERSIONS and versions and definitions.versions(api_key):
            version = min(versions[-1] + 1, 2**15 - 1)
            numbers = api_key.to_bytes(2, signed=True) + version.to_bytes(2, signed=True)
            yield f"version {version} of API key {api_key}", sized(numbers + sound[4:])
    metadata = announced.get(3)
    if metadata:
        yield "negative version", sized(b"\0\3\xff\xff" + sound[4:])
