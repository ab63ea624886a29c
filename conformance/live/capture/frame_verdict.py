"""The verdict on one frame written by a black box, given without its size.

Header and body must be canonical, as readable bytes are not enough for a writer. The values in a canonical body are
judged by `constraints.py`.

    judged = judge_request(definitions, bytes.fromhex("0012000000000007000261fa"))
    judged.departures   # the client id is no UTF-8: a BrokenRule with its rule
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from conformance.definitions.catalogue import catalogue
from conformance.judge.blame.body_rules import blame_bytes
from conformance.judge.checks.tried_rules import rules_of_layout
from conformance.judge.events import Expectation, Expected, number, these_bytes, wrote, wrote_such
from conformance.live.capture.constraints import constraints_of
from conformance.targets import Blame
from conformance.targets.plain_values import short_hex, short_repr
from reference import MessageSchema, Release, Result, frame_spans, judge, load_release, newest_release
from reference.explained.frames import KEY_AND_VERSION, SIZE
from reference.headers import REQUEST_HEADER, RESPONSE_HEADER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from conformance.definitions.defining_releases import Definitions
    from conformance.judge.events import Observation
    from reference import FrameDirection, Verdict

UNSUPPORTED_VERSION = 35
"""The error code in a server's answer to an unknown version of ApiVersions, written in version 0 (KIP-511)."""

TOO_NEW = Blame("connection.version-too-new", "ErrorCode")
NOTHING_ELSE = "message.nothing-else"
HEADER_RULES = {"request": "header.request-version", "response": "header.response-version"}
HEADERS = {"request": REQUEST_HEADER, "response": RESPONSE_HEADER}


@dataclass(frozen=True)
class BrokenRule:
    """A rule of the catalogue broken by a writer, in a field, or in `header`."""

    rule: str
    path: str
    expectation: Expectation
    observation: Observation


@dataclass(frozen=True)
class JudgedFrame:
    """One frame and the contents of its bytes.

    Attributes:
        api_key: -1 if the frame is too short.
        version: -1 likewise.
        release: the release of its schemas; None if none has this version.
        payload: its bytes, without the size.
        header: the header's value; None if it is unreadable.
        value: the body's value; None if it is unreadable.
        departures: the broken rules; none without a verdict.
        unknown: the reason for having no verdict; empty for a judged frame.
        asked: the requested version, if a response is read in another one; else None.
    """

    direction: FrameDirection
    api_key: int
    version: int
    release: Release | None = None
    schema: MessageSchema | None = None
    payload: bytes = b""
    header: dict[str, Any] | None = None
    value: dict[str, Any] | None = None
    departures: tuple[BrokenRule, ...] = ()
    unknown: str = ""
    asked: int | None = None
    name: str = field(default="", compare=False)

    @property
    def correlation_id(self) -> int | None:
        """The correlation id, or None if the header is unreadable."""
        return None if self.header is None else self.header["CorrelationId"]

    @property
    def message(self) -> str:
        """The message, as `MetadataRequest`. The name of an unknown API has its key."""
        return self.name + self.direction.capitalize()

    @property
    def tried(self) -> frozenset[str]:
        """The rules of writers kept by the frame, about its bytes and its fields, or none if it breaks any."""
        if self.release is None or self.schema is None or self.departures:
            return frozenset()
        wire = len(self.payload).to_bytes(SIZE) + self.payload
        rules = {span.rule for span in frame_spans(self.release, self.schema, wire)}
        rules.update((HEADER_RULES[self.direction], *rules_of_layout(self.schema)))
        of_values = {constraint.rule for constraint in constraints_of(self.schema)}
        return frozenset(rule for rule in rules if catalogue()[rule].side == "encode") | of_values

    def __str__(self) -> str:
        return f"{self.message}-v{self.version}"


def judge_request(definitions: Definitions, payload: bytes) -> JudgedFrame:
    """Return the verdict on a request, whose header has the API and the version."""
    if len(payload) < KEY_AND_VERSION:
        short = BrokenRule("input.truncated", "header", Expectation(Expected.REQUEST_HEADER), wrote(payload))
        return JudgedFrame("request", -1, -1, payload=payload, departures=(short,), name="?")
    api_key = int.from_bytes(payload[:2], signed=True)
    version = int.from_bytes(payload[2:KEY_AND_VERSION], signed=True)
    return _judged(definitions, JudgedFrame("request", api_key, version, payload=payload))


def received(definitions: Definitions, judged: JudgedFrame) -> JudgedFrame:
    """Return a judged request as a server reads it, by the header of its version alone.

    The verdict on a frame is by the header that its writer seems to have written.
    """
    header = definitions.header("request", judged.api_key, judged.version)
    return judged if header is None or judged.schema is None else _read(judged, header, judged.schema)


def judge_response(definitions: Definitions, api_key: int, version: int, payload: bytes) -> JudgedFrame:
    """Return the verdict on a response without its size, by API key and version of the request.

    Clients may read the response in another version.
    """
    read = definitions.version_of_answer(api_key, version, payload)
    frame = _judged(definitions, JudgedFrame("response", api_key, read, payload=payload))
    return frame if read == version else _in_another_version(frame, version)


def _in_another_version(frame: JudgedFrame, asked: int) -> JudgedFrame:
    # A broker writes version 0 only with one error code; anything else is wrong.
    error = (frame.value or {}).get("ErrorCode")
    if error == UNSUPPORTED_VERSION:
        return replace(frame, asked=asked)
    expected = number(Expected.RESPONSE_OR_ERROR, asked, frame.version, UNSUPPORTED_VERSION)
    wrong = BrokenRule(*TOO_NEW, expected, wrote_such(f"version {frame.version} with error code {error}"))
    return replace(frame, asked=asked, departures=(wrong,))


def _judged(definitions: Definitions, frame: JudgedFrame) -> JudgedFrame:
    frame = replace(frame, name=definitions.name(frame.api_key))
    release = definitions.release_of(frame.api_key, frame.version)
    header = definitions.header(frame.direction, frame.api_key, frame.version)
    body = definitions.body(frame.direction, frame.api_key, frame.version)
    if release is None or header is None or body is None:
        return replace(frame, unknown=f"unknown to {definitions}")
    frame = replace(frame, release=release, schema=body)
    read = _read(frame, header, body)
    if not read.departures:
        return replace(read, departures=tuple(value_departures(body, read.value or {})))
    # With a header of another version the body begins elsewhere and seems broken, so the header is blamed first.
    for other in _other_headers(frame.direction, header):
        if not _read(frame, other, body).departures:
            expected, seen = number(Expected.HEADER_VERSION, header.version), f"header version {other.version}"
            wrong = BrokenRule(HEADER_RULES[frame.direction], "header", expected, wrote_such(seen))
            return replace(_read(frame, other, body), departures=(wrong,))
    return read


def _other_headers(direction: FrameDirection, header: MessageSchema) -> Iterator[MessageSchema]:
    """Yield the headers of other versions, to recognize one written by mistake."""
    release = load_release(newest_release())
    name = HEADERS[direction]
    for version in release.definition(name).valid_versions:
        if version != header.version:
            yield release.schema(name, version)


def _read(frame: JudgedFrame, header: MessageSchema, body: MessageSchema) -> JudgedFrame:
    verdict = judge(header, frame.payload)
    if verdict.consumed is None or verdict.value is None:
        return replace(frame, departures=(_unreadable(header, verdict, frame.payload, "header"),))
    wire, rest = frame.payload[: verdict.consumed], frame.payload[verdict.consumed :]
    departures = [*_departures(header, judge(header, wire), wire, "header"), *body_departures(body, rest)]
    return replace(frame, header=verdict.value, value=judge(body, rest).value, departures=tuple(departures))


def body_departures(body: MessageSchema, wire: bytes) -> Iterator[BrokenRule]:
    """Yield the departures of bytes from a written body."""
    verdict = judge(body, wire)
    end = verdict.consumed
    if end is not None and end < len(wire):
        more = wrote_such(f"{len(wire) - end} bytes more: {short_hex(wire[end:])}")
        yield BrokenRule(NOTHING_ELSE, "", number(Expected.NOTHING_AFTER, end), more)
        wire = wire[:end]
        verdict = judge(body, wire)
    yield from _departures(body, verdict, wire, "")


def value_departures(schema: MessageSchema, value: Mapping[str, Any]) -> Iterator[BrokenRule]:
    """Yield the broken constraints on the values of a message, once each, with the first field outside of it."""
    for constraint in constraints_of(schema):
        for path, found, _ in islice(constraint.broken_in(schema, value), 1):
            expectation = Expectation(Expected.ALLOWED_VALUE, name=constraint.asked)
            yield BrokenRule(constraint.rule, path, expectation, wrote_such(short_repr(found)))


def _departures(schema: MessageSchema, verdict: Verdict, wire: bytes, place: str) -> Iterator[BrokenRule]:
    if verdict.value is None:
        yield _unreadable(schema, verdict, wire, place)
        return
    canonical = verdict.canonical
    if canonical is None:
        yield BrokenRule(verdict.rules[0], place or verdict.path, Expectation(Expected.WRITABLE_VALUE), wrote(wire))
    elif canonical != wire:
        blame = blame_bytes(schema, verdict.value, canonical, wire)
        yield BrokenRule(blame.rule, place or blame.path, these_bytes(canonical), wrote(wire))


def _unreadable(schema: MessageSchema, verdict: Verdict, wire: bytes, place: str) -> BrokenRule:
    where = f" at byte {verdict.offset}" if verdict.offset is not None else ""
    certainty = "invalid" if verdict.result is Result.INVALID else "refused by Apache Kafka"
    message = Expectation(Expected.MESSAGE, name=str(schema))
    seen = wrote_such(f"{certainty}{where}: {short_hex(wire)}")
    return BrokenRule(verdict.rules[-1], place or verdict.path, message, seen)
