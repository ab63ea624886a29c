"""Checks a server's announcement of versions.

Ranges are valid, each API has one entry, and a too new version of ApiVersions gets its answer (KIP-511).
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from conformance.judge.case import Judged, RulesTried
from conformance.judge.events import Expectation, Expected, wrote_such
from conformance.live.capture.frame_verdict import TOO_NEW, UNSUPPORTED_VERSION, judge_response
from conformance.live.server.connection import request, sized
from conformance.live.server.exchanges import ExchangeCase
from conformance.live.server.server import CLIENT, OLDEST, announced_in
from conformance.targets import Blame
from conformance.targets.plain_values import short_hex
from reference import api_schema, completed, encode, header_schema
from reference.definitions.header_versions import API_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.definitions.defining_releases import Definitions
    from conformance.judge.case import Event
    from conformance.live.server.black_box import BlackBox
    from conformance.live.server.connection import Reply
    from conformance.live.server.server import Announced
    from reference import MessageSchema, Release

CATEGORY = "announcements"
RANGES = Blame("connection.announced-ranges", "ApiKeys")
NO_SUCH_VERSION = 2**15 - 1
CORRELATION_ID = 11

SOUND_RANGES = Expectation(Expected.ANNOUNCED_ONCE)
VERSION_0 = Expectation(Expected.ERROR_RESPONSE, name="ApiVersionsResponse-v0", numbers=(UNSUPPORTED_VERSION,))

MAXIMUM_PROBLEMS = 100
"""The maximum number of problems shown of one answer's ranges."""


def check_announcement(black_box: BlackBox) -> Iterator[Event]:
    """Check the announcements in every version of ApiVersions, and the answers to too new versions."""
    definitions, announced = black_box.server.definitions, black_box.server.announced
    versions = announced.ranges.get(API_VERSIONS) or range(OLDEST, OLDEST + 1)  # the first question was the oldest one
    for version in definitions.versions(API_VERSIONS):
        release = definitions.release_of(API_VERSIONS, version)
        if version in versions and release is not None:
            yield Judged(CATEGORY)
            yield from _check_version(black_box, release, version)
    yield RulesTried.of(RANGES.rule, TOO_NEW.rule)
    for version in too_new_versions(announced):
        yield Judged(CATEGORY)
        yield from _check_too_new(black_box, version)


def too_new_versions(announced: Announced) -> list[int]:
    """Return the versions of ApiVersions that a server surely lacks. Its newest version may be unknown."""
    versions = announced.ranges.get(API_VERSIONS, range(0))
    after = {versions[-1] + 1} if versions else set()
    return sorted({*after, NO_SUCH_VERSION} - {*versions, NO_SUCH_VERSION + 1})


def _check_version(black_box: BlackBox, release: Release, version: int) -> Iterator[Event]:
    schema = api_schema(release, "request", API_VERSIONS, version)
    asked = request(release, API_VERSIONS, version, CORRELATION_ID, completed(schema, _of(schema)))
    reply = black_box.requester.ask(asked)
    judged = asked.judge(black_box.server.definitions, reply) if reply.is_frame else None
    if judged is None or judged.value is None or judged.schema is None:
        return  # the sound requests report a wrong answer
    case = ExchangeCase(judged.schema, release, "announcement", (asked.wire,), RANGES.path).answered(reply)
    for problem in islice(range_problems(announced_in(judged.value)), MAXIMUM_PROBLEMS):
        yield case.violation(RANGES, wrote_such(problem), SOUND_RANGES, "frame")


def _of(schema: MessageSchema) -> dict[str, str]:
    return {field.name: CLIENT[field.name] for field in schema.fields if field.name in CLIENT}


def range_problems(announced: Announced) -> Iterator[str]:
    """Yield the problems of an announcement's ranges."""
    for api_key, times in Counter(entry.api_key for entry in announced.entries).items():
        if times > 1:
            yield f"API key {api_key} is announced {times} times"
    for entry in announced.entries:
        if not 0 <= entry.lowest <= entry.highest:
            yield f"API key {entry.api_key} is announced with versions {entry.lowest} to {entry.highest}"


def _check_too_new(black_box: BlackBox, version: int) -> Iterator[Event]:
    """Check that a too new version gets version 0 of the response with error 35, unless the server has it after all."""
    definitions = black_box.server.definitions
    release, written = definitions.release_of(API_VERSIONS, version), version
    if release is None:  # a client has such a version, and nobody here knows its body
        release = definitions.among[0]
        written = release.definition("ApiVersionsRequest").valid_versions.highest
    schema = release.schema("ApiVersionsRequest", written)
    header = {"RequestApiKey": API_VERSIONS, "RequestApiVersion": version, "CorrelationId": CORRELATION_ID}
    head = header_schema(release, "request", API_VERSIONS, written)
    wire = sized(
        encode(head, completed(head, {**header, "ClientId": "kafka"})) + encode(schema, completed(schema, _of(schema)))
    )
    oldest = release.schema("ApiVersionsResponse", OLDEST)
    case = ExchangeCase(oldest, release, f"version {version}", (wire,), TOO_NEW.path)
    reply = black_box.surely(
        partial(black_box.requester.alone, wire), lambda reply: case.silences(TOO_NEW, reply, VERSION_0)
    )
    if not reply.is_frame:
        yield case.unanswered(TOO_NEW, reply, VERSION_0)
        return
    black_box.requester.note_answer()
    if _is_of_version(definitions, version, reply):
        return
    judged = judge_response(definitions, API_VERSIONS, OLDEST, reply.payload)
    if judged.departures or judged.value is None or judged.value["ErrorCode"] != UNSUPPORTED_VERSION:
        yield case.answered(reply).violation(TOO_NEW, wrote_such(short_hex(reply.payload)), VERSION_0, "frame")


def _is_of_version(definitions: Definitions, version: int, reply: Reply) -> bool:
    judged = judge_response(definitions, API_VERSIONS, version, reply.payload)
    if judged.version != version or judged.value is None or judged.departures:
        return False
    return not judged.value["ErrorCode"]
