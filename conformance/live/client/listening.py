"""Listening to a client: one run of it, with every frame that it and the broker wrote."""

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
    from collections.abc import Mapping, Sequence

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
        judgement = Judgement(definitions, known_failures, "client", self.announced)
        for frame in self.frames:
            judgement.take(frame)
        judgement.close()
        return judgement


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
