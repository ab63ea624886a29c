from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from conformance.campaign.folder import outcomes_of
from conformance.campaign.part_rows import HELD
from conformance.campaign.pipeline.engines import Engine
from conformance.campaign.pipeline.storage import Storage
from conformance.campaign.preparation import Campaign, CampaignRequest, prepared
from conformance.campaign.run import CampaignProgress, run_to_end
from conformance.codec.bridge.isolation import DecodeLimits
from reference import load_release
from tests.helpers.engines import HERE
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


def run_all(
    campaign: Campaign, folder: Path | str, engine: Engine = HERE, warnings: list[str] | None = None
) -> dict[str, Any]:
    """Run a campaign to its end, and return the manifest; problems that it mends are added to `warnings`."""
    heard: list[str] = [] if warnings is None else warnings
    shown = CampaignProgress(lambda _: None, heard.append, lambda _: nullcontext(lambda _done, _all: None))
    return run_to_end(engine, campaign, Storage(str(folder)), shown)


@pytest.fixture(autouse=True)
def no_session() -> Iterator[None]:
    """Keep implementations loaded by one test from the next."""
    yield
    HELD.close()


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Set the cost of a part, so little work is several parts."""

    def set_cost(cost: int) -> None:
        monkeypatch.setattr("conformance.campaign.plan.PART_COST", cost)

    return set_cost


def rows_of(folder: Path | str) -> list[dict[str, Any]]:
    """All outcomes of a finished campaign."""
    return HERE.query("select * from {outcomes}", outcomes=outcomes_of(Storage(str(folder))))
