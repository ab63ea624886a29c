from dataclasses import replace

import pytest

from conformance.codec.python_codec import PythonCodec
from conformance.codec.selection import offered
from conformance.definitions.catalogue import catalogue
from conformance.judge.count_lines import UnspecifiedProfile, UnspecifiedReading
from conformance.judge.engine import counted
from conformance.judge.tally import Tally
from reference import load_release
from tests.helpers.releases import BASE
from tests.helpers.sessions import session_of
from tests.mutants.catalogue import ACCEPTING, LEGAL, MUTANTS, REFUSING
from tests.mutants.mutant import Mutant


def profile_of(mutant: Mutant) -> dict[bool, int]:
    """Return how often the bytes left open by the mutant's rule are accepted and refused, once nothing is found."""
    session, tally = session_of(PythonCodec(mutant.adapter())), Tally()
    assert list(counted(mutant.check(session), tally)) == []
    return {accepts: tally.of(UnspecifiedProfile)[mutant.rule, accepts] for accepts in (True, False)}


@pytest.mark.parametrize("mutant", REFUSING, ids=lambda mutant: mutant.name)
def test_refused_open_bytes_are_in_the_profile(mutant: Mutant) -> None:
    profile = profile_of(mutant)
    assert profile[True] == 0 < profile[False]


@pytest.mark.parametrize("mutant", ACCEPTING, ids=lambda mutant: mutant.name)
def test_other_reading_of_open_bytes_is_in_the_profile(mutant: Mutant) -> None:
    assert profile_of(mutant)[True] > 0


@pytest.mark.parametrize("mutant", LEGAL, ids=lambda mutant: mutant.name)
def test_rule_of_a_freedom_leaves_it_open(mutant: Mutant) -> None:
    assert catalogue()[mutant.rule].level == "unspecified"


def test_versions_missing_from_the_release_are_left_alone() -> None:
    mutant = MUTANTS[0]
    versions = {"HeartbeatRequest": frozenset(range(100))}
    adapter = replace(mutant.adapter(), supported={"encode": versions, "decode": versions})
    assert [schema.version for schema in offered(adapter, load_release(BASE).schemas())] == [0, 1, 2, 3, 4]


def test_reading_other_than_apache_kafkas_is_in_the_profile() -> None:
    mutant = next(mutant for mutant in ACCEPTING if mutant.name == "other-negative-counts-are-empty")
    session, tally = session_of(PythonCodec(mutant.adapter())), Tally()
    list(counted(mutant.check(session), tally))
    [text] = {text for rule, text in tally.of(UnspecifiedReading) if rule == mutant.rule}
    assert mutant.rule == "null.other-negative"
    assert text.startswith("an empty list")
