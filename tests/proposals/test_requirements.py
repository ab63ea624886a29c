import ast
from functools import cache
from pathlib import Path

import pytest

from conformance.catalogue.requirements import Section, Statement, requirements_of_proposals
from conformance.catalogue.rules import catalogue, rules_of
from reference.proposals import PROPOSALS

ROOT = Path(__file__).parents[2]
SECTIONS = requirements_of_proposals().sections
STATEMENTS = requirements_of_proposals().statements
TESTED = [statement for statement in STATEMENTS if statement.tests]


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: f"{section.title} {section.prefix}")
def test_numbers_of_a_section_have_no_gaps(section: Section) -> None:
    assert [statement.number for statement in section.statements] == section.numbers


def test_every_statement_and_every_open_point_is_there() -> None:
    """123 statements of five documents, and what had to be decided about three of them."""
    expected = {*(f"14.{number}" for number in range(1, 124)), *(f"625-{number}" for number in range(1, 24))}
    expected |= {f"482A-{number}" for number in range(1, 11)} | {f"482B-{number}" for number in range(1, 12)}
    assert {statement.number for statement in STATEMENTS} == expected


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda statement: statement.number)
def test_statement_has_rules_and_tests_or_says_why_not(statement: Statement) -> None:
    assert statement.title
    assert bool(statement.rules) != bool(statement.not_testable)
    assert statement.tests or statement.not_testable
    assert not statement.not_testable.endswith(".")


@pytest.mark.parametrize("statement", TESTED, ids=lambda statement: statement.number)
def test_rules_of_a_statement_are_in_the_catalogue(statement: Statement) -> None:
    assert set(statement.rules) <= set(catalogue())
    assert len(set(statement.rules)) == len(statement.rules)


@pytest.mark.parametrize("statement", TESTED, ids=lambda statement: statement.number)
def test_tests_of_a_statement_are_there(statement: Statement) -> None:
    for test in statement.tests:
        path, _, name = test.partition("::")
        assert name in _tests(path)


@cache
def _tests(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("rule", [rule for dialect in PROPOSALS for rule in rules_of(dialect)])
def test_rule_of_a_proposal_covers_a_statement(rule: str) -> None:
    assert requirements_of_proposals().about(rule)
