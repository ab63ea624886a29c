"""A server under test, with its permitted requests, sent frames, and signs of life."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.live.server.cleanup import with_own_names
from conformance.live.server.connection import End
from conformance.live.server.requester import Requester
from conformance.live.server.tiers import RequestForm, Tier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from conformance.judge.case import Violation
    from conformance.live.server.connection import Reply
    from conformance.live.server.server import Server
    from conformance.live.server.started import Startable
    from conformance.live.server.tiers import Permission
    from reference import MessageSchema

PATIENCE = 3.0
"""Seconds given to a server to end after resent frames, as it may end late."""

LONGER = 2
"""The factor on the deadline for a repeated request, as the machine may be busy."""

MAXIMUM_NAMED = 100
"""The maximum of APIs named in a note; Apache Kafka has fewer."""

BROKER = "broker:"
"""The word before an address in the name of an implementation."""


HANGS_OF_A_KIND = 1
HANGS_OF_A_MESSAGE = 2


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


class BlackBox:
    """A server under test, seen only through frames.

    Args:
        server: its address and settings.
        permission: the permitted requests.
        notes: sentences for summary and report.
        started: its process, if the suite has started it.
        pid: the id of its process on this machine, if it was named.
    """

    def __init__(
        self,
        server: Server,
        permission: Permission,
        notes: Sequence[str] = (),
        started: Startable | None = None,
        pid: int | None = None,
    ) -> None:
        self.server = server
        self.notes = tuple(notes)
        self.permission = permission
        self.started = started
        self._pid = pid
        self.requester = Requester(server)
        self.hangs = Hangs()
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
        return self._pid if self.started is None else self.started.pid

    def restricted(self, api_key: int, value: dict[str, Any]) -> dict[str, Any]:
        """Return a request of an API in its permitted form.

        It has harmless values, and only names of the suite where required.
        """
        definitions, permission = self.server.definitions, self.permission
        api = definitions.name(api_key)
        restricted = permission.restricted(api, value)
        return with_own_names(definitions, api_key, restricted) if permission.names_ours(api) else restricted

    def restart(self) -> None:
        """Start the server again, after it was lost.

        Raises:
            NoServer: it does not start.
        """
        if self.started is None:
            raise LookupError("the suite has not started this server")
        self.requester.hang_up()
        self.started.start()
        # The new process may listen on another port.
        self.server = replace(self.server, address=self.started.address)
        self.requester = Requester(self.server)

    def free(self) -> None:
        """Restart a server started by the suite.

        It may still be working on a frame without an answer.
        """
        if self.started is not None:
            self.restart()

    def answers(self) -> bool:
        """Return whether the server serves a new connection.

        If its process has ended, no connection is tried.
        """
        if self.started is not None and self.started.status is not None:
            return False
        return self.server.answers()

    @property
    def longer(self) -> float:
        """Seconds to wait for an answer to a repeated request."""
        return LONGER * self.server.deadline

    def is_doubtful(self, reply: Reply, violation: Violation) -> bool:
        """Return whether a reply is silence without a known failure.

        Such silence is a finding only if it repeats.

        Args:
            reply: the reply.
            violation: the violation by silence.
        """
        return reply.end is End.SILENT and not self.is_known(violation)

    def close(self) -> None:
        """End the connections and the processes of the run."""
        self.requester.hang_up()
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
    if left_out:
        sentences.append(f"not asked in this tier: {_some(left_out)}")
    if unknown:
        sentences.append(f"not tested, unknown to {server.definitions}: {_some(unknown)}")
    return sentences


def _some(names: Sequence[str]) -> str:
    """Return the first of some names, and the number of others, as a server may announce 32,768."""
    others = len(names) - MAXIMUM_NAMED
    return ", ".join([*names[:MAXIMUM_NAMED], *([f"and {others:,} more"] if others > 0 else [])])
