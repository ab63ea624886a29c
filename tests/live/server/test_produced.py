"""Produced streams that say too much: a server that follows one is blamed for that, a sound one for nothing."""

from __future__ import annotations

from contextlib import closing

from conformance.codec.tally import Tally
from conformance.judge.case import Violation
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


def test_a_server_that_follows_what_a_block_of_snappy_says_is_blamed_for_that() -> None:
    violations = checked(FollowsSnappy, Tally())
    assert {(each.rule, each.outcome) for each in violations if each.outcome == "crashed"} == {
        ("codec.declared-size", "crashed")
    }


def test_a_server_that_answers_what_asks_for_no_answer_is_blamed() -> None:
    [found] = [each for each in checked(AnswersSilence, Tally()) if each.rule == "header.correlation-id"]
    assert (found.case.name, found.outcome) == ("acks 0", "value")


def test_a_server_that_keeps_records_unread_is_not_reported_as_dead() -> None:
    """It takes streams that are no streams, which is another finding."""
    tally = Tally()
    assert {each.outcome for each in checked(Keeps, tally)} <= {"value"}
    assert tally.cases[CATEGORY] > 20


def test_a_server_that_lets_nobody_create_a_topic_is_not_asked() -> None:
    tally = Tally()
    assert checked(Honest, tally) == []
    assert not tally.cases
