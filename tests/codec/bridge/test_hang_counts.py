"""The budget of hangs of all processes of one run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from conformance.codec.bridge.hangs import (
    HANGS_OF_A_KIND,
    HANGS_OF_A_RUN,
    HURRY,
    NEW_KIND,
    SECONDS_OF_NEW_KINDS,
    SEVERAL,
    SURE,
    HangBudget,
    HangCounts,
)

if TYPE_CHECKING:
    from pathlib import Path

REQUEST = {"op": "decode", "message": "FetchRequest", "version": 4, "wire": "00"}
OTHER = {**REQUEST, "wire": "01"}
TIMED_OUT = {"outcome": "timed-out"}
KIND = "FetchRequest nulls"
DEADLINE = 10.0


@pytest.fixture
def shared(tmp_path: Path) -> str:
    return str(tmp_path / "hangs")


def budget(file: str = "") -> HangBudget:
    return HangBudget(DEADLINE, HangCounts(file))


def test_a_hang_counts_in_every_process_of_the_run(shared: str) -> None:
    one, other = budget(shared), budget(shared)
    for _ in range(HANGS_OF_A_RUN):
        one.record(REQUEST, "", TIMED_OUT)
    other.refresh()
    assert other.is_hurried


def test_kind_is_not_tried_after_hangs_in_another_process(shared: str) -> None:
    one, other = budget(shared), budget(shared)
    for _ in range(HANGS_OF_A_KIND):
        one.record(REQUEST, KIND, TIMED_OUT)
    other.refresh()
    reply = other.known(OTHER, KIND)
    assert reply is not None
    assert reply["outcome"] == "not-run"


def test_hang_after_the_whole_deadline_counts_despite_counts_of_others_meanwhile(shared: str) -> None:
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


def test_runs_without_a_shared_budget_count_apart(shared: str) -> None:
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


def hurried(*kinds: str) -> HangBudget:
    """Return a budget after the sure hangs, and one of each of some kinds."""
    one = budget()
    for kind in ("first", "second", *kinds):
        one.record(REQUEST, kind, TIMED_OUT)
    return one


def test_the_first_hangs_are_made_sure_of() -> None:
    assert budget().deadline(KIND) == SURE * DEADLINE


def test_a_hang_is_made_sure_of_once_for_each_kind() -> None:
    """Parts of a campaign have a budget each."""
    one = budget()
    one.record(REQUEST, KIND, TIMED_OUT)
    assert one.renewed(HangCounts()).deadline(KIND) == DEADLINE


def test_kind_without_a_hang_gets_the_deadline_after_hangs_of_others() -> None:
    assert hurried().deadline(KIND) == DEADLINE


def test_kind_gets_a_part_of_the_deadline_after_its_hang() -> None:
    assert hurried(KIND).deadline(KIND) == DEADLINE / HURRY


def test_run_after_long_waits_gives_new_kinds_less() -> None:
    one = hurried()
    one.waited = HANGS_OF_A_RUN * SURE * DEADLINE + SECONDS_OF_NEW_KINDS
    assert one.deadline(KIND) == DEADLINE / NEW_KIND


def test_run_after_too_long_waits_gives_every_kind_a_part_of_the_deadline() -> None:
    one = hurried()
    one.waited = 1000.0
    assert one.deadline(KIND) == DEADLINE / HURRY


def test_a_codec_with_slow_answers_gets_more_than_a_part_of_the_deadline() -> None:
    one = hurried(KIND)
    one.longest = 1.0
    assert one.deadline(KIND) == one.patience == SEVERAL * one.longest
