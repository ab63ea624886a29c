"""Processes of a campaign are killed, and the same command goes on to the same results."""

import pytest

from tests.campaign.kills import KINDS, rounds
from tests.helpers import requirements

pytestmark = pytest.mark.nightly


@pytest.mark.spark
@pytest.mark.parametrize("name", KINDS)
def test_kills_do_not_show(name: str) -> None:
    """`rounds` compares the results."""
    requirements.spark()
    done = list(rounds(name, 5, 1))
    assert any(hit for hit, _ in done)
