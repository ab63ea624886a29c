"""Records a client's runs, every frame between it and the broker, and its crashes. All answers are valid here."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from conformance.judge.events import SURVIVAL
from conformance.live.capture.capture_judgement import CaptureJudge
from conformance.live.capture.conversation import seen_in
from conformance.live.capture.proxy import RecordingProxy, ResponseChanges
from conformance.live.client.answer_cases import PLAIN, AnswerCase, Observation
from conformance.live.client.client_process import ClientLimits, ClientRun, crash_of, run_client
from conformance.live.client.trial import TIMES
from conformance.live.client.variations import ACCEPTED
from conformance.live.scripted.scripted_broker import ScriptedBroker
from conformance.live.scripted.sockets import ScriptedServer
from conformance.live.server.server import Server, ask_versions
from conformance.system.time_limits import TimeLimit
from conformance.targets.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from conformance.definitions.defining_releases import Definitions
    from conformance.judge.case import Violation
    from conformance.judge.findings.known_failures import KnownFailure
    from conformance.live.address import Address
    from conformance.live.capture.capture import CapturedFrame
    from conformance.live.client.trial import ClientSubject

Ranges = dict[int, range]

PATIENCE = 0.5
"""Seconds to wait for the end of connections, once the client has ended, as of `TimeLimit` for this process."""

LAST = 4
"""The number of named frames."""


@dataclass(frozen=True)
class ClientSession:
    """A recorded run of a client, with its numbered frames in the order of their completion.

    Attributes:
        announced: the versions announced to the client, by API key.
        troubles: the problems between client and broker.
    """

    run: ClientRun
    frames: tuple[CapturedFrame, ...]
    connections: int
    announced: Mapping[int, range]
    troubles: tuple[str, ...]

    @property
    def requests(self) -> int:
        """The number of frames written by the client."""
        return sum(frame.sender == "client" and not frame.is_rest for frame in self.frames)


def joined(sessions: Iterable[ClientSession]) -> Iterator[ClientSession]:
    """Yield sessions as parts of one, in which the numbers of connections and frames continue."""
    connections = frames = 0
    for session in sessions:
        moved = tuple(
            replace(frame, connection=frame.connection + connections, number=frame.number + frames)
            for frame in session.frames
        )
        yield replace(session, frames=moved)
        connections, frames = connections + session.connections, frames + len(moved)


def judged_together(
    client: ClientSubject, sessions: Iterable[ClientSession], known_failures: Sequence[KnownFailure] = ()
) -> CaptureJudge:
    """Return the judgement on the client's frames in some sessions, each by the versions announced in it."""
    judgement = CaptureJudge(client, known_failures, "client")
    for session in joined(sessions):
        judgement.announced = session.announced
        for frame in session.frames:
            judgement.take(frame)
    judgement.close()
    return judgement


def listen_again(
    listen_with: Callable[[int], ClientSession], caps: Iterable[int] | None
) -> Iterator[tuple[int, ClientSession]]:
    """Run a client once for each number by which announced maximum versions are lowered.

    Without `caps` these are all useful ones, from 0 up to the lowest version of every API.
    """
    if caps is None:
        first = listen_with(0)
        yield 0, first
        caps = range(1, max(map(len, first.announced.values())))
    for cap in caps:
        yield cap, listen_with(cap)


def listen(client: ClientSubject, upstream: Address | None = None, cap: int = 0) -> ClientSession:
    """Run a client against a broker, the scripted one without an address, and record their frames.

    Raises:
        NoServer: there is no broker at that address.
        CannotStart: there is no such client.
    """
    definitions = client.definitions
    with ExitStack() as stack:
        broker = upstream or _scripted(stack, definitions)
        announced = capped(ask_versions(Server(broker, definitions)).ranges, cap)
        proxy, seen = stack.enter_context(recording(broker, definitions, cap))
        run = run_client(client.command, proxy.address, ClientLimits(client.deadline), lambda: bool(seen))
        connections, troubles = proxy.connections, tuple(proxy.troubles)
    frames = tuple(replace(frame, number=number) for number, frame in enumerate(seen, start=1))
    return ClientSession(run, frames, connections, announced, troubles)


def _scripted(stack: ExitStack, definitions: Definitions) -> Address:
    server: ScriptedServer
    broker = ScriptedBroker(definitions, lambda: server.address)
    server = stack.enter_context(ScriptedServer(lambda: broker))
    return server.address


def capped(ranges: Mapping[int, range], cap: int) -> Ranges:
    """Return announced versions with their maximum lowered, though never below its minimum."""
    return {
        api_key: range(versions[0], max(versions[0], versions[-1] - cap) + 1) if versions else versions
        for api_key, versions in ranges.items()
    }


@contextmanager
def recording(
    upstream: Address, definitions: Definitions, cap: int
) -> Iterator[tuple[RecordingProxy, list[CapturedFrame]]]:
    """Run a recording proxy in a thread of its own, as long as the context lasts, and yield it with its frames.

    Announced maximum versions are lowered by `cap`. At the end every connection is closed, after a wait for frames on
    their way.
    """
    frames: list[CapturedFrame] = []
    proxy = RecordingProxy(upstream, frames.append, changes=ResponseChanges(definitions, cap))
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(proxy.start(), loop).result()
    try:
        yield proxy, frames
    finally:
        limit = TimeLimit(os.getpid(), PATIENCE)
        while not proxy.is_idle and not limit.is_over():
            time.sleep(PATIENCE / 50)
        asyncio.run_coroutine_threadsafe(proxy.stop(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def death_of(client: ClientSubject, session: ClientSession, cap: int = 0) -> Violation | None:
    """Return a client's crash after valid answers as a violation, or None if it does not crash each time."""
    if not crash_of(session.run) or not all(crash_of(listen(client, cap=cap).run) for _ in range(TIMES - 1)):
        return None
    frames = [seen.judged for seen in seen_in(client.definitions, session.frames) if seen.judged is not None]
    last = next((frame for frame in reversed(frames) if frame.direction == "response" and frame.schema), None)
    if last is None or last.schema is None:
        return None
    named = ", ".join(map(str, frames[-LAST:]))
    observation = Observation(Kind.CRASHED, f"{crash_of(session.run)} ({session.run.ending}); the last frames: {named}")
    case = AnswerCase(last.schema, f"{last}/{PLAIN}", "", last.payload, PLAIN, cap)
    return case.violated(ACCEPTED, "", SURVIVAL, observation)
