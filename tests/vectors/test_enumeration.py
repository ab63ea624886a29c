from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from conformance.generate import edges
from conformance.generate.depth import Depth
from conformance.generate.structure import explicit_defaults
from conformance.targets import WireTypeTarget
from conformance.vectors.enumeration.byte_cases import byte_cases
from conformance.vectors.enumeration.enumerate import group, group_of
from conformance.vectors.enumeration.pairs import depth_of, pairs_of
from conformance.vectors.enumeration.value_vectors import value_cases
from conformance.vectors.enumeration.vector import slug
from conformance.vectors.tree.vector_paths import line_of
from reference import (
    TAGS,
    FieldSchema,
    MessageSchema,
    default,
    encode,
    from_json,
    is_default,
    load_release,
    minimal,
    primitive,
    to_json,
)
from tests.helpers.sweeps import swept, wire_forms

RELEASE = load_release("4.3.0")
each_schema = pytest.mark.parametrize("schema", swept(RELEASE.name, forms_of=wire_forms), ids=str)
FLEXIBLE = ("FetchRequest", 18)


@cache
def vectors(message: str, version: int) -> dict[str, dict[str, Any]]:
    return {vector["id"]: vector for vector in group("4.3.0", message, version)["vectors"]}


@cache
def values(schema: MessageSchema) -> list[dict[str, Any]]:
    valid = (vector for vector in vectors(schema.message, schema.version).values() if vector["result"] == "valid")
    return [from_json(schema, vector["value"]) for vector in valid]


def fields_of(struct: FieldSchema) -> Iterator[tuple[FieldSchema, FieldSchema]]:
    for field in struct.fields:
        yield struct, field
        yield from fields_of(field.item)


def held(struct: FieldSchema, wanted: FieldSchema, value: Any) -> Iterator[dict[str, Any]]:
    if struct == wanted:
        yield value
    for field in struct.fields:
        inner = value[field.name]
        if inner is None:
            continue
        for item in inner if field.element is not None else [inner]:
            if isinstance(item, dict):
                yield from held(field.item, wanted, item)


@each_schema
def test_the_default_or_the_smallest_value_comes_first(schema: MessageSchema) -> None:
    first = next(iter(value_cases(schema, Depth.FEW)))
    writable = default(schema) == minimal(schema)
    assert (first.id, first.wire) == ("default" if writable else "minimal", encode(schema, minimal(schema)))


@each_schema
def test_every_nullable_field_is_null_once(schema: MessageSchema) -> None:
    everything, body = values(schema), schema.body
    for struct, field in fields_of(body):
        if field.nullable:
            assert any(item[field.name] is None for value in everything for item in held(body, struct, value))


@each_schema
def test_every_tagged_field_is_set_alone(schema: MessageSchema) -> None:
    for struct, field in fields_of(schema.body):
        others = [other for other in struct.fields if other.tag is not None and other is not field]
        if field.tag is not None:
            assert any(
                not is_default(field, item[field.name]) and all(is_default(other, item[other.name]) for other in others)
                for value in values(schema)
                for item in held(schema.body, struct, value)
            )


@each_schema
def test_every_tagged_field_is_written_at_its_default_alone(schema: MessageSchema) -> None:
    """A reader may refuse a null that no writer writes, in one version only."""
    found = vectors(schema.message, schema.version)
    alone = {slug(path, "explicit-default") for path, _ in explicit_defaults(schema)}
    tags = (field.tag for field in schema.fields if field.tag is not None)
    in_section = {f"minimal-section-default-of-{tag}" for tag in tags}  # of a thorough pair
    written = {name for name in alone | in_section if name in found and found[name]["result"] == "valid"}
    assert len(written) == sum(field.tag is not None for _, field in fields_of(schema.body))


@each_schema
def test_every_field_has_a_value_beside_its_default(schema: MessageSchema) -> None:
    for struct, field in fields_of(schema.body):
        assert any(
            item[field.name] != field.default for value in values(schema) for item in held(schema.body, struct, value)
        )


@each_schema
def test_every_array_has_several_elements_once(schema: MessageSchema) -> None:
    for struct, field in fields_of(schema.body):
        if field.element is not None:
            found = [item[field.name] for value in values(schema) for item in held(schema.body, struct, value)]
            assert any(items is not None and len(items) > 1 for items in found)


@each_schema
def test_unknown_tags_are_at_every_level(schema: MessageSchema) -> None:
    for struct in {id(struct): struct for struct, _ in fields_of(schema.body)}.values():
        if struct.flexible:
            assert any(item.get(TAGS) for value in values(schema) for item in held(schema.body, struct, value))


@each_schema
def test_ids_do_not_depend_on_the_depth(schema: MessageSchema) -> None:
    for cases in (value_cases, byte_cases):
        few, thorough = ({case.id: case.wire for case in cases(schema, depth)} for depth in (Depth.FEW, Depth.THOROUGH))
        common = few.keys() & thorough.keys()
        assert {name: few[name] for name in common} == {name: thorough[name] for name in common}


def test_a_flexible_pair_has_every_class() -> None:
    found = Counter(flag for vector in vectors(*FLEXIBLE).values() for flag in vector["flags"])
    assert found.keys() >= {
        "Default", "Populated", "NumberEdge", "Text", "Uuid", "Elements", "TaggedField", "UnknownTag",
        "Truncated", "TamperedLength", "TamperedCount", "TamperedTagSection", "BytesBehind", "NullNotAllowed",
        "ExplicitDefault", "DuplicateTag", "TagOrder", "VarintTooLong", "OverlongVarint", "LengthExceedsInput",
    }  # fmt: skip


def test_an_explicit_default_is_written_without_it() -> None:
    """A tagged field with its default is valid, and `canonical` has the shorter bytes of a writer."""
    vector = vectors(*FLEXIBLE)["minimal-section-default-of-0"]
    assert (vector["result"], "ExplicitDefault" in vector["flags"]) == ("valid", True)
    assert len(vector["canonical"]) < len(vector["wire"])


def test_a_field_of_other_versions_is_given_and_dropped() -> None:
    """`given` has the field, and `value` does not, since a writer drops it."""
    vector = vectors("MetadataResponse", 0)["throttle-time-ms-dropped"]
    assert "ThrottleTimeMs" in vector["given"]
    assert "ThrottleTimeMs" not in vector["value"]


def test_every_vector_with_u0000_in_a_string_has_its_flag() -> None:
    """Readers of JSON with C strings skip these."""
    found = vectors("HeartbeatRequest", 4)
    flagged = {name for name, vector in found.items() if "NulInText" in vector["flags"]}
    assert flagged == {name for name, vector in found.items() if "\\u0000" in line_of(vector)}
    assert "group-id-nul-inside" in flagged


def test_only_messages_are_flexible_or_not() -> None:
    assert "flexible" in group("4.3.0", *FLEXIBLE)
    assert "flexible" not in group_of("4.3.0", WireTypeTarget(primitive("compact-string")))


def test_tags_of_other_versions_are_tried() -> None:
    found = [vector for vector in vectors("FetchRequest", 14).values() if "TagOfAnotherVersion" in vector["flags"]]
    assert {vector["result"] for vector in found} == {"unspecified"}


def test_older_release_has_the_pairs_missing_in_the_newest() -> None:
    """It has only the pairs missing or changed in the base, including changes of refusals by a writer."""
    old, new = pairs_of("3.9.1"), pairs_of("4.3.0")
    assert (len(old), len(new)) == (179, 739)
    assert ("ControlledShutdownRequest", 0) in old
    assert ("ShareGroupMetadataValue", 0) in old
    assert ("HeartbeatRequest", 0) not in old


def test_only_the_newest_version_is_thorough() -> None:
    depths = [depth_of("4.3.0", "FetchRequest", version) for version in (4, 16, 18)]
    assert depths == [Depth.FEW, Depth.FEW, Depth.THOROUGH]
    assert depth_of("3.9.1", "LeaderAndIsrRequest", 7) is Depth.FEW


@pytest.mark.parametrize("name", [*edges.TEXTS, *edges.FLOATS])
def test_the_name_of_an_edge_is_part_of_an_id_as_it_stands(name: str) -> None:
    assert slug(name) == name


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("Topics[0].Name", "null"), "topics-0-name-null"),
        (("", "default"), "default"),
        (("LeaderEpoch", "-1"), "leader-epoch-minus-1"),
        (("ISRNodes", "elements-2"), "isr-nodes-elements-2"),
        (("Topics[0]._tags", "tag-5"), "topics-0-tags-tag-5"),
        (("size", "=-1"), "size-minus-1"),
    ],
)
def test_slugs(parts: tuple[str, ...], expected: str) -> None:
    assert slug(*parts) == expected


def test_a_value_of_a_vector_is_complete() -> None:
    schema = RELEASE.schema(*FLEXIBLE)
    form = vectors(*FLEXIBLE)["default"]["value"]
    assert list(form) == [field.name for field in schema.fields]
    assert to_json(schema, from_json(schema, form)) == form
