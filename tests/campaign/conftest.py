from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from conformance.campaign.attempts import kept
from conformance.campaign.codec_hosts import HOSTS, Work, check, run_and_keep
from conformance.campaign.distil import Distilled, distil
from conformance.campaign.folder import all_kept, finish, prepare, reopen
from conformance.campaign.plan import Part, tasks
from conformance.campaign.preparation import Campaign, CampaignRequest, prepared
from conformance.campaign.side_by_side import outcomes_of
from conformance.campaign.spark.storage import Storage
from conformance.codec.bridge.isolation import DecodeLimits
from reference import load_release
from tests.helpers.releases import NEWEST

RELEASE = NEWEST
LIARS = "tests.fakes.faulty_codecs"
HONEST = f"{LIARS}:Honest"
CATEGORIES = (
    *("Honest", "Aborts", "LittleEndian", "RefusesUnknownTags"),
    *("WrongSize", "ReadsZero", "ReadsAnything", "CountsAll"),
)
"""Liars of every kind in a campaign: of bytes, values, sizes, counts; and one that ends its process."""


def campaign_of(
    *impls: str,
    cases: int = 40,
    fixed: bool = False,
    corpus: Storage | None = None,
    seed: str = "1",
    moves: bool = False,
) -> Campaign:
    """Return a campaign with all of its cases on the two messages of the fakes."""
    messages = ("HeartbeatResponse-v0", "ApiVersionsRequest-v3")
    return prepared(
        CampaignRequest(impls, load_release(RELEASE), cases, seed, corpus, fixed, messages, DecodeLimits(), moves)
    )


def planned(campaign: Campaign) -> dict[int, Part]:
    """The parts by number."""
    return dict(enumerate(campaign.parts))


def missing(campaign: Campaign, folder: Storage) -> dict[int, Part]:
    """Return the parts missing in a folder."""
    done = kept(folder, campaign.parameters, planned(campaign)).parts
    return {number: part for number, part in planned(campaign).items() if number not in done}


def run_all(campaign: Campaign, folder: Path | str, slots: int = 100) -> dict[str, Any]:
    """Run the missing parts in this process, in tasks for so many slots, and return the manifest."""
    storage = Storage(str(folder))
    prepare(storage, campaign.parameters)
    reopen(storage)
    work = Work(campaign.parameters, str(folder))
    check(run_and_keep(work, task) for task in tasks(missing(campaign, storage), slots))
    return finish(storage, campaign.parameters, all_kept(storage, campaign.parameters, planned(campaign)), 0.0)


def distilled(campaign: Campaign, folder: Path) -> list[Distilled]:
    """Write the findings of a finished campaign to it, and return them."""
    storage = Storage(str(folder))
    found = all_kept(storage, campaign.parameters, planned(campaign))
    return distil(storage, campaign.parameters, found, lambda _done, _all: None)


@pytest.fixture(autouse=True)
def no_servers() -> Iterator[None]:
    """Keep implementations loaded by one test from the next."""
    yield
    HOSTS.close()


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Set the cost of a part, so little work is several parts."""

    def set_cost(cost: int) -> None:
        monkeypatch.setattr("conformance.campaign.plan.PART_COST", cost)

    return set_cost


def rows_of(folder: Path | str) -> Sequence[dict[str, Any]]:
    """All outcomes of a finished campaign."""
    return [row for table in outcomes_of(Storage(str(folder))) for row in table.to_pylist()]
