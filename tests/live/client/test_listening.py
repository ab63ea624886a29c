"""Listening to clients, of which the honest one breaks no rule, and each of the others its own one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from conformance.live.address import Address
from conformance.live.capture.capture_judgement import CaptureJudge
from conformance.live.client.client_process import CannotStart
from conformance.live.client.listening import capped, joined, judged_together, listen, listen_again
from conformance.live.client.trial import ClientSubject
from conformance.live.scripted.scripted_broker import ScriptedBroker
from conformance.live.scripted.sockets import ScriptedServer
from conformance.live.server.server import NoServer
from tests.live.client.commands import DEADLINE, DEFINITIONS, client

if TYPE_CHECKING:
    from conformance.live.client.listening import ClientSession

DEPARTURES = (
    ("Overlong", "varint.shortest", "MetadataRequest"),
    ("NotAnnounced", "connection.announced-version", "ConsumerGroupHeartbeatRequest"),
    ("OldHeader", "header.request-version", "MetadataRequest"),
    ("BadBatch", "batch.crc", "record-batches"),
    ("UnnamedSoftware", "connection.refused-value", "ApiVersionsRequest"),
)


def session(name: str, cap: int = 0) -> ClientSession:
    return listen(client(name), cap=cap)


def judged(*sessions: ClientSession) -> CaptureJudge:
    return judged_together(client("Honest"), sessions)


def test_honest_client_succeeds_and_breaks_no_rule() -> None:
    recorded = session("Honest")
    judgement = judged(recorded)
    assert (recorded.run.status, recorded.run.output) == (0, "")
    assert judgement.results.findings.ordered() == []
    assert {name for name, _ in judgement.counts} == {
        "ApiVersionsRequest", "MetadataRequest", "ProduceRequest", "FetchRequest", "record-batches",
    }  # fmt: skip


@pytest.mark.parametrize(("name", "rule", "message"), DEPARTURES)
def test_departure_is_blamed_on_its_rule(name: str, rule: str, message: str) -> None:
    found = judged(session(name)).results.findings.ordered()
    assert [(each.rule, each.example.message) for each in found] == [(rule, message)]


def test_answers_of_the_scripted_broker_are_canonical() -> None:
    """The frames of the other side are judged, too."""
    judgement = CaptureJudge(client("Honest"), side="server")
    for frame in session("Honest").frames:
        judgement.take(frame)
    assert judgement.results.findings.ordered() == []
    assert ("FetchResponse", 12) in judgement.counts


def test_client_before_another_broker_is_recorded() -> None:
    server: ScriptedServer
    broker = ScriptedBroker(DEFINITIONS, lambda: server.address)
    with ScriptedServer(lambda: broker) as server:
        recorded = listen(client("Honest"), server.address)
    assert recorded.run.status == 0
    assert list(broker.cluster.topics) == ["fake"]


def test_missing_broker_is_named() -> None:
    with pytest.raises(NoServer, match="cannot connect"):
        listen(client("Honest"), Address("127.0.0.1", 1))


def test_cap_stops_at_the_lowest_version() -> None:
    assert capped({3: range(14), 17: range(1, 2)}, 2) == {3: range(12), 17: range(1, 2)}


def test_each_session_is_judged_by_its_announced_versions() -> None:
    """Sound requests of one session have unannounced versions in the other."""
    judgement = judged(session("Honest"), session("Honest", cap=20))
    [found] = judgement.results.findings.ordered()
    assert (found.rule, found.count) == ("connection.announced-version", 3)
    assert judgement.counts["MetadataRequest", 9].frames == 2


def test_numbers_of_connections_and_frames_go_on_in_the_next_session() -> None:
    once = session("Honest")
    first, second = joined([once, once])
    assert first == once
    assert next(frame.number for frame in second.frames) == len(once.frames) + 1
    assert {frame.connection for frame in second.frames}.isdisjoint(frame.connection for frame in once.frames)


def test_useful_caps_end_at_the_widest_range() -> None:
    once = replace(session("Honest"), announced={3: range(4), 17: range(1, 2)})
    assert [cap for cap, _ in listen_again(lambda _: once, None)] == [0, 1, 2, 3]
    assert [cap for cap, _ in listen_again(lambda _: once, (2, 5))] == [2, 5]


def test_missing_command_is_named() -> None:
    with pytest.raises(CannotStart, match="'no-such-client'"):
        listen(ClientSubject(["no-such-client"], DEFINITIONS, DEADLINE))
