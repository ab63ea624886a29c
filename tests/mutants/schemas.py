"""Other schemas of whole messages, with fields and forms in the wrong versions."""

from dataclasses import replace
from typing import Any

from reference import ArrayType, FieldSchema, MessageSchema, StructType
from tests.mutants.ways.bodies import ZEROS


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


def zero_of(field: FieldSchema) -> Any:
    """Read a field of other versions as the zero of its type."""
    return {"bool": False, **ZEROS}.get(field.type, field.default)


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
"""By the name of the mutant."""
