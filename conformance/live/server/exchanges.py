"""A case of a server, by the frames sent to it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from itertools import groupby, islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from msgspec import UNSET

from conformance.definitions.named import release_of
from conformance.judge.case import Case
from conformance.judge.events import Noted
from conformance.judge.forms import EXCHANGE
from conformance.live.server.black_box import BROKER
from conformance.live.server.connection import End
from conformance.report.files.found_cases import SUFFIX, BadFoundCase, FoundCase, read_form
from conformance.targets import Blame, WholeFrame
from conformance.targets.outcome import Kind, Outcome
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
"""The maximum of bytes of frames on a command line, written in hex; systems allow some more."""

OF_LONG_FRAMES = "server_limits or server_produced_streams"
"""The tests with longer ones."""

KEPT = 2**16
"""The maximum of bytes of an answer in a case; more would be too much for a report and the text of a finding."""

OF_SERVERS = ("release", "frames", "connections", "times", "is_authenticated", "answer", "is_whole")
"""The required members of a server's form."""

OUTCOMES = {
    End.FRAME: Kind.VALUE,
    End.CLOSED: Kind.REJECTED,
    End.SILENT: Kind.TIMED_OUT,
    End.NO_FRAME: Kind.BYTES,
}
"""The outcomes by the end of a reply; an answer in place of a refusal is a value."""


def outcome_of(reply: Reply) -> Outcome:
    """Return a reply as an outcome."""
    return Outcome(OUTCOMES[reply.end], text=str(reply.end))


def came(reply: Reply) -> Noted:
    """Return a reply as an observation."""
    return Noted(str(OUTCOMES[reply.end]), str(reply))


class Answer(NamedTuple):
    """The bytes from a server."""

    wire: bytes = b""
    """A frame without its size, or else all received bytes."""
    is_whole: bool = False


NOTHING = Answer()


@dataclass(frozen=True)
class ExchangeCase(Case):
    """Frames sent to a server, one after another.

    Attributes:
        schema: the message of the case, the last request or the response to it.
        frames: the sent bytes, sizes included; each piece may have several frames, or a part of one.
        path: the field of the case.
        connections: the number of pieces for each connection; empty for one connection.
        times: the number of repetitions of all of it.
        is_authenticated: whether the connections were authenticated, if the server asks for it.
        answer: the answer to the last frame; empty without one.
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
        """The sent bytes."""
        return b"".join(self.frames)

    @property
    def by_connection(self) -> tuple[tuple[bytes, ...], ...]:
        """The sent pieces of each connection."""
        frames = iter(self.frames)
        return tuple(tuple(islice(frames, count)) for count in self.connections or (len(self.frames),))

    def extras(self) -> dict[str, Any]:
        """Return the frames one by one, the way of sending them, and their release."""
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
        """Return the case with the received bytes, or their beginning."""
        return replace(self, answer=Answer(reply.payload[:KEPT], reply.is_frame))

    def with_frames(self, sent: Sequence[SentFrame]) -> ExchangeCase:
        """Return the case of these frames, with their connections."""
        connections = tuple(len(list(group)) for _, group in groupby(sent, key=attrgetter("connection")))
        return replace(self, frames=tuple(each.data for each in sent), connections=connections)

    def replay_line(self, impl: str, options: Sequence[str], direction: str) -> str:  # noqa: ARG002  # of any direction
        """Return the command that sends the frames again, with the address, or the options to start a server."""
        words = ["kafka-conformance", "broker", *([] if START in options else [impl.removeprefix(BROKER)]), *options]
        # Frames too long for a command line come from two tests, which run again.
        if len(self.wire) > LONGEST:
            return shlex.join([*words, "--throw-away", "-k", OF_LONG_FRAMES])
        words += [] if self.is_authenticated else [UNAUTHENTICATED]
        words += ["--times", str(self.times)] if self.times > 1 else []
        for frames in self.by_connection:
            words += ["--send", ",".join(frame.hex() for frame in frames)]
        return shlex.join(words)

    def silences(self, blame: Blame, reply: Reply, expectation: Expectation) -> list[Violation]:
        """Return the violation by silence, if the reply is silence."""
        return [self.unanswered(blame, reply, expectation)] if reply.end is End.SILENT else []

    def unanswered(self, blame: Blame, reply: Reply, expectation: Expectation) -> Violation:
        """Return the violation by a wrong reply."""
        return self.answered(reply).violation(blame, came(reply), expectation, "frame")


def departures(case: ExchangeCase, judged: JudgedFrame) -> Iterator[Violation]:
    """Yield the violations by a frame with departures from its definition."""
    for departure in judged.departures:
        blame = Blame(departure.rule, departure.path)
        yield case.violation(blame, departure.observation, departure.expectation, "frame")


def exchange_from(form: CaseForm) -> ExchangeCase:
    """Return the case of a form.

    Raises:
        ConformanceError: there is no such release or message.
        TypeError: a member required for a server's case is missing.
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
    """Yield the found cases of servers in a folder, by name, without those of codecs, or raise BadFoundCase."""
    for file in sorted(folder.glob(f"*{SUFFIX}")):
        if read_form(file).kind == ExchangeCase.kind:
            yield FoundCase(file, read_found_exchange(file))


def read_found_exchange(file: Path) -> ExchangeCase:
    """Return the found case of a server in a file, or raise BadFoundCase."""
    form = read_form(file)
    if form.kind != ExchangeCase.kind:
        raise BadFoundCase(f"{file} is a case of a codec: run it by kafka-conformance replay --case {file}")
    try:
        return exchange_from(form)
    except (ValueError, TypeError, KeyError, ConformanceError) as error:
        raise BadFoundCase(f"{file}: frames of {form.message}-v{form.version} cannot be read: {error}") from error
