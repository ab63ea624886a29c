"""Messages inside of frames, as record batches and messages between members of consumer groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.value_paths import items_along
from conformance.judge.events import Expectation, Expected, these_bytes, wrote, wrote_such
from conformance.live.capture.frame_verdict import BrokenRule, body_departures
from conformance.targets import RECORD_BATCHES, Body, RecordsField
from conformance.targets.listed import blame_records_bytes
from conformance.targets.plain_values import short_hex
from reference import Result, UnknownMessage
from reference.explained.bodies import ASSIGNMENT, CONSUMER, PREFIX, SUBSCRIPTION
from reference.oracle import ApacheKafka

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.definitions.defining_releases import Definitions
    from conformance.live.capture.frame_verdict import JudgedFrame
    from conformance.targets import Target
    from reference import MessageSchema, RecordsVerdict, Release

RECORDS = "records"
BATCHES_ONLY_FROM = 3
"""The first version of Produce with exactly one batch of magic 2 for each partition."""


class EmbeddedMessage(NamedTuple):
    """A place for a message inside of another, a field without indexes, with `RECORDS` for record batches."""

    path: str
    contents: str


PLACES = {
    "ProduceRequest": (EmbeddedMessage("TopicData.PartitionData.Records", RECORDS),),
    "FetchResponse": (EmbeddedMessage("Responses.Partitions.Records", RECORDS),),
    "ShareFetchResponse": (EmbeddedMessage("Responses.Partitions.Records", RECORDS),),
    "JoinGroupRequest": (EmbeddedMessage("Protocols.Metadata", SUBSCRIPTION),),
    "SyncGroupRequest": (EmbeddedMessage("Assignments.Assignment", ASSIGNMENT),),
}
"""The places by message.

Group messages in responses are left out: a server passes on bytes of members, and is not to blame.
"""


@dataclass(frozen=True)
class Embedded:
    """A message inside of a frame.

    Attributes:
        contents: the message, as in `EmbeddedMessage`.
        path: the field with the message, with indices.
        target: its schema or `records` field; None if no release has it.
        release: the release of its schema; None for records.
        departures: the broken rules.
        unknown: the reason for having no verdict; empty for a judged message.
    """

    contents: str
    path: str
    wire: bytes
    target: Target | None = None
    release: Release | None = None
    departures: tuple[BrokenRule, ...] = ()
    unknown: str = ""

    @property
    def message(self) -> str:
        """The name of the message."""
        return RECORD_BATCHES if self.contents == RECORDS else self.contents

    @property
    def version(self) -> int:
        """The version of the message, 0 for record batches, -1 if the bytes are too short."""
        if self.contents == RECORDS:
            return 0
        return int.from_bytes(self.wire[:PREFIX], signed=True) if len(self.wire) >= PREFIX else -1


def embedded_messages(definitions: Definitions, frame: JudgedFrame, protocol_type: str | None) -> Iterator[Embedded]:
    """Yield the messages in a frame, each with the verdict on it. Its group's protocol type decides, if known."""
    for place in PLACES.get(frame.message, ()):
        if place.contents != RECORDS and protocol_type != CONSUMER:
            continue
        for path, wire in items_along(frame.value, place.path.split(".")):
            if wire and place.contents == RECORDS:
                yield _records(frame, path, wire)
            elif wire:
                yield _prefixed(definitions, place.contents, path, wire)


def _records(frame: JudgedFrame, path: str, wire: bytes) -> Embedded:
    release = frame.release
    target = RecordsField(release.name if release else "")
    verdict = target.observe(wire)
    if verdict.bound_reached:
        return Embedded(RECORDS, path, wire, target, unknown="more comes out of its streams than is read here")
    if frame.direction == "request":
        departures = tuple(_of_produced(verdict, wire, frame.version))
    else:
        departures = tuple(_of_read(verdict, wire)) if verdict.result is Result.INVALID else ()
    return Embedded(RECORDS, path, wire, target, departures=departures)


def _of_read(verdict: RecordsVerdict, wire: bytes) -> Iterator[BrokenRule]:
    """Yield the rules broken by the bytes, as met by a reader."""
    for rule in dict.fromkeys(verdict.rules):
        place = f" at byte {verdict.offset}" if verdict.offset is not None else ""
        seen = wrote_such(f"{verdict.result}{place}: {short_hex(wire)}")
        yield BrokenRule(rule, verdict.path, Expectation(Expected.SOUND_RECORDS), seen)


def _of_produced(verdict: RecordsVerdict, wire: bytes, version: int) -> Iterator[BrokenRule]:
    """Yield rules about its bytes first, then the reason for a broker's refusal."""
    departures = list(_of_read(verdict, wire))
    canonical = verdict.canonical
    # The same records may be compressed in many ways, so only plain batches have bytes to compare with.
    is_plain = verdict.value is not None and all(batch["compression"] == "none" for batch in verdict.value["batches"])
    if not departures and is_plain and canonical is not None and canonical != wire:
        blame = blame_records_bytes(verdict.value or {}, canonical, wire, "record.layout")
        departures.append(BrokenRule(blame.rule, blame.path, these_bytes(canonical), wrote(wire)))
    yield from departures
    broker = verdict.broker
    if version < BATCHES_ONLY_FROM or broker is None or broker.does is ApacheKafka.ACCEPTS:
        return
    if broker.rule not in {departure.rule for departure in departures}:
        seen = wrote_such(f"{broker.exception}: {short_hex(wire)}")
        yield BrokenRule(broker.rule, "", Expectation(Expected.TAKEN_BATCH), seen)


def _prefixed(definitions: Definitions, message: str, path: str, wire: bytes) -> Embedded:
    # The version of a message of the group protocol stands before it.
    version = int.from_bytes(wire[:PREFIX], signed=True)
    found = schema_among(definitions, message, version)
    if len(wire) < PREFIX or found is None:
        return Embedded(message, path, wire, unknown=f"unknown to {definitions}")
    release, schema = found
    departures = tuple(body_departures(schema, wire[PREFIX:]))
    return Embedded(message, path, wire, Body(schema), release, departures)


def schema_among(definitions: Definitions, message: str, version: int) -> tuple[Release, MessageSchema] | None:
    """Return the first release with a message in a version, and its schema, or None if no release has it."""
    for release in definitions.among:
        try:
            return release, release.schema(message, version)
        except UnknownMessage:
            continue
    return None
