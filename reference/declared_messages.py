"""Messages, frames and stored messages of a release, made of the types of `reference.declared`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any
from uuid import UUID

from construct import Const, Construct, Error, Peek, Prefixed, Struct, Switch, Terminated, this

from reference import declared
from reference.declared import INTEGERS, Absent, Encoded, Fields, Int16, Int32, Tag, UnsignedVarint, is_a, named
from reference.headers import api_schema, header_schema
from reference.schema import ArrayType, PrimitiveType, StructType

if TYPE_CHECKING:
    from reference.release import Release
    from reference.schema import FieldSchema, FrameDirection, MessageSchema


@cache
def message(schema: MessageSchema) -> Construct:
    """Return the construct of a message's body."""
    return struct_type(schema.struct)


def struct_type(schema: StructType) -> Construct:
    """Return the construct of a struct."""
    dialect = schema.dialect
    fields = [field.name / field_type(field, dialect) for field in schema.fields if field.tag is None]
    absent = [Absent(field.name, kind_of(field), field.default, field.ignorable) for field in schema.absent_fields]
    if not schema.flexible:
        return Fields(*fields, *absent)
    known = [tagged(field, dialect) for field in schema.fields if field.tag is not None]
    section = vars(declared)[named("Tags", dialect)]
    tags = section(*known) if section.at_head else section(*known, elsewhere=schema.tags_elsewhere)
    return Fields(tags, *fields, *absent) if section.at_head else Fields(*fields, tags, *absent)


def tagged(field: FieldSchema, dialect: str) -> Tag:
    """Return a tagged field."""
    return Tag(field.tag or 0, field.default, field.name / field_type(field, dialect), whole_default(field))


def field_type(field: FieldSchema, dialect: str) -> Construct:
    """Return the construct of a field or an array element."""
    made: Any = vars(declared).get(named(spelling(field), dialect))
    match field.data_type:
        case PrimitiveType(_, encoding):
            return made if encoding is None else Encoded(encoding)
        case ArrayType(element):
            return made(field_type(element, dialect))
        case StructType() as inner:
            return made(struct_type(inner)) if field.nullable else struct_type(inner)


def spelling(field: FieldSchema) -> str:
    """Return the name of a field's type, such as `CompactNullableString`, `Int32`, `Array` or `Nullable`."""
    if field.type == "struct":
        return "Nullable" if field.tag is None else "TaggedNullable"
    name = field.type.capitalize().replace("Uint", "UInt")
    if field.type not in {"array", "string", "bytes", "records"}:
        return name
    return f"{'Compact' if field.compact else ''}{'Nullable' if field.nullable else ''}{name}"


KINDS = {"bool": bool, "float64": float, "string": str, "uuid": UUID, "bytes": bytes, "records": bytes}


def kind_of(field: FieldSchema) -> Any:
    """Return the kind of an absent field."""
    if field.element is not None:
        return [kind_of(field.element)]
    if field.type == "struct":
        return {each.name: kind_of(each) for each in field.fields}
    return INTEGERS.get(field.type) or KINDS[field.type]


def whole_default(field: FieldSchema) -> Any:
    """Return the default of a field, with the fields of other versions in its structs."""
    if field.type != "struct" or field.default is None:
        return field.default
    return {each.name: whole_default(each) for each in (*field.fields, *field.absent_fields)}


# Frames and stored messages. A frame is a size, a header and a body, and the header of a request names its body.


def frame(*parts: Construct) -> Construct:
    """Return a size, and what has it."""
    return Prefixed(Int32, Fields(*parts, Terminated))


HEAD = ("RequestApiKey", "RequestApiVersion")
"""The fields at the head of every request header, whatever its version."""


def request(release: Release) -> Construct:
    """Return any request of a release, whose header has its API key and version."""
    schemas = {(each.api_key or 0, each.version): each for each in release.schemas() if each.kind == "request"}
    headers = {key: message(header_schema(release, "request", *key)) for key in schemas}
    bodies = {key: message(schema) for key, schema in schemas.items()}

    def chosen(here: Any) -> tuple[Any, ...]:
        known = here.get("header") or here.head  # a header is there before it is written, and after it is read
        numbers = [known.get(name) for name in HEAD] if isinstance(known, dict) else []
        return tuple(number for number in numbers if is_a(number, (int,)))

    head = Peek(Struct(*(name / Int16 for name in HEAD)))
    return frame("head" / head, "header" / Switch(chosen, headers, Error), "body" / Switch(chosen, bodies, Error))


def response(release: Release, api_key: int, api_version: int) -> Construct:
    """Return a response of a release, whose bytes do not have the API."""
    direction: FrameDirection = "response"
    header = header_schema(release, direction, api_key, api_version)
    return frame("header" / message(header), "body" / message(api_schema(release, direction, api_key, api_version)))


def prefixed(release: Release, name: str) -> Construct:
    """Return a data message, a value or a key of a coordinator, after its version or, for a key, its type."""
    definition = release.definition(name)
    versions = {version: message(release.schema(name, version)) for version in definition.valid_versions}
    is_key = definition.kind == "coordinator-key"
    bodies = {definition.api_key: versions[definition.valid_versions.lowest]} if is_key else versions
    return Fields("prefix" / Int16, "body" / Switch(this.prefix, bodies, Error))


def record(release: Release, source: str = "kafka-metadata") -> Construct:
    """Return any record of the metadata log, or of the log of another module."""
    definitions = [release.definition(name) for name in release.messages if release.source(name) == source]
    bodies = {
        (each.api_key, version): message(release.schema(each.name, version))
        for each in definitions
        if each.kind == "metadata"
        for version in each.valid_versions
    }
    return Fields(
        "frame-version" / Const(1, UnsignedVarint),
        "type" / UnsignedVarint,
        "version" / UnsignedVarint,
        "body" / Switch(lambda here: (here.type, here.version), bodies, Error),
    )
