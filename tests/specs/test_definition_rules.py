import re

from conformance.definitions.book import blocks, chapters, statements
from conformance.definitions.catalogue import rules_of
from conformance.generate.definitions.damaged import DAMAGES
from conformance.report.explain.explained_rules import errors
from reference.definitions.rules import RULES
from tests.specs.definition_examples import asked, example_of_block
from tests.specs.evolution_examples import change_of_block

ABOUT_DEFINITIONS = {rule for rule in rules_of() if rule.startswith(("definition.", "evolution."))}

SHOWN_ELSEWHERE = {
    "definition.nesting": "it takes a definition of 51 levels",
    "evolution.encoding": "it is about a dialect that was never released",
}
"""The rules without an example, and why."""


def test_numbers_of_problems_lead_to_statements_with_their_rules() -> None:
    """`specs validate` prints both."""
    stated = {(number, rule) for number, statement in statements().items() for rule in statement.rules}
    assert _numbered() - stated == set()


def _numbered() -> set[tuple[str, str]]:
    """Numbers and rules of problems, as they are printed."""
    examples = [rule.example for rule in rules_of().values() if rule.id.startswith("definition.")]
    problems = [error.problem for example in examples for error in errors(example)]
    damages = {(damage.number, f"definition.{damage.rule}") for damage in DAMAGES}
    return damages | {(problem.number, problem.rule) for problem in problems}


def test_every_rule_about_definitions_is_shown() -> None:
    rows = [row for chapter in chapters() for row in chapter.rows]
    verdicts = [row[column] for row in rows for column in ("verdict", "breaks") if column in row.columns]
    verdicts += [example_of_block(block).verdict for block in blocks("jsonc")]
    changes = [change for block in blocks("diff") for change in change_of_block(block).changes]
    shown = set(re.findall(r"(?:definition|evolution)\.[a-z-]+", " ".join([*verdicts, *changes])))
    assert ABOUT_DEFINITIONS - shown == set(SHOWN_ELSEWHERE)


def test_rules_have_the_stage_of_the_refusal_by_apache_kafka() -> None:
    """The stage of a rule is that of its examples, as answered by the generator."""
    staged = {rule: facts.stage for rule, facts in RULES.items() if facts.stage and rule.startswith("definition.")}
    stages = {rule: f"refuses: {stage}" for rule, stage in staged.items()}
    said = {(place, example.verdict.partition(" at ")[0], example.kafka) for place, example in asked().items()}
    told = [(place, rule, kafka, stages[rule]) for place, rule, kafka in sorted(said) if rule in stages]
    assert [case for case in told if case[2] != case[3]] == []
    assert {rule for _, rule, _, _ in told} == set(stages) - {"definition.default-null"}
