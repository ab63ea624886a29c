"""A server under test, with its permitted requests, sent frames, and signs of life."""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from conformance.codec.bridge.hangs import SURE
from conformance.live.server.cleanup import with_own_names
from conformance.live.server.requester import Requester
from conformance.live.server.tiers import RequestForm, Tier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from contextlib import AbstractContextManager

    from conformance.judge.case import Violation
    from conformance.live.server.server import Server
    from conformance.live.server.started import Startable
    from conformance.live.server.suspects import Suspects
    from conformance.live.server.tiers import Permission
    from reference import MessageSchema

Result = TypeVar("Result")

PATIENCE = 3.0
"""Seconds given to a server to end after resent frames, as it may end late."""

MAXIMUM_NAMED = 100
"""The maximum of APIs named in a note; Apache Kafka has fewer."""

BROKER = "broker:"
"""The word before an address in the name of an implementation."""


UNKNOWN_PROCESS = "the clock alone limits silence, as the server's process is unknown: see --start and --pid"

HANGS_OF_A_KIND = 1
HANGS_OF_A_MESSAGE = 2
DEATHS_OF_A_VARIATION = 2


class Hangs:
    """Frames without an answer, counted by hang group and by message.

    A server may still be working on each of them, so no more of their kind are sent.
    """

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def allows(self, message: str, kind: str) -> bool:
        """Return whether a frame may be sent."""
        return self._counts[kind or message] < HANGS_OF_A_KIND and self._counts[message] < HANGS_OF_A_MESSAGE

    def note(self, message: str, kind: str) -> None:
        """Note a frame without an answer."""
        self._counts.update({kind or message, message})


class Deaths:
    """The ends of a server by a variation of requests, as by a client id of null, counted by message."""

    def __init__(self) -> None:
        self._messages: defaultdict[str, set[str]] = defaultdict(set)
        self.latest: tuple[bytes, ...] = ()
        """The frames of the latest end."""

    def allows(self, variation: str, message: str) -> bool:
        """Return whether a message may be sent. A variation may end the server once for each of a few messages."""
        messages = self._messages[variation]
        return message not in messages and len(messages) < DEATHS_OF_A_VARIATION

    def note(self, variation: str, message: str) -> None:
        """Note the end of the server by a request."""
        self._messages[variation].add(message)


class BlackBox:
    """A server under test, seen only through frames.

    Args:
        server: its address and settings.
        permission: the permitted requests.
        notes: sentences for summary and report.
        started: its process, if the suite has started it.
    """

    def __init__(
        self,
        server: Server,
        permission: Permission,
        notes: Sequence[str] = (),
        started: Startable | None = None,
    ) -> None:
        self.server = server
        self.notes = tuple(notes)
        self.permission = permission
        self.started = started
        self.requester = Requester(server)
        self.hangs = Hangs()
        self.deaths = Deaths()
        self.suspects: Suspects | None = None
        """The frames of all workers; None for a worker with a server of its own."""
        self.answered: Counter[str] = Counter()
        """The number of answered sound requests by message, and by variation."""
        self.patience = PATIENCE
        self.is_known: Callable[[Violation], bool] = lambda _: False
        """Whether a death is a known failure, so that nobody searches for its frames."""
        self.traced = 0
        """The number of deaths whose frames were searched."""
        self.lost = ""
        """The reason for sending nothing more; empty while the server answers."""
        self.pairs = tuple(server.announced.pairs(server.definitions))
        self.place = f"{BROKER}{server.address}"
        self.name = f"server at {server.address}"
        self.version = f"({len(server.announced.ranges)} APIs)"

    @property
    def pid(self) -> int | None:
        """The id of its process, or None if it is unknown."""
        return self.server.pid

    def restricted(self, api_key: int, value: dict[str, Any]) -> dict[str, Any]:
        """Return a request of an API in its permitted form, harmless, and with names of the suite where required."""
        definitions, permission = self.server.definitions, self.permission
        api = definitions.name(api_key)
        restricted = permission.restricted(api, value)
        return with_own_names(definitions, api_key, restricted) if permission.names_ours(api) else restricted

    def restart(self) -> None:
        """Start the server again, after it was lost, or raise NoServer."""
        if self.started is None:
            raise LookupError("the suite has not started this server")
        self.requester.hang_up()
        self.started.start()
        # The new process may listen on another port.
        self.server = replace(self.server, address=self.started.address, pid=self.started.pid)
        self.requester = Requester(self.server)

    def free(self) -> None:
        """Restart a server started by the suite, which may still be working on a frame without an answer."""
        if self.started is not None:
            self.restart()

    def answers(self, factor: float = 1) -> bool:
        """Return whether the server serves a new connection, which is not tried if its process has ended.

        `factor` is as of `Server.answers`.

        Raises:
            TooBusy: the machine gave no processor to it.
        """
        if self._has_ended():
            return False
        return self.server.answers(factor, self._has_ended)

    def _has_ended(self) -> bool:
        return self.started is not None and self.started.status is not None

    def is_alive(self) -> bool:
        """Return whether the server serves a new connection, after more time if need be, or raise TooBusy."""
        return self.answers() or self.answers(SURE)

    def surely(self, attempt: Callable[[float], Result], silences: Callable[[Result], Iterable[Violation]]) -> Result:
        """Return the result of an attempt to ask the server, with the seconds to wait.

        Silence is a finding only if it repeats with `SURE` times the deadline. A known failure is not waited out.
        `silences` returns the violations by silence in a result.
        """
        result = attempt(self.server.deadline)
        if any(not self.is_known(violation) for violation in silences(result)):
            return attempt(SURE * self.server.deadline)
        return result

    def turn(self, *, alone: bool) -> AbstractContextManager[None]:
        """Return a context for sending frames, see `Suspects.turn`."""
        return nullcontext() if self.suspects is None else self.suspects.turn(alone=alone)

    def close(self) -> None:
        """End the connections and the processes of the run."""
        self.requester.hang_up()
        if self.suspects is not None:
            self.suspects.close()
        if self.started is not None:
            self.started.stop()


class ServerPair(NamedTuple):
    """One announced version of an API."""

    api: str
    api_key: int
    version: int

    def __str__(self) -> str:
        return f"{self.api}Request-v{self.version}"


def server_pairs(black_box: BlackBox, schemas: Iterable[MessageSchema]) -> list[ServerPair]:
    """Return the permitted versions with a request or a response among these schemas."""
    chosen = {(schema.api_key, schema.version) for schema in schemas}
    name, form = black_box.server.definitions.name, black_box.permission.form
    pairs = [ServerPair(name(api_key), api_key, version) for api_key, version in black_box.pairs]
    return [pair for pair in pairs if pair[1:] in chosen and form(pair.api) is not RequestForm.NONE]


def notes_of(server: Server, permission: Permission) -> list[str]:
    """Return the kinds of requests left out, with the reasons."""
    apis = [server.definitions.name(api_key) for api_key in sorted(server.announced.ranges)]
    left_out, unknown = permission.left_out(apis), list(server.announced.unknown(server.definitions))
    sentences = [f"tier {permission.tier}: {permission.tier.about}"]
    if permission.tier is not Tier.THROW_AWAY:
        sentences.append("no hostile bodies and no broken frames: they need --throw-away")
    if server.pid is None:
        sentences.append(UNKNOWN_PROCESS)
    if left_out:
        sentences.append(f"not asked in this tier: {_some(left_out)}")
    if unknown:
        sentences.append(f"not tested, unknown to {server.definitions}: {_some(unknown)}")
    return sentences


def _some(names: Sequence[str]) -> str:
    """Return the first of some names, and the number of others, as a server may announce 32,768."""
    others = len(names) - MAXIMUM_NAMED
    return ", ".join([*names[:MAXIMUM_NAMED], *([f"and {others:,} more"] if others > 0 else [])])
