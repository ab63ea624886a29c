"""How the work of a campaign is divided."""

from __future__ import annotations

import pytest

from conformance.campaign.plan import LARGEST_TASK, MADE, Part, TaskBlock, tasks
from conformance.campaign.preparation import CampaignRequest, prepared
from conformance.codec.bridge.isolation import DecodeLimits
from reference import load_release
from tests.helpers.releases import NEWEST


def planned(cases: int) -> dict[int, Part]:
    """The parts of so many generated cases of all messages."""
    impls, release = ("conformance.adapters.reference",), load_release(NEWEST)
    wanted = CampaignRequest(impls, release, cases, "1", None, False, (), DecodeLimits())  # noqa: FBT003  # fixed
    return dict(enumerate(prepared(wanted).parts))


@pytest.mark.parametrize(("cases", "slots"), [(10_000, 4), (1_000_000, 400)])
def test_every_slot_has_a_task(cases: int, slots: int) -> None:
    assert len(list(tasks(planned(cases), slots))) >= slots


@pytest.mark.parametrize("slots", [1, 3, 1000])
def test_tasks_are_all_parts_in_order(slots: int) -> None:
    parts = planned(20_000)
    assert [each for task in tasks(parts, slots) for each in task] == list(parts.items())


def test_a_task_is_of_one_implementation() -> None:
    parts = {number: Part(number // 3, (TaskBlock(MADE, "FetchRequest", 4),)) for number in range(9)}
    assert all(len({part.subject for _, part in task}) == 1 for task in tasks(parts, 1))


def test_a_task_has_an_end() -> None:
    """It is run again if it is interrupted."""
    parts = {number: Part(0, (TaskBlock(MADE, "FetchRequest", 4, number, LARGEST_TASK // 4),)) for number in range(99)}
    assert max(map(len, tasks(parts, 1))) == 4


def test_parts_of_very_large_campaigns_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver holds a record of each."""
    monkeypatch.setattr("conformance.campaign.plan.MOST_PARTS", 3)
    assert len(planned(20_000)) == 3
