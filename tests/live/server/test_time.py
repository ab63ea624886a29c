"""Time limits of a server's silence, and their texts."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

from conformance.codec.bridge.hangs import SURE
from conformance.judge.case import Judged, NotAsked
from conformance.live.server import connection as connections
from conformance.live.server.black_box import UNKNOWN_PROCESS, BlackBox, notes_of
from conformance.live.server.connection import SIZE, Connection, End, TooBusy
from conformance.live.server.server import Server
from conformance.live.server.survival import unless_busy
from conformance.live.server.tiers import Permission
from conformance.targets.outcome import Kind
from tests.fakes.lying_server import DEFINITIONS, Fake

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.judge.case import Event

PID = 1
DEADLINE = 7.0


class Exceeded:
    """A limit exceeded at the first look."""

    pause = 0.0
    is_for_lack_of_processors = False

    def __init__(self, pid: int | None, seconds: float) -> None:
        self._text = f"{seconds:g} seconds of process {pid}"

    def __str__(self) -> str:
        return self._text

    @staticmethod
    def is_over() -> bool:
        return True


class Starved(Exceeded):
    """A limit of a process without a processor."""

    is_for_lack_of_processors = True


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def test_silence_is_limited_by_the_work_of_the_process(
    ends: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "TimeLimit", Exceeded)
    reply = Connection(ends[0], DEADLINE, pid=PID).receive()
    assert reply.end is End.SILENT
    assert "7 seconds of process 1" in str(reply)


def test_silence_of_an_unknown_process_has_no_processor_time(ends: tuple[socket.socket, socket.socket]) -> None:
    reply = Connection(ends[0], 0.05).receive()
    assert "0.05 seconds" in str(reply)
    assert "of the clock" in str(reply)


def test_bytes_arriving_at_the_limit_are_no_silence(
    ends: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "TimeLimit", Exceeded)
    ends[1].sendall(SIZE.pack(2) + b"ab")
    assert Connection(ends[0], DEADLINE, pid=PID).receive().payload == b"ab"


def test_silence_without_a_processor_is_no_reply(
    ends: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "TimeLimit", Starved)
    with pytest.raises(TooBusy):
        Connection(ends[0], DEADLINE, pid=PID).receive()


def test_check_without_a_processor_is_counted_as_not_run() -> None:
    def check() -> Iterator[Event]:
        yield Judged("sound requests")
        raise TooBusy("too busy")

    *_, event = unless_busy("MetadataRequest", check())
    assert isinstance(event, NotAsked)
    assert (event.message, event.outcome.kind, event.outcome.text) == ("MetadataRequest", Kind.NOT_RUN, "too busy")


@pytest.mark.parametrize(("is_known", "deadlines"), [(False, [DEADLINE, SURE * DEADLINE]), (True, [DEADLINE])])
def test_new_silence_is_tried_again_with_more_time(*, is_known: bool, deadlines: list[float]) -> None:
    tried: list[float] = []
    with Fake() as fake:
        black_box = BlackBox(Server(fake.address, DEFINITIONS, deadline=DEADLINE), Permission())
    black_box.is_known = lambda _: is_known
    black_box.surely(tried.append, lambda _: [None])  # type: ignore[list-item]  # any violation
    assert tried == deadlines


@pytest.mark.parametrize(("pid", "is_noted"), [(None, True), (PID, False)])
def test_a_limit_of_the_clock_alone_is_noted(*, pid: int | None, is_noted: bool) -> None:
    with Fake() as fake:
        notes = notes_of(Server(fake.address, DEFINITIONS, pid=pid), Permission())
    assert (UNKNOWN_PROCESS in notes) == is_noted
