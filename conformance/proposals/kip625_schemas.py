"""Integers of real messages in encodings that they never had: schemas in which every integer may have one.

No definition can give the entries of an array an encoding (rule 14.94); a schema can.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from reference import ArrayType, PrimitiveType, StructType
from reference.proposals.kip625 import KIP_625
from reference.proposals.kip625_rules import TYPES

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference import FieldSchema, MessageSchema

    Choose = Callable[[str, FieldSchema], str | None]
    """From the path of an integer, and what it is, to the name of its encoding; None: the fixed one of its type."""

ENTRY = "[]"
"""How the path of an array's entries ends: `Topics[].Partitions[].ReplicaNodes[]`."""


def encoded(schema: MessageSchema, choose: Choose) -> MessageSchema:
    """The message with the encodings that are chosen for its integers."""
    fields = tuple(_encoded(field, field.name, choose) for field in schema.fields)
    return replace(schema, fields=fields, dialect=KIP_625.name)


def _encoded(field: FieldSchema, path: str, choose: Choose) -> FieldSchema:
    match field.data_type:
        case ArrayType(element):
            return replace(field, data_type=ArrayType(_encoded(element, path + ENTRY, choose)))
        case StructType() as struct:
            fields = tuple(_encoded(each, f"{path}.{each.name}", choose) for each in struct.fields)
            return field.with_struct(replace(struct, fields=fields))
        case PrimitiveType(name) if name in TYPES:
            return replace(field, data_type=PrimitiveType(name, choose(path, field)))
        case _:
            return field


def in_width_of_type(kind: str, field: FieldSchema) -> str:
    """The encoding of a kind that has as many bits as the type of a field."""
    return kind + field.type.removeprefix("int")
