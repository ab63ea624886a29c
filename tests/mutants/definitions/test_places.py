"""Places of fields, as far as the effects of a change depend on them."""

from __future__ import annotations

import pytest

from reference import load_release
from tests.helpers.releases import BASE
from tests.mutants.definitions.places import Exposure, FieldPlace, places

RELEASE = load_release(BASE)

EXPOSURES = {
    ("FetchResponse", 12, "ThrottleTimeMs"): Exposure.PLAIN,
    ("FetchResponse", 12, "Responses.Partitions.SnapshotId"): Exposure.TAGGED,
    ("FetchResponse", 12, "Responses.Partitions.SnapshotId.EndOffset"): Exposure.IN_TAGGED,
    ("FetchResponse", 11, "Responses.Partitions.SnapshotId"): Exposure.ABSENT,
    ("FetchResponse", 11, "Responses.Partitions.SnapshotId.EndOffset"): Exposure.IN_ABSENT,
    ("FetchResponse", 6, "SessionId"): Exposure.ABSENT,
    ("MetadataRequest", 9, "Topics.TopicId"): Exposure.IGNORABLE,
    ("DescribeGroupsResponse", 0, "Groups.Members.GroupInstanceId"): Exposure.IGNORABLE,
    ("FetchResponse", 15, "NodeEndpoints.Host"): Exposure.BELOW_ABSENT,
}


def found(message: str, version: int) -> dict[str, FieldPlace]:
    return {place.path: place for place in places(RELEASE.definition(message), version)}


@pytest.mark.parametrize(("message", "version", "path"), EXPOSURES)
def test_the_exposure_of_a_field_says_where_its_default_counts(message: str, version: int, path: str) -> None:
    """Defaults of tagged and absent fields count, and so do the members of their structs."""
    assert found(message, version)[path].exposure is EXPOSURES[message, version, path]


def test_a_field_of_a_common_struct_is_one_place() -> None:
    """However many fields use the struct, the definition says its fields once."""
    definition = RELEASE.definition("AddPartitionsToTxnRequest")
    numbers = [place.number for place in places(definition, 4)]
    assert len(numbers) == len(set(numbers))
    assert [place.path for place in places(definition, 4) if place.field.name == "Partitions"]


def test_depth_is_the_number_of_fields_around() -> None:
    """A field of the message itself has none around it."""
    assert found("MetadataRequest", 12)["Topics"].depth == 0
    assert found("MetadataRequest", 12)["Topics.Name"].depth == 1
