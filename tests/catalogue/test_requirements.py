import pytest

from conformance.catalogue.requirements import Section, Statement, requirements
from conformance.catalogue.rules import catalogue, rules_of

SECTIONS = requirements().sections
STATEMENTS = requirements().statements
WIRE_RULES = {rule.id for rule in rules_of().values() if rule.side != "definition"}


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.title)
def test_numbers_of_a_section_have_no_gaps(section: Section) -> None:
    """From 1 to the last, in order, none twice."""
    assert [statement.number for statement in section.statements] == section.numbers


def test_sections_are_those_about_the_bytes() -> None:
    assert [section.prefix.removesuffix(".") for section in SECTIONS] == [
        *("1.1", "1.2", "1.3", "2.1", "2.2", "2.3", "2.4", "2.5", "3", "4.1", "4.2", "4.3", "5"),
        *(f"16.{section}" for section in range(1, 9)),
        *(f"17.{section}" for section in range(1, 4)),
    ]


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda statement: statement.number)
def test_statement_has_rules_or_says_why_not(statement: Statement) -> None:
    assert statement.title
    assert bool(statement.rules) != bool(statement.not_observable)
    assert not statement.not_observable.endswith(".")


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda statement: statement.number)
def test_rules_of_a_statement_are_in_the_catalogue(statement: Statement) -> None:
    assert set(statement.rules) <= set(catalogue())
    assert len(set(statement.rules)) == len(statement.rules)


@pytest.mark.parametrize("rule", sorted(WIRE_RULES))
def test_wire_rule_covers_a_statement_or_says_why_not(rule: str) -> None:
    assert bool(requirements().about(rule)) != bool(requirements().unnumbered.get(rule))


def test_rules_without_a_statement_are_in_the_catalogue() -> None:
    assert set(requirements().unnumbered) <= WIRE_RULES
