"""The codec of any schema and protocol, for values of another schema of the same message."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from conformance.targets.faults.fault import Read
from reference import TAGS
from reference.protocols import protocol_of
from reference.wire.stream import LenientReader

if TYPE_CHECKING:
    from reference import MessageSchema
    from reference.wire.base import WireType
    from reference.wire.message import Protocol


# Compared by identity, so that the cache of wire types need not hash whole schemas.
@dataclass(frozen=True, eq=False)
class SchemaCodec:
    """The codec of a schema and a protocol."""

    schema: MessageSchema
    protocol: Protocol
    has_other_type: bool = False
    """Whether a field has another type than in the message, and so other values."""

    @property
    def wire_type(self) -> WireType:
        """The wire type, made on demand since there are a thousand codecs with a mistake."""
        return _wire_type(self)

    def write(self, content: dict[str, Any]) -> bytes:
        """Return the bytes of a value, as `FaultyCodec.write`."""
        return self.wire_type.write(converted(self.schema, content))

    def read(self, wire: bytes) -> Read:
        """Return the value of some bytes, as `FaultyCodec.read`."""
        reader = LenientReader(wire)
        value = self.wire_type.read(reader)
        return Read(value, reader.tell())


def sound_codec(schema: MessageSchema) -> SchemaCodec:
    """Return the valid codec of a schema."""
    return SchemaCodec(schema, protocol_of(schema.dialect))


@lru_cache(maxsize=1024)
def _wire_type(codec: SchemaCodec) -> WireType:
    return codec.protocol.body(codec.schema.struct, inside_tag=False)


def converted(schema: MessageSchema, value: dict[str, Any]) -> dict[str, Any]:
    """Return the value with the fields of a schema only.

    Fields missing in the value are at their defaults.
    """
    converted: dict[str, Any] = _adapt(schema.body, value)
    return converted


def _adapt(field: Any, value: Any) -> Any:
    if field.element is not None and isinstance(value, list):
        return [_adapt(field.element, item) for item in value] if field.element.fields else value
    if field.type != "struct" or not isinstance(value, dict):
        return value
    converted = {each.name: _adapt(each, value.get(each.name, each.default)) for each in field.fields}
    if field.flexible and value.get(TAGS):
        converted[TAGS] = value[TAGS]
    return converted
