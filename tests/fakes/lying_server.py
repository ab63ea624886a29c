"""Servers with one fault each, and the honest one they are made of.

`python -m tests.fakes.lying_server LIE` starts one in a process of its own. It prints its address, and ends with its
standard input.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
from typing import TYPE_CHECKING, Any

from conformance.definitions.defining_releases import Definitions
from conformance.live.address import Address
from conformance.live.capture.frame_verdict import judge_request
from conformance.live.scripted.scripted_broker import Answers, ScriptedBroker
from conformance.live.scripted.sockets import ScriptedServer
from reference import TAGS, load_release, newest_release

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Mapping

    from conformance.live.scripted.sockets import ScriptedConversation

RELEASE = load_release(newest_release())
DEFINITIONS = Definitions.beginning_with(RELEASE)
API_VERSIONS, METADATA, FIND_COORDINATOR, DESCRIBE_GROUPS, LIST_GROUPS = 18, 3, 10, 15, 16
SASL = frozenset((17, 36))
ANNOUNCED = Answers(DEFINITIONS, lambda: Address("127.0.0.1", 1)).announced
"""Computed once."""

LATE = 0.1
"""The seconds between the last frame and the death of a server that dies late."""


class Honest:
    """A conversation of the honest server; a lie overrides a part of it."""

    def __init__(self, server: Fake) -> None:
        self.server = server
        self.answers = server.answers

    def answer(self, payload: bytes) -> bytes | None:
        return self.answers.answer(payload)

    @staticmethod
    def api_key(payload: bytes) -> int:
        return int.from_bytes(payload[:2], signed=True)

    @staticmethod
    def greet(peer: socket.socket) -> object:
        """Return an object to be kept while a connection is open."""
        return peer

    @staticmethod
    def is_broken(payload: bytes) -> bool:
        return len(payload) < 8


class Fake(ScriptedServer):
    """A server with one kind of conversation."""

    def __init__(self, lie: type[Honest] = Honest, context: ssl.SSLContext | None = None) -> None:
        self.answers = Answers(DEFINITIONS, lambda: self.address)
        self.answers.announced = ANNOUNCED
        self.keeping = ScriptedBroker(DEFINITIONS, lambda: self.address)
        self.frames = 0
        self.is_dead = False
        self._lie = lie
        super().__init__(lambda: lie(self))
        if context is not None:
            listening = self._server.socket
            self._server.socket = context.wrap_socket(listening, server_side=True, do_handshake_on_connect=False)

    def serve(self, peer: socket.socket, conversation: ScriptedConversation) -> None:
        kept = self._lie.greet(peer)
        super().serve(peer, conversation)
        del kept

    def die(self) -> None:
        """Close everything, as the end of a process does."""
        if not self.is_dead:
            self.is_dead = True
            super().__exit__()

    def __exit__(self, *exception: object) -> None:
        self.die()


class Restartable:
    """A server in place of a restartable process, see `conformance.live.server.started.Startable`."""

    pid = 0

    def __init__(self, lie: type[Honest]) -> None:
        self._lie = lie
        self.starts = 0
        self._fake: Fake | None = None
        self.start()

    @property
    def address(self) -> Address:
        assert self._fake is not None
        return self._fake.address

    @property
    def status(self) -> int | None:
        return 3 if self._fake is None or self._fake.is_dead else None

    def start(self) -> None:
        self.stop()
        self.starts += 1
        self._fake = Fake(self._lie).__enter__()

    def stop(self) -> None:
        if self._fake is not None:
            self._fake.die()


def _resized(payload: bytes) -> bytes:
    return len(payload).to_bytes(4) + payload


class LateDeath(Honest):
    """Ends some time after the third request for groups."""

    def answer(self, payload: bytes) -> bytes | None:
        if self.api_key(payload) == LIST_GROUPS:
            self.server.frames += 1
            if self.server.frames == 3:
                threading.Timer(LATE, self.server.die).start()
        return super().answer(payload)


def deadly(ends: Callable[[bytes], bool], lie: type[Honest] = Honest) -> type[Honest]:
    """Return a conversation of a server that ends at certain requests, and lies otherwise."""

    class Dies(lie):  # type: ignore[misc, valid-type]
        def answer(self, payload: bytes) -> bytes | None:
            if ends(payload):
                self.server.die()
                return None
            answer: bytes | None = super().answer(payload)
            return answer

    return Dies


def _tags(payload: bytes) -> tuple[bool, bool]:
    """Return whether the header of a request has tags, and whether its body has unknown ones."""
    judged = judge_request(DEFINITIONS, payload)
    return bool((judged.header or {}).get(TAGS)), bool((judged.value or {}).get(TAGS))


DEADLY: dict[str, Callable[[bytes], bool]] = {
    "client id null": lambda payload: payload[8:10] == b"\xff\xff",
    "client id empty": lambda payload: payload[8:10] == b"\0\0",
    "client id long": lambda payload: b"\0\xff" < payload[8:10] < b"\x80\0",
    "header tags": lambda payload: _tags(payload)[0],
    "unknown tag": lambda payload: _tags(payload)[1],
}
"""Whether a request has one of the variations that any API may have."""


class Keeps(Honest):
    """Keeps topics and the records produced to them, without a fault."""

    def __init__(self, server: Fake) -> None:
        super().__init__(server)
        self.answers = server.keeping


class AnswersSilence(Keeps):
    """Answers Produce with acks 0 as if it had been sent with acks -1."""

    def answer(self, payload: bytes) -> bytes | None:
        at = 12 + int.from_bytes(payload[8:10])  # behind the header, and a transactional id that is null
        if self.api_key(payload) == 0 and payload[at : at + 2] == b"\0\0":
            payload = payload[:at] + b"\xff\xff" + payload[at + 2 :]
        return super().answer(payload)


class FollowsSnappy(Keeps):
    """Dies when a produced block of snappy has a length of 4 GiB."""

    def answer(self, payload: bytes) -> bytes | None:
        if payload.endswith((b"\xff\xff\xff\xff\x0f\0", b"\xff\xff\xff\xff\x0f\0\0\0\0")):
            self.server.die()
            return None
        return super().answer(payload)


class NothingFound(Honest):
    """Answers FindCoordinator without an entry for any of the keys."""

    def __init__(self, server: Fake) -> None:
        super().__init__(server)
        self.answers.special = {**self.answers.special, "FindCoordinator": lambda _: {}}


class NeedsClientId(Honest):
    """Closes the connection at a client id of null."""

    def answer(self, payload: bytes) -> bytes | None:
        return None if payload[8:10] == b"\xff\xff" else super().answer(payload)


class NeedsShortClientId(Honest):
    """Closes the connection at a client id of more than 255 bytes."""

    def answer(self, payload: bytes) -> bytes | None:
        return None if b"\0\xff" < payload[8:10] < b"\x80\0" else super().answer(payload)


class AnswersAnother(Honest):
    """Answers Metadata with a topic missing from the request."""

    def __init__(self, server: Fake) -> None:
        super().__init__(server)
        metadata = self.answers.special["Metadata"]
        self.answers.special = {**self.answers.special, "Metadata": lambda judged: _with_another(metadata(judged))}


def _with_another(value: Mapping[str, Any]) -> Mapping[str, Any]:
    topics = value.get("Topics") or []
    return {**value, "Topics": [*topics, *({**topic, "Name": "another"} for topic in topics[:1])]}


class FewTags(Honest):
    """Closes the connection at a section with more than 100 tags."""

    def answer(self, payload: bytes) -> bytes | None:
        if self.api_key(payload) != API_VERSIONS or payload[2:4] < b"\0\3":
            return super().answer(payload)
        body = judge_request(DEFINITIONS, payload).value
        return None if body is None or len(body.get(TAGS, ())) > 100 else super().answer(payload)


class WrongCorrelationId(Honest):
    """Answers with the number of the next request."""

    def answer(self, payload: bytes) -> bytes | None:
        answer = super().answer(payload)
        if not answer or self.api_key(payload) != METADATA:
            return answer
        return answer[:4] + (int.from_bytes(answer[4:8], signed=True) + 1).to_bytes(4, signed=True) + answer[8:]


class SwappedAnswers(Honest):
    """Delays an answer until the next request, once in each connection from the second one on."""

    kept: bytes | None = None
    is_done = False

    def answer(self, payload: bytes) -> bytes | None:
        answer = super().answer(payload)
        if self.api_key(payload) == FIND_COORDINATOR and not self.is_done:
            self.is_done, self.server.frames = True, self.server.frames + 1
            if self.server.frames > 1:
                self.kept = answer
                return b""
        if self.kept is not None and answer is not None:
            answer, self.kept = answer + self.kept, None
        return answer


class ExtraByte(Honest):
    """Writes one byte after the body of a response."""

    def answer(self, payload: bytes) -> bytes | None:
        answer = super().answer(payload)
        return _resized(answer[4:] + b"\0") if answer and self.api_key(payload) == METADATA else answer


class OldHeader(Honest):
    """Writes the header of old versions before flexible bodies."""

    def answer(self, payload: bytes) -> bytes | None:
        answer = super().answer(payload)
        is_flexible = payload[3] >= 9 and self.api_key(payload) == METADATA
        return _resized(answer[4:8] + answer[9:]) if answer and is_flexible else answer


class NeverAsksWho(Honest):
    """Announces SASL, and answers everything without it."""


class AsksWho(Honest):
    """Demands authentication first, by any name and password."""

    is_known = False

    def answer(self, payload: bytes) -> bytes | None:
        api_key = self.api_key(payload)
        if api_key not in {API_VERSIONS, *SASL} and not self.is_known:
            return None
        self.is_known |= api_key == 36
        return super().answer(payload)


class LeaksDescriptors(Honest):
    """Opens a file for each connection, and forgets it."""

    def __init__(self, server: Fake) -> None:
        super().__init__(server)
        os.dup(0)


class AllocatesSizes(Honest):
    """Allocates the size claimed by the first frame of a connection, before its bytes arrive."""

    @staticmethod
    def greet(peer: socket.socket) -> object:
        claimed = int.from_bytes(peer.recv(4, socket.MSG_PEEK | socket.MSG_WAITALL), signed=True)
        return b"\x01" * max(0, claimed)


class EmptyRange(Honest):
    """Announces an API from version 2 to version 1."""

    def __init__(self, server: Fake) -> None:
        super().__init__(server)
        entries = [*self.answers.announced, {"ApiKey": 999, "MinVersion": 2, "MaxVersion": 1}]
        self.answers.special["ApiVersions"] = lambda _: {"ApiKeys": entries}


class OwnEmptyRange(Honest):
    """Announces ApiVersions alone, from version 1 to version 0."""

    def __init__(self, server: Fake) -> None:
        super().__init__(server)
        entries = [{"ApiKey": API_VERSIONS, "MinVersion": 1, "MaxVersion": 0}]
        self.answers.special["ApiVersions"] = lambda _: {"ApiKeys": entries}


class AnnouncesNothing(Honest):
    """Announces no API."""

    def __init__(self, server: Fake) -> None:
        super().__init__(server)
        self.answers.special["ApiVersions"] = lambda _: {"ApiKeys": []}


class AnnouncesTwice(Honest):
    """Announces an API twice."""

    def __init__(self, server: Fake) -> None:
        super().__init__(server)
        entries = self.answers.announced
        self.answers.special["ApiVersions"] = lambda _: {"ApiKeys": [*entries, entries[0]]}


class FeatureFromZero(Honest):
    """Announces a feature from version 0, even before version 4 of ApiVersions."""

    def __init__(self, server: Fake) -> None:
        super().__init__(server)
        fields = {"ApiKeys": self.answers.announced, "SupportedFeatures": [{"Name": "kraft.version", "MaxVersion": 1}]}
        self.answers.special["ApiVersions"] = lambda _: fields


class DeadWithMembers(Honest):
    """Describes a dead group with a member."""

    def __init__(self, server: Fake) -> None:
        super().__init__(server)
        self.answers.special["DescribeGroups"] = lambda _: {"Groups": [{"GroupState": "Dead", "Members": [{}]}]}


class ErrorOfLaterVersion(Honest):
    """Answers with an error of version 5 of FindCoordinator, even in version 4."""

    def __init__(self, server: Fake) -> None:
        super().__init__(server)
        self.answers.special["FindCoordinator"] = lambda _: {"Coordinators": [{"Key": "a", "ErrorCode": 120}]}


class ClosesOnNewVersions(Honest):
    """Closes the connection instead of answering in version 0 with error 35."""

    def answer(self, payload: bytes) -> bytes | None:
        is_unknown = self.api_key(payload) == API_VERSIONS and payload[3] > 5
        return None if is_unknown else super().answer(payload)


def announcing(highest: int | None, has: int | None = None, refuses: int = 2**15) -> type[Honest]:
    """Return a conversation of a server with few versions of ApiVersions.

    It reads a request in the definition of its version, and answers one that it lacks in version 0 with error 35.

    Args:
        highest: the newest announced version; None to announce none.
        has: the newest version with an answer; None for the announced one.
        refuses: the oldest version at which it closes the connection instead.
    """
    newest = max(highest or 0, has or 0)

    class Announces(Honest):
        def __init__(self, server: Fake) -> None:
            super().__init__(server)
            entries = [each for each in self.answers.announced if each["ApiKey"] != API_VERSIONS]
            own = [] if highest is None else [{"ApiKey": API_VERSIONS, "MinVersion": 0, "MaxVersion": highest}]
            self.answers.special["ApiVersions"] = lambda _: {"ApiKeys": [*entries, *own]}

        def answer(self, payload: bytes) -> bytes | None:
            version = int.from_bytes(payload[2:4], signed=True)
            if self.api_key(payload) != API_VERSIONS or version <= newest:
                return super().answer(payload)
            judged = judge_request(DEFINITIONS, payload)
            if version >= refuses or (judged.release is not None and judged.departures):
                return None
            return _resized(payload[4:8] + bytes.fromhex("0023 00000000"))

    return Announces


class WithholdsVersions(Honest):
    """Answers an announced version like an unknown one."""

    def answer(self, payload: bytes) -> bytes | None:
        if self.api_key(payload) != API_VERSIONS or payload[3] == 0:
            return super().answer(payload)
        return _resized(payload[4:8] + bytes.fromhex("0023 00000000"))


class OldAnswers(Honest):
    """Answers each version of an API in version 0, without an error."""

    def answer(self, payload: bytes) -> bytes | None:
        if self.api_key(payload) != API_VERSIONS:
            return super().answer(payload)
        return super().answer(payload[:2] + bytes(2) + payload[4:8] + bytes.fromhex("ffff"))


class TakesAnything(Honest):
    """Answers unreadable bodies like empty ones."""

    def answer(self, payload: bytes) -> bytes | None:
        answer = super().answer(payload)
        if answer is None and self.api_key(payload) == LIST_GROUPS:
            return bytes.fromhex("0000000e") + payload[4:8] + b"\0" * 10 if payload[3] < 3 else self._flexible(payload)
        return answer

    @staticmethod
    def _flexible(payload: bytes) -> bytes:
        return _resized(payload[4:8] + b"\0" + b"\0\0\0\0" + b"\0\0" + b"\x01" + b"\0")


class NeverAnswers(Honest):
    """Answers nothing to one API, and keeps the connection open."""

    def answer(self, payload: bytes) -> bytes | None:
        return b"" if self.api_key(payload) == FIND_COORDINATOR else super().answer(payload)


class Overlong(Honest):
    """Writes a number of a flexible version in more bytes than it needs."""

    def answer(self, payload: bytes) -> bytes | None:
        answer = super().answer(payload)
        if not answer or self.api_key(payload) != METADATA or payload[3] < 9:
            return answer
        return _resized(answer[4:13] + bytes([answer[13] | 0x80, 0]) + answer[14:])


class DiesOfShortFrames(Honest):
    """Dies at a frame without a header."""

    def answer(self, payload: bytes) -> bytes | None:
        if self.is_broken(payload):
            threading.Thread(target=self.server.die).start()
            return None
        return super().answer(payload)


class WaitsOnBrokenFrames(Honest):
    """Neither answers nor closes at a frame without a header."""

    def answer(self, payload: bytes) -> bytes | None:
        return b"" if self.is_broken(payload) else super().answer(payload)


class SilentOnce(Honest):
    """Answers all requests of one API but the first.

    It closes the connection at all frames without a header but the first two.
    """

    spared, silent, silent_when_broken = 0, 1, 2

    def answer(self, payload: bytes) -> bytes | None:
        is_broken = self.is_broken(payload)
        if not is_broken and self.api_key(payload) != FIND_COORDINATOR:
            return super().answer(payload)
        self.server.frames += 1
        last = self.spared + (self.silent_when_broken if is_broken else self.silent)
        return b"" if self.spared < self.server.frames <= last else super().answer(payload)


class SilentSecond(SilentOnce):
    """Answers all requests of one API but the second."""

    spared = 1


KINDS: tuple[type[Honest], ...] = (Honest, *Honest.__subclasses__())
LIES = {lie.__name__: lie for lie in KINDS}


def main(lie: str) -> None:
    """Serve until standard input ends."""
    with Fake(LIES[lie]) as fake:
        print(f"{lie} listens on {fake.address}", flush=True)  # noqa: T201  # the line that --start waits for
        sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1])
