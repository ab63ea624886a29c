"""Schemas of real messages with encodings for their integers.

A definition cannot give the entries of an array an encoding (14.94); a schema can.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from reference import ArrayType, PrimitiveType, StructType
from reference.proposals.kip625 import KIP_625, TYPES

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference import FieldSchema, MessageSchema

    Choose = Callable[[str, FieldSchema], str | None]
    """Returns the name of the encoding for an integer's path and field; None: the fixed one of its type."""

ENTRY = "[]"
"""The end of the path of an array's entries: `Topics[].Partitions[].ReplicaNodes[]`."""


def encoded(schema: MessageSchema, choose: Choose) -> MessageSchema:
    """Return the message with the chosen encodings for its integers."""
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
    """Return the encoding of a kind with as many bits as the type of a field."""
    return kind + field.type.removeprefix("int")
