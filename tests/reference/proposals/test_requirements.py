import ast
from functools import cache
from operator import attrgetter
from pathlib import Path

from conformance.definitions.book import Requirement, requirements_of_proposals
from conformance.definitions.catalogue import catalogue, rules_of
from reference.proposals import PROPOSALS
from tests.helpers.each import for_each

ROOT = Path(__file__).parents[3]
STATEMENTS = requirements_of_proposals()


def test_requirements_have_every_statement_and_every_open_point() -> None:
    """There are 123 statements of five documents, the decisions on the open points of three of them, and KIP-1313."""
    expected = {*(f"14.{number}" for number in range(1, 124)), *(f"625-{number}" for number in range(1, 24))}
    expected |= {f"482A-{number}" for number in range(1, 11)} | {f"482B-{number}" for number in range(1, 12)}
    expected |= {f"1313-{number}" for number in range(1, 10)}
    assert {statement.number for statement in STATEMENTS} == expected


@for_each(STATEMENTS, attrgetter("number"))
def test_statement_has_rules_and_tests_or_a_reason(statement: Requirement) -> None:
    assert statement.title
    assert bool(statement.rules) != bool(statement.reason)
    assert statement.tests or statement.reason
    assert not statement.reason.endswith(".")
    assert set(statement.rules) <= set(catalogue())
    assert len(set(statement.rules)) == len(statement.rules)


def test_tests_of_the_statements_exist() -> None:
    named = {test for statement in STATEMENTS for test in statement.tests}
    assert named
    assert [test for test in sorted(named) if not _is_there(*test.split("::"))] == []


def _is_there(path: str, name: str) -> bool:
    return name in _tests(path)


@cache
def _tests(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def test_rules_of_proposals_cover_a_statement() -> None:
    covering = {rule for statement in STATEMENTS for rule in statement.rules}
    assert {rule for dialect in PROPOSALS for rule in rules_of(dialect)} <= covering
