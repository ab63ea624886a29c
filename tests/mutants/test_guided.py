"""Guided search kills the mutants that random cases kill late."""

import pytest

from tests.mutants.catalogue import MUTANTS
from tests.mutants.guided import UNREACHABLE, chosen, executions, guided_cases, random_cases
from tests.mutants.mutant import Mutant

SEEDS = ("1", "2", "3")
MOST = 1_000
SLOWEST = ("varint-wrong-from-third-byte", "default-valued-tag-refused")
"""Those that random cases kill last."""


@pytest.mark.parametrize("mutant", chosen(), ids=lambda mutant: mutant.name)
def test_a_search_kills_the_mutant(mutant: Mutant) -> None:
    assert executions(mutant, guided_cases, "1", MOST) is not None


@pytest.mark.parametrize("name", SLOWEST)
def test_a_search_takes_less_than_half_of_the_executions(name: str) -> None:
    [mutant] = [each for each in MUTANTS if each.name == name]
    random, guided = (
        sum(executions(mutant, way, seed, MOST) or MOST for seed in SEEDS) for way in (random_cases, guided_cases)
    )
    assert 2 * guided < random


@pytest.mark.parametrize("name", UNREACHABLE)
def test_what_no_bytes_kill_is_not_killed(name: str) -> None:
    """Else it is to be measured."""
    [mutant] = [each for each in MUTANTS if each.name == name]
    assert executions(mutant, random_cases, "1", MOST) is None
