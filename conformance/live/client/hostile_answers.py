"""Hostile answers to a client, as hostile bytes of the suite in place of one answer to one API, or of its whole frame.

Only the first answer is replaced. All others are valid, to let a client continue.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.generate.hostile_bodies import hostile_cases
from conformance.generate.value_paths import with_field
from conformance.judge.checks.deadly_streams import deadly_streams
from conformance.live.client.trial import response_schema
from conformance.live.scripted.sockets import LastWords
from conformance.live.server.connection import SIZE
from reference import encode, judge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.definitions.defining_releases import Definitions
    from conformance.generate.origin import ChangedBytes
    from conformance.live.capture.frame_verdict import JudgedFrame
    from conformance.live.client.trial import AskedPair, ChangedBroker
    from reference import MessageSchema
from reference.paths import without_indexes

FRAME = "frame"
FETCH, TOPICS, RECORDS = "Fetch", "Responses", "Responses.Partitions.Records"
THROTTLE, THROTTLE_SIZE = "ThrottleTimeMs", 4
LARGEST = 2**31 - 1
GIBIBYTE = 2**30


@dataclass
class HostileAnswer:
    """One hostile answer.

    Attributes:
        pair: the answered API and version.
        name: the name of the hostile bytes.
        path: the tampered field.
        wire: the body, or all sent bytes if `is_frame`.
        is_frame: whether the bytes are sent without a frame; the connection is closed then, as the rest never comes.
    """

    pair: AskedPair
    name: str
    path: str
    wire: bytes
    is_frame: bool = False
    is_sent: bool = False
    rule: str = ""
    """The rule broken by a client that does not survive it; empty to find it by the bytes."""
    category: ClassVar[str] = "hostile answers"
    kind: ClassVar[str] = "hostile"

    @property
    def full_name(self) -> str:
        """Its name after that of the response."""
        return f"{self.pair}/{self.name}"

    def __call__(self, broker: ChangedBroker, judged: JudgedFrame, value: dict[str, Any]) -> bytes | None:  # noqa: ARG002  # see `Change`
        """Answer the first request of the pair."""
        if self.is_sent or (judged.api_key, judged.version) != self.pair[1:]:
            return None
        self.is_sent = True
        return LastWords(self.wire) if self.is_frame else broker.framed(judged, self.wire)


@dataclass
class HostileRecords(HostileAnswer):
    """The plain answer of a Fetch, with hostile record batches in all of its partitions."""

    records: bytes = b""

    def __call__(self, broker: ChangedBroker, judged: JudgedFrame, value: dict[str, Any]) -> bytes | None:
        """Answer the first request of the pair with partitions."""
        if self.is_sent or (judged.api_key, judged.version) != self.pair[1:] or not value.get(TOPICS):
            return None
        changed = with_field(value, RECORDS, self.records)
        self.is_sent, self.wire = True, encode(response_schema(broker.definitions, self.pair), changed)
        return broker.framed(judged, self.wire)


def hostile_answers(definitions: Definitions, pairs: Sequence[AskedPair], number: int) -> list[HostileAnswer]:
    """Return a number of hostile answers, spread evenly over pairs, and for each pair over the ways to tamper."""
    by_pair = [list(_of_pair(definitions, pair, turn)) for turn, pair in enumerate(pairs)]
    return list(islice(_in_turn(by_pair), number))


def answer_named(definitions: Definitions, pairs: Iterable[AskedPair], name: str) -> HostileAnswer | None:
    """Return the hostile answer with a name, as `MetadataResponse-v12/populated/3/huge`, or None if there is none."""
    for pair in pairs:
        if name.startswith(f"{pair}/"):
            rest = name.removeprefix(f"{pair}/")
            return next((answer for answer in _all(definitions, pair) if answer.name == rest), None)
    return None


def _all(definitions: Definitions, pair: AskedPair) -> Iterator[HostileAnswer]:
    for case, wire in _cases(response_schema(definitions, pair)):
        yield HostileAnswer(pair, case.name, case.path, wire)
    yield from _frames(pair)
    for streams in _streams(pair).values():
        yield from streams


def _streams(pair: AskedPair) -> dict[str, list[HostileAnswer]]:
    """Return the answers with hostile record batches, by codec, for Fetch only."""
    answers: dict[str, list[HostileAnswer]] = defaultdict(list)
    for each in deadly_streams() if pair.api == FETCH else ():
        answer = HostileRecords(pair, f"records/{each.name}", RECORDS, b"", rule=each.rule, records=each.wire)
        answers[each.base].append(answer)
    return answers


def _cases(schema: MessageSchema) -> Iterator[tuple[ChangedBytes, bytes]]:
    """Leave out a throttle time, since a throttled client waits, and would count as one with a hang."""
    is_first = schema.fields[0].name == THROTTLE
    for case in hostile_cases(schema):
        if is_first and len(case.wire) >= THROTTLE_SIZE:
            yield case, bytes(THROTTLE_SIZE) + case.wire[THROTTLE_SIZE:]
        elif not (judge(schema, case.wire).value or {}).get(THROTTLE):
            yield case, case.wire


def _frames(pair: AskedPair) -> Iterator[HostileAnswer]:
    for size in (LARGEST, GIBIBYTE, -1, 0, 3):
        data = SIZE.pack(size) + bytes(min(max(size, 0), 8))
        yield HostileAnswer(pair, f"{FRAME}/size-{size}", "size", data, is_frame=True)


def _of_pair(definitions: Definitions, pair: AskedPair, turn: int) -> Iterator[HostileAnswer]:
    """Yield one answer of each way to tamper in turn. Each pair begins with another way."""
    ways: defaultdict[str, list[HostileAnswer]] = defaultdict(list)
    schema = response_schema(definitions, pair)
    for case, wire in _cases(schema):
        ways[_way(case)].append(HostileAnswer(pair, case.name, case.path, wire))
    ways |= {FRAME: list(_frames(pair)), **_streams(pair)}
    for group in ways.values():
        group[:] = group[turn % len(group) :] + group[: turn % len(group)]
    groups = list(ways.values())
    start = 7 * turn % len(groups)
    return _in_turn(groups[start:] + groups[:start])


def _way(case: ChangedBytes) -> str:
    """Return the way of tampering, without its place."""
    origin = case.origin
    return origin.tampering or f"{without_indexes(origin.path)}={origin.kind or origin.base}"


def _in_turn(groups: Iterable[Iterable[HostileAnswer]]) -> Iterator[HostileAnswer]:
    """Yield the first of each group, then the second of each, and so on."""
    return (answer for answer in chain.from_iterable(zip_longest(*groups)) if answer is not None)
