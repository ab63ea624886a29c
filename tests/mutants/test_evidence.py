from pathlib import Path

import pytest

from conformance.catalogue.rules import Rule, catalogue
from tests.fakes.lenient_codecs import ACCEPTING, REFUSING
from tests.mutants import catalogue as messages
from tests.mutants.evidence import IMPLIED, MUTANTS, UNREACHABLE, table, wire_rules
from tests.mutants.listed import ALLOWED, MISTAKES
from tests.mutants.test_mutants import findings_of

TABLE = Path(__file__).with_name("TABLE.md")
NAMES = {mutant.name for mutant in MUTANTS}


@pytest.mark.parametrize("rule", list(wire_rules()), ids=lambda rule: rule.id)
def test_rule_has_a_mutant(rule: Rule) -> None:
    """One that is killed and blamed on this rule first, as the tests of the mutants see to, or a reason why not."""
    has_mutant = any(mutant.rule == rule.id for mutant in MUTANTS)
    assert has_mutant != (rule.id in {**IMPLIED, **UNREACHABLE})


@pytest.mark.parametrize("rule", IMPLIED)
def test_implied_rule_is_broken_by_a_mutant_of_another_rule(rule: str) -> None:
    """It is marked as a consequence in the catalogue, and there is a check of it that bites."""
    assert catalogue()[rule].consequence
    [mutant] = [each for each in messages.MUTANTS if each.name == "compact-length-plus-two"]
    assert rule in {finding.rule for finding in findings_of(mutant).ordered()}


def test_names_of_all_mutants_are_unique() -> None:
    freedoms = [mutant.name for mutant in (*REFUSING, *ACCEPTING)]
    assert len({*NAMES, *freedoms}) == len(MUTANTS) + len(freedoms)


@pytest.mark.parametrize("group", MISTAKES)
def test_each_known_mistake_has_a_mutant(group: str) -> None:
    assert [name for names in MISTAKES[group].values() for name in names if name not in NAMES] == []


def test_what_is_allowed_has_a_mutant_without_a_finding() -> None:
    assert {name for names in ALLOWED.values() for name in names} <= {mutant.name for mutant in (*REFUSING, *ACCEPTING)}


def test_table_of_rules_and_mutants_is_up_to_date() -> None:
    """`python -m tests.mutants --table` writes it anew."""
    assert TABLE.read_text(encoding="utf-8") == table()
