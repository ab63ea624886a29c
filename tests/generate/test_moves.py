"""Drawn bytes by moves, and the changed places of values."""

from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from conformance.campaign.pipeline.corpus_rows import made_wire
from conformance.codec.python_codec import PythonCodec
from conformance.codec.session import Session
from conformance.generate.choices import SeededChoices
from conformance.generate.edge_values import Bases
from conformance.generate.moves import OF_A_VALUE, moved_wire, places, resized, spliced, ways, with_size
from conformance.generate.value_paths import item_at
from conformance.judge.checks.body_bytes import hostile_case
from conformance.judge.engine import violations
from reference import MessageSchema, encode, judge, load_release
from tests.helpers.probes import field, message
from tests.helpers.releases import NEWEST
from tests.mutants.catalogue import MUTANTS
from tests.mutants.mutant import Mutant

STRUCT = field("Topics", "[]Topic", field("Name", "string", nullableVersions="0+"), field("Ids", "[]int32"))
SCHEMA = message(STRUCT, field("Number", "int32"))
VALUE: dict[str, Any] = {"Topics": [{"Name": "a", "Ids": [1, 2]}, {"Name": None, "Ids": []}], "Number": 5}


def choices() -> SeededChoices:
    return SeededChoices("1")


def test_places_have_a_size_or_may_be_null() -> None:
    """The number is none, and elements of one array share a path."""
    assert Counter(place.shared_path for place in places(SCHEMA, VALUE)) == {
        "Topics": 1,
        "Topics[].Name": 2,
        "Topics[].Ids": 2,
    }


def test_null_is_a_way_only_where_it_is_allowed() -> None:
    found = {place.shared_path: [way for way, _ in ways(place, VALUE)] for place in places(SCHEMA, VALUE)}
    assert "null" in found["Topics[].Name"]
    assert "null" not in found["Topics"]


@pytest.mark.parametrize("size", [0, 1, 3, 127])
def test_part_gets_the_requested_size(size: int) -> None:
    before = deepcopy(VALUE)
    sized = [place for place in places(SCHEMA, VALUE) if item_at(VALUE, place.path)]
    assert {place.shared_path for place in sized} == {"Topics", "Topics[].Name", "Topics[].Ids"}
    for place in sized:
        assert len(item_at(with_size(VALUE, place, size), place.path)) == size
    assert before == VALUE


def test_a_resized_value_differs_in_one_size() -> None:
    """The number has no size, so it stays."""
    changed = [resized(SCHEMA, VALUE, SeededChoices(str(seed))) for seed in range(40)]
    assert {value["Number"] for value in changed} == {5}
    assert {len(value["Topics"]) for value in changed} >= {0, 1, 2, 126, 127, 128}


def test_a_value_without_places_stays_as_it_is() -> None:
    number = message(field("Number", "int32"))
    assert resized(number, {"Number": 5}, choices()) == {"Number": 5}
    assert spliced(number, {"Number": 5}, {"Number": 6}, choices()) == {"Number": 5}


def test_a_splice_has_a_part_of_the_other_value() -> None:
    other = {"Topics": [{"Name": "zz", "Ids": [7]}], "Number": 1}
    changed = [spliced(SCHEMA, VALUE, other, SeededChoices(str(seed))) for seed in range(40)]
    assert other["Topics"] in [value["Topics"] for value in changed]
    assert {"zz", "a"} <= {topic["Name"] for value in changed for topic in value["Topics"]}
    assert {value["Number"] for value in changed} == {5}


def test_the_same_number_and_seed_give_the_same_bytes() -> None:
    first, again, other = ([moved_wire(SCHEMA, index, seed) for index in range(20)] for seed in ("1", "1", "2"))
    assert first == again != other


def test_the_first_bytes_of_each_value_are_sound() -> None:
    results = [judge(SCHEMA, moved_wire(SCHEMA, index, "1")).result for index in range(4 * OF_A_VALUE)]
    assert {*results[::OF_A_VALUE]} == {"valid"}
    assert "invalid" in results


def test_bytes_do_not_depend_on_earlier_ones() -> None:
    wires = [moved_wire(SCHEMA, index, "1") for index in range(3 * OF_A_VALUE)]
    assert [moved_wire(SCHEMA, index, "1") for index in reversed(range(3 * OF_A_VALUE))] == wires[::-1]


def test_moves_reach_lengths_with_varints_of_three_bytes() -> None:
    """Random values have such sound ones once in hundreds."""
    schema = load_release(NEWEST).schema("FindCoordinatorRequest", 3)
    wires = [moved_wire(schema, index, "1") for index in range(100)]
    assert any(len(wire) > 16_384 and judge(schema, wire).result == "valid" for wire in wires)


def test_too_large_encoding_gives_way_to_the_value_before_its_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays growing within grown arrays would soon exceed any memory."""
    monkeypatch.setattr("conformance.generate.moves.LARGEST", 200)
    monkeypatch.setattr("conformance.generate.moves.OF_A_VALUE", 1)
    populated = encode(SCHEMA, Bases.usual(SCHEMA).populated)
    wires = [moved_wire(SCHEMA, index, "1") for index in range(100)]
    assert populated in wires
    assert not [wire for wire in wires if len(wire) > 10_000]


@pytest.mark.parametrize("name", ["varint-wrong-from-third-byte", "default-valued-tag-refused"])
def test_moves_meet_a_late_mutant_of_random_cases_sooner(name: str) -> None:
    """Of the mutants of tags, varints and null, random cases kill these two last."""
    [mutant] = [each for each in MUTANTS if each.name == name]
    random, moved = (sum(_executions(mutant, make, seed) for seed in "123") for make in (made_wire, moved_wire))
    assert 2 * moved < random


def _executions(mutant: Mutant, make: Callable[[MessageSchema, int, str], bytes], seed: str) -> int:
    """Return the number of cases run until the mutant dies, with its messages in turn."""
    session = Session(PythonCodec(mutant.adapter()), load_release(mutant.release))
    for index in range(1_000):
        for schema in mutant.schemas():
            case = hostile_case(schema, "", make(schema, index, seed), deterministic=False)
            if any(True for _ in violations(session, case.again(session))):
                return index + 1
    return 1_000
