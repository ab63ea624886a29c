import pytest

from conformance.catalogue.rules import rules_of
from conformance.implementation.driver import Implementation
from tests.helpers.sessions import session_of
from tests.mutants import kip482, kip625
from tests.mutants.kip482_lenient import LENIENT
from tests.mutants.mutant import Mutant
from tests.mutants.test_mutants import MAXIMUM_PAIRS, blame_of

MUTANTS = (*kip482.MUTANTS, *kip625.MUTANTS)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_is_killed_and_blamed_on_its_rule(mutant: Mutant) -> None:
    blamed = blame_of(mutant)
    assert blamed
    assert blamed[0].rule == mutant.rule, blamed


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_names_a_rule_of_its_proposal_and_few_pairs(mutant: Mutant) -> None:
    """A mutant's rule is the proposal's own or one that it shares, and at most twelve pairs show it."""
    assert mutant.rule in {*rules_of(mutant.release), *rules_of()}
    assert 1 <= len(mutant.places) <= MAXIMUM_PAIRS


def test_names_of_mutants_are_unique() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


def test_codec_without_a_limit_of_strings_has_no_findings() -> None:
    """The second draft names none: what is written and read is in the profile."""
    session = session_of(Implementation(LENIENT.adapter()))
    assert list(LENIENT.check(session)) == []
    assert session.tally.profiles[LENIENT.rule, True] > 1


def test_each_rule_of_the_drafts_of_kip482_is_broken_by_a_mutant() -> None:
    """All but those that leave something open."""
    broken = {mutant.rule for mutant in MUTANTS}
    for draft in ("kip-482-first-draft", "kip-482-second-draft"):
        own = rules_of(draft).values()
        assert {rule.id for rule in own if rule.side != "definition" and rule.level != "unspecified"} <= broken
