"""The map of rules and checks is complete both ways: no rule without a check, no check without a rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.catalogue.explain.checks import MODULES, checks_by_rule, modules_for
from conformance.catalogue.rules import rules_of
from conformance.generate.definitions.broken import HINTED, HINTED_RELEASE, JUDGED, READ, RELEASES, TEXTS
from conformance.generate.definitions.evolutions import EVOLUTIONS
from reference.definitions.field_rules import FIELD_RULES
from reference.definitions.message_rules import MESSAGE_RULES, STRUCT_RULES
from reference.evolution import EFFECTS
from tests.helpers.evidence import evidence

SUITE = Path(__file__).parents[2] / "conformance" / "suite"
WIRE_RULES = {rule.id for rule in rules_of().values() if rule.side != "definition"}
EVOLUTION_RULES = {rule for rule in rules_of() if rule.startswith("evolution.")}
DEFINITION_RULES = {rule.id for rule in rules_of().values() if rule.side == "definition"} - EVOLUTION_RULES

WITHOUT_RULES = {"test_adapter", "test_found_cases"}
"""The one finds faults of adapters, which break no rule; the other runs cases of all the others again."""


def test_every_rule_is_named_by_a_check() -> None:
    """Some codec is wrong about it, or free in it, and a check says so."""
    assert WIRE_RULES - set(evidence()) == set()


def test_checks_name_nothing_but_rules() -> None:
    """What is blamed can be looked up, and is about bytes."""
    assert set(evidence()) - WIRE_RULES == set()


def test_every_rule_is_in_the_table() -> None:
    """So that the command can say what tests it: `python -m tests.helpers.evidence` writes the table."""
    assert set(checks_by_rule()) == WIRE_RULES


@pytest.mark.parametrize("rule", sorted(checks_by_rule()))
def test_check_that_the_table_names_was_seen_to_name_the_rule(rule: str) -> None:
    """Nothing is claimed that is not so."""
    assert checks_by_rule()[rule]
    assert set(checks_by_rule()[rule]) <= evidence()[rule]


def test_every_module_of_the_suite_is_a_check_of_rules() -> None:
    """A new one is added to the table, with the rules that it names."""
    modules = {path.stem for path in SUITE.glob("test_*.py")}
    assert {module for check in MODULES.values() for module in check} == modules - WITHOUT_RULES


def test_every_check_names_a_rule() -> None:
    """None of them is there for nothing."""
    assert {check for checks in checks_by_rule().values() for check in checks} == set(MODULES)


def test_modules_of_a_rule_are_those_of_its_checks() -> None:
    """In the order of the table."""
    assert modules_for("tag.section") == tuple(
        each for check in checks_by_rule()["tag.section"] for each in MODULES[check]
    )


def test_every_rule_about_definitions_has_a_broken_one() -> None:
    """And each broken one breaks a rule of the catalogue: that it is refused for it, another test shows."""
    names = [
        *(case.rule for case in (*READ, *JUDGED)),
        *(case.rule for case in RELEASES),
        *(case.rule for case in TEXTS),
        *(case.rule for case in (*HINTED, HINTED_RELEASE)),
    ]
    assert {f"definition.{name}" for name in names} == DEFINITION_RULES


def test_every_rule_about_changes_has_a_definition_that_changed() -> None:
    """And each of those is about such a rule: that it is found, another test shows."""
    assert {f"evolution.{each.rule}" for each in EVOLUTIONS} == EVOLUTION_RULES


def test_every_rule_about_changes_has_an_effect() -> None:
    """Whatever differs between two definitions is judged."""
    assert set(EFFECTS) == EVOLUTION_RULES


def test_every_check_of_definitions_has_a_rule() -> None:
    """The ids in the tables of the reader are those of the catalogue."""
    for ids in (
        {rule.id for rule in MESSAGE_RULES},
        {rule.id for rule in STRUCT_RULES},
        {rule.id for rule in FIELD_RULES},
    ):
        assert ids <= DEFINITION_RULES
