from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from conformance.generate.drawn_values import tag_steps, unknown_tags
from conformance.generate.edge_values import Variation, edge_cases
from reference import TAGS, FieldSchema, MessageSchema, decode, encode, equal, load_release, minimal, newest_release
from reference.values.defaults import minimal_of
from tests.helpers.probes import field, message, tagged

PAIRS = (
    ("ApiVersionsRequest", 0),
    ("ApiVersionsResponse", 4),
    ("FetchRequest", 4),
    ("FetchRequest", 18),
    ("ConsumerGroupMemberMetadataValue", 0),
    ("CreateTopicsResponse", 7),
    ("PartitionRecord", 2),
    ("ProducerSnapshot", 1),
    ("StreamsGroupHeartbeatRequest", 0),
)
WITH_NULLABLE = (("ConsumerGroupMemberMetadataValue", 0), ("CreateTopicsResponse", 7))
"""Those with a nullable field whose smallest value is not null."""

WITH_TAGS = (
    ("ApiVersionsResponse", 4),
    ("FetchRequest", 18),
    ("ConsumerGroupMemberMetadataValue", 0),
    ("CreateTopicsResponse", 7),
    ("PartitionRecord", 2),
)
"""Those with a tagged field."""

WHOLE = frozenset(("minimal", "default", "populated", "populated-with-unknown-tags", "all-tagged", "known-and-unknown"))
"""Cases that are about more than one field."""


@cache
def cases_of(name: str, version: int) -> tuple[MessageSchema, dict[str, Variation]]:
    schema = load_release(newest_release()).schema(name, version)
    return schema, {case.name: case for case in edge_cases(schema)}


@pytest.mark.parametrize(("name", "version"), PAIRS)
def test_names_are_unique(name: str, version: int) -> None:
    schema, cases = cases_of(name, version)
    assert len(list(edge_cases(schema))) == len(cases)


@pytest.mark.parametrize(("name", "version"), PAIRS)
def test_every_case_can_be_written(name: str, version: int) -> None:
    schema, cases = cases_of(name, version)
    for case in cases.values():
        assert equal(schema, case.value, decode(schema, encode(schema, case.value)).value), case.name


@pytest.mark.parametrize(("name", "version"), PAIRS)
def test_a_case_departs_from_the_smallest_value_in_one_field(name: str, version: int) -> None:
    """So a failure of a codec with the case is due to this field."""
    schema, cases = cases_of(name, version)
    smallest = minimal(schema)
    for case in (each for each in cases.values() if each.what not in WHOLE and not each.name.startswith("populated")):
        changed = [key for key, item in case.value.items() if key not in smallest or not same(item, smallest[key])]
        assert changed in ([], [top_of(case.path)]), case.name


def same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and repr(one) == repr(other)


def top_of(path: str) -> str:
    return path.partition(".")[0].partition("[")[0]


@pytest.mark.parametrize(("name", "version"), WITH_NULLABLE)
def test_every_nullable_field_is_null_in_one_case_or_by_itself(name: str, version: int) -> None:
    schema, cases = cases_of(name, version)
    nulls = [f"{path}=null" for path, each in places(schema.body, "") if each.nullable and minimal_of(each) is not None]
    assert nulls
    assert set(nulls) <= cases.keys()


@pytest.mark.parametrize(("name", "version"), WITH_TAGS)
def test_every_tagged_field_is_set_alone_and_with_all_others(name: str, version: int) -> None:
    schema, cases = cases_of(name, version)
    paths = [path for path, each in places(schema.body, "") if each.tag is not None]
    assert paths
    for path in paths:
        assert any(case.path.startswith(path) and case.what not in WHOLE for case in cases.values()), path
    top = [each.name for each in schema.fields if each.tag is not None]
    if len(top) > 1:
        assert all(not same(cases["all-tagged"].value[each], minimal(schema)[each]) for each in top)


@pytest.mark.parametrize(("name", "version"), PAIRS)
def test_every_unknown_tag_stands_at_every_level_of_flexible_versions(name: str, version: int) -> None:
    schema, cases = cases_of(name, version)
    structs = [("", schema.body), *((f"{path}.", inner) for path, inner in structs_in(schema.body, ""))]
    for path, struct in structs:
        expected = (
            {f"{path}{TAGS}=tag-{tag}" for tag in {*unknown_tags(struct), *tag_steps(struct)}}
            if struct.flexible
            else set()
        )
        assert {case for case in cases if case.startswith(f"{path}{TAGS}=tag-") and "tag-of" not in case} == expected


def places(struct: FieldSchema, path: str) -> Iterator[tuple[str, FieldSchema]]:
    for each in struct.fields:
        here = f"{path}{each.name}"
        yield here, each
        yield from places(each.item, f"{here}[0]." if each.element else f"{here}.")


def structs_in(struct: FieldSchema, path: str) -> Iterator[tuple[str, FieldSchema]]:
    for where, each in places(struct, path):
        inner = each.item
        if inner.type == "struct":
            yield (f"{where}[0]" if each.element else where), inner


@pytest.mark.parametrize("type_name", ["[]string", "[]int32", "bytes", "records"])
def test_messages_of_more_than_64_kib_are_among_them(type_name: str) -> None:
    schema = message(field("Large", type_name))
    assert max(len(encode(schema, case.value)) for case in edge_cases(schema)) > 65_536


LENGTHS = {
    "string": {1, 126, 127, 128, 16_383, 16_384, 32_767},
    "bytes": {1, 126, 127, 128, 16_383, 16_384, 32_767, 32_768, 65_535, 65_536},
    "[]uuid": {1, 2, 126, 127, 128},
}


@pytest.mark.parametrize(("type_name", "lengths"), LENGTHS.items())
def test_every_edge_of_a_length_is_a_case(type_name: str, lengths: set[int]) -> None:
    schema = message(field("Long", type_name))
    found = {size_of(case.value["Long"]) for case in edge_cases(schema)}
    assert lengths <= found


def size_of(value: Any) -> int:
    return len(value.encode() if isinstance(value, str) else value)


@pytest.mark.parametrize(("name", "version"), PAIRS)
def test_the_minimal_value_comes_first(name: str, version: int) -> None:
    schema, cases = cases_of(name, version)
    first = next(iter(cases.values()))
    assert first.name == "minimal"
    assert first.value == minimal(schema)


def test_the_names_of_a_small_message_are_these() -> None:
    """Known failures and replays refer to names, so a changed name is a change of the suite's interface."""
    schema = message(field("Flag", "bool"), tagged("Mark", "int8", 0, default="-1"))
    assert [case.name for case in edge_cases(schema)] == [
        "minimal",
        "Flag=true",
        "Mark=0",
        "Mark=1",
        "Mark=-128",
        "Mark=127",
        "Mark=18",
        "_tags=tag-5",
        "_tags=tag-127",
        "_tags=tag-128",
        "_tags=tag-16384",
        "_tags=tag-2147483646",
        "_tags=tag-1",
        "_tags=tag-16383",
        "_tags=tag-2097151",
        "_tags=tag-2097152",
        "_tags=tag-268435455",
        "_tags=tag-268435456",
        "_tags=tag-of-no-bytes",
        "_tags=tag-of-127-bytes",
        "_tags=tag-of-128-bytes",
        "_tags=two-tags",
        "_tags=known-and-unknown",
        "populated",
        "_tags=populated-with-unknown-tags",
        "populated-minus-one",
    ]


def test_error_codes_decisive_for_readers_are_values_of_every_error_code() -> None:
    """Among them are success, UNSUPPORTED_VERSION, and the first code unknown to every release."""
    _, cases = cases_of("FetchResponse", 17)
    for path in ("ErrorCode", "Responses[0].Partitions[0].ErrorCode"):
        assert {f"{path}={code}" for code in (-1, 3, 6, 35, 133, 134)} <= cases.keys()


def test_a_response_with_something_in_every_field_has_no_error_in_one_case() -> None:
    """Some readers read the rest only then."""
    _, cases = cases_of("FetchResponse", 17)
    value = cases["populated-error-0"].value
    assert value["ErrorCode"] == value["Responses"][0]["Partitions"][0]["ErrorCode"] == 0
