from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, find, settings

from conformance.generate.drawn_values import value_generator, values
from reference import TAGS, MessageSchema, default, load_release, newest_release
from tests.helpers.probes import drawn, field, message, tagged

T = TypeVar("T")
PAIRS = (("FetchRequest", 4), ("FetchRequest", 18), ("MetadataRequest", 13), ("ApiVersionsResponse", 4))

PROBE = message(
    field("Number", "int32"),
    field("Text", "string", nullableVersions="0+"),
    field("Items", "[]Item", field("Id", "uuid"), field("Port", "uint16"), field("Names", "[]string")),
    tagged("Tagged", "int64", 0, default="-1"),
)
SIMPLEST: dict[str, Any] = {"Number": 0, "Text": "", "Items": [], "Tagged": -1}


def minimal(schema: MessageSchema, condition: Callable[[dict[str, Any]], bool] = lambda _: True) -> dict[str, Any]:
    quiet = settings(
        max_examples=2_000, derandomize=True, database=None, suppress_health_check=list(HealthCheck), deadline=None
    )
    found: dict[str, Any] = find(values(schema), condition, settings=quiet)
    return found


class Simplest:
    """The simplest choice every time."""

    def below(self, bound: int) -> int:
        assert bound > 0
        return 0

    def integer(self, lowest: int, highest: int) -> int:
        return min(max(0, lowest), highest)

    def together(self, make: Callable[[], T]) -> T:
        """Return the result of `make`."""
        return make()


def test_the_simplest_choices_give_all_zeros_and_empties() -> None:
    found = value_generator(PROBE)(Simplest())
    assert found == SIMPLEST


def test_the_first_value_is_the_simplest() -> None:
    assert drawn(PROBE, 1) == [SIMPLEST]


@pytest.mark.parametrize(("name", "version"), PAIRS)
def test_the_simplest_value_of_a_real_message_has_no_tags_and_no_elements(name: str, version: int) -> None:
    schema = load_release(newest_release()).schema(name, version)
    found, unset = minimal(schema), default(schema)
    assert all(found[each.name] == unset[each.name] for each in schema.fields if each.tag is not None)
    assert not any(found[each.name] for each in schema.fields if each.tag is None)
    assert TAGS not in found


REDUCED: dict[str, tuple[Callable[[dict[str, Any]], bool], dict[str, Any]]] = {
    "null": (lambda value: value["Text"] is None, {"Text": None}),
    "a set tag": (lambda value: value["Tagged"] != -1, {"Tagged": 0}),
    "two elements": (lambda value: len(value["Items"]) == 2, {"Items": [{"Id": None, "Port": 0, "Names": []}] * 2}),
}


@pytest.mark.parametrize(("condition", "changed"), REDUCED.values(), ids=REDUCED)
def test_value_is_reduced_to_its_decisive_part(
    condition: Callable[[dict[str, Any]], bool], changed: dict[str, Any]
) -> None:
    found = minimal(PROBE, condition)
    for item in found["Items"]:
        assert item.pop("Id").int == 0
        item["Id"] = None
    assert found == {**SIMPLEST, **changed}
