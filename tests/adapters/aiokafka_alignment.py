"""The fields that have another wire type in aiokafka's classes than in the definition, and the structs without tags."""

from collections.abc import Iterator
from typing import Any

from aiokafka.protocol.types import Schema, TaggedFields

from conformance.adapters.aiokafka.catalogue import fields_of, struct_of
from conformance.adapters.aiokafka.mapping import mapping_of, type_name
from reference import FieldSchema, MessageSchema

NAMES = {"records": "bytes", "bool": "boolean"}
"""The wire types that have another name in aiokafka."""

WITH_COMPACT_FORM = frozenset(("string", "bytes", "array"))


def misalignments(schema: MessageSchema) -> tuple[str, ...]:
    """Return the fields with another wire type in aiokafka, and the structs with a tag section on one side only.

    Raises:
        Unsupported: as `mapping_of`.
    """
    mapping_of(schema)
    struct = struct_of(schema.message, schema.version)
    return tuple(_misalignments(schema.body, fields_of(struct), ""))


def _misalignments(struct: FieldSchema, theirs: Schema, within: str) -> Iterator[str]:
    if struct.flexible != (TaggedFields in theirs.fields):
        yield f"{within or 'the message'}: {'no' if struct.flexible else 'a'} tag section"
    fields = (field for field in struct.fields if field.tag is None)
    for ours, their_type in zip(fields, _flat(theirs), strict=True):
        yield from _misaligned(ours, their_type, f"{within}.{ours.name}" if within else ours.name)


def _flat(theirs: Schema) -> Iterator[Any]:
    """The types of a SCHEMA's fields, tuples of fields in a row opened, tag sections left out."""
    for their_type in theirs.fields:
        if isinstance(their_type, Schema):
            yield from _flat(their_type)
        elif their_type is not TaggedFields:
            yield their_type


def _misaligned(ours: FieldSchema, their_type: Any, path: str) -> Iterator[str]:
    if isinstance(their_type, Schema):
        yield from _misalignments(ours, their_type, path)
        return
    if ours.type == "struct":
        yield from _misaligned(ours.fields[0], their_type, f"{path}.{ours.fields[0].name}")
        return
    expected, found = _wire_type(ours), type_name(their_type)
    if expected != found:
        yield f"{path}: {expected}, in aiokafka {found}"
    if ours.element is not None:
        yield from _misaligned(ours.element, their_type.array_of, path)


def _wire_type(ours: FieldSchema) -> str:
    name = NAMES.get(ours.type, ours.type)
    return f"compact {name}" if ours.compact and name in WITH_COMPACT_FORM else name
