import json
from collections import Counter
from functools import cache

import pytest

from conformance.generate.definitions.evolved import DIALECTS, Evolved, in_dialect, sample_evolved
from reference.evolution import EFFECTS, changes
from reference.protocols import loader_of
from tests.helpers.definitions import field, message, struct, tagged

COUNT = 300
RARE = {"api-key", "coordinator-kind", "message-renamed", "tag-versions"}
OF_RELEASES = {"listeners", "message-added", "message-removed", "reserved-key"}
OF_HEADERS = {"header-version"}


@cache
def drawn() -> tuple[Evolved, ...]:
    return tuple(sample_evolved(str(number)) for number in range(COUNT))


def test_definitions_differ() -> None:
    assert [pair for pair in drawn() if pair.old == pair.new] == []


def test_every_dialect_is_there_and_some_pairs_are_of_two() -> None:
    dialects = Counter((pair.old.dialect, pair.new.dialect) for pair in drawn())
    assert {(name, name) for name in DIALECTS} < set(dialects)
    assert sum(times for (old, new), times in dialects.items() if old != new) > COUNT / 20


def test_nearly_every_rule_of_evolution_is_met() -> None:
    rules = {change.rule for pair in drawn() for change in changes(*pair)}
    missing = {rule.removeprefix("evolution.") for rule in set(EFFECTS) - rules}
    assert missing <= RARE | OF_RELEASES | OF_HEADERS


def test_a_seed_gives_the_same_pair_for_ever() -> None:
    assert sample_evolved("7") == sample_evolved("7") != sample_evolved("8")


SAMPLE = message(
    field(name="A", encoding="packed32"),
    tagged(name="T", nullableVersions="1+", type="string", default="null"),
    field(name="S", type="Shared", versions="1+"),
    commonStructs=[struct(field(name="B"), tagged(name="U", tag=0))],
)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_definition_is_sound_in_each_dialect(dialect: str) -> None:
    parsed, problems = loader_of(dialect).read(json.dumps(in_dialect(dialect, SAMPLE)), "Sample.json")
    assert problems == []
    assert parsed is not None
    assert parsed.dialect == dialect
    assert [(each.name, each.tag is not None) for each in sorted(parsed.fields, key=lambda each: each.name)] == [
        ("A", False),
        ("S", False),
        ("T", True),
    ]
