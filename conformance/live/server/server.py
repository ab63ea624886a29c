"""The server under test, with its address, connections, signs of life, and announcement."""

from __future__ import annotations

import ssl
import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.live.address import DEADLINE
from conformance.live.server.connection import Budget, Connection, End, connect, request
from conformance.system.system_errors import text_of
from conformance.system.time_limits import TimeLimit, clock_limit
from reference import ConformanceError, completed
from reference.definitions.header_versions import API_VERSIONS
from reference.definitions.model import VersionRange

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from conformance.definitions.defining_releases import Definitions
    from conformance.live.address import Address

PATIENCE = 5.0
"""Seconds for an answer on a new connection as a sign of life, unless the deadline is longer."""

PAUSE = 0.05
"""Seconds between two attempts to connect."""

REFUSAL_DEADLINE = 1.0
"""Seconds to wait for a reply to a broken request, before it is tried again with the whole deadline."""

OLDEST = 0
CLIENT = {"ClientSoftwareName": "kafka-wire-conformance", "ClientSoftwareVersion": "1"}


@dataclass(frozen=True)
class Server:
    """A server behind a port.

    Attributes:
        definitions: the schemas for judging its frames.
        context: the settings of TLS; None for plain TCP.
        authenticate: the first step on each new connection; None for none.
        deadline: seconds to wait for an answer.
        pid: the id of its process on this machine; None if it is unknown.
        budget: the rate of frames and the time of the run.
        options: the options of `kafka-conformance broker` to reach it again, beside its address.
    """

    address: Address
    definitions: Definitions
    context: ssl.SSLContext | None = None
    authenticate: Callable[[Connection], None] | None = None
    deadline: float = DEADLINE
    pid: int | None = None
    budget: Budget = field(default_factory=Budget)
    options: tuple[str, ...] = ()

    def open(self, deadline: float | None = None) -> Connection:
        """Return a new connection without any frame on it, with seconds to wait for an answer, or raise OSError."""
        seconds = self.deadline if deadline is None else deadline
        return connect(self.address, seconds, self.context, self.budget, self.pid)

    def connect(self, deadline: float | None = None) -> Connection:
        """Return a new connection, authenticated if the server asks for it, or raise OSError."""
        connection = self.open(deadline)
        if self.authenticate is not None:
            try:
                self.authenticate(connection)
            except BaseException:
                connection.close()
                raise
        return connection

    def accepts(self) -> bool:
        """Return whether it accepts a connection now."""
        try:
            self.open().close()
        except OSError:
            return False
        return True

    @cached_property
    def announced(self) -> Announced:
        """Its first announcement. NoServer is raised if it does not answer."""
        return ask_versions(self)

    def answers(self, factor: float = 1, has_ended: Callable[[], bool] = lambda: False) -> bool:
        """Return whether it answers ApiVersions on a new connection.

        Args:
            factor: the factor on the longer one of the deadline and `PATIENCE`.
            has_ended: returns whether its process has ended; called again and again.

        Raises:
            TooBusy: the machine gave no processor to it.
        """
        seconds = factor * max(self.deadline, PATIENCE)
        limit = TimeLimit(self.pid, PATIENCE) if self.pid else clock_limit(PATIENCE)
        while not limit.is_over() and not has_ended():
            try:
                ask_versions(self, seconds)
            except SilentServer:
                return False
            except NoServer:
                time.sleep(PAUSE)
            else:
                return True
        return False


class NoServer(ConformanceError):
    """No Kafka server answers at that address."""


class SilentServer(NoServer):
    """Something listens at that address, and does not answer in time."""


class Announcement(NamedTuple):
    """One API of an answer to ApiVersions."""

    api_key: int
    lowest: int
    highest: int


@dataclass(frozen=True)
class Announced:
    """All announced APIs of a server, in its order."""

    entries: tuple[Announcement, ...]

    @cached_property
    def ranges(self) -> Mapping[int, range]:
        """The versions by API key, from the last entry of each API."""
        return {entry.api_key: range(entry.lowest, entry.highest + 1) for entry in self.entries}

    def pairs(self, definitions: Definitions) -> Iterator[tuple[int, int]]:
        """Yield API key and version of all announced versions with a definition."""
        for api_key, versions in sorted(self.ranges.items()):
            yield from ((api_key, version) for version in definitions.versions(api_key) if version in versions)

    def unknown(self, definitions: Definitions) -> Iterator[str]:
        """Yield the announced versions without a definition, as `Metadata 14-15`."""
        for api_key, versions in sorted(self.ranges.items()):
            missing = list(_without(versions, definitions.versions(api_key)))
            if missing:
                yield f"{definitions.name(api_key)} {', '.join(map(str, missing))}"


def _without(versions: range, known: Iterable[int]) -> Iterator[VersionRange]:
    """Yield the ranges of versions outside of the known ones, which ascend."""
    begin = versions.start
    for version in known:
        if version in versions:
            if begin < version:
                yield VersionRange(begin, version - 1)
            begin = version + 1
    if begin < versions.stop:
        yield VersionRange(begin, versions.stop - 1)


def announced_in(value: Mapping[str, Any]) -> Announced:
    """Return the announcement in a response to ApiVersions."""
    return Announced(
        tuple(Announcement(entry["ApiKey"], entry["MinVersion"], entry["MaxVersion"]) for entry in value["ApiKeys"])
    )


def ask_versions(server: Server, deadline: float | None = None) -> Announced:
    """Ask a server for its versions in version 0, as every server must accept it.

    Raises:
        NoServer: it cannot be reached, or its answer is wrong.
        TooBusy: the machine gave no processor to it.
    """
    release = server.definitions.release_of(API_VERSIONS, OLDEST)
    if release is None:
        raise NoServer("none of the releases defines ApiVersions version 0")
    value = completed(release.schema("ApiVersionsRequest", OLDEST), {})
    asked = request(release, API_VERSIONS, OLDEST, 1, value)
    try:
        # ApiVersions is answered without authentication.
        with server.open(deadline) as connection:
            connection.send(asked.wire)
            reply = connection.receive()
    except ssl.SSLCertVerificationError as error:
        advice = "name the authority that signed the server's certificate by --cafile"
        raise NoServer(f"{server.address}: {error.verify_message}: {advice}") from error
    except OSError as error:
        silent = SilentServer if isinstance(error, TimeoutError) else NoServer
        raise silent(f"{server.address}: cannot connect: {text_of(error)}") from error
    judged_by = f"kafka-conformance broker {server.address} --send {asked.wire.hex()} judges what comes"
    if not reply.is_frame:
        silent = SilentServer if reply.end is End.SILENT else NoServer
        raise silent(f"{server.address}: ApiVersions version 0 is not answered: {reply}; {judged_by}")
    judged = asked.judge(server.definitions, reply)
    if judged.value is None:
        raise NoServer(f"{server.address}: what answers ApiVersions version 0 is no response: {reply}; {judged_by}")
    return announced_in(judged.value)
