"""What the processes of one run may wait for hangs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from conformance.codec.bridge.hangs import HANGS_OF_A_KIND, HANGS_OF_A_RUN, MANY_HANGS, HangBudget, HangCounts

if TYPE_CHECKING:
    from pathlib import Path

REQUEST = {"op": "decode", "message": "FetchRequest", "version": 4, "wire": "00"}
OTHER = {**REQUEST, "wire": "01"}
TIMED_OUT = {"outcome": "timed-out"}
KIND = "FetchRequest nulls"


@pytest.fixture
def shared(tmp_path: Path) -> str:
    return str(tmp_path / "hangs")


def budget(file: str = "") -> HangBudget:
    return HangBudget(10.0, HangCounts(file))


def test_a_hang_counts_in_every_process_of_the_run(shared: str) -> None:
    one, other = budget(shared), budget(shared)
    for _ in range(HANGS_OF_A_RUN):
        one.record(REQUEST, "", TIMED_OUT)
    other.refresh()
    assert other.is_hurried


def test_a_kind_that_hung_in_another_process_is_not_tried(shared: str) -> None:
    one, other = budget(shared), budget(shared)
    for _ in range(HANGS_OF_A_KIND):
        one.record(REQUEST, KIND, TIMED_OUT)
    other.refresh()
    reply = other.known(OTHER, KIND)
    assert reply is not None
    assert reply["outcome"] == "not-run"


def test_a_hang_that_got_the_whole_deadline_is_one_whatever_others_count_meanwhile(shared: str) -> None:
    one, other = budget(shared), budget(shared)
    other.refresh()
    for _ in range(HANGS_OF_A_RUN):
        one.record(REQUEST, "", TIMED_OUT)
    assert other.record(OTHER, "", TIMED_OUT) == TIMED_OUT


def test_a_process_learns_of_the_hangs_of_others_when_one_of_its_own_is_counted(shared: str) -> None:
    one, other = budget(shared), budget(shared)
    one.record(REQUEST, "", TIMED_OUT)
    other.record(OTHER, "", TIMED_OUT)
    assert other.is_hurried


def test_runs_that_share_nothing_count_apart(shared: str) -> None:
    one, other = budget(shared), budget()
    for _ in range(HANGS_OF_A_RUN):
        one.record(REQUEST, KIND, TIMED_OUT)
    assert other.known(OTHER, KIND) is None
    assert not other.is_hurried


def test_a_process_does_not_count_its_own_hang_twice(shared: str) -> None:
    one = budget(shared)
    one.record(REQUEST, KIND, TIMED_OUT)
    one.refresh()
    assert not one.is_hurried


def test_after_many_hangs_an_input_gets_half_of_the_time() -> None:
    one = budget()
    for _ in range(HANGS_OF_A_RUN):
        one.record(REQUEST, "", TIMED_OUT)
    hurried = one.deadline
    for _ in range(MANY_HANGS - HANGS_OF_A_RUN):
        one.record(REQUEST, "", TIMED_OUT)
    assert one.deadline == hurried / 2
