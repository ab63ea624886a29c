"""How the work of a campaign is divided."""

from dataclasses import replace

import pytest

from conformance.campaign.plan import Part
from conformance.campaign.preparation import CampaignRequest, prepared
from conformance.codec.bridge.isolation import DecodeLimits
from reference import load_release
from tests.campaign.conftest import HONEST, LIARS, campaign_of
from tests.helpers.releases import NEWEST


def planned(cases: int) -> tuple[Part, ...]:
    """Return the parts of so many generated cases of all messages."""
    impls, release = ("conformance.adapters.reference",), load_release(NEWEST)
    request = CampaignRequest(impls, release, cases, "1", None, False, (), DecodeLimits())  # noqa: FBT003  # fixed
    return prepared(request).parts


def test_parts_have_every_case_once() -> None:
    parts = planned(20_000)
    rows = [(block.pair, block.first + row) for part in parts for block in part.blocks for row in range(block.rows)]
    assert len(parts) > 1
    assert len(rows) == len(set(rows)) == 20_000


def test_a_part_is_of_one_implementation() -> None:
    assert [part.subject for part in campaign_of(HONEST, f"{LIARS}:ReadsZero").parts] == [0, 1]


def test_parts_of_very_large_campaigns_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver holds all of them."""
    monkeypatch.setattr("conformance.campaign.plan.MOST_PARTS", 3)
    assert len(planned(20_000)) == 3


def test_places_do_not_change_the_digest() -> None:
    """A campaign may be continued on another machine."""
    one, other = (campaign_of(HONEST, seed=seed).parameters for seed in ("1", "2"))
    assert replace(one, folder="/elsewhere", corpus="/corpus").digest == one.digest != other.digest
