"""Proofs of equivalence, which find no difference in equivalent mutants and one in others."""

from __future__ import annotations

import pytest

from reference import load_release
from tests.helpers.releases import BASE
from tests.mutants.definitions.mutants import DefinitionMutant, mutants_of
from tests.mutants.definitions.proof import Refutation, one_of_each, refutations
from tests.mutants.definitions.runner import READING, WRITING

DRAWN = 40
PAIRS = [(BASE, load_release(BASE).schema("JoinGroupRequest", version)) for version in (4, 5)]
MUTANTS = {
    (each.place.path, each.kind.property, each.kind.change): each for each in mutants_of(BASE, "JoinGroupRequest", 5)
}


def told_apart(path: str, changed: str, how: str) -> set[str]:
    """Return the sides on which the proof refutes the mutant."""
    return {each.side for each in refutations(MUTANTS[path, changed, how], DRAWN)}


@pytest.mark.parametrize(
    ("path", "changed", "how"),
    [
        ("Protocols.Name", "map key", "lost"),
        ("ProtocolType", "default", "another"),
        ("ProtocolType", "ignorable", "gained"),
        ("Protocols.Metadata", "type", "bytes to records"),
    ],
)
def test_an_equivalent_mutant_is_proven(path: str, changed: str, how: str) -> None:
    """The proof finds no difference on either side."""
    assert told_apart(path, changed, how) == set()


def test_change_without_a_failing_vector_is_distinguished() -> None:
    """A drawn number is negative, and a value has null where none is allowed."""
    assert told_apart("RebalanceTimeoutMs", "type", "int32 to uint32") == {READING, WRITING}
    assert WRITING in told_apart("ProtocolType", "nullable", "string gained")


def test_change_of_writing_alone_is_equivalent_in_reading() -> None:
    """An example is whether a field of other versions is ignorable."""
    assert told_apart("Reason", "ignorable", "lost") == {WRITING}


def test_vectors_are_asked_first() -> None:
    """The first refutation of a mutant is the id of a vector."""
    assert next(refutations(MUTANTS["GroupId", "presence", "missing"], 0)) == Refutation(READING, "populated")


def test_one_mutant_of_each_kind_is_drawn() -> None:
    """The draw is the same at each run, and has no other kind."""
    kinds = {MUTANTS["Protocols.Name", "map key", "lost"].kind, MUTANTS["ProtocolType", "default", "another"].kind}
    chosen = one_of_each(PAIRS, kinds)
    assert {mutant.kind for mutant in chosen} == kinds
    assert names(chosen) == names(one_of_each(PAIRS, kinds))


def names(mutants: list[DefinitionMutant]) -> list[str]:
    return [str(mutant) for mutant in mutants]
