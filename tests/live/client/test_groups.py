"""Groups of the scripted broker, with members joining and leaving."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Condition

import pytest

from conformance.live.scripted.groups import REBALANCE, UNKNOWN_MEMBER, ConsumerGroup, Member

KIND = "consumer"
PLAN = [{"MemberId": "a-1", "Assignment": b"first"}, {"MemberId": "b-2", "Assignment": b"second"}]


def join(group: ConsumerGroup, client: str, member_id: str = "", protocols: tuple[str, ...] = ("range",)) -> str:
    with group.changed:
        return group.join(member_id, Member(None, client, dict.fromkeys(protocols, b"")), KIND)


def sync(group: ConsumerGroup, member_id: str) -> tuple[int, bytes]:
    with group.changed:
        return group.sync(member_id, group.generation, PLAN if member_id == group.leader else [])


@pytest.fixture
def group() -> ConsumerGroup:
    """A group with one member, a-1."""
    one = ConsumerGroup(Condition())
    join(one, "a")
    sync(one, "a-1")
    return one


@pytest.fixture
def group_of_two(group: ConsumerGroup) -> ConsumerGroup:
    """Return a group joined by a second member, b-2."""
    with ThreadPoolExecutor() as pool:
        second = pool.submit(join, group, "b", protocols=("sticky", "range"))
        with group.changed:
            group.changed.wait_for(lambda: group.is_forming, timeout=10)
        join(group, "a", "a-1", ("range", "sticky"))
        assert second.result(timeout=10) == "b-2"
    return group


def test_first_member_learns_of_the_second_one(group: ConsumerGroup) -> None:
    with ThreadPoolExecutor() as pool, group.changed:
        pool.submit(join, group, "b")
        group.changed.wait_for(lambda: group.is_forming, timeout=10)
        assert group.error("a-1", group.generation) == REBALANCE
        group.leave("a-1")


def test_both_members_are_in_the_next_generation(group_of_two: ConsumerGroup) -> None:
    found = list(group_of_two.members), group_of_two.generation, group_of_two.leader
    assert found == (["a-1", "b-2"], 2, "a-1")


def test_members_agree_on_the_first_common_protocol(group_of_two: ConsumerGroup) -> None:
    assert group_of_two.protocol == "range"


def test_each_member_gets_its_assignment_by_the_leader(group_of_two: ConsumerGroup) -> None:
    with ThreadPoolExecutor() as pool:
        second = pool.submit(sync, group_of_two, "b-2")
        first = sync(group_of_two, "a-1")
        assert (first, second.result(timeout=10)) == ((0, b"first"), (0, b"second"))


def test_others_join_again_after_a_member_leaves(group_of_two: ConsumerGroup) -> None:
    with group_of_two.changed:
        group_of_two.leave("a-1")
        errors = [group_of_two.error(member, 2) for member in ("a-1", "b-2")]
    assert errors == [UNKNOWN_MEMBER, REBALANCE]
