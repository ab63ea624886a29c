"""The ends of a server by one variation of requests: one cause, and what is dropped after it is counted."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from conformance.codec.tally import AFTER_DEATH, Tally
from conformance.judge.case import Violation
from conformance.judge.findings.results import Results
from conformance.judge.recording import record
from conformance.live.server.exchanges import exchange_from
from conformance.live.server.sound_requests import check_sound_requests, sound_requests
from conformance.live.server.survival import until_lost
from conformance.report.terminal.counts import count_lines
from tests.fakes.lying_server import (
    DEADLY,
    FIND_COORDINATOR,
    LIST_GROUPS,
    METADATA,
    ExtraByte,
    Fake,
    deadly,
)
from tests.helpers.events import found
from tests.live.server.test_lies import black_box_of, restartable

if TYPE_CHECKING:
    from tests.fakes.lying_server import Honest

PAIRS = ((FIND_COORDINATOR, 4), (LIST_GROUPS, 4), (LIST_GROUPS, 5), (METADATA, 12), (METADATA, 13))
"""Flexible versions, in the order of the requests."""


def checked(lie: type[Honest], tally: Tally) -> list[Violation]:
    with closing(restartable(lie)) as black_box:
        return [
            violation
            for pair in PAIRS
            for violation in found(until_lost(black_box, check_sound_requests(black_box, *pair)), tally)
        ]


def dropped(tally: Tally) -> Counter[str]:
    requests: Counter[str] = Counter()
    for (_, _, why), count in tally.not_tested.items():
        if why.startswith(AFTER_DEATH):
            requests[why.removeprefix(AFTER_DEATH)] += count
    return requests


@pytest.fixture(scope="module")
def number_of_requests() -> int:
    with Fake() as fake, closing(black_box_of(fake)) as black_box:
        return sum(1 for pair in PAIRS for _ in sound_requests(black_box, *pair))


@pytest.mark.parametrize("variation", DEADLY)
def test_deadly_variation_is_one_cause(variation: str, number_of_requests: int) -> None:
    """Other requests are sent, also of other APIs, and those dropped are counted."""
    shown = checked(deadly(DEADLY[variation]), tally := Tally())
    assert len({violation.key for violation in shown}) == 1
    assert [violation.message for violation in shown] == ["FindCoordinatorRequest", "ListGroupsRequest"]
    left_out = dropped(tally)
    assert len(left_out) == 1
    assert tally.cases["sound requests"] + left_out.total() == number_of_requests
    assert tally.cases["sound requests"] > 0.8 * number_of_requests


@pytest.mark.parametrize("variation", DEADLY)
def test_fault_beside_a_deadly_variation_is_found(variation: str) -> None:
    shown = checked(deadly(DEADLY[variation], ExtraByte), Tally())
    assert {violation.rule for violation in shown} == {"connection.survival", "message.nothing-else"}


def test_death_by_a_body_ends_the_requests_of_its_version() -> None:
    ends = lambda payload: payload[:4] == b"\0\x10\0\4"  # noqa: E731  # ListGroups version 4
    shown = checked(deadly(ends), tally := Tally())
    assert [(violation.message, violation.version) for violation in shown] == [("ListGroupsRequest", 4)]
    assert list(dropped(tally)) == ["ListGroupsRequest-v4"]


def test_requests_dropped_after_a_death_have_a_line() -> None:
    results = Results((), lambda event: Violation.of(event, exchange_from(event)))
    with closing(restartable(deadly(DEADLY["client id null"]))) as black_box:
        events = until_lost(black_box, check_sound_requests(black_box, LIST_GROUPS, 0))
        record(results, "requests", "ListGroupsRequest-v0", events)
        record(results, "requests", "ListGroupsRequest-v1", check_sound_requests(black_box, LIST_GROUPS, 1))
    assert "not sent after a death: 1 request like one that ended the server (a client id of null 1)" in {
        text for text, _ in count_lines(results, [])
    }
