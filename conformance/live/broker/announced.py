"""What a server says that it speaks: its answer to ApiVersions, and the pairs that follow from it."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.definitions.described import shown
from conformance.live.broker.requests import request
from reference import ConformanceError, completed
from reference.headers import API_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from conformance.live.broker.server import Server
    from conformance.live.judging.definitions import Definitions

OLDEST = 0
CLIENT = {"ClientSoftwareName": "kafka-wire-conformance", "ClientSoftwareVersion": "1"}


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

    @property
    def ranges(self) -> Mapping[int, range]:
        """The versions by API key; of an API that is announced twice those of the last entry."""
        return {entry.api_key: range(entry.lowest, entry.highest + 1) for entry in self.entries}

    def pairs(self, definitions: Definitions) -> Iterator[tuple[int, int]]:
        """Yield API key and version of everything announced that some release defines."""
        for api_key, versions in sorted(self.ranges.items()):
            yield from ((api_key, version) for version in versions if definitions.release_of(api_key, version))

    def unknown(self, definitions: Definitions) -> Iterator[str]:
        """Yield what is announced and no release defines, as `Metadata 14-15`."""
        for api_key, versions in sorted(self.ranges.items()):
            missing = [version for version in versions if not definitions.release_of(api_key, version)]
            if missing:
                yield f"{definitions.name(api_key)} {shown(missing)}"


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
