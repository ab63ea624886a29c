"""A description of an implementation's own schema, compared with a release."""

from typing import Any

import pytest

from conformance.definitions.described import BadDescription, departures, shown
from reference import load_release
from tests.helpers.releases import BASE

RELEASE = load_release(BASE)


def field(name: str, **facts: Any) -> dict[str, Any]:
    return {"name": name, "own": name, **facts}


def reported(*fields: dict[str, Any], message: str = "OffsetDeleteRequest", **facts: Any) -> list[str]:
    """Return the departures of a message with these fields in place of those of the definition."""
    return [str(departure) for departure in departures(RELEASE, {message: {**facts, "fields": list(fields)}})]


GROUP, TOPICS = field("GroupId", type="string", versions="0+"), field("Topics", type="[]struct")


INNER = [field("Name", type="string"), field("Partitions", type="int32")]
DESCRIPTIONS: dict[str, tuple[list[dict[str, Any]], list[str]]] = {
    "what is left out": ([{"name": "GroupId"}, {"name": "Topics"}], []),
    "other case and underscores": ([{**GROUP, "own": "group_id"}, TOPICS], []),
    "another type": (
        [field("GroupId", type="bytes"), TOPICS],
        ["GroupId, version 0: bytes, the definition says string"],
    ),
    "a field that the library lacks": (
        [{"name": "GroupId", "own": None}, TOPICS],
        ["GroupId, version 0: the implementation has no such field"],
    ),
    "a field that only the library has": (
        [GROUP, TOPICS, {"own": "extra", "type": "int8"}],
        ["extra, version 0: the definition has no such field"],
    ),
    "a field of a struct": (
        [GROUP, field("Topics", fields=INNER)],
        ["Topics.Partitions, version 0: int32, the definition says []OffsetDeleteRequestPartition"],
    ),
}


def test_the_same_schema_has_no_departures() -> None:
    assert reported(GROUP, TOPICS, versions="0-0", flexibleVersions="none") == []
    assert list(departures(RELEASE, {"OffsetDeleteRequest": {}})) == []


@pytest.mark.parametrize(("fields", "expected"), DESCRIPTIONS.values(), ids=DESCRIPTIONS)
def test_different_fields_are_reported(fields: list[dict[str, Any]], expected: list[str]) -> None:
    assert reported(*fields) == [f"OffsetDeleteRequest.{text}" for text in expected]


def test_a_field_in_other_versions_is_reported() -> None:
    described = {"RackId": "12+"}
    fields = [field(name, versions=versions) for name, versions in described.items()]
    found = [text for text in reported(*fields, message="FetchRequest") if "RackId" in text]
    assert found == [
        "FetchRequest.RackId, version 11: missing; versions 12+ have the field, the definition says 11+",
    ]


def test_left_over_field_of_the_same_type_has_another_name() -> None:
    [departure] = departures(RELEASE, {"OffsetDeleteRequest": {"fields": [{"own": "group", "type": "string"}, TOPICS]}})
    assert departure.is_name
    assert str(departure) == "OffsetDeleteRequest.GroupId: is called group there"


def test_flexible_nullable_and_tagged_versions_are_compared() -> None:
    found = reported(field("GroupId", nullableVersions="0+", taggedVersions="none"), TOPICS, flexibleVersions="0+")
    assert [text.partition(";")[0] for text in found] == [
        "OffsetDeleteRequest, version 0: flexible, which the definition is not",
        "OffsetDeleteRequest.GroupId, version 0: nullable, which the definition is not",
    ]


def test_versions_of_one_side_only_are_reported() -> None:
    found = [str(each) for each in departures(RELEASE, {"OffsetDeleteRequest": {"versions": "0-1"}})]
    assert found == ["OffsetDeleteRequest, version 1: not in the definition"]


def test_only_selected_versions_are_compared() -> None:
    described = {"OffsetDeleteRequest": {"versions": "0-1", "fields": [field("GroupId", type="bytes"), TOPICS]}}
    found = departures(RELEASE, described, lambda _, version: version == 1)
    assert [str(each) for each in found] == ["OffsetDeleteRequest, version 1: not in the definition"]


def test_an_unknown_message_is_reported() -> None:
    [departure] = departures(RELEASE, {"FooRequest": {}})
    assert "has no such message" in departure.text


def test_unreadable_range_is_an_error() -> None:
    with pytest.raises(BadDescription, match="'all' is no range"):
        reported(field("GroupId", versions="all"))


def test_versions_are_shown_as_ranges() -> None:
    assert shown([5, 3, 4, 7]) == "3-5, 7"
