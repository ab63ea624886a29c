from syrupy.assertion import SnapshotAssertion

from conformance.definitions.catalogue import rules_of
from reference.evolution import EFFECTS, Effect
from tests.helpers.each import for_each
from tests.reference.evolution.evolutions import EVOLUTIONS, Evolved

LEVELS = {
    Effect.INCOMPATIBLE: {"must", "should"},
    Effect.DROPPED: {"should"},
    Effect.REVIEW: {"should", "unspecified"},
    Effect.COMPATIBLE: {"unspecified"},
}


@for_each(EVOLUTIONS)
def test_change_is_found_with_rule_versions_and_place(case: Evolved) -> None:
    found = case.changes()
    assert [(each.rule, str(each.versions), each.path) for each in found if each.rule == f"evolution.{case.rule}"] == [
        (f"evolution.{case.rule}", case.versions, case.path)
    ]
    assert {each.rule for each in found} == {f"evolution.{rule}" for rule in (case.rule, *case.beside)}
    assert [each for each in found if each.effect is not EFFECTS[each.rule]] == []


def test_levels_of_rules_fit_their_effects() -> None:
    assert [rule for rule, effect in EFFECTS.items() if rules_of()[rule].level not in LEVELS[effect]] == []


def test_text_has_message_versions_place_rule_and_effect(snapshot: SnapshotAssertion) -> None:
    (change,) = next(case for case in EVOLUTIONS if case.rule == "field-added").changes()
    assert str(change) == snapshot
