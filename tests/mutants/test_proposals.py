import pytest

from conformance.codec.python_codec import PythonCodec
from conformance.definitions.catalogue import rules_of
from conformance.judge.count_lines import UnspecifiedProfile
from conformance.judge.engine import counted
from conformance.judge.tally import Tally
from tests.helpers.sessions import session_of
from tests.helpers.sweeps import swept_numbers
from tests.mutants.catalogue import LENIENT
from tests.mutants.catalogue import PROPOSED as MUTANTS
from tests.mutants.mutant import Mutant
from tests.mutants.run import run_of
from tests.mutants.shown import cells_of_run, check
from tests.mutants.test_mutants import MAXIMUM_PAIRS


@pytest.mark.parametrize(
    "mutant", [MUTANTS[number] for number in swept_numbers(len(MUTANTS))], ids=lambda mutant: mutant.name
)
def test_mutant_is_killed_and_blamed_on_its_rule(mutant: Mutant) -> None:
    run = run_of(mutant)
    blamed = run.blamed
    assert blamed, "nothing is found"
    assert blamed[0].rule == mutant.rule, blamed
    check(mutant, cells_of_run(mutant, run))


def test_mutants_name_rules_of_their_proposal() -> None:
    """The rule is the proposal's own, or a shared one."""
    released = rules_of()
    assert [each.name for each in MUTANTS if each.rule not in {*rules_of(each.release), *released}] == []


def test_mutants_show_on_few_pairs() -> None:
    assert [mutant.name for mutant in MUTANTS if not 1 <= len(mutant.places) <= MAXIMUM_PAIRS] == []


def test_names_of_mutants_are_unique() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


def test_codec_without_a_limit_of_strings_has_no_findings() -> None:
    """The second draft names no limit, so long strings show in the profile alone."""
    session, tally = session_of(PythonCodec(LENIENT.adapter())), Tally()
    assert list(counted(LENIENT.check(session), tally)) == []
    assert tally.of(UnspecifiedProfile)[LENIENT.rule, True] > 1


def test_each_rule_of_the_drafts_of_kip482_is_broken_by_a_mutant() -> None:
    """Rules that leave something open need none."""
    broken = {mutant.rule for mutant in MUTANTS}
    for draft in ("kip-482-first-draft", "kip-482-second-draft"):
        own = rules_of(draft).values()
        assert {rule.id for rule in own if rule.side != "definition" and rule.level != "unspecified"} <= broken
