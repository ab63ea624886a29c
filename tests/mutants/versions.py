"""Fields and forms in the wrong versions, and defaults that are not the definition's."""

from dataclasses import replace
from io import BytesIO
from typing import Any

from reference import ArrayType, FieldSchema, MessageSchema, StructType, Unencodable
from reference.errors import Refusal
from reference.paths import Path, render_path
from reference.wire.base import WireType
from reference.wire.message import Protocol
from reference.wire.stream import Reader
from tests.mutants.mutant import Lie, Mutant


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


class AbsentRefused(Protocol):
    """A field that the version lacks is refused if it is given at all."""

    def body(self, struct: StructType, *, inside_tag: bool) -> WireType:
        return super().body(replace(struct, absent_fields=()), inside_tag=inside_tag)


class AbsentNullsAlike(Protocol):
    """A null in a field that the version lacks is taken for its default, or refused though the field is ignorable."""

    def __init__(self, *, is_refused: bool) -> None:
        self.is_refused = is_refused

    def body(self, struct: StructType, *, inside_tag: bool) -> WireType:
        body = super().body(struct, inside_tag=inside_tag)
        return _AbsentNulls(body, frozenset(each.name for each in struct.absent_fields), self.is_refused)


class _AbsentNulls(Lie):
    def __init__(self, inner: WireType, absent: frozenset[str], is_refused: bool) -> None:  # noqa: FBT001  # a lie
        super().__init__(inner)
        self.absent, self.is_refused = absent, is_refused

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        nulls = {name for name in self.absent if name in obj and obj[name] is None}
        if nulls and self.is_refused:
            raise Unencodable(Refusal.NOT_IN_THIS_VERSION, render_path(path), "a null")
        super().write_to({name: item for name, item in obj.items() if name not in nulls}, stream, path)


class DefaultsNotRestored(Protocol):
    """A tagged field that is absent from the wire is read as the zero of its type."""

    def body(self, struct: StructType, *, inside_tag: bool) -> WireType:
        return _ReadOtherwise(
            super().body(struct, inside_tag=inside_tag), super().body(_zeroed(struct), inside_tag=inside_tag)
        )


def _zeroed(struct: StructType) -> StructType:
    """The struct with the zero of its type as the default of each tagged field."""
    fields = (
        replace(field, default=_ZEROS.get(field.type, field.default)) if field.tag is not None else field
        for field in struct.fields
    )
    return replace(struct, fields=tuple(fields))


_ZEROS = {"int8": 0, "int16": 0, "int32": 0, "int64": 0, "string": "", "array": []}


class ZeroesForDefaults(Protocol):
    """A tagged field is written unless it is the zero of its type, whatever its default."""

    def body(self, struct: StructType, *, inside_tag: bool) -> WireType:
        return super().body(_zeroed(struct), inside_tag=inside_tag)


def zero_of(field: FieldSchema) -> Any:
    """A field of other versions is read as the zero of its type."""
    return {"bool": False, **_ZEROS}.get(field.type, field.default)


class _ReadOtherwise(WireType):
    def __init__(self, writer: WireType, reader: WireType) -> None:
        super().__init__()
        self.writer, self.reader = writer, reader

    def read(self, stream: Reader, path: Path = "") -> Any:
        return self.reader.read(stream, path)

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        self.writer.write_to(obj, stream, path)


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
        reads=DefaultsNotRestored(),
    ),
    Mutant(
        "zero-for-the-definition's-default",
        "default.value",
        "FetchRequest-v12,ApiVersionsResponse-v3",
        writes=ZeroesForDefaults(),
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
        writes=AbsentNullsAlike(is_refused=False),
        keeps_absent=True,
        capabilities=("absent-fields",),
    ),
    Mutant(
        "nulls-of-other-versions-refused",
        "ignorable.dropped",
        "DescribeQuorumResponse-v0,CreateTopicsResponse-v3",
        writes=AbsentNullsAlike(is_refused=True),
        keeps_absent=True,
        capabilities=("absent-fields",),
    ),
    Mutant(
        "fields-of-other-versions-refused",
        "ignorable.dropped",
        "DescribeGroupsResponse-v0,OffsetForLeaderEpochRequest-v2",
        writes=AbsentRefused(),
        keeps_absent=True,
        capabilities=("absent-fields",),
    ),
)
