from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from conformance.bridge.isolation import Limits
from conformance.campaign.folder import finish, outcomes_of, prepare
from conformance.campaign.guard import run_guarded
from conformance.campaign.preparation import Campaign, Wanted, prepared
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
FACTS = {"finished": "2026-01-01T00:00:00+00:00", "seconds": 0.0}


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


def run_all(campaign: Campaign, folder: Path | str, workers: int = 2) -> dict[str, Any]:
    """Run what is missing in processes of this machine, and return the manifest."""
    storage = Storage(str(folder))
    missing = prepare(storage, campaign.parameters, campaign.parts)
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda n: run_guarded(campaign.parameters, campaign.parts[n], n, str(folder)), missing))
    return finish(storage, campaign.parameters, campaign.parts, FACTS)


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets the cost of a part, so that little work is several parts."""

    def set_cost(cost: int) -> None:
        monkeypatch.setattr("conformance.campaign.plan.PART_COST", cost)

    return set_cost


def rows_of(folder: Path | str) -> Sequence[dict[str, Any]]:
    """All outcomes of a finished campaign."""
    return [row for table in outcomes_of(Storage(str(folder))) for row in table.to_pylist()]
