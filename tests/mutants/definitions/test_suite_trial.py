"""Mutants against the suite in each direction, and their samples."""

from __future__ import annotations

import pytest

from reference import load_release
from tests.helpers.releases import BASE, OLDEST
from tests.mutants.definitions.mutants import mutants_of
from tests.mutants.definitions.suite import (
    DIRECTIONS,
    SuiteTrial,
    by_message,
    covering,
    first_violation,
    naming_of,
    trials_of,
)
from tests.mutants.kit.samples import drawn

MESSAGE = "HeartbeatRequest"
PAIRS = [(BASE, load_release(BASE).schema(MESSAGE, version)) for version in (0, 4)]
MUTANTS = {(each.place.path, each.kind.property, each.kind.change): each for each in mutants_of(BASE, MESSAGE, 4)}


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_codec_wrong_in_one_direction_is_found(direction: str) -> None:
    """The suite finds a wider number in reading, and in writing."""
    assert first_violation(SuiteTrial(MUTANTS["GenerationId", "type", "int32 to int64"], direction)) is not None


def test_an_equivalent_codec_is_not_found() -> None:
    """The ignorability of a field of the version has no effect on bytes."""
    assert first_violation(SuiteTrial(MUTANTS["GenerationId", "ignorable", "gained"], "both")) is None


def test_change_shown_on_one_side_is_tried_there_and_in_both() -> None:
    """The other side alone is equivalent."""
    kind = MUTANTS["GenerationId", "ignorable", "gained"].kind
    directions = {trial.direction for trial in trials_of(PAIRS, {(kind, "reading")}) if trial.mutant.kind == kind}
    assert directions == {"writing", "both"}


def test_samples_are_the_same_at_each_run() -> None:
    """The sample has two of each class, drawn by their names."""
    first, second = ([str(trial) for trial in covering(trials_of(PAIRS, set()))] for _ in range(2))
    assert first == second


def test_every_trial_is_tried() -> None:
    """Trials come in the order of messages."""
    trials = drawn(trials_of(PAIRS, set()), 3)
    assert set(by_message(trials)) == set(trials)


HIDING = {
    f"{BASE} ProducerSnapshot-v1": (
        "Crc: presence missing (plain), writing",
        "Timestamp: presence missing (plain), reading",
    ),
    f"{OLDEST} UpdateMetadataRequest-v4": (
        "TopicStates: ignorable gained (absent), writing",
        "Isr: type []int32 to []int64 (plain), writing",
    ),
}
"""Pairs of mistakes, in which one was once taken for a consequence of the other."""


@pytest.mark.parametrize("of", HIDING)
def test_neither_of_two_mistakes_hides_the_other_one(of: str) -> None:
    release, _, pair = of.partition(" ")
    message, _, version = pair.partition("-v")
    trials = [
        SuiteTrial(mutant, direction)
        for mutant in mutants_of(release, message, int(version))
        for direction in ("reading", "writing")
    ]
    first, second = (next(each for each in trials if str(each).endswith(name)) for name in HIDING[of])
    assert naming_of((first, second)).is_named
