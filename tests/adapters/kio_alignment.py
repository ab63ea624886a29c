"""The fields that have another name or another wire type in kio's classes than in the definition."""

from collections.abc import Iterator
from typing import Any

from conformance.adapters._mapping import spelling
from conformance.adapters.kio.mapping import entity_of, kio_type_of, paired_fields
from reference import FieldSchema, MessageSchema

WIRE_TYPES = {
    "error_code": "int16",
    "timedelta_i32": "int32",
    "timedelta_i64": "int64",
    "datetime_i64": "int64",
}
"""What kio's own types are on the wire."""


def misalignments(schema: MessageSchema) -> tuple[str, ...]:
    """Return the fields that have another name or another wire type in kio than in the definition.

    Raises:
        Unsupported: as `mapping_of`.
    """
    return tuple(_misalignments(schema.fields, entity_of(schema.message, schema.version), ""))


def _misalignments(fields: tuple[FieldSchema, ...], entity: type[Any], within: str) -> Iterator[str]:
    for field, theirs in paired_fields(fields, entity):
        path = f"{within}{field.name}"
        if spelling(field.name) not in (spelling(theirs.name), spelling(theirs.name) + "ms"):
            yield f"{path}: kio has the field {theirs.name} in its place"
        kio_type = kio_type_of(theirs)
        item = field.item
        wire_type = WIRE_TYPES.get(kio_type.kafka_type or "struct", kio_type.kafka_type or "struct")
        if wire_type != item.type:
            yield f"{path}: {item.type}, in kio {wire_type}"
        if item.type == "struct":
            yield from _misalignments(item.fields, kio_type.inner, f"{path}.")
