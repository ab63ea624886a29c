"""Endless data of a server changes neither time nor memory of the suite."""

import json
import socket
import threading
import tracemalloc
from contextlib import closing

from conformance.judge.forms import as_json
from conformance.live.capture.frame_verdict import judge_response
from conformance.live.server.announcement import MAXIMUM_PROBLEMS, check_announcement, range_problems
from conformance.live.server.black_box import MAXIMUM_NAMED, BlackBox, notes_of
from conformance.live.server.connection import LARGEST, SIZE, Connection, End
from conformance.live.server.server import Announced, Announcement, Server
from conformance.live.server.tiers import Permission
from tests.fakes.lying_server import DEFINITIONS, Fake
from tests.helpers.events import found

HIGHEST = 2**15 - 1
EVERYTHING = Announced(tuple(Announcement(api_key, 0, HIGHEST) for api_key in range(HIGHEST + 1)))


def test_only_announced_versions_of_a_release_are_tested() -> None:
    """Else a server with 32,768 announced versions of 32,768 APIs keeps the suite busy for hours."""
    pairs = list(EVERYTHING.pairs(DEFINITIONS))
    assert set(pairs) == {
        (api_key, version)
        for api_key in DEFINITIONS.keys().values()
        for version in range(100)
        if DEFINITIONS.release_of(api_key, version)
    }


def test_ranges_without_a_release_are_reported_around_those_with_one() -> None:
    known = DEFINITIONS.versions(3)
    announced = Announced((Announcement(3, 0, known[-1] + 3), Announcement(9_999, 4, 4)))
    assert list(announced.unknown(DEFINITIONS)) == [f"Metadata {known[-1] + 1}-{known[-1] + 3}", "API 9999 4"]


def test_a_note_names_no_more_apis_than_anyone_reads() -> None:
    with Fake() as fake:
        server = Server(fake.address, DEFINITIONS)
        server.__dict__["announced"] = EVERYTHING
        [unknown] = [note for note in notes_of(server, Permission()) if note.startswith("not tested")]
    assert unknown.count(" 0-32767") <= MAXIMUM_NAMED
    assert unknown.endswith(" more")


def test_empty_ranges_without_end_are_found_at_once() -> None:
    lies = Announced(tuple(Announcement(api_key, 1, 0) for api_key in range(HIGHEST + 1)))
    assert sum(1 for _ in range_problems(lies)) > MAXIMUM_PROBLEMS
    assert list(lies.pairs(DEFINITIONS)) == []


def test_frame_costs_its_size_and_one_copy() -> None:
    """With copies at each read, or many in the end, a large one keeps the suite busy for minutes."""
    wire = SIZE.pack(8 * 2**20) + bytes(8 * 2**20)
    ours, theirs = socket.socketpair()
    with ours, theirs, Connection(ours, 30) as connection:
        sending = threading.Thread(target=theirs.sendall, args=(wire,))
        sending.start()
        tracemalloc.start()
        reply = connection.receive()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        sending.join()
    assert reply.is_frame
    assert peak < 2.5 * len(wire)


def test_the_text_of_a_large_frame_is_short() -> None:
    judged = judge_response(DEFINITIONS, 3, 13, bytes(100_000))
    assert judged.departures
    assert all(len(json.dumps(as_json(departure.observation))) < 10_000 for departure in judged.departures)


def test_a_larger_frame_than_is_read_is_named_with_its_size() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs, Connection(ours, 30) as connection:
        theirs.sendall(SIZE.pack(LARGEST + 1))
        reply = connection.receive()
    assert reply.end is End.NO_FRAME
    assert f"{LARGEST + 1:,}" in str(reply)
    assert f"from 0 to {LARGEST:,}" in str(reply)


def test_server_announcing_every_version_of_every_api_is_asked_for_defined_ones() -> None:
    """The announcement is sent over the wire, in each version of the answer."""
    with Fake() as fake:
        fake.answers.announced = [{"ApiKey": key, "MinVersion": 0, "MaxVersion": HIGHEST} for key in range(HIGHEST + 1)]
        server = Server(fake.address, DEFINITIONS, deadline=60.0)
        assert len(server.announced.entries) == HIGHEST + 1
        assert len(list(server.announced.pairs(DEFINITIONS))) == len(list(EVERYTHING.pairs(DEFINITIONS)))
        with closing(BlackBox(server, Permission())) as black_box:
            assert [violation.rule for violation in found(check_announcement(black_box))] == []
