"""Tag sections that are written unsorted, wrong in size, or not where they belong; or refused, or not kept."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from reference import TAGS, FieldSchema, StructType
from tests.mutants.mutant import both, reading, writing
from tests.mutants.single_faults.ways import refuse_if
from tests.second_codec.bodies import SectionWay, StructWay, Value, is_default
from tests.second_codec.steps import ContentWay, LengthWay, VarintWay

NESTED = "section.[!m]*"


def number(change: Callable[[int], int]) -> VarintWay:
    return VarintWay(number=change)


def _size_step_late(size: int) -> int:
    """The room for a size is reserved before an array's count, or a struct's marker, is added to it (KAFKA-18199)."""
    return size - 1 if size in {2**7, 2**14} else size


def _without_tags(struct: StructType, value: Value) -> Value:
    return value if struct.flexible else {name: item for name, item in value.items() if name != TAGS}


def _flexible(struct: StructType) -> StructType:
    return replace(struct, flexible=True)


def _inflexible(struct: StructType) -> StructType:
    return replace(struct, flexible=False)


def _null_default(field: FieldSchema, value: Any) -> bool:
    return value is None and field.default is None


DROPPED = ContentWay(value=lambda entries: entries[:0])

MUTANTS = (
    writing(
        "tags-lost-in-version-that-is-not-flexible",
        "tag.not-flexible",
        "HeartbeatRequest-v3,MetadataRequest-v8",
        "struct*",
        StructWay(given=_without_tags),
    ),
    writing(
        "tags-unsorted",
        "tag.ascending",
        "ApiVersionsResponse-v3",
        "section*",
        SectionWay(entries=lambda entries: entries[::-1]),
    ),
    writing(
        "tags-counted-from-one",
        "tag.number",
        "ApiVersionsResponse-v3,FetchRequest-v12",
        "section*-known-tag",
        number(lambda tag: tag + 1),
    ),
    writing(
        "tag-size-short",
        "tag.size",
        "ApiVersionsResponse-v3,FetchRequest-v12",
        "section*-size",
        number(lambda size: max(size - 1, 0)),
    ),
    writing(
        "tag-size-counts-tag-and-size",
        "tag.size",
        "ApiVersionsResponse-v3",
        "section*-size",
        number(lambda size: size + 2),
    ),
    writing(
        "tag-size-of-128-as-127",
        "tag.size",
        "ConsumerGroupMemberMetadataValue-v0,VoteResponse-v2,ApiVersionsResponse-v4",
        "section*-known-size",
        number(_size_step_late),
    ),
    writing(
        "tag-size-of-128-as-127-in-other-structs",
        "tag.size",
        "FetchResponse-v17,ProduceResponse-v12",
        "section*-known-size",
        number(_size_step_late),
    ),
    writing(
        "tag-size-missing",
        "tag.size",
        "ApiVersionsResponse-v3,FetchRequest-v12",
        "section*-size",
        VarintWay(form=lambda _form: b""),
    ),
    writing(
        "unknown-tags-written-unsorted",
        "tag.ascending",
        "ApiVersionsRequest-v3,MetadataRequest-v9",
        "section*",
        ContentWay(value=lambda entries: entries[::-1]),
    ),
    writing(
        "default-valued-tag-written",
        "tag.default-omitted",
        "ApiVersionsResponse-v3",
        "section*",
        SectionWay(omits=lambda _field, _value: False),
    ),
    writing(
        "tagged-field-omitted",
        "tag.non-default-written",
        "ApiVersionsResponse-v3,FetchRequest-v12",
        "section*",
        SectionWay(omits=lambda _field, _value: True),
    ),
    writing(
        "unknown-tags-written-twice",
        "tag.unknown-kept",
        "ApiVersionsRequest-v3",
        "section*",
        ContentWay(value=lambda entries: [*entries, *entries]),
    ),
    both(
        "section-missing-in-tagged-struct",
        "tag.nested-section",
        "FetchRequest-v15,ApiVersionsResponse-v3",
        "struct.tagged",
        StructWay(of=_inflexible),
    ),
    writing(
        "section-missing-in-empty-struct",
        "tag.section",
        "ListConfigResourcesRequest-v0",
        "struct*",
        StructWay(of=lambda struct: struct if struct.fields else _inflexible(struct)),
    ),
    both(
        "section-in-version-that-is-not-flexible",
        "tag.section",
        "MetadataRequest-v8,HeartbeatRequest-v3",
        "struct*",
        StructWay(of=_flexible),
    ),
    reading(
        "unknown-tags-refused",
        "tag.unknown-accepted",
        "ApiVersionsRequest-v3,MetadataRequest-v9",
        "section*",
        ContentWay(value=refuse_if(bool)),
    ),
    reading(
        "unknown-tags-dropped", "tag.unknown-kept", "ApiVersionsRequest-v3,MetadataRequest-v9", "section*", DROPPED
    ),
    reading(
        "tag-zero-refused",
        "tag.known-accepted",
        "ApiVersionsResponse-v3",
        "section*-tag",
        VarintWay(refuses=lambda tag, _size: tag == 0),
    ),
    reading(
        "unknown-tags-of-nested-structs-dropped",
        "tag.unknown-kept",
        "MetadataRequest-v9,DeleteTopicsRequest-v6",
        NESTED,
        DROPPED,
    ),
    reading(
        "unknown-tags-of-nested-structs-not-skipped",
        "tag.unknown-accepted",
        "MetadataRequest-v9,DeleteTopicsRequest-v6",
        NESTED,
        SectionWay(reads=bool),
    ),
    reading(
        "default-valued-tag-refused",
        "tag.explicit-default",
        "ApiVersionsResponse-v3",
        "section*",
        SectionWay(refuses=is_default),
    ),
    reading(
        "default-valued-tag-of-nested-structs-refused",
        "tag.explicit-default",
        "CreateTopicsResponse-v5..7",
        NESTED,
        SectionWay(refuses=is_default),
    ),
    reading(
        "explicit-null-refused",
        "tag.explicit-default",
        "FetchRequest-v12..17,FetchSnapshotRequest-v0,PartitionChangeRecord-v0..1",
        "section*",
        SectionWay(refuses=_null_default),
    ),
    reading(
        "unknown-tags-as-far-as-they-go",
        "tag.size-within-input",
        "ApiVersionsRequest-v3,MetadataRequest-v9",
        "section*-size",
        LengthWay(is_bound=False),
    ),
)
