"""A description of an implementation's own schema, compared with a release."""

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

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
EQUAL = {
    "what is left out": [{"name": "GroupId"}, {"name": "Topics"}],
    "other case and underscores": [{**GROUP, "own": "group_id"}, TOPICS],
}
DIFFERENT = {
    "another type": [field("GroupId", type="bytes"), TOPICS],
    "a field that the library lacks": [{"name": "GroupId", "own": None}, TOPICS],
    "a field that only the library has": [GROUP, TOPICS, {"own": "extra", "type": "int8"}],
    "a field of a struct": [GROUP, field("Topics", fields=INNER)],
}


def test_the_same_schema_has_no_departures() -> None:
    assert reported(GROUP, TOPICS, versions="0-0", flexibleVersions="none") == []
    assert list(departures(RELEASE, {"OffsetDeleteRequest": {}})) == []


@pytest.mark.parametrize("fields", EQUAL.values(), ids=EQUAL)
def test_equal_fields_are_not_reported(fields: list[dict[str, Any]]) -> None:
    assert reported(*fields) == []


@pytest.mark.parametrize("fields", DIFFERENT.values(), ids=DIFFERENT)
def test_different_fields_are_reported(fields: list[dict[str, Any]], snapshot: SnapshotAssertion) -> None:
    assert reported(*fields) == snapshot


def test_a_field_in_other_versions_is_reported(snapshot: SnapshotAssertion) -> None:
    described = {"RackId": "12+"}
    fields = [field(name, versions=versions) for name, versions in described.items()]
    assert [text for text in reported(*fields, message="FetchRequest") if "RackId" in text] == snapshot


def test_left_over_field_of_the_same_type_has_another_name(snapshot: SnapshotAssertion) -> None:
    [departure] = departures(RELEASE, {"OffsetDeleteRequest": {"fields": [{"own": "group", "type": "string"}, TOPICS]}})
    assert departure.is_name
    assert str(departure) == snapshot


def test_flexible_nullable_and_tagged_versions_are_compared(snapshot: SnapshotAssertion) -> None:
    group = field("GroupId", nullableVersions="0+", taggedVersions="none")
    assert reported(group, TOPICS, flexibleVersions="0+") == snapshot


def test_versions_of_one_side_only_are_reported() -> None:
    [departure] = departures(RELEASE, {"OffsetDeleteRequest": {"versions": "0-1"}})
    assert str(departure).startswith("OffsetDeleteRequest, version 1: ")


def test_only_selected_versions_are_compared() -> None:
    described = {"OffsetDeleteRequest": {"versions": "0-1", "fields": [field("GroupId", type="bytes"), TOPICS]}}
    [departure] = departures(RELEASE, described, lambda _, version: version == 1)
    assert str(departure).startswith("OffsetDeleteRequest, version 1: ")


def test_an_unknown_message_is_reported() -> None:
    [departure] = departures(RELEASE, {"FooRequest": {}})
    assert "no such message" in departure.text


def test_unreadable_range_is_an_error() -> None:
    with pytest.raises(BadDescription, match="'all'"):
        reported(field("GroupId", versions="all"))


def test_versions_are_shown_as_ranges() -> None:
    assert shown([5, 3, 4, 7]) == "3-5, 7"
