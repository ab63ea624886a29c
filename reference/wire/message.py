"""Make the wire type of a schema, the protocol in one screen.

Each kind of field has one method of `Protocol`. A version of a message is a tree of wire types, made once.

>>> from reference import load_release
>>> schema = load_release("4.3.0").schema("ApiVersionsRequest", 3)
>>> RELEASED.message(schema).write({"ClientSoftwareName": "cl", "ClientSoftwareVersion": "1"}).hex(" ")
'03 63 6c 02 31 00'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.schema import ArrayType, PrimitiveType, StructType
from reference.wire.arrays import array
from reference.wire.blobs import blob
from reference.wire.numbers import FIXED_WIDTH
from reference.wire.structs import Defaulted, NullableStruct, StructBody, TaggedNullableStruct
from reference.wire.tags import TaggedField, TagSection
from reference.wire.text import string

if TYPE_CHECKING:
    from reference.schema import FieldSchema, MessageSchema
    from reference.wire.base import WireType


class Protocol:
    """The wire types of the released protocol. A dialect that never shipped is a subclass with its own rules."""

    struct_body: type[StructBody] = StructBody
    tag_section: type[TagSection] = TagSection
    section_first = False
    """Whether the tag section stands before the fields of a struct."""
    compact = True
    """Whether flexible versions have compact lengths."""
    flexible_headers = True
    """Whether flexible versions have headers with a tag section."""

    def message(self, schema: MessageSchema) -> WireType:
        """Return the wire type of a message's body."""
        return self.body(schema.struct, inside_tag=False)

    def field(self, field: FieldSchema, *, inside_tag: bool) -> WireType:
        """Return the wire type of a field or array element, with `inside_tag` everywhere below a tagged field."""
        match field.data_type:
            case ArrayType(element):
                return self.array(field, self.field(element, inside_tag=inside_tag))
            case StructType() as struct:
                return self.struct(field, self.body(struct, inside_tag=inside_tag))
            case PrimitiveType("string"):
                return self.string(field)
            case PrimitiveType("bytes" | "records"):
                return self.blob(field)
            case PrimitiveType():
                return self.number(field)

    def number(self, field: FieldSchema) -> WireType:
        """Return the wire type of a bool, an integer, a float64 or a uuid."""
        return FIXED_WIDTH[field.type]

    def string(self, field: FieldSchema) -> WireType:
        """Return the wire type of a string, compact if the field is."""
        return string(compact=field.compact, nullable=field.nullable)

    def blob(self, field: FieldSchema) -> WireType:
        """Return the wire type of bytes or records."""
        return blob(field.type, compact=field.compact, nullable=field.nullable)

    def array(self, field: FieldSchema, element: WireType) -> WireType:
        """Return the wire type of an array of anything but arrays."""
        empty = field.element is not None and field.element.takes_no_bytes
        return array(element, compact=field.compact, nullable=field.nullable, takes_no_bytes=empty)

    def struct(self, field: FieldSchema, body: WireType) -> WireType:
        """Return the wire type of a struct, with a marker if it may be null."""
        if not field.nullable:
            return body
        return NullableStruct(body) if field.tag is None else TaggedNullableStruct(body)

    def body(self, struct: StructType, *, inside_tag: bool) -> WireType:
        """Return the wire type of the fields and the tag section of a struct."""
        members: list[tuple[str, WireType]] = []
        tagged: list[TaggedField] = []
        for field in struct.fields:
            wire_type = self.field(field, inside_tag=inside_tag or field.tag is not None)
            if field.tag is not None:
                tagged.append(TaggedField(field.tag, field, wire_type))
                wire_type = Defaulted(field.default)
            members.append((field.name, wire_type))
        return self.struct_body(members, self.tags(struct, tagged, inside_tag=inside_tag), struct.absent_fields)

    def tags(self, struct: StructType, tagged: list[TaggedField], *, inside_tag: bool) -> TagSection | None:
        """Return the tag section of a struct, or None if this version is not flexible."""
        if not struct.flexible:
            return None
        rules = self.tag_section.rules
        rule = rules.nested_section if inside_tag else rules.section
        return self.tag_section(tagged, struct.tags_elsewhere, rule)


RELEASED = Protocol()
"""The protocol of Apache Kafka."""
