"""Listening to a client: runs of it, each with every frame that it and the broker wrote."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from conformance.live.broker.announced import ask_versions
from conformance.live.broker.server import Server
from conformance.live.client.behind import Recorder
from conformance.live.client.process import run_client
from conformance.live.scripted.broker import ScriptedBroker
from conformance.live.scripted.server import ScriptedServer
from conformance.live.traffic.judgement import Judgement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from conformance.findings.known_failures import KnownFailure
    from conformance.live.address import Address
    from conformance.live.client.process import Limits, Run
    from conformance.live.judging.definitions import Definitions
    from conformance.live.traffic.capture import Frame

Ranges = dict[int, range]


@dataclass(frozen=True)
class Heard:
    """What came of listening.

    Attributes:
        run: of the client.
        frames: in the order in which they were complete, numbered.
        connections: how often somebody connected.
        announced: the versions that the client was told, by API key.
        troubles: what went wrong between client and broker.
    """

    run: Run
    frames: tuple[Frame, ...]
    connections: int
    announced: Mapping[int, range]
    troubles: tuple[str, ...]

    def judged(self, definitions: Definitions, known_failures: Sequence[KnownFailure] = ()) -> Judgement:
        """Return the judgement on the client's frames."""
        return judged_together([self], definitions, known_failures)

    @property
    def requests(self) -> int:
        """How many frames the client wrote."""
        return sum(frame.sender == "client" and not frame.is_rest for frame in self.frames)


def joined(sessions: Iterable[Heard]) -> Iterator[Heard]:
    """Yield sessions as parts of one: numbers of connections and frames go on where those of the one before ended."""
    connections = frames = 0
    for heard in sessions:
        moved = tuple(
            replace(frame, connection=frame.connection + connections, number=frame.number + frames)
            for frame in heard.frames
        )
        yield replace(heard, frames=moved)
        connections, frames = connections + heard.connections, frames + len(moved)


def judged_together(
    sessions: Iterable[Heard], definitions: Definitions, known_failures: Sequence[KnownFailure] = ()
) -> Judgement:
    """Return the judgement on the client's frames in several sessions, each by what was announced in it."""
    judgement = Judgement(definitions, known_failures, "client")
    for heard in joined(sessions):
        judgement.announced = heard.announced
        for frame in heard.frames:
            judgement.take(frame)
    judgement.close()
    return judgement


def listen_again(listen_with: Callable[[int], Heard], caps: Iterable[int] | None) -> Iterator[tuple[int, Heard]]:
    """Run a client once for each number by which announced maximum versions are lowered.

    Args:
        listen_with: runs it with such a number.
        caps: the numbers; None: all that make a difference, from 0 up to where every API has its lowest version.
    """
    if caps is None:
        first = listen_with(0)
        yield 0, first
        caps = range(1, max(map(len, first.announced.values())))
    for cap in caps:
        yield cap, listen_with(cap)


def listen(
    command: Sequence[str], definitions: Definitions, limits: Limits, upstream: Address | None = None, cap: int = 0
) -> Heard:
    """Run a client before a broker, or before the scripted one, and record what is said.

    Raises:
        NoServer: there is no broker at that address.
        CannotStart: there is no such client.
    """
    with ExitStack() as stack:
        broker = upstream or _scripted(stack, definitions)
        announced = capped(ask_versions(Server(broker, definitions)).ranges, cap)
        recorder = stack.enter_context(Recorder(broker, definitions, cap))
        run = run_client(command, recorder.address, limits)
        connections, troubles = recorder.connections, tuple(recorder.troubles)
    frames = tuple(replace(frame, number=number) for number, frame in enumerate(recorder.frames, start=1))
    return Heard(run, frames, connections, announced, troubles)


def _scripted(stack: ExitStack, definitions: Definitions) -> Address:
    server: ScriptedServer
    broker = ScriptedBroker(definitions, lambda: server.address)
    server = stack.enter_context(ScriptedServer(lambda: broker))
    return server.address


def capped(ranges: Mapping[int, range], cap: int) -> Ranges:
    """Return announced versions as a client sees them whose maximum is lowered, though never below its minimum."""
    return {
        api_key: range(versions[0], max(versions[0], versions[-1] - cap) + 1) if versions else versions
        for api_key, versions in ranges.items()
    }
