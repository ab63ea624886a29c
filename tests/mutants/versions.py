"""Fields and forms in the wrong versions, and defaults that are not the definition's."""

from dataclasses import replace
from typing import Any

from reference import ArrayType, FieldSchema, MessageSchema, StructType
from tests.mutants.mutant import Mutant
from tests.second_codec.bodies import StructWay, Value
from tests.second_codec.steps import Misstep, NotTaken


def one_field_missing(schema: MessageSchema) -> MessageSchema:
    """The last field of the version comes one version late."""
    return replace(schema, fields=schema.fields[:-1])


def one_field_early(schema: MessageSchema) -> MessageSchema:
    """The first field of later versions is written and read one version early."""
    early = (replace(field, compact=schema.flexible) for field in schema.absent_fields[:1])
    return replace(schema, fields=(*schema.fields, *early))


def nested_versions_ignored(schema: MessageSchema) -> MessageSchema:
    """The fields of a struct inside the message are there in all versions."""
    return replace(schema, fields=tuple(_with_all_fields(each) for each in schema.fields))


def _with_all_fields(field: FieldSchema) -> FieldSchema:
    struct = field.struct
    if struct is None:
        return field
    absent = tuple(replace(each, compact=struct.flexible) for each in struct.absent_fields)
    fields = sorted((*map(_with_all_fields, struct.fields), *absent), key=lambda each: each.position)
    return field.with_struct(replace(struct, fields=tuple(fields), absent_fields=()))


def always_flexible(schema: MessageSchema) -> MessageSchema:
    return replace(schema, fields=_toggled(schema.body, flexible=True).fields, flexible=True)


def never_flexible(schema: MessageSchema) -> MessageSchema:
    return replace(schema, fields=_toggled(schema.body, flexible=False).fields, flexible=False)


def _toggled(field: FieldSchema, *, flexible: bool) -> FieldSchema:
    match field.data_type:
        case ArrayType(element):
            return replace(field, compact=flexible, data_type=ArrayType(_toggled(element, flexible=flexible)))
        case StructType(fields=fields) as struct:
            kept = tuple(_toggled(each, flexible=flexible) for each in fields if flexible or each.tag is None)
            return replace(field, compact=flexible, data_type=replace(struct, flexible=flexible, fields=kept))
        case _:
            return replace(field, compact=flexible)


def fields_by_name(schema: MessageSchema) -> MessageSchema:
    """The fields of the message are sorted by their names."""
    return replace(schema, fields=tuple(sorted(schema.fields, key=lambda field: field.name)))


def last_fields_swapped(schema: MessageSchema) -> MessageSchema:
    """The last two fields of the message have changed places."""
    return replace(schema, fields=(*schema.fields[:-2], *schema.fields[:-3:-1]))


def _zeroed(struct: StructType) -> StructType:
    """The struct with the zero of its type as the default of each tagged field."""
    fields = (
        replace(field, default=_ZEROS.get(field.type, field.default)) if field.tag is not None else field
        for field in struct.fields
    )
    return replace(struct, fields=tuple(fields))


_ZEROS = {"int8": 0, "int16": 0, "int32": 0, "int64": 0, "string": "", "array": []}


def zero_of(field: FieldSchema) -> Any:
    """A field of other versions is read as the zero of its type."""
    return {"bool": False, **_ZEROS}.get(field.type, field.default)


def absent_nulls(struct: StructType, value: Value) -> set[str]:
    return {each.name for each in struct.absent_fields if each.name in value and value[each.name] is None}


def nulls_dropped(struct: StructType, value: Value) -> Value:
    """A null in a field that the version lacks is taken for its default."""
    nulls = absent_nulls(struct, value)
    return {name: item for name, item in value.items() if name not in nulls}


def nulls_refused(struct: StructType, value: Value) -> Value:
    """A null in a field that the version lacks is refused though the field is ignorable."""
    if absent_nulls(struct, value):
        raise NotTaken
    return value


MUTANTS = (
    Mutant(
        "field-one-version-late",
        "version.field-presence",
        "MetadataRequest-v8,JoinGroupRequest-v4",
        schema=one_field_missing,
    ),
    Mutant(
        "field-one-version-early",
        "version.field-presence",
        "MetadataRequest-v3,HeartbeatRequest-v2",
        schema=one_field_early,
    ),
    Mutant(
        "flexible-one-version-late", "version.flexible", "MetadataRequest-v9,HeartbeatRequest-v4", schema=never_flexible
    ),
    Mutant(
        "flexible-one-version-early",
        "version.flexible",
        "MetadataRequest-v8,HeartbeatRequest-v3",
        schema=always_flexible,
    ),
    Mutant(
        "flexible-though-none-is",
        "version.flexible",
        "ConsumerProtocolSubscription-v0..3,SaslHandshakeRequest-v1",
        schema=always_flexible,
    ),
    Mutant(
        "nested-versions-ignored",
        "version.field-presence",
        "CreateTopicsResponse-v4,DeleteTopicsResponse-v4..5",
        schema=nested_versions_ignored,
    ),
    Mutant(
        "default-of-other-versions-not-restored",
        "default.restored",
        "MetadataRequest-v3,MetadataResponse-v7",
        absent=zero_of,
        capabilities=("absent-fields",),
    ),
    Mutant(
        "default-not-restored",
        "default.restored",
        "FetchRequest-v12,ApiVersionsResponse-v3",
        reads=Misstep("struct*", StructWay(of=_zeroed)),
    ),
    Mutant(
        "zero-for-the-definition's-default",
        "default.value",
        "FetchRequest-v12,ApiVersionsResponse-v3",
        writes=Misstep("struct*", StructWay(of=_zeroed)),
    ),
    Mutant("fields-sorted-by-name", "struct.field-order", "HeartbeatRequest-v0..4", schema=fields_by_name),
    Mutant(
        "last-fields-swapped",
        "struct.field-order",
        "MetadataRequest-v8,HeartbeatRequest-v0",
        schema=last_fields_swapped,
    ),
    Mutant(
        "fields-of-other-versions-dropped",
        "ignorable.refused",
        "OffsetFetchRequest-v6,TxnOffsetCommitRequest-v2",
        capabilities=("absent-fields",),
    ),
    Mutant(
        "nulls-of-other-versions-dropped",
        "ignorable.refused",
        "OffsetFetchRequest-v8,CreateDelegationTokenRequest-v1..2",
        writes=Misstep("struct*", StructWay(given=nulls_dropped)),
        keeps_absent=True,
        capabilities=("absent-fields",),
    ),
    Mutant(
        "nulls-of-other-versions-refused",
        "ignorable.dropped",
        "DescribeQuorumResponse-v0,CreateTopicsResponse-v3",
        writes=Misstep("struct*", StructWay(given=nulls_refused)),
        keeps_absent=True,
        capabilities=("absent-fields",),
    ),
    Mutant(
        "fields-of-other-versions-refused",
        "ignorable.dropped",
        "DescribeGroupsResponse-v0,OffsetForLeaderEpochRequest-v2",
        writes=Misstep("struct*", StructWay(of=lambda struct: replace(struct, absent_fields=()))),
        keeps_absent=True,
        capabilities=("absent-fields",),
    ),
)
