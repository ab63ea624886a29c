"""The judgement on a whole capture, of every frame and every message in it, beside known failures.

A case is judged again from its bytes alone, without an implementation.
"""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from msgspec import UnsetType

from conformance.judge.case import Case, Judged, RulesTried, Violation
from conformance.judge.events import Expected, number, wrote_such
from conformance.judge.findings.lines import Run, Seen
from conformance.judge.recording import ItemRecord, KnownIndex
from conformance.judge.subject import Subject
from conformance.live.capture.conversation import SASL_TOKEN, UNASKED, Conversation, SeenFrame, header_target
from conformance.live.capture.embedded import schema_among
from conformance.live.capture.frame_verdict import BrokenRule
from conformance.system.shell import path_word
from conformance.targets import RECORD_BATCHES, Blame, Body, RecordsField
from conformance.targets.outcome import Kind
from reference.definitions.header_versions import API_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from conformance.definitions.defining_releases import Definitions
    from conformance.judge.case import Event
    from conformance.judge.findings.known_failures import KnownFailure
    from conformance.judge.forms import CaseForm
    from conformance.live.capture.capture import CapturedFrame, Side
    from conformance.live.capture.embedded import Embedded
    from conformance.targets import Target
    from reference import MessageSchema

CATEGORIES = {"client": "request frames", "server": "response frames"}
EMBEDDED = "messages in frames"
NOT_ANNOUNCED = "connection.announced-version"

WRITTEN = "encode"
"""The direction of every finding in a capture, as some program wrote the bytes."""


class UnjudgedFrame(NamedTuple):
    """Frames without a verdict, and the reason."""

    what: str
    why: str


@dataclass
class FrameCounts:
    """The counts of a message in one version."""

    frames: int = 0
    canonical: int = 0
    departing: int = 0
    unknown: int = 0

    def add(self, *, departs: bool, unknown: bool) -> None:
        """Count one more."""
        self.frames += 1
        self.departing += departs
        self.unknown += unknown and not departs
        self.canonical += not departs and not unknown


LOOKED_AT = 8
"""The number of frames of a message version whose rules are counted as tried; further frames repeat them."""


HELD = 100
"""The number of responses of a connection that wait for its first request."""

ONE_DIRECTION = "no frame of the client before it"


class Writer(Subject):
    """The writer of frames, read by the schemas of `definitions`, of which those of the first release decide."""

    definitions: Definitions

    def case_of(self, form: CaseForm) -> Case:
        """Return the case of a frame."""
        return seen_from(form, self.definitions)


@dataclass
class CaptureSubject(Writer):
    """The writers of a capture, a client and a broker. `impl` is the name of the file."""

    kind = "capture"

    impl: str
    definitions: Definitions

    def __post_init__(self) -> None:
        self.release = self.definitions.among[0]

    def about(self, **facts: Any) -> Run:
        """Return the first event of a report."""
        return super().about(capture=self.impl, **facts)


@dataclass
class CaptureJudge:
    """Takes the frames of a capture in their order.

    Attributes:
        known_failures: the entries about this release.
        side: the side with judged frames; None for both.
        announced: the versions announced to clients, by API key; None if unknown.
    """

    subject: Writer
    known_failures: Sequence[KnownFailure] = ()
    side: Side | None = None
    announced: Mapping[int, range] | None = None
    counts: dict[tuple[str, int], FrameCounts] = field(default_factory=dict)
    """By message and version."""
    connections: dict[int, Conversation] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.results = self.subject.results(self.known_failures)
        self._known = KnownIndex(self.known_failures)
        # By category of frames, and by pair.
        self._items: dict[tuple[str, str], ItemRecord] = {}
        self._unknown: Counter[tuple[str, str]] = Counter()
        self._groups: dict[str, str] = {}
        # The first responses of connections without any request so far.
        self._early: defaultdict[int, list[SeenFrame]] = defaultdict(list)

    def take_all(self, frames: Iterable[CapturedFrame]) -> Iterator[SeenFrame]:
        """Take frames, and yield each with the verdict on it."""
        for frame in frames:
            yield self.take(frame)

    def take(self, frame: CapturedFrame) -> SeenFrame:
        """Take one frame, and return the verdict on it."""
        if frame.connection not in self.connections:
            self.connections[frame.connection] = Conversation(self.subject.definitions, self._groups)
        conversation = self.connections[frame.connection]
        seen = self._with_range(conversation.take(frame))
        if seen.unknown == UNASKED and not conversation.has_requests:
            return self._hold(seen)
        if frame.sender == "client":
            for early in self._early.pop(frame.connection, ()):
                self._judge(early)
        self._judge(seen)
        return seen

    def _hold(self, early: SeenFrame) -> SeenFrame:
        """Keep a response until the first request of its connection, which may have one direction alone."""
        held = self._early[early.frame.connection]
        if len(held) < HELD:
            held.append(early)
        else:
            self._judge(_of_one_direction(early))
        return _of_one_direction(early)

    def _judge(self, seen: SeenFrame) -> None:
        if self.side not in {None, seen.frame.sender}:
            return
        self._count(seen)
        category = CATEGORIES[seen.frame.sender]
        self._record(category, "" if seen.unknown else str(seen.judged or ""), self._events_of(seen))
        for inner in seen.embedded:
            has_pair = not inner.unknown and inner.message != RECORD_BATCHES
            pair = f"{inner.message}-v{inner.version}" if has_pair else ""
            self._record(EMBEDDED, pair, (Judged(EMBEDDED), *_violations_in(seen, inner)))

    def _with_range(self, seen: SeenFrame) -> SeenFrame:
        """Return a request with its departure if its version was not announced."""
        judged = seen.judged
        if self.announced is None or judged is None or judged.direction != "request" or judged.api_key == API_VERSIONS:
            return seen
        versions = self.announced.get(judged.api_key, range(0))
        if judged.version in versions:
            return seen
        expected = number(Expected.ANNOUNCED_VERSION, *((versions[0], versions[-1]) if versions else ()))
        wrong = BrokenRule(NOT_ANNOUNCED, "header", expected, wrote_such(f"version {judged.version} of {judged.name}"))
        return replace(seen, departures=(*seen.departures, wrong))

    def _record(self, category: str, pair: str, events: Iterable[Event]) -> None:
        self._items.setdefault((category, pair), ItemRecord(self._known)).judge(events)

    def _events_of(self, seen: SeenFrame) -> Iterator[Event]:
        if seen.departures or not seen.unknown:
            yield Judged(CATEGORIES[seen.frame.sender])
        if seen.judged is not None and self.counts[seen.name, seen.version].frames <= LOOKED_AT:
            yield RulesTried(seen.judged.tried)
        yield from _violations_of_frame(seen)

    def _count(self, seen: SeenFrame) -> None:
        self._add(seen.name, seen.version, seen)
        for inner in seen.embedded:
            self._add(inner.message, inner.version, inner)

    def _add(self, name: str, version: int, one: SeenFrame | Embedded) -> None:
        counts = self.counts.setdefault((name, version), FrameCounts())
        counts.add(departs=bool(one.departures), unknown=bool(one.unknown))
        if one.unknown:
            self._unknown[name if version < 0 or name == RECORD_BATCHES else f"{name}-v{version}", one.unknown] += 1

    def close(self) -> None:
        """Add up the verdicts, once all frames are taken."""
        for seen in chain.from_iterable(self._early.values()):
            self._judge(_of_one_direction(seen))
        self._early.clear()
        for (category, pair), item in self._items.items():
            self.results.add(category, item.result(), pair)

    @property
    def untested(self) -> list[UnjudgedFrame]:
        """The frames without a verdict, by name."""
        return [
            UnjudgedFrame(f"{name} ({count:,} frame{'s' if count > 1 else ''})", why)
            for (name, why), count in sorted(self._unknown.items())
        ]

    @property
    def unanswered(self) -> int:
        """The number of requests without a response."""
        return sum(len(conversation.unanswered) for conversation in self.connections.values())

    @property
    def unmet(self) -> list[KnownFailure]:
        """The known failures of written bytes without a match in the capture, as it cannot show others."""
        met = set(self.results.known)
        entries = enumerate(self.results.known_failures)
        return [entry for index, entry in entries if index not in met and entry.outcome == str(Kind.BYTES)]

    def events(self) -> Iterator[Seen]:
        """Yield an event for each message version, for reports."""
        for (message, version), counts in sorted(self.counts.items()):
            yield Seen(message, version, **vars(counts))


def _of_one_direction(seen: SeenFrame) -> SeenFrame:
    """Return a response of a connection without requests, which nobody can judge."""
    return replace(seen, departures=(), unknown=ONE_DIRECTION)


def violations_of(seen: SeenFrame) -> Iterator[Violation]:
    """Yield the violations of a frame, then those of the messages in it."""
    yield from _violations_of_frame(seen)
    for inner in seen.embedded:
        yield from _violations_in(seen, inner)


def _violations_of_frame(seen: SeenFrame) -> Iterator[Violation]:
    schema = seen.judged.schema if seen.judged else None
    target = Body(schema or header_target(seen.frame.sender))
    payload = b"" if seen.name == SASL_TOKEN else seen.frame.payload  # it may have a password
    for departure in seen.departures:
        yield SeenCase(target, payload, seen.frame.number, "", departure.path).violated(departure)


def _violations_in(seen: SeenFrame, inner: Embedded) -> Iterator[Violation]:
    if inner.target is None:
        return
    for departure in inner.departures:
        yield SeenCase(inner.target, inner.wire, seen.frame.number, inner.path, departure.path).violated(departure)


NOT_KEPT = "FILE"
"""What a replay line has for a capture that `--capture` would have kept."""


@dataclass(frozen=True)
class SeenCase(Case):
    """A frame of a capture, or a message in it.

    Attributes:
        of: the message.
        data: the frame without its size, or the bytes of the message in it.
        within: the field with the message; empty for the frame itself.
        path: the wrong field.
    """

    kind: ClassVar[str] = "seen"

    of: Target
    data: bytes
    frame: int
    within: str = ""
    path: str = ""

    @property
    def name(self) -> str:
        """The number of the frame, and the field with the message."""
        return f"frame {self.frame}" + (f", {self.within}" if self.within else "")

    @property
    def target(self) -> Target:
        """The message."""
        return self.of

    @property
    def wire(self) -> bytes:
        """The bytes."""
        return self.data

    def extras(self) -> dict[str, Any]:
        """Return the place in the capture."""
        return {"frame": self.frame, "within": self.within}

    def replay_line(self, impl: str, options: Sequence[str], direction: str) -> str:  # noqa: ARG002  # as `Case` says
        """Return the command to show the frame, or its bytes for a client's frame in no file (`NOT_KEPT`)."""
        if impl == NOT_KEPT and not self.within:
            return f"kafka-conformance explain --without-size --frame {self.data.hex()}"
        file = path_word(impl)
        return shlex.join(["kafka-conformance", "judge", file, "--frame", str(self.frame), *options])

    def violated(self, departure: BrokenRule) -> Violation:
        """Return a departure as a violation in this case."""
        return self.violation(
            Blame(departure.rule, departure.path), departure.observation, departure.expectation, WRITTEN
        )


def seen_from(form: CaseForm, definitions: Definitions) -> SeenCase:
    """Return a case of a capture from its form.

    Raises:
        UnknownMessage: no release has the message.
        TypeError: the form is of another kind.
    """
    if isinstance(form.frame, UnsetType) or isinstance(form.within, UnsetType):
        raise TypeError("a case of a capture has a frame")
    message = form.message
    target = RecordsField() if message == RECORD_BATCHES else Body(_schema(message, form.version, definitions))
    return SeenCase(target, bytes.fromhex(form.wire), form.frame, form.within, form.path)


def _schema(message: str, version: int, definitions: Definitions) -> MessageSchema:
    found = schema_among(definitions, message, version)
    return definitions.among[0].schema(message, version) if found is None else found[1]
