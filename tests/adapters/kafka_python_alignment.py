"""The fields that have another name, type, tag or nullability in kafka-python than in the definition."""

from collections.abc import Iterator
from typing import Any

from conformance.adapters._mapping import spelling
from conformance.adapters.kafka_python.catalogue import codec_of
from conformance.adapters.kafka_python.mapping import paired_fields, type_of
from reference import FieldSchema, MessageSchema

WIRE_TYPES = {"bitfield": "int32"}
"""What kafka-python's own types are on the wire."""


def misalignments(schema: MessageSchema) -> tuple[str, ...]:
    """Return the fields that have another name, type, tag or nullability in kafka-python than in the definition.

    Raises:
        Unsupported: as `mapping_of`.
    """
    entity = codec_of(schema.message, schema.version).entity
    return tuple(_misalignments(schema.body, entity, schema.version, ""))


def _misalignments(struct: FieldSchema, theirs: Any, version: int, within: str) -> Iterator[str]:
    for ours, their in paired_fields(struct, theirs, version):
        path = f"{within}{ours.name}"
        for trait, mine, other in _traits(ours, their, version):
            if mine != other:
                yield f"{path}: {trait} {mine}, in kafka-python {other}"
        if their.is_struct() or their.is_struct_array():
            yield from _misalignments(ours.item, their, version, f"{path}.")


def _traits(ours: FieldSchema, their: Any, version: int) -> Iterator[tuple[str, Any, Any]]:
    their_type = type_of(their)
    their_tag = their.tag if their.tagged_field_q(version) else None
    yield "name", spelling(ours.name), spelling(their.name)
    yield "type", ours.item.type, WIRE_TYPES.get(their_type, their_type)
    yield "tag", ours.tag, their_tag
    yield "nullable", ours.nullable, their.nullable_for_version_q(version)
