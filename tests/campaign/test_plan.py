"""How the work of a campaign is divided."""

from __future__ import annotations

import pytest

from conformance.campaign.plan import MOST_PART_COSTS, PART_COST, PARTS, pieces


@pytest.mark.parametrize(
    ("costs", "expected"),
    [(0.1, 1), (1, 1), (10, 10), (PARTS, PARTS), (2 * PARTS, PARTS), (MOST_PART_COSTS * 2 * PARTS, 2 * PARTS)],
)
def test_parts_of_a_large_campaign_grow_to_four_times_their_cost(costs: float, expected: int) -> None:
    """Each part starts the program of the implementation, so that many small ones cost more than few large ones."""
    assert pieces(int(costs * PART_COST)) == expected
