"""The server under test: where it is, how one connects to it, whether it still answers, and what it announces."""

from __future__ import annotations

import ssl
import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.live.server.connection import Budget, Connection, connect, request
from reference import ConformanceError, completed
from reference.definitions.header_versions import API_VERSIONS
from reference.definitions.model import VersionRange

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from conformance.live.address import Address
    from conformance.live.capture.defining_releases import Definitions

DEADLINE = 5.0
"""Seconds to wait for an answer to a sound request."""

PATIENCE = 5.0
"""Seconds within which a server must answer on a new connection to be alive, if it has no longer deadline."""

REFUSAL_DEADLINE = 1.0
"""Seconds to wait for what becomes of a broken one, before it is tried again with the whole deadline."""

OLDEST = 0
CLIENT = {"ClientSoftwareName": "kafka-wire-conformance", "ClientSoftwareVersion": "1"}


@dataclass(frozen=True)
class Server:
    """A server behind a port.

    Attributes:
        address: where it is.
        definitions: by which its frames are judged.
        context: how TLS is spoken; None: plain TCP.
        authenticate: what is done on each new connection before anything else; None: nothing.
        deadline: seconds to wait for an answer.
        budget: how fast and how long it may be asked.
        options: the words by which `kafka-conformance broker` reaches it again, beside its address.
    """

    address: Address
    definitions: Definitions
    context: ssl.SSLContext | None = None
    authenticate: Callable[[Connection], None] | None = None
    deadline: float = DEADLINE
    budget: Budget = field(default_factory=Budget)
    options: tuple[str, ...] = ()

    def open(self) -> Connection:
        """Return a new connection on which nothing has been said.

        Raises:
            OSError: it does not accept connections.
        """
        return connect(self.address, self.deadline, self.context, self.budget)

    def connect(self) -> Connection:
        """Return a new connection, authenticated if the server asks for it.

        Raises:
            OSError: it does not accept connections.
        """
        connection = self.open()
        if self.authenticate is not None:
            try:
                self.authenticate(connection)
            except BaseException:
                connection.close()
                raise
        return connection

    @cached_property
    def announced(self) -> Announced:
        """What it announced when it was first asked.

        Raises:
            NoServer: it does not answer.
        """
        return ask_versions(self)

    def answers(self, patience: float | None = None) -> bool:
        """Return whether it answers ApiVersions on a new connection, within some seconds."""
        end = time.monotonic() + (max(self.deadline, PATIENCE) if patience is None else patience)
        while True:
            try:
                return bool(ask_versions(self).entries)
            except NoServer:
                if time.monotonic() >= end:
                    return False
                time.sleep(0.05)


class NoServer(ConformanceError):
    """Nothing at that address speaks Kafka's protocol, or nothing answers."""


class Announcement(NamedTuple):
    """One API of an answer to ApiVersions."""

    api_key: int
    lowest: int
    highest: int


@dataclass(frozen=True)
class Announced:
    """All APIs that a server announces, in its order."""

    entries: tuple[Announcement, ...]

    @cached_property
    def ranges(self) -> Mapping[int, range]:
        """The versions by API key; of an API that is announced twice those of the last entry."""
        return {entry.api_key: range(entry.lowest, entry.highest + 1) for entry in self.entries}

    def pairs(self, definitions: Definitions) -> Iterator[tuple[int, int]]:
        """Yield API key and version of everything announced that some release defines."""
        for api_key, versions in sorted(self.ranges.items()):
            yield from ((api_key, version) for version in definitions.versions(api_key) if version in versions)

    def unknown(self, definitions: Definitions) -> Iterator[str]:
        """Yield what is announced and no release defines, as `Metadata 14-15`."""
        for api_key, versions in sorted(self.ranges.items()):
            missing = list(_without(versions, definitions.versions(api_key)))
            if missing:
                yield f"{definitions.name(api_key)} {', '.join(map(str, missing))}"


def _without(versions: range, known: Iterable[int]) -> Iterator[VersionRange]:
    """Yield the ranges of versions that are not among those that are known, which ascend."""
    begin = versions.start
    for version in known:
        if version in versions:
            if begin < version:
                yield VersionRange(begin, version - 1)
            begin = version + 1
    if begin < versions.stop:
        yield VersionRange(begin, versions.stop - 1)


def announced_in(value: Mapping[str, Any]) -> Announced:
    """Return what a response to ApiVersions announces."""
    return Announced(
        tuple(Announcement(entry["ApiKey"], entry["MinVersion"], entry["MaxVersion"]) for entry in value["ApiKeys"])
    )


def ask_versions(server: Server) -> Announced:
    """Ask a server what it speaks, in version 0, which every server must have.

    Raises:
        NoServer: it cannot be reached, or its answer is none.
    """
    release = server.definitions.release_of(API_VERSIONS, OLDEST)
    if release is None:
        raise NoServer("none of the releases defines ApiVersions version 0")
    value = completed(release.schema("ApiVersionsRequest", OLDEST), {})
    asked = request(release, API_VERSIONS, OLDEST, 1, value)
    try:
        with server.open() as connection:
            connection.send(asked.wire)
            reply = connection.receive()
    except ssl.SSLCertVerificationError as error:
        advice = "name the authority that signed the server's certificate by --cafile"
        raise NoServer(f"{server.address}: {error.verify_message}: {advice}") from error
    except OSError as error:
        raise NoServer(f"{server.address}: cannot connect: {error}") from error
    if not reply.is_frame:
        raise NoServer(f"{server.address}: ApiVersions version 0 is not answered: it {reply}")
    judged = asked.judge(server.definitions, reply)
    if judged.value is None:
        raise NoServer(f"{server.address}: what answers ApiVersions version 0 is no response to it: {reply}")
    return announced_in(judged.value)
