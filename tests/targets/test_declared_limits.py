"""Declared limits, their form, and sizes beyond them."""

from typing import ClassVar

import pytest

from conformance.adapter import AdapterError
from conformance.targets.declared_limits import BadLimit, DeclaredLimits
from reference import TAGS, load_release, minimal, newest_release
from tests.helpers.adapters import load_adapter

SCHEMA = load_release(newest_release()).schema("MetadataRequest", 12)


@pytest.mark.parametrize(
    ("declared", "problem"),
    [
        ([], "not a mapping"),
        ({"depth": 3}, "'depth' is none of"),
        ({"tags": "64"}, "is '64', not a number"),
        ({"tags": True}, "is True, not a number"),
        ({"tags": 2}, "it would hide what is wrong with others"),
    ],
)
def test_a_declaration_of_another_form_is_refused(declared: object, problem: str) -> None:
    with pytest.raises(BadLimit, match=problem):
        DeclaredLimits.of(declared)


@pytest.mark.parametrize(("count", "exceeded"), [(64, ""), (65, "tags")])
def test_a_value_with_more_tags_than_declared_is_beyond_the_limit(count: int, exceeded: str) -> None:
    value = {**minimal(SCHEMA), TAGS: [(10_000 + number, b"") for number in range(count)]}
    assert DeclaredLimits({"tags": 64}).exceeded_by(SCHEMA, value) == exceeded


@pytest.mark.parametrize(("name", "limit"), [("elements", 1_000), ("array-bytes", 65_536)])
def test_arrays_have_two_sizes(name: str, limit: int) -> None:
    topic = {"TopicId": minimal(SCHEMA), "Name": "t" * 100}
    topic["TopicId"] = load_release(newest_release()).schema("MetadataRequest", 12).fields[0].item.fields[0].default
    value = {**minimal(SCHEMA), "Topics": [topic] * 1_001}
    assert DeclaredLimits({name: limit}).exceeded_by(SCHEMA, value) == name


def test_limit_is_searched_between_the_taken_and_the_refused_size() -> None:
    search, sizes = DeclaredLimits().search("tags"), 0
    while (size := search.next_size) is not None:
        sizes += 1
        search.note(size, is_taken=size <= 100)
    assert (search.taken, search.refused) == (100, 101)
    assert sizes < 15


def test_a_declared_limit_is_tried_on_both_sides() -> None:
    search, sizes = DeclaredLimits({"tags": 300}).search("tags"), set()
    while (size := search.next_size) is not None:
        sizes.add(size)
        search.note(size, is_taken=True)
    assert {300, 301} <= sizes


def test_who_refuses_the_smallest_size_is_asked_for_no_other() -> None:
    search = DeclaredLimits().search("tags")
    search.note(search.first, is_taken=False)
    assert (search.next_size, search.has_begun) == (None, False)


class TooLow:
    """Declares a limit below the sizes of other rules."""

    limits: ClassVar = {"tags": 1}

    def supported(self) -> dict[str, list[int]]:
        return {"MetadataRequest": [12]}

    def decode(self, schema: object, data: bytes) -> object:
        raise NotImplementedError


def test_too_low_limit_is_a_mistake_of_the_adapter() -> None:
    with pytest.raises(AdapterError, match="below 16 "):
        load_adapter(f"{__name__}:TooLow")
