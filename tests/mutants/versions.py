"""Fields and forms in the wrong versions, and other defaults than the definition's."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from reference import ArrayType, FieldSchema, MessageSchema, StructType
from tests.mutants.mutant import Mutant, mutants, unchanged
from tests.second_codec.bodies import StructWay, Value
from tests.second_codec.steps import SOUND, NotTaken


def one_field_missing(schema: MessageSchema) -> MessageSchema:
    """Change the last field of the version to come one version late."""
    return replace(schema, fields=schema.fields[:-1])


def one_field_early(schema: MessageSchema) -> MessageSchema:
    """Change the first field of later versions to be written and read one version early."""
    early = (replace(field, compact=schema.flexible) for field in schema.absent_fields[:1])
    return replace(schema, fields=(*schema.fields, *early))


def nested_versions_ignored(schema: MessageSchema) -> MessageSchema:
    """Change the fields of a struct inside the message to be there in all versions."""
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
    """Sort the fields of the message by their names."""
    return replace(schema, fields=tuple(sorted(schema.fields, key=lambda field: field.name)))


def last_fields_swapped(schema: MessageSchema) -> MessageSchema:
    """Swap the last two fields of the message."""
    return replace(schema, fields=(*schema.fields[:-2], *schema.fields[:-3:-1]))


def _zeroed(struct: StructType) -> StructType:
    """Return the struct with the zero of its type as the default of each tagged field."""
    fields = (
        replace(field, default=_ZEROS.get(field.type, field.default)) if field.tag is not None else field
        for field in struct.fields
    )
    return replace(struct, fields=tuple(fields))


_ZEROS = {"int8": 0, "int16": 0, "int32": 0, "int64": 0, "string": "", "array": []}


def zero_of(field: FieldSchema) -> Any:
    """Read a field of other versions as the zero of its type."""
    return {"bool": False, **_ZEROS}.get(field.type, field.default)


def absent_nulls(struct: StructType, value: Value) -> set[str]:
    return {each.name for each in struct.absent_fields if each.name in value and value[each.name] is None}


def nulls_dropped(struct: StructType, value: Value) -> Value:
    """Take a null in a field of other versions for its default."""
    nulls = absent_nulls(struct, value)
    return {name: item for name, item in value.items() if name not in nulls}


def nulls_refused(struct: StructType, value: Value) -> Value:
    """Refuse a null in a field of other versions, though the field is ignorable."""
    if absent_nulls(struct, value):
        raise NotTaken
    return value


WAYS = {
    "default-not-restored": StructWay(of=_zeroed),
    "zero-for-the-definition's-default": StructWay(of=_zeroed),
    "nulls-of-other-versions-dropped": StructWay(given=nulls_dropped),
    "nulls-of-other-versions-refused": StructWay(given=nulls_refused),
    "fields-of-other-versions-refused": StructWay(of=lambda struct: replace(struct, absent_fields=())),
}
SCHEMAS = {
    "field-one-version-late": one_field_missing,
    "field-one-version-early": one_field_early,
    "flexible-one-version-late": never_flexible,
    "flexible-one-version-early": always_flexible,
    "flexible-though-none-is": always_flexible,
    "nested-versions-ignored": nested_versions_ignored,
    "fields-sorted-by-name": fields_by_name,
    "last-fields-swapped": last_fields_swapped,
}
"""Other schemas of the whole message, beyond the means of a row."""
ABSENT: dict[str, dict[str, Any]] = {
    "default-of-other-versions-not-restored": {"absent": zero_of},
    "fields-of-other-versions-dropped": {},
    **{name: {"keeps_absent": True} for name in WAYS if "of-other-versions" in name},
}
"""Ways of reading and writing fields of other versions, by mutant."""


def _mutants() -> Iterator[Mutant]:
    sound = dict.fromkeys((*SCHEMAS, *ABSENT), SOUND)
    for mutant in mutants({**sound, **WAYS}):
        absent = ABSENT.get(mutant.name)
        changes = {} if absent is None else {**absent, "capabilities": ("absent-fields",)}
        yield replace(mutant, schema=SCHEMAS.get(mutant.name, unchanged), **changes)


MUTANTS = tuple(_mutants())
