"""The four lists of structures of kafka-protocol 0.1, each with the versions in their order.

The names of fields are those of the definitions in another case. Every exception of the module `struct`, and a text
other than UTF-8, refuses bytes or a value; the library has no exceptions of its own.
"""

from __future__ import annotations

import io
import re
import struct
from typing import TYPE_CHECKING, Any
from uuid import UUID

from kafkaprotocol import ktypes, requests, responses

from conformance.adapter import Decoded, Unrepresentable, Value
from reference import TAGS, is_default
from reference.values.defaults import fresh

if TYPE_CHECKING:
    from reference import FieldSchema, MessageSchema
    from reference.schema import StructType

name = "kafka-protocol"
__version__ = "0.1"
rejections = (ValueError, struct.error)
capabilities = frozenset({"unknown-tags"})
TAGGED = ("SupportedFeatures", "FinalizedFeaturesEpoch", "FinalizedFeatures", "ZkMigrationReady")
hidden = {"ApiVersionsResponse": TAGGED}
SECTION = "_tagged_fields"
_CLASSES = {each[0].__name__.removesuffix("0"): each for each in (*requests.values(), *responses.values())}


def supported() -> dict[str, list[int]]:
    """Every version of each list."""
    return {message: list(range(len(versions))) for message, versions in _CLASSES.items()}


def encode(schema: MessageSchema, value: Value) -> bytes:
    """Return the bytes of one message body."""
    structure = _CLASSES[schema.message][schema.version]
    packed: bytes = structure.pack(structure(**_to_members(schema.struct, value)))
    return packed


def decode(schema: MessageSchema, data: bytes) -> Decoded:
    """Return the value of one message body, and how many bytes it took."""
    stream = io.BytesIO(data)
    value = _CLASSES[schema.message][schema.version].unpack(stream)
    return Decoded(_from_members(schema.struct, value), stream.tell())


def _member(field: FieldSchema) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", field.name).lower()


def _to_members(around: StructType | FieldSchema, value: Value) -> dict[str, Any]:
    for field in around.fields:
        if field.tag is not None and not is_default(field, value[field.name]):
            raise Unrepresentable("structures have no tagged fields", field.name)
    if TAGS in value and not around.flexible:
        raise Unrepresentable("the structure has no section", TAGS)
    members = {_member(field): _to(field, value[field.name]) for field in around.fields if field.tag is None}
    return {**members, SECTION: dict(value.get(TAGS, ()))} if around.flexible else members


def _to(field: FieldSchema, item: Any) -> Any:
    if field.type == "uuid":
        return item.bytes
    if field.item.fields and item is not None:
        return [_to_members(field.item, each) for each in item]
    return item


def _from_members(around: StructType | FieldSchema, structure: ktypes.Structure) -> Value:
    value = {field.name: _from(field, structure) for field in around.fields}
    known = {field.tag for field in around.fields if field.tag is not None}
    tags = sorted((tag, data) for tag, data in getattr(structure, SECTION, {}).items() if tag not in known)
    return {**value, TAGS: tags} if tags else value


def _from(field: FieldSchema, structure: ktypes.Structure) -> Any:
    if field.tag is not None:
        return fresh(field.default)
    item = getattr(structure, _member(field))
    if field.type == "uuid":
        return UUID(int=item % 2**128)  # unpack gives one byte of the sixteen, as a number
    if field.item.fields and item is not None:
        return [_from_members(field.item, each) for each in item]
    return item
