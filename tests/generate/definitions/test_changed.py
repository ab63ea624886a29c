import json
from collections import Counter
from functools import cache

from conformance.generate.definitions.changed import sample_changed
from reference.definitions.parse import broken_rules

COUNT = 2000


@cache
def verdicts() -> list[list[str]]:
    texts = (json.dumps(sample_changed(str(number))) for number in range(COUNT))
    return [[each.problem.rule for each in broken_rules(text, "changed")] for text in texts]


def test_a_good_part_of_each_kind() -> None:
    broken = sum(map(bool, verdicts()))
    assert COUNT / 4 < broken < COUNT * 3 / 4


def test_many_rules_are_broken() -> None:
    rules = Counter(rule.removeprefix("definition.") for each in verdicts() for rule in each)
    assert len(rules) >= 30
    assert rules["common-struct-versions"]
    assert rules["common-struct-recursive"]
    assert rules["struct-within-parent"]


def test_a_seed_gives_the_same_changes_for_ever() -> None:
    assert sample_changed("7") == sample_changed("7") != sample_changed("8")
