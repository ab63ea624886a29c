"""Produced streams of too large a declared size, with blame for a server that trusts one."""

from __future__ import annotations

from contextlib import closing

from conformance.judge.case import Violation
from conformance.judge.tally import Tally
from conformance.live.server.black_box import BlackBox
from conformance.live.server.produced import CATEGORY, check_produced_streams
from conformance.live.server.server import Server
from conformance.live.server.tiers import Permission, Tier
from tests.fakes import lying_server
from tests.fakes.lying_server import DEFINITIONS, AnswersSilence, FollowsSnappy, Honest, Keeps
from tests.helpers.events import found

DEADLINE = 20.0


def checked(lie: type[Honest], tally: Tally) -> list[Violation]:
    started = lying_server.Restartable(lie)
    server = Server(started.address, DEFINITIONS, deadline=DEADLINE)
    with closing(BlackBox(server, Permission(Tier.THROW_AWAY), started=started)) as black_box:
        return found(check_produced_streams(black_box), tally)


def test_server_trusting_the_declared_size_of_a_snappy_block_is_blamed() -> None:
    violations = checked(FollowsSnappy, Tally())
    assert {(each.rule, each.outcome) for each in violations if each.outcome == "crashed"} == {
        ("codec.declared-size", "crashed")
    }


def test_answer_to_a_request_without_acks_is_blamed() -> None:
    [found] = [each for each in checked(AnswersSilence, Tally()) if each.rule == "header.correlation-id"]
    assert (found.case.name, found.outcome) == ("acks 0", "value")


def test_server_keeping_records_unread_is_not_reported_as_dead() -> None:
    """It accepts damaged streams, which is another finding."""
    tally = Tally()
    assert {each.outcome for each in checked(Keeps, tally)} <= {"value"}
    assert tally.cases[CATEGORY] > 20


def test_server_without_creation_of_topics_is_not_asked() -> None:
    tally = Tally()
    assert checked(Honest, tally) == []
    assert not tally.cases
