"""Produce requests with malicious compressed streams, and one without an answer.

Such streams announce too much, or decompress to too much. The requests go to a topic of the suite, as a server looks
into records only for an existing one.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from conformance.generate.record_building import batch, wire
from conformance.judge.case import Judged, LeftOpen, NotAsked, Replied, RulesTried, Violation, Waited
from conformance.judge.checks.deadly_streams import deadly_streams
from conformance.judge.events import REJECTION, Expectation, Expected, number
from conformance.judge.judgement import LEFT_OPEN, due_of_refusal
from conformance.judge.judgement import judge as judge_outcome
from conformance.live.server.cleanup import Asker, own
from conformance.live.server.connection import EncodedRequest, End, request
from conformance.live.server.exchanges import ExchangeCase, came, outcome_of
from conformance.live.server.hostile_requests import is_error, outcome_of_broken
from conformance.live.server.server import OLDEST
from conformance.live.server.sound_requests import AFTER_HANGS, ANSWERED, CORRELATION_ID
from conformance.live.server.survival import SURVIVAL, check_survival, started_again, unless_busy
from conformance.targets import EVERYTHING, Blame
from conformance.targets.outcome import Kind, Outcome
from reference import api_schema, completed
from reference.definitions.header_versions import API_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.judge.case import Event
    from conformance.judge.checks.deadly_streams import DeadlyStream
    from conformance.live.server.black_box import BlackBox
    from conformance.live.server.connection import Reply
    from reference import MessageSchema, Release

CATEGORY = "produced streams"
NO_RESPONSE = Expectation(Expected.NO_RESPONSE)
PRODUCE = 0
LAST_BY_NAME = 12
"""The last version of Produce with names of topics; later ones have their ids."""
TOPIC = own("records")
EXISTS = 36
"""The error code for an existing topic."""
PATH = "TopicData[0].PartitionData[0].Records"
FIRST_CORRELATION_ID = 5_000
TIMES, PAUSE = 20, 0.2
"""The number of attempts to produce a batch, and the seconds between them."""


def check_produced_streams(black_box: BlackBox) -> Iterator[Event]:
    """Check each stream on a server with Produce and a topic of the suite, until one of its codec ends the server."""
    version = _version(black_box)
    if version is None or not _has_topic(black_box):
        return
    release = black_box.server.definitions.release_of(PRODUCE, version)
    if release is None:
        return
    numbers, deadly = count(FIRST_CORRELATION_ID), set[str]()
    if not _is_ready(black_box, release, version, numbers):
        return
    if (yield from started_again(black_box, _check_silence(black_box, release, version, numbers))):
        _has_topic(black_box)
    for stream in deadly_streams():
        if stream.base in deadly:
            yield NotAsked("frame", "ProduceRequest", Outcome(Kind.NOT_RUN, text=AFTER_HANGS))
            continue
        asked = _request(release, version, next(numbers), stream.wire)
        events = _check(black_box, _case(release, version, stream, asked), stream)
        if (yield from started_again(black_box, unless_busy("ProduceRequest", events))):
            deadly.add(stream.base)
            _has_topic(black_box)


def _is_ready(black_box: BlackBox, release: Release, version: int, numbers: Iterator[int]) -> bool:
    # A valid batch may be accepted only a moment after the creation of its topic.
    for _ in range(TIMES):
        asked = _request(release, version, next(numbers), wire(batch()))
        reply = black_box.requester.ask(asked)
        if reply.is_frame and not is_error(black_box.server.definitions, PRODUCE, version, reply):
            return True
        time.sleep(PAUSE)
    return False


def _check_silence(black_box: BlackBox, release: Release, version: int, numbers: Iterator[int]) -> Iterator[Event]:
    """Check that Produce with acks 0 has no answer, and that the next request has one."""
    sound = _request(release, version, next(numbers), wire(batch()), acks=0)
    after = request(release, API_VERSIONS, OLDEST, next(numbers), {})
    case = ExchangeCase(_schema(release, version), release, "acks 0", (sound.wire, after.wire), "Acks")
    yield Judged(CATEGORY)
    yield RulesTried.of(CORRELATION_ID)
    expected = number(Expected.RESPONSE, OLDEST)
    reply = black_box.surely(
        partial(_reply_to_both, black_box, case), lambda reply: case.silences(Blame(ANSWERED), reply, expected)
    )
    identity = int.from_bytes(reply.payload[:4], signed=True)
    if reply.is_frame and identity == sound.correlation_id:
        yield case.answered(reply).violation(Blame(CORRELATION_ID, "header"), came(reply), NO_RESPONSE, "frame")
    elif not reply.is_frame:
        yield case.unanswered(Blame(ANSWERED), reply, expected)
    yield from check_survival(black_box, case)


def _reply_to_both(black_box: BlackBox, case: ExchangeCase, deadline: float) -> Reply:
    with black_box.server.connect(deadline) as connection:
        for frame in case.frames:
            connection.send(frame)
        return connection.receive()


def _version(black_box: BlackBox) -> int | None:
    """Return the newest announced version with names of topics, or None if there is none."""
    versions = black_box.server.announced.ranges.get(PRODUCE, ())
    return max((version for version in versions if version <= LAST_BY_NAME), default=None)


def _has_topic(black_box: BlackBox) -> bool:
    topic = {"Name": TOPIC, "NumPartitions": 1, "ReplicationFactor": 1, "Assignments": [], "Configs": []}
    value = {"Topics": [topic], "timeoutMs": 5_000, "validateOnly": False}
    created = Asker(black_box.server).ask("CreateTopics", value).get("Topics") or ()
    return any(each["ErrorCode"] in {0, EXISTS} for each in created)


def _request(release: Release, version: int, number: int, records: bytes, acks: int = -1) -> EncodedRequest:
    partition = {"Index": 0, "Records": records}
    value = {"Acks": acks, "TimeoutMs": 1_000, "TopicData": [{"Name": TOPIC, "PartitionData": [partition]}]}
    return request(release, PRODUCE, version, number, completed(_schema(release, version), value))


def _schema(release: Release, version: int) -> MessageSchema:
    return api_schema(release, "request", PRODUCE, version)


def _case(release: Release, version: int, stream: DeadlyStream, asked: EncodedRequest) -> ExchangeCase:
    return ExchangeCase(_schema(release, version), release, stream.name, (asked.wire,), PATH)


def _check(black_box: BlackBox, case: ExchangeCase, stream: DeadlyStream) -> Iterator[Event]:
    verdict, rule, due = stream.verdict, stream.rule, due_of_refusal(stream.verdict)
    reply = black_box.surely(
        partial(black_box.requester.alone, case.frames[0]),
        lambda reply: case.silences(Blame(rule, PATH), reply, number(Expected.RESPONSE, case.schema.version)),
    )
    yield Judged(CATEGORY)
    yield RulesTried.of(SURVIVAL, rule, *verdict.rules)
    yield Replied(case.schema.message, outcome_of(reply))
    outcome = outcome_of_broken(black_box.server.definitions, case.target, due, reply)
    if reply.end is End.SILENT:
        yield Waited(reply.seconds)
        yield case.unanswered(Blame(rule, PATH), reply, number(Expected.RESPONSE, case.schema.version))
    elif judge_outcome(EVERYTHING, case.target, due, outcome).is_wrong:
        yield case.unanswered(Blame(verdict.rules[-1], PATH), reply, REJECTION)
    elif due is LEFT_OPEN:
        yield LeftOpen(verdict.rules, outcome.kind is Kind.VALUE)
    yield from (_blamed(event, case, rule) for event in check_survival(black_box, case))
    black_box.requester.note_answer()


def _blamed(event: Event, case: ExchangeCase, rule: str) -> Event:
    """Return the end of a server after a frame under the rule of its stream."""
    if isinstance(event, Violation) and event.case.wire == case.wire:
        return replace(event, rule=rule, path=PATH)
    return event
