from collections.abc import Iterator
from typing import Any

import pytest

from conformance.generate import edges
from conformance.generate.drawn_values import sample, unknown_tags
from reference import TAGS, FieldSchema, MessageSchema, decode, difference, encode, load_release, newest_release
from tests.helpers.probes import SOURCES, Get, field, message, tagged

Fact = tuple[str, str]
"""What a value shows, and at which path."""

DEEP = message(
    field(
        "One", "[]One", field("Two", "[]Two", field("Three", "[]Three", field("Four", "[]Four", field("Leaf", "int8"))))
    )
)
SHAPES = message(
    field("Text", "string", nullableVersions="0+"),
    field("Blob", "bytes", nullableVersions="0+"),
    field("Records", "records", nullableVersions="0+"),
    field("Numbers", "[]int32", nullableVersions="0+"),
    field("Child", "Child", field("Inner", "string", nullableVersions="0+"), nullableVersions="0+", default="null"),
    field("Items", "[]Item", field("Name", "string", nullableVersions="0+"), tagged("Mark", "int8", 0)),
    tagged("TaggedNumber", "int32", 0, default="7"),
    tagged("TaggedText", "string", 1, nullableVersions="0+", default="null"),
    tagged("TaggedId", "uuid", 2),
    tagged("TaggedItems", "[]Tagged", 3, field("Name", "string")),
    tagged("TaggedChild", "TaggedChild", 4, field("Name", "string"), nullableVersions="0+", default="null"),
)
PAIRS = (
    ("FetchRequest", 18),
    ("ProduceResponse", 13),
    ("PartitionRecord", 2),
    ("ConsumerGroupMemberMetadataValue", 0),
    ("StreamsGroupHeartbeatRequest", 0),
)


def expected_facts(schema: MessageSchema) -> set[Fact]:
    return set(_facts_of_struct(schema.body, ""))


def _facts_of_struct(struct: FieldSchema, path: str) -> Iterator[Fact]:
    if struct.flexible:
        yield from ((f"unknown tag {tag}", path) for tag in unknown_tags(struct))
    for each in struct.fields:
        place = f"{path}/{each.name}"
        if each.nullable:
            yield "null", place
        if each.tag is not None:
            yield from (("default", place), ("not default", place))
        if each.element is not None:
            yield from (("empty", place), ("one", place), ("many", place))
        yield from _facts_of_struct(each.item, place)


def facts(schema: MessageSchema, value: dict[str, Any]) -> set[Fact]:
    return set(_shown_by_struct(schema.body, value, ""))


def _shown_by_struct(struct: FieldSchema, value: dict[str, Any], path: str) -> Iterator[Fact]:
    yield from ((f"unknown tag {tag}", path) for tag, _ in value.get(TAGS, ()))
    for each in struct.fields:
        place, item = f"{path}/{each.name}", value[each.name]
        if each.tag is not None:
            yield "default" if item == each.default else "not default", place
        if item is None:
            yield "null", place
        elif each.element is not None:
            yield ("empty", "one", "many")[min(len(item), 2)], place
        items = item if each.element is not None else [item]
        for one in items or ():
            if isinstance(one, dict):
                yield from _shown_by_struct(each.item, one, place)


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_every_shape_appears(source: Get) -> None:
    """Values have null, default and set tags, empty and full arrays, and each unknown tag at each level.

    Hypothesis mixes in numbers found in the modules loaded by chance, so even its derandomised values differ from run
    to run. Enough values are drawn for this not to matter.
    """
    shown = set().union(*(facts(SHAPES, value) for value in source(SHAPES, 4_000)))
    assert expected_facts(SHAPES) - shown == set()


@pytest.mark.parametrize(("name", "version"), PAIRS)
def test_every_shape_of_a_real_message_appears(name: str, version: int) -> None:
    schema = load_release(newest_release()).schema(name, version)
    missing = expected_facts(schema)
    for number in range(6_000):
        missing -= facts(schema, sample(schema, f"shape {number}"))
        if not missing:
            return
    pytest.fail(f"not seen: {sorted(missing)}")


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_nesting_of_four_levels_appears(source: Get) -> None:
    assert any(depth(value) == 4 for value in source(DEEP))


def depth(value: dict[str, Any]) -> int:
    inner = (
        depth(item) for each in value.values() if isinstance(each, list) for item in each if isinstance(item, dict)
    )
    return max((1 + each for each in inner), default=0)


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_two_unknown_tags_of_one_struct_appear_in_order(source: Get) -> None:
    several = [[tag for tag, _ in value[TAGS]] for value in source(DEEP) if len(value.get(TAGS, ())) > 1]
    assert several
    assert all(tags == sorted(set(tags)) for tags in several)


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_every_value_can_be_written(source: Get) -> None:
    assert all(isinstance(encode(SHAPES, value), bytes) for value in source(SHAPES))


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_every_value_of_a_tagged_struct_comes_back(source: Get) -> None:
    """A struct with -0.0 and defaults elsewhere would not, since it would be left out."""
    schema = message(tagged("Child", "Child", 0, field("Number", "float64")))
    for value in source(schema):
        assert difference(schema, value, decode(schema, encode(schema, value)).value) is None


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_nothing_of_flexible_versions_appears_in_others(source: Get) -> None:
    legacy = message(field("Items", "[]Item", field("Name", "string")), flexible="none")
    assert not any(fact.startswith("unknown tag") for value in source(legacy) for fact, _ in facts(legacy, value))


def test_known_tag_of_the_definition_is_never_an_unknown_one() -> None:
    schema = message(tagged("Known", "int8", 5), tagged("Zero", "int8", 0), *fillers(1, 5))
    assert unknown_tags(schema.struct) == tuple(tag for tag in edges.UNKNOWN_TAGS if tag != 5)


def fillers(first: int, end: int) -> list[dict[str, Any]]:
    """Return tagged fields with the numbers in between, for a definition's tags have no gaps."""
    return [tagged(f"Filler{number}", "int8", number) for number in range(first, end)]


def test_the_value_of_a_seed_is_pinned() -> None:
    schema = message(field("Number", "int32"), field("Text", "string"), field("Numbers", "[]int16"))
    assert sample(schema, "pinned") == {
        "Number": 991_937_223,
        "Text": "\N{GRINNING FACE}" * 2,
        "Numbers": [4_660, 1_068],
        TAGS: [(16_384, b"")],
    }


def test_a_seed_means_another_value_for_another_message() -> None:
    release = load_release(newest_release())
    schemas = [release.schema("FetchRequest", version) for version in (12, 13, 14)]
    first = [sample(schema, "same")["MaxWaitMs"] for schema in schemas]
    assert len(set(first)) == len(first)


def test_absent_fields_appear_only_when_asked_for() -> None:
    schema = load_release(newest_release()).schema("FetchRequest", 4)
    absent = {each.name for each in schema.absent_fields}
    assert not any(absent & set(sample(schema, str(number))) for number in range(50))
    assert any(absent & set(sample(schema, str(number), absent=True)) for number in range(50))
