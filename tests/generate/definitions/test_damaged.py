import pytest
from hypothesis import find, given

from conformance.definitions.catalogue import rules_of
from conformance.generate.choices import SeededChoices
from conformance.generate.definitions.damaged import (
    DAMAGES,
    NOTICED_IN_USE,
    NOTICED_LATE,
    Damage,
    DamagedDefinition,
    damaged,
    damaged_definitions,
    sample_damaged,
)
from reference.definitions.parse import broken_rules

SAMPLES = 12
"""Enough that each damage has been in every place where it can be."""


def name(damage: Damage) -> str:
    return f"{damage.number}-{damage.rule}-{damage.name}"


def rules_broken(definition: DamagedDefinition) -> set[tuple[str, str]]:
    problems = (each.problem for each in broken_rules(definition.text, "damaged"))
    return {(problem.number, problem.rule.removeprefix("definition.")) for problem in problems}


def samples(damage: Damage) -> list[DamagedDefinition]:
    return [damaged(SeededChoices(f"test/{number}"), damage) for number in range(SAMPLES)]


@pytest.mark.parametrize("damage", DAMAGES, ids=name)
def test_a_damage_breaks_its_rule_and_no_other(damage: Damage) -> None:
    assert [rules_broken(each) for each in samples(damage)] == [{(damage.number, damage.rule)}] * SAMPLES


@pytest.mark.parametrize("damage", NOTICED_LATE, ids=name)
def test_definition_refused_by_the_compiler_alone_keeps_every_rule(damage: Damage) -> None:
    assert [rules_broken(each) for each in samples(damage)] == [set()] * SAMPLES


def test_a_uuid_with_dashes_is_no_default() -> None:
    assert all(rules_broken(each) == {("6.47", "default")} for each in samples(NOTICED_IN_USE))


def test_every_rule_about_one_definition_has_a_damage() -> None:
    """The rules are those of severity must.

    Nesting has an example alone, since a damage would bury the definition around it.
    """
    rules = [rule for rule in rules_of().values() if rule.id.startswith("definition.") and rule.level == "must"]
    single = {rule.id.removeprefix("definition.") for rule in rules if rule.example.definition}
    assert single - {"nesting"} == {damage.rule for damage in DAMAGES}


def test_the_names_of_damages_are_unique() -> None:
    assert len({name(damage) for damage in DAMAGES}) == len(DAMAGES)


@given(damaged_definitions())
def test_a_drawn_definition_breaks_one_rule(definition: DamagedDefinition) -> None:
    assert rules_broken(definition) == {(definition.damage.number, definition.damage.rule)}


def test_the_damages_take_turns() -> None:
    assert [sample_damaged(number).damage for number in range(len(DAMAGES))] == list(DAMAGES)


def test_a_damaged_definition_shrinks_to_the_damage() -> None:
    damages = [damage for damage in DAMAGES if damage.rule == "tag-not-key"]
    smallest = find(damaged_definitions(damages), lambda _: True)
    assert smallest.text.count('"name"') == 3  # the message, the struct around the field, the field
