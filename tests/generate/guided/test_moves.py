"""The moves of a guided search, and the places of values that they change."""

from collections import Counter
from copy import deepcopy
from typing import Any

import pytest

from conformance.generate.choices import SeededChoices
from conformance.generate.guided.moves import Move, edits, least_tried, splices, structural
from conformance.generate.guided.places import at, places, ways, with_part, with_size
from reference import Refusal, Unencodable, decode, encode_with_spans
from tests.helpers.probes import field, message

STRUCT = field("Topics", "[]Topic", field("Name", "string", nullableVersions="0+"), field("Ids", "[]int32"))
SCHEMA = message(STRUCT, field("Number", "int32"))
VALUE: dict[str, Any] = {"Topics": [{"Name": "a", "Ids": [1, 2]}, {"Name": None, "Ids": []}], "Number": 5}


def choices() -> SeededChoices:
    return SeededChoices("1")


def test_places_are_what_has_a_size_or_may_be_null() -> None:
    """Not the number; elements of one array share a path."""
    assert Counter(place.path for place in places(SCHEMA, VALUE)) == {
        "Topics": 1,
        "Topics[].Name": 2,
        "Topics[].Ids": 2,
    }


def test_null_is_a_way_only_where_it_is_allowed() -> None:
    found = {place.path: [way for way, _ in ways(place, VALUE)] for place in places(SCHEMA, VALUE)}
    assert "null" in found["Topics[].Name"]
    assert "null" not in found["Topics"]


@pytest.mark.parametrize("size", [0, 1, 3, 127])
def test_a_part_gets_the_size_that_was_asked_for(size: int) -> None:
    before = deepcopy(VALUE)
    sized = [place for place in places(SCHEMA, VALUE) if at(VALUE, place.steps)]
    assert {place.path for place in sized} == {"Topics", "Topics[].Name", "Topics[].Ids"}
    for place in sized:
        assert len(at(with_size(VALUE, place, size), place.steps)) == size
    assert before == VALUE


def test_a_changed_value_shares_nothing_with_what_it_was_made_of() -> None:
    """Kept values must not change with those made of them."""
    part = [{"Name": "b", "Ids": []}]
    [place] = [place for place in places(SCHEMA, VALUE) if place.path == "Topics"]
    changed = with_part(VALUE, place, part)
    changed["Topics"][0]["Ids"].append(9)
    assert part == [{"Name": "b", "Ids": []}]


def test_the_way_that_was_tried_least_often_is_taken() -> None:
    tried = Counter({"often": 5, "once": 1})
    moves = [Move("often", lambda: b"often"), Move("once", lambda: b"once")]
    assert least_tried(moves, tried, choices()) == b"once"
    assert tried["once"] == 2


def test_a_way_that_gives_no_bytes_is_passed_over() -> None:
    def refused() -> bytes:
        raise Unencodable(Refusal.STRING_TOO_LONG, "", "too long")

    tried = Counter({"sound": 1})
    assert least_tried([Move("refused", refused), Move("sound", lambda: b"x")], tried, choices()) == b"x"
    assert least_tried([Move("refused", refused)], tried, choices()) is None


def test_edits_and_splices_give_valid_bytes() -> None:
    """They write values; what cannot be written is not made."""
    other = {"Topics": [{"Name": "zz", "Ids": [7]}], "Number": 1}
    moves = [*edits(SCHEMA, VALUE, choices()), *splices(SCHEMA, VALUE, other, choices())]
    assert {move.name.rpartition("/")[2] for move in moves} >= {"null", "size-128", "splice"}
    for move in moves:
        wire = least_tried([move], Counter(), choices())
        assert wire is None or decode(SCHEMA, wire).consumed == len(wire)


def test_structural_moves_are_named_by_rule_and_way() -> None:
    names = {move.name for move in structural(encode_with_spans(SCHEMA, VALUE), choices())}
    assert {"array.compact-count/varint-overlong", "SECTION/unknown-twice"} <= names
