"""Contents of tagged fields in requested sizes."""

import pytest

from conformance.generate.sized_values import SIZES, sized_contents
from reference import FieldSchema, load_release, newest_release
from reference.protocols import protocol_of

RELEASE = load_release(newest_release())


def tagged(message: str, version: int, name: str) -> FieldSchema:
    """Return a tagged field of a message."""
    return next(field for field in RELEASE.schema(message, version).fields if field.name == name)


@pytest.mark.parametrize(
    ("message", "version", "name"),
    [
        ("ConsumerGroupMemberMetadataValue", 0, "ClassicMemberMetadata"),
        ("ApiVersionsResponse", 4, "FinalizedFeatures"),
    ],
    ids=["a struct that may be null", "an array of structs"],
)
def test_a_content_with_a_text_has_each_size(message: str, version: int, name: str) -> None:
    field = tagged(message, version, name)
    made = dict(sized_contents(field, "released"))
    wire_type = protocol_of("released").field(field, inside_tag=True)
    assert [len(wire_type.write(value)) for value in made.values()] == list(SIZES)


def test_array_of_numbers_has_the_multiples_of_its_element_s_size() -> None:
    assert [size for size, _ in sized_contents(tagged("PartitionRecord", 2, "LastKnownElr"), "released")] == [
        129,
        16_382,
    ]


def test_a_number_has_none() -> None:
    assert list(sized_contents(tagged("ApiVersionsResponse", 4, "FinalizedFeaturesEpoch"), "released")) == []
