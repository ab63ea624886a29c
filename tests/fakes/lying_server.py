"""Servers with one fault each, and the honest one they are made of.

`python -m tests.fakes.lying_server LIE` starts one in a process of its own. It prints its address, and ends with its
standard input.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
from functools import partial
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

    from conformance.live.capture.frame_verdict import JudgedFrame
    from conformance.live.scripted.sockets import ScriptedConversation

    At = Callable[[bytes], bool]
    """Whether the lie is told at a request."""
    Answer = Callable[["Honest", bytes], bytes | None]

RELEASE = load_release(newest_release())
DEFINITIONS = Definitions.beginning_with(RELEASE)
API_VERSIONS, METADATA, FIND_COORDINATOR, DESCRIBE_GROUPS, LIST_GROUPS = 18, 3, 10, 15, 16
SASL = frozenset((17, 36))
ANNOUNCED = Answers(DEFINITIONS, lambda: Address("127.0.0.1", 1)).announced
"""Computed once."""

LATE = 0.1
"""The seconds between the last frame and the death of a server that dies late."""


def api_key(payload: bytes) -> int:
    return int.from_bytes(payload[:2], signed=True)


def version(payload: bytes) -> int:
    return int.from_bytes(payload[2:4], signed=True)


def is_broken(payload: bytes) -> bool:
    """Return whether a frame has no header."""
    return len(payload) < 8


class Honest:
    """A conversation of the honest server; a lie overrides a part of it."""

    def __init__(self, server: Fake) -> None:
        self.server = server
        self.answers = server.answers

    def answer(self, payload: bytes) -> bytes | None:
        return self.answers.answer(payload)

    @staticmethod
    def greet(peer: socket.socket) -> object:
        """Return an object to be kept while a connection is open."""
        return peer


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


def lie(is_at: At, instead: Answer, base: type[Honest] = Honest) -> type[Honest]:
    """Return a conversation with other answers to some requests."""

    def answer(self: Honest, payload: bytes) -> bytes | None:
        return instead(self, payload) if is_at(payload) else base.answer(self, payload)

    return type("Lie", (base,), {"answer": answer})


def answering(**special: Mapping[str, Any] | Callable[[JudgedFrame], Mapping[str, Any]]) -> type[Honest]:
    """Return a conversation with other answers to some APIs, or with functions that answer them."""
    functions = {api: each if callable(each) else partial(_always, each) for api, each in special.items()}

    class Answering(Honest):
        def __init__(self, server: Fake) -> None:
            super().__init__(server)
            self.answers.special = {**self.answers.special, **functions}

    return Answering


def _always(fields: Mapping[str, Any], _asked: JudgedFrame) -> Mapping[str, Any]:
    return fields


def announcing_apis(*entries: Mapping[str, int], honest: bool = True) -> type[Honest]:
    """Return a conversation with these APIs in its announcement, behind the honest ones."""
    return answering(ApiVersions={"ApiKeys": [*(ANNOUNCED if honest else ()), *entries]})


def deadly(ends: At, base: type[Honest] = Honest) -> type[Honest]:
    """Return a conversation of a server that ends at certain requests, and lies otherwise."""
    return lie(ends, lambda lying, _: lying.server.die(), base)


def of(api: int, first: int = 0) -> At:
    """Return whether a request is one of an API, from a version on."""
    return lambda payload: api_key(payload) == api and (not first or payload[2:4] >= first.to_bytes(2))


def close(_lying: Honest, _payload: bytes) -> None:
    """Close the connection."""


def wait(_lying: Honest, _payload: bytes) -> bytes:
    """Answer nothing."""
    return b""


def changed(change: Callable[[bytes], bytes]) -> Answer:
    """Return a change of the honest answer."""

    def answer(lying: Honest, payload: bytes) -> bytes | None:
        honest = Honest.answer(lying, payload)
        return change(honest) if honest else honest

    return answer


def _resized(payload: bytes) -> bytes:
    return len(payload).to_bytes(4) + payload


def _as_unknown(_lying: Honest, payload: bytes) -> bytes:
    return _resized(payload[4:8] + bytes.fromhex("0023 00000000"))


def _tags(payload: bytes) -> tuple[bool, bool]:
    """Return whether the header of a request has tags, and whether its body has unknown ones."""
    judged = judge_request(DEFINITIONS, payload)
    return bool((judged.header or {}).get(TAGS)), bool((judged.value or {}).get(TAGS))


def _has_null_id(payload: bytes) -> bool:
    return payload[8:10] == b"\xff\xff"


def _has_long_id(payload: bytes) -> bool:
    """Return whether the client id has more than 255 bytes."""
    return b"\0\xff" < payload[8:10] < b"\x80\0"


DEADLY: dict[str, At] = {
    "client id null": _has_null_id,
    "client id empty": lambda payload: payload[8:10] == b"\0\0",
    "client id long": _has_long_id,
    "header tags": lambda payload: _tags(payload)[0],
    "unknown tag": lambda payload: _tags(payload)[1],
}
"""Whether a request has one of the variations that any API may have."""


class LateDeath(Honest):
    """Ends some time after the third request for groups."""

    def answer(self, payload: bytes) -> bytes | None:
        if api_key(payload) == LIST_GROUPS:
            self.server.frames += 1
            if self.server.frames == 3:
                threading.Timer(LATE, self.server.die).start()
        return super().answer(payload)


class Keeps(Honest):
    """Keeps topics and the records produced to them, without a fault."""

    def __init__(self, server: Fake) -> None:
        super().__init__(server)
        self.answers = server.keeping


class AnswersSilence(Keeps):
    """Answers Produce with acks 0 as if it had been sent with acks -1."""

    def answer(self, payload: bytes) -> bytes | None:
        at = 12 + int.from_bytes(payload[8:10])  # behind the header, and a transactional id that is null
        if api_key(payload) == 0 and payload[at : at + 2] == b"\0\0":
            payload = payload[:at] + b"\xff\xff" + payload[at + 2 :]
        return super().answer(payload)


FollowsSnappy = deadly(
    lambda payload: payload.endswith((b"\xff\xff\xff\xff\x0f\0", b"\xff\xff\xff\xff\x0f\0\0\0\0")), Keeps
)
"""Dies when a produced block of snappy has a length of 4 GiB."""


class AnswersAnother(Honest):
    """Answers Metadata with a topic missing from the request."""

    def __init__(self, server: Fake) -> None:
        super().__init__(server)
        metadata = self.answers.special["Metadata"]
        self.answers.special = {**self.answers.special, "Metadata": lambda judged: _with_another(metadata(judged))}


def _with_another(value: Mapping[str, Any]) -> Mapping[str, Any]:
    topics = value.get("Topics") or []
    return {**value, "Topics": [*topics, *({**topic, "Name": "another"} for topic in topics[:1])]}


def _has_many_tags(payload: bytes) -> bool:
    if not of(API_VERSIONS, 3)(payload):
        return False
    body = judge_request(DEFINITIONS, payload).value
    return body is None or len(body.get(TAGS, ())) > 100


def _numbered(answer: bytes) -> bytes:
    """Return an answer with the number of the next request."""
    return answer[:4] + (int.from_bytes(answer[4:8], signed=True) + 1).to_bytes(4, signed=True) + answer[8:]


def _of_groups(lying: Honest, payload: bytes) -> bytes | None:
    """Return the honest answer to ListGroups, or that to an empty body if it is unreadable."""
    empty = bytes.fromhex("00 00000000 0000 01 00") if version(payload) >= 3 else bytes(10)
    answer = Honest.answer(lying, payload)
    return _resized(payload[4:8] + empty) if answer is None else answer


NothingFound = answering(FindCoordinator={})
"""Answers without an entry for any of the keys."""
NeedsClientId = lie(_has_null_id, close)
NeedsShortClientId = lie(_has_long_id, close)
FewTags = lie(_has_many_tags, close)
"""Closes the connection at a section with more than 100 tags."""
WrongCorrelationId = lie(of(METADATA), changed(_numbered))
ExtraByte = lie(of(METADATA), changed(lambda answer: _resized(answer[4:] + b"\0")))
"""Writes one byte after the body of a response."""
OldHeader = lie(of(METADATA, 9), changed(lambda answer: _resized(answer[4:8] + answer[9:])))
"""Writes the header of old versions before flexible bodies."""
Overlong = lie(
    of(METADATA, 9), changed(lambda answer: _resized(answer[4:13] + bytes([answer[13] | 0x80, 0]) + answer[14:]))
)
"""Writes a number of a flexible version in more bytes than it needs."""
EmptyRange = announcing_apis({"ApiKey": 999, "MinVersion": 2, "MaxVersion": 1})
OwnEmptyRange = announcing_apis({"ApiKey": API_VERSIONS, "MinVersion": 1, "MaxVersion": 0}, honest=False)
AnnouncesNothing = announcing_apis(honest=False)
AnnouncesTwice = announcing_apis(ANNOUNCED[0])
FeatureFromZero = answering(
    ApiVersions={"ApiKeys": ANNOUNCED, "SupportedFeatures": [{"Name": "kraft.version", "MaxVersion": 1}]}
)
"""Announces a feature from version 0, even before version 4 of ApiVersions."""
DeadWithMembers = answering(DescribeGroups={"Groups": [{"GroupState": "Dead", "Members": [{}]}]})
ErrorOfLaterVersion = answering(FindCoordinator={"Coordinators": [{"Key": "a", "ErrorCode": 120}]})
"""Answers with an error of version 5 of FindCoordinator, even in version 4."""
ClosesOnNewVersions = lie(of(API_VERSIONS, 6), close)
"""Closes the connection instead of answering in version 0 with error 35."""
WithholdsVersions = lie(of(API_VERSIONS, 1), _as_unknown)
"""Answers an announced version like an unknown one."""
OldAnswers = lie(
    of(API_VERSIONS),
    lambda lying, payload: Honest.answer(lying, payload[:2] + bytes(2) + payload[4:8] + bytes.fromhex("ffff")),
)
"""Answers each version of an API in version 0, without an error."""
TakesAnything = lie(of(LIST_GROUPS), _of_groups)
"""Answers unreadable bodies like empty ones."""
NeverAnswers = lie(of(FIND_COORDINATOR), wait)
"""Keeps the connection open."""
DiesOfShortFrames = lie(is_broken, lambda lying, _: threading.Thread(target=lying.server.die).start())
WaitsOnBrokenFrames = lie(is_broken, wait)
"""Neither answers nor closes at a frame without a header."""


class SwappedAnswers(Honest):
    """Delays an answer until the next request, once in each connection from the second one on."""

    kept: bytes | None = None
    is_done = False

    def answer(self, payload: bytes) -> bytes | None:
        answer = super().answer(payload)
        if api_key(payload) == FIND_COORDINATOR and not self.is_done:
            self.is_done, self.server.frames = True, self.server.frames + 1
            if self.server.frames > 1:
                self.kept = answer
                return b""
        if self.kept is not None and answer is not None:
            answer, self.kept = answer + self.kept, None
        return answer


class NeverAsksWho(Honest):
    """Announces SASL, and answers everything without it."""


class AsksWho(Honest):
    """Demands authentication first, by any name and password."""

    is_known = False

    def answer(self, payload: bytes) -> bytes | None:
        key = api_key(payload)
        if key not in {API_VERSIONS, *SASL} and not self.is_known:
            return None
        self.is_known |= key == 36
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


def announcing(highest: int | None, has: int | None = None, refuses: int = 2**15) -> type[Honest]:
    """Return a conversation of a server with few versions of ApiVersions.

    It reads a request in the definition of its version, and answers one that it lacks in version 0 with error 35.

    Args:
        highest: the newest announced version; None to announce none.
        has: the newest version with an answer; None for the announced one.
        refuses: the oldest version at which it closes the connection instead.
    """
    newest = max(highest or 0, has or 0)
    others = [each for each in ANNOUNCED if each["ApiKey"] != API_VERSIONS]
    own = [] if highest is None else [{"ApiKey": API_VERSIONS, "MinVersion": 0, "MaxVersion": highest}]

    def answer(lying: Honest, payload: bytes) -> bytes | None:
        judged = judge_request(DEFINITIONS, payload)
        is_refused = version(payload) >= refuses or (judged.release is not None and judged.departures)
        return None if is_refused else _as_unknown(lying, payload)

    return lie(
        lambda payload: api_key(payload) == API_VERSIONS and version(payload) > newest,
        answer,
        announcing_apis(*others, *own, honest=False),
    )


class SilentOnce(Honest):
    """Answers all requests of one API but the first.

    It closes the connection at all frames without a header but the first two.
    """

    spared, silent, silent_when_broken = 0, 1, 2

    def answer(self, payload: bytes) -> bytes | None:
        has_header = not is_broken(payload)
        if has_header and api_key(payload) != FIND_COORDINATOR:
            return super().answer(payload)
        self.server.frames += 1
        last = self.spared + (self.silent if has_header else self.silent_when_broken)
        return b"" if self.spared < self.server.frames <= last else super().answer(payload)


class SilentSecond(SilentOnce):
    """Answers all requests of one API but the second."""

    spared = 1


LIES = {name: found for name, found in globals().items() if isinstance(found, type) and issubclass(found, Honest)}
for _name, _lie in LIES.items():
    _lie.__name__ = _name


def main(name: str) -> None:
    """Serve until standard input ends."""
    with Fake(LIES[name]) as fake:
        print(f"{name} listens on {fake.address}", flush=True)  # noqa: T201  # the line that --start waits for
        sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1])
