"""A case of a server: the frames that were sent to it, and what they are about."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from itertools import groupby, islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from msgspec import UNSET

from conformance.codec.outcome import Kind, Outcome
from conformance.codec.targets import WholeFrame
from conformance.definitions.named import release_of
from conformance.judge.case import Case
from conformance.judge.events import Noted
from conformance.judge.forms import EXCHANGE
from conformance.judge.standing import Blame
from conformance.live.server.black_box import BROKER
from conformance.live.server.connection import End
from conformance.report.files.found_cases import SUFFIX, BadFoundCase, FoundCase, read_form
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from conformance.judge.case import Violation
    from conformance.judge.events import Expectation
    from conformance.judge.forms import CaseForm
    from conformance.live.capture.frame_verdict import JudgedFrame
    from conformance.live.server.connection import Reply
    from conformance.live.server.requester import SentFrame
    from reference import MessageSchema, Release

START = "--start"
UNAUTHENTICATED = "--unauthenticated"
"""Options of `kafka-conformance broker`."""

LONGEST = 50_000
"""Bytes of frames that a command line has, in hex; systems allow some more."""

OF_LONG_FRAMES = "server_limits or server_produced_streams"
"""The tests that send longer ones."""

KEPT = 2**16
"""Bytes of an answer that a case has; the report of a run, and the text of a finding, are no place for more."""

OF_SERVERS = ("release", "frames", "connections", "times", "is_authenticated", "answer", "is_whole")
"""The members of a form that a case of a server needs."""

OUTCOMES = {
    End.FRAME: Kind.VALUE,
    End.CLOSED: Kind.REJECTED,
    End.SILENT: Kind.TIMED_OUT,
    End.NO_FRAME: Kind.BYTES,
}
"""A reply in the words of outcomes: an answer to what must be refused is a value."""


def outcome_of(reply: Reply) -> Outcome:
    """Return a reply as an outcome."""
    return Outcome(OUTCOMES[reply.end], text=str(reply.end))


def came(reply: Reply) -> Noted:
    """Return a reply as an observation."""
    return Noted(str(OUTCOMES[reply.end]), str(reply))


class Answer(NamedTuple):
    """What a server sent."""

    wire: bytes = b""
    """A frame without its size, or if it is not whole all that came."""
    is_whole: bool = False


NOTHING = Answer()


@dataclass(frozen=True)
class ExchangeCase(Case):
    """Frames that were sent to a server, one after another.

    Attributes:
        schema: the message that it is about: the last request, or the response to it.
        release: the release by which it is judged.
        name: what was sent.
        frames: the bytes, sizes included, as they were sent: several frames, or pieces of one, may have gone together.
        path: the field that it is about.
        connections: how many of them went over each connection; empty: all over one.
        times: how often all of it was sent.
        is_authenticated: whether the connections were authenticated, if the server asks for it.
        answer: what came for the last frame, of which the case tells; empty if nothing came.
    """

    kind: ClassVar[str] = EXCHANGE
    schema: MessageSchema
    release: Release
    name: str
    frames: tuple[bytes, ...]
    path: str = ""
    connections: tuple[int, ...] = ()
    times: int = 1
    is_authenticated: bool = True
    answer: Answer = NOTHING

    @property
    def target(self) -> WholeFrame:
        """The frame of the message."""
        return WholeFrame(self.schema, self.release)

    @property
    def wire(self) -> bytes:
        """The bytes that were sent."""
        return b"".join(self.frames)

    @property
    def by_connection(self) -> tuple[tuple[bytes, ...], ...]:
        """What was sent on each connection."""
        frames = iter(self.frames)
        return tuple(tuple(islice(frames, count)) for count in self.connections or (len(self.frames),))

    def extras(self) -> dict[str, Any]:
        """Return the frames apart, how they were sent, and the release that defines them."""
        return {
            "frames": [frame.hex() for frame in self.frames],
            "connections": list(self.connections),
            "times": self.times,
            "is_authenticated": self.is_authenticated,
            "answer": self.answer.wire.hex(),
            "is_whole": self.answer.is_whole,
            "release": self.release.name,
        }

    def answered(self, reply: Reply) -> ExchangeCase:
        """Return the case with what came, or its beginning."""
        return replace(self, answer=Answer(reply.payload[:KEPT], reply.is_frame))

    def saying(self, sent: Sequence[SentFrame]) -> ExchangeCase:
        """Return the case of these frames, each connection as it was."""
        connections = tuple(len(list(group)) for _, group in groupby(sent, key=attrgetter("connection")))
        return replace(self, frames=tuple(each.data for each in sent), connections=connections)

    def replay_line(self, impl: str, options: Sequence[str], direction: str) -> str:  # noqa: ARG002  # of any direction
        """Return the command that sends the frames again: to the address, or to a server that the options start.

        Frames that are too long for a command line are those of two tests, which are run again.
        """
        words = ["kafka-conformance", "broker", *([] if START in options else [impl.removeprefix(BROKER)]), *options]
        if len(self.wire) > LONGEST:
            return shlex.join([*words, "--throw-away", "-k", OF_LONG_FRAMES])
        words += [] if self.is_authenticated else [UNAUTHENTICATED]
        words += ["--times", str(self.times)] if self.times > 1 else []
        for frames in self.by_connection:
            words += ["--send", ",".join(frame.hex() for frame in frames)]
        return shlex.join(words)

    def unanswered(self, blame: Blame, reply: Reply, expectation: Expectation) -> Violation:
        """Return the violation by a reply that is not what it should be."""
        return self.answered(reply).violation(blame, came(reply), expectation, "frame")


def departures(case: ExchangeCase, judged: JudgedFrame) -> Iterator[Violation]:
    """Yield the violations by a frame that departs from its definition."""
    for departure in judged.departures:
        blame = Blame(departure.rule, departure.path)
        yield case.violation(blame, departure.observation, departure.expectation, "frame")


def exchange_from(form: CaseForm) -> ExchangeCase:
    """Return the case of a form.

    Raises:
        ConformanceError: there is no such release or message.
        TypeError: it lacks what a case of a server has.
    """
    missing = [name for name in OF_SERVERS if getattr(form, name) is UNSET]
    if missing:
        raise TypeError(f"a case of a server has `{missing[0]}`")
    release = release_of(form.release)  # type: ignore[arg-type]
    schema = release.schema(form.message, form.version)
    frames = tuple(bytes.fromhex(frame) for frame in form.frames)  # type: ignore[union-attr]
    how = tuple(form.connections), form.times, form.is_authenticated  # type: ignore[arg-type]
    answer = Answer(bytes.fromhex(form.answer), form.is_whole)  # type: ignore[arg-type]
    return ExchangeCase(schema, release, form.case, frames, form.path, *how, answer)  # type: ignore[arg-type]


def load_found_exchanges(folder: Path) -> Iterator[FoundCase[ExchangeCase]]:
    """Yield the found cases of servers in a folder, by name; those of codecs are left out.

    Raises:
        BadFoundCase: a JSON file in it is none.
    """
    for file in sorted(folder.glob(f"*{SUFFIX}")):
        if read_form(file).kind == ExchangeCase.kind:
            yield FoundCase(file, read_found_exchange(file))


def read_found_exchange(file: Path) -> ExchangeCase:
    """Return the found case of a server in a file.

    Raises:
        BadFoundCase: it is none.
    """
    form = read_form(file)
    if form.kind != ExchangeCase.kind:
        raise BadFoundCase(f"{file} is a case of a codec: run it by kafka-conformance replay --case {file}")
    try:
        return exchange_from(form)
    except (ValueError, TypeError, KeyError, ConformanceError) as error:
        raise BadFoundCase(f"{file}: frames of {form.message}-v{form.version} cannot be read: {error}") from error
