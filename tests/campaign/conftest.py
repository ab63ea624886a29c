from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from conformance.bridge.isolation import Limits
from conformance.campaign.comparison import outcomes_of
from conformance.campaign.folder import all_records, finish, prepare, records
from conformance.campaign.plan import Part
from conformance.campaign.preparation import Campaign, Wanted, prepared
from conformance.campaign.work import Work, check, run_and_keep
from conformance.pipeline.storage import Storage
from reference import load_release

RELEASE = "4.4.0"
LIARS = "tests.fakes.faulty_codecs"
HONEST = f"{LIARS}:Honest"
SORTS = (
    *("Honest", "Aborts", "LittleEndian", "RefusesUnknownTags"),
    *("WrongSize", "ReadsZero", "ReadsAnything", "CountsAll"),
)
"""Liars of every sort that a campaign may meet: of bytes, values, sizes, counts; and one that ends its process."""


def campaign_of(
    *impls: str,
    cases: int = 40,
    fixed: bool = False,
    corpus: Storage | None = None,
    seed: str = "1",
    moves: bool = False,
) -> Campaign:
    """A campaign on the two messages of the fakes, which get all of the cases."""
    messages = ("HeartbeatResponse-v0", "ApiVersionsRequest-v3")
    return prepared(Wanted(impls, load_release(RELEASE), cases, seed, corpus, fixed, messages, Limits(), moves))


def missing(campaign: Campaign, folder: Storage) -> dict[int, Part]:
    """The parts that a folder lacks."""
    planned = dict(enumerate(campaign.parts))
    kept = records(folder, planned)
    return {number: part for number, part in planned.items() if number not in kept}


def run_all(campaign: Campaign, folder: Path | str) -> dict[str, Any]:
    """Run what is missing in this process, and return the manifest."""
    storage = Storage(str(folder))
    prepare(storage, campaign.parameters)
    work = Work(campaign.parameters, str(folder))
    check(run_and_keep(work, *each) for each in missing(campaign, storage).items())
    return finish(storage, campaign.parameters, all_records(storage, dict(enumerate(campaign.parts))), 0.0)


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets the cost of a part, so that little work is several parts."""

    def set_cost(cost: int) -> None:
        monkeypatch.setattr("conformance.campaign.plan.PART_COST", cost)

    return set_cost


def rows_of(folder: Path | str) -> Sequence[dict[str, Any]]:
    """All outcomes of a finished campaign."""
    return [row for table in outcomes_of(Storage(str(folder))) for row in table.to_pylist()]
