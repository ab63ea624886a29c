import re

import pytest

from conformance.catalogue.rules import rules_of
from conformance.explaining.rules import errors
from conformance.generate.definitions.damaged import DAMAGES
from reference.definitions.rules import RULES
from tests.specs.book import blocks, chapters, statements
from tests.specs.definition_examples import asked, example_of_block
from tests.specs.evolution_examples import change_of_block

LAST = {"6.": 59, "7.1.": 8, "7.2.": 16, "7.3.": 4, "7.4.": 11, "8.": 10, "15.": 25}
"""The last statement of each section of the chapters on definitions; 6.52a is beside them."""

NUMBERED = {(damage.number, f"definition.{damage.rule}") for damage in DAMAGES} | {
    (error.problem.number, rule.id)
    for rule in rules_of().values()
    if rule.id.startswith("definition.")
    for error in errors(rule.example)
}
"""Numbers and rules of problems, as they are printed."""

SHOWN_ELSEWHERE = {
    "definition.nesting": "it takes a definition of 51 levels",
    "evolution.encoding": "it is about a dialect that was never released",
}
"""The rules without an example, and why."""


@pytest.mark.parametrize(("prefix", "last"), LAST.items())
def test_no_statement_about_definitions_is_missing(prefix: str, last: int) -> None:
    """Each section goes from 1 to its last number."""
    numbers = [number for number in statements() if re.fullmatch(re.escape(prefix) + "[0-9]+", number)]
    assert numbers == [f"{prefix}{number}" for number in range(1, last + 1)]


@pytest.mark.parametrize("family", ["definition", "evolution"])
def test_every_rule_about_definitions_is_stated(family: str) -> None:
    stated = {rule for statement in statements().values() for rule in statement.rules}
    assert {rule for rule in rules_of() if rule.startswith(f"{family}.")} <= stated


@pytest.mark.parametrize(("number", "rule"), sorted(NUMBERED))
def test_number_of_a_problem_leads_to_a_statement_with_its_rule(number: str, rule: str) -> None:
    """`specs validate` prints both."""
    assert rule in statements()[number].rules


def test_every_rule_about_definitions_is_shown() -> None:
    rows = [row for chapter in chapters() for row in chapter.rows]
    verdicts = [row[column] for row in rows for column in ("verdict", "breaks") if column in row.columns]
    verdicts += [example_of_block(block).verdict for block in blocks("jsonc")]
    changes = [change for block in blocks("diff") for change in change_of_block(block).changes]
    shown = set(re.findall(r"(?:definition|evolution)\.[a-z-]+", " ".join([*verdicts, *changes])))
    about_definitions = {rule for rule in rules_of() if rule.startswith(("definition.", "evolution."))}
    assert about_definitions - shown == set(SHOWN_ELSEWHERE)


def test_rules_know_the_stage_at_which_apache_kafka_refuses() -> None:
    """The stage of a rule is that of the examples that break it, about which the generator is asked."""
    staged = {rule: facts.stage for rule, facts in RULES.items() if facts.stage and rule.startswith("definition.")}
    stages = {rule: f"refuses: {stage}" for rule, stage in staged.items()}
    said = {(place, example.verdict.partition(" at ")[0], example.kafka) for place, example in asked().items()}
    told = [(place, rule, kafka, stages[rule]) for place, rule, kafka in sorted(said) if rule in stages]
    assert [case for case in told if case[2] != case[3]] == []
    assert {rule for _, rule, _, _ in told} == set(stages) - {"definition.default-null"}
