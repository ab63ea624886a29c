"""The server under test, with its address, connections, signs of life, and announcement."""

from __future__ import annotations

import ssl
import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.live.server.connection import Budget, Connection, connect, request
from conformance.system.system_errors import text_of
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
"""Seconds for an answer on a new connection as a sign of life, unless the deadline is longer."""

REFUSAL_DEADLINE = 1.0
"""Seconds to wait for a reply to a broken request, before it is tried again with the whole deadline."""

OLDEST = 0
CLIENT = {"ClientSoftwareName": "kafka-wire-conformance", "ClientSoftwareVersion": "1"}


@dataclass(frozen=True)
class Server:
    """A server behind a port.

    Attributes:
        address: its address.
        definitions: the schemas for judging its frames.
        context: the settings of TLS; None for plain TCP.
        authenticate: the first step on each new connection; None for none.
        deadline: seconds to wait for an answer.
        budget: the rate of frames and the time of the run.
        options: the options of `kafka-conformance broker` to reach it again, beside its address.
    """

    address: Address
    definitions: Definitions
    context: ssl.SSLContext | None = None
    authenticate: Callable[[Connection], None] | None = None
    deadline: float = DEADLINE
    budget: Budget = field(default_factory=Budget)
    options: tuple[str, ...] = ()

    def open(self) -> Connection:
        """Return a new connection without any frame on it.

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
        """Its first announcement.

        Raises:
            NoServer: it does not answer.
        """
        return ask_versions(self)

    def answers(self, patience: float | None = None) -> bool:
        """Return whether it answers ApiVersions on a new connection.

        Args:
            patience: seconds to try; None for the longer one of the deadline and `PATIENCE`.
        """
        end = time.monotonic() + (max(self.deadline, PATIENCE) if patience is None else patience)
        while True:
            try:
                return bool(ask_versions(self).entries)
            except NoServer:
                if time.monotonic() >= end:
                    return False
                time.sleep(0.05)


class NoServer(ConformanceError):
    """No Kafka server answers at that address."""


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
    """Yield the ranges of versions outside of the known ones.

    Args:
        versions: all versions.
        known: in ascending order.
    """
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


def ask_versions(server: Server) -> Announced:
    """Ask a server for its versions.

    The request has version 0, as every server must accept it.

    Raises:
        NoServer: it cannot be reached, or its answer is wrong.
    """
    release = server.definitions.release_of(API_VERSIONS, OLDEST)
    if release is None:
        raise NoServer("none of the releases defines ApiVersions version 0")
    value = completed(release.schema("ApiVersionsRequest", OLDEST), {})
    asked = request(release, API_VERSIONS, OLDEST, 1, value)
    try:
        # ApiVersions is answered without authentication.
        with server.open() as connection:
            connection.send(asked.wire)
            reply = connection.receive()
    except ssl.SSLCertVerificationError as error:
        advice = "name the authority that signed the server's certificate by --cafile"
        raise NoServer(f"{server.address}: {error.verify_message}: {advice}") from error
    except OSError as error:
        raise NoServer(f"{server.address}: cannot connect: {text_of(error)}") from error
    if not reply.is_frame:
        raise NoServer(f"{server.address}: ApiVersions version 0 is not answered: it {reply}")
    judged = asked.judge(server.definitions, reply)
    if judged.value is None:
        raise NoServer(f"{server.address}: what answers ApiVersions version 0 is no response to it: {reply}")
    return announced_in(judged.value)
