"""Codecs with two mistakes: both are told."""

from __future__ import annotations

import pytest

from tests.helpers.releases import BASE, OLDEST
from tests.mutants.definitions.mutants import mutants_of
from tests.mutants.definitions.naming import naming_of
from tests.mutants.definitions.suite import SuiteTrial

PAIRS = {
    f"{BASE} ProducerSnapshot-v1": (
        "Crc: presence missing (plain), writing",
        "Timestamp: presence missing (plain), reading",
    ),
    f"{OLDEST} UpdateMetadataRequest-v4": (
        "TopicStates: ignorable gained (absent), writing",
        "Isr: type []int32 to []int64 (plain), writing",
    ),
}
"""Pairs of mistakes, of which each was once said to follow from the other one."""


@pytest.mark.parametrize("of", PAIRS)
def test_neither_of_two_mistakes_hides_the_other_one(of: str) -> None:
    release, _, pair = of.partition(" ")
    message, _, version = pair.partition("-v")
    trials = [
        SuiteTrial(mutant, direction)
        for mutant in mutants_of(release, message, int(version))
        for direction in ("reading", "writing")
    ]
    first, second = (next(each for each in trials if str(each).endswith(name)) for name in PAIRS[of])
    assert naming_of((first, second)).is_named
