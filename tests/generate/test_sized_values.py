"""Values of a requested size, in each release and proposal."""

import pytest

from conformance.generate.sized_values import sized_values
from conformance.generate.sizes import sizes_of
from reference import encode, load_release, newest_release, proposals, releases

FEW = 20


@pytest.mark.parametrize("name", [*releases(), *proposals()])
def test_each_message_can_be_written_with_so_many_tags_or_elements(name: str) -> None:
    for schema in load_release(name).schemas():
        for size in ("tags", "tag-bytes", "elements"):
            made = sized_values(schema).get(size)
            if made is not None:
                value = made(FEW)
                assert encode(schema, value)
                assert sizes_of(schema, value)[size] == FEW


@pytest.mark.parametrize("size", [65_537, 1_048_577])
def test_arrays_have_so_many_bytes_as_are_asked_for(size: int) -> None:
    schema = load_release(newest_release()).schema("MetadataRequest", 12)
    assert sizes_of(schema, sized_values(schema)["array-bytes"](size))["array-bytes"] == size
