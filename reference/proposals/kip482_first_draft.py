"""The first draft of KIP-482, with a buffer of optional fields at the head of every structure.

    structure = entry* 00 fields        the fields in the order of the definition
    entry     = length tag value        length: a zig-zag varint, of the value alone; tag: an int16; tags ascend

Everything else is as in versions that are not flexible: nothing is compact. An int16 of 5 with the tag 1, before an
int8 of 7: `04 0001 0005 00 07`. A buffer without entries is `00`.

The draft leaves nullable structs open, for there were none in its time. Here they have the form of KIP-893 in a
positional field, one byte `ff` or `01`, since it is the one beside the legacy lengths of the draft.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from reference.definitions.defaults import NULL
from reference.definitions.field_rules import can_be_null
from reference.definitions.model import NO_VERSIONS, FieldDefinition, VersionRange
from reference.definitions.parse import field_type, required_text
from reference.definitions.properties import FIELD_PROPERTIES, MESSAGE_PROPERTIES, STRUCT_PROPERTIES, VERSION_PROPERTIES
from reference.definitions.validate import RuleBook
from reference.errors import Reason
from reference.proposals.dialect import Dialect
from reference.proposals.kip482 import (
    OPTIONAL_FIELDS,
    EntryHeader,
    HeadedProtocol,
    HeadSection,
    OptionalFieldsLoader,
    ReaderRules,
    in_structs,
)
from reference.wire.numbers import INT16
from reference.wire.signed_varints import VARINT, zigzag_decode
from reference.wire.structs import NullableStruct
from reference.wire.tags import TagRules
from reference.wire.varints import read_unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from io import BytesIO

    from reference.definitions.properties import Properties
    from reference.paths import Path
    from reference.schema import FieldSchema
    from reference.wire.base import WireType
    from reference.wire.stream import Reader

NAME = "kip-482-first-draft"
VERSIONS = "versionsWithOptional"
HIGHEST_TAG = 0x7FFF
OPTIONAL_FIELD_PROPERTIES = ("name", "type", "nullable", "tag", "default", "about", "fields", OPTIONAL_FIELDS)
_TAG = re.compile(r"0x[0-9a-fA-F]{1,8}")


class FirstDraftLoader(OptionalFieldsLoader):
    """The reader of `versionsWithOptional` and `optionalFields`. Only optional fields have tags, none is compact."""

    dialect = NAME
    message_properties = (
        *(name for name in MESSAGE_PROPERTIES if name not in {"flexibleVersions", "headerVersions"}),
        VERSIONS,
        OPTIONAL_FIELDS,
    )
    struct_properties = (*STRUCT_PROPERTIES, OPTIONAL_FIELDS)
    field_properties = (
        *(name for name in FIELD_PROPERTIES if name not in {"tag", "taggedVersions", "flexibleVersions"}),
        OPTIONAL_FIELDS,
    )
    rules = RuleBook(
        dropped=(
            "definition.flexible-open-ended",
            "definition.flexible-override-type",
            "definition.tag-needs-versions",
            "definition.tagged-open-ended",
            "definition.tagged-within-flexible",
            "definition.tags-contiguous",
        ),
        field_checks=(in_structs,),
    )

    def flexible_versions(self, properties: Properties, valid: VersionRange) -> VersionRange:
        """Return the versions with optional fields, in closed or open ranges."""
        if valid.empty:
            return NO_VERSIONS
        if properties.text(VERSIONS) is None:
            what = f"there are no {VERSIONS}"
            properties.problem(
                "kip-482-first-draft.versions-present", "14.1", what, "say none, or 9+ if 9 is a new version"
            )
        return properties.versions(VERSIONS) or NO_VERSIONS

    def field(self, properties: Properties, flexible: VersionRange) -> FieldDefinition:
        """Return a field that is not optional, and so has no tag."""
        field = super().field(properties, flexible)
        return replace(field, tag=None, tagged_versions=NO_VERSIONS, flexible_versions=NO_VERSIONS)

    def optional_field(self, properties: Properties, flexible: VersionRange) -> FieldDefinition:
        """Return an optional field, for all versions with such fields."""
        _refuse_versions(properties)
        properties.refuse_all_but((*OPTIONAL_FIELD_PROPERTIES, *VERSION_PROPERTIES))
        properties.text("about")
        nullable = properties.flag("nullable")
        field = FieldDefinition(
            name=required_text(properties, "name", "definition.name-present", "6.25"),
            type=field_type(properties),
            versions=flexible,
            nullable_versions=flexible if nullable else NO_VERSIONS,
            tagged_versions=flexible,
            tag=_tag(properties),
            flexible_versions=NO_VERSIONS,
            default=_default(properties, nullable=nullable),
            fields=self.fields(properties, flexible),
        )
        _check_optional(properties, field)
        if nullable and not can_be_null(field):
            return replace(field, nullable_versions=NO_VERSIONS, default=None)  # one problem is enough
        return field


def _check_optional(properties: Properties, field: FieldDefinition) -> None:
    if field.versions.empty:
        what = f"there are {OPTIONAL_FIELDS}, but no version has any"
        advice = f"name the versions in {VERSIONS}, or drop the field"
        properties.problem("kip-482-first-draft.versions-needed", "14.1", what, advice)
    if field.is_array and field.struct_name is not None:
        what = f"{field.type} is an array of structs, which an optional field cannot be"
        advice = "make it a field that is not optional, or a struct that has the array in it"
        properties.problem("kip-482-first-draft.no-arrays-of-structs", "14.16", what, advice, "type")
    if not field.nullable_versions.empty and not can_be_null(field):
        what = f"a field of type {field.type} cannot be null"
        advice = "drop nullable, which only strings, bytes, arrays and structs have"
        properties.problem("kip-482-first-draft.nullable-type", "14.6", what, advice, "nullable")


def _refuse_versions(properties: Properties) -> None:
    for name in VERSION_PROPERTIES:
        if properties.value(name) is not None:
            what = f"an optional field has no {name}: it is there in all {VERSIONS}"
            properties.problem("kip-482-first-draft.no-versions", "14.6", what, f"remove {name}", name)


def _tag(properties: Properties) -> int:
    """Return the tag, a text with a hexadecimal number from 0x0001 to 0x7fff, or 1 for any other value."""
    text = properties.text("tag")
    advice = 'write a tag from "0x0001" to "0x7fff"'
    if text is None or not _TAG.fullmatch(text):
        what = "there is no tag" if text is None else f"{text!r} is not a tag"
        properties.problem("kip-482-first-draft.tag-text", "14.6", what, advice, *([] if text is None else ["tag"]))
        return 1
    tag = int(text, 16)
    if not 1 <= tag <= HIGHEST_TAG:
        properties.problem("kip-482-first-draft.tag-range", "482A-4", f"the tag {text} is out of range", advice, "tag")
    return tag


def _default(properties: Properties, *, nullable: bool) -> str | None:
    """Return the text of the default, by default null for a field that may be null."""
    text = properties.text("default")
    return NULL if text is None and nullable else text or None


class OptionalFieldBuffer(HeadSection):
    """The buffer of optional fields."""

    rules = TagRules(
        "kip-482-first-draft.buffer",
        "kip-482-first-draft.nested-buffer",
        "kip-482-first-draft.tags-ascending",
        "kip-482-first-draft.length-within-input",
    )
    reader_rules = ReaderRules("kip-482-first-draft.order-on-read", "kip-482-first-draft.length-filled")
    highest_unknown_tag = HIGHEST_TAG
    smallest_unknown = 1

    def headers(self, stream: Reader, path: Path) -> Iterator[EntryHeader]:
        """Yield the header of each entry, a length and a tag, up to a length of 0."""
        first = start = stream.tell()
        while size := zigzag_decode(read_unsigned_varint(stream, path, "tag-size", "kip-482-first-draft.length")):
            if size < 0:
                rule, reason = "kip-482-first-draft.length-negative", Reason.NEGATIVE_LENGTH
                stream.malformed(rule, reason, start, path, f"the length is {size}")
            tag_start = stream.tell()
            tag = INT16.read(stream, path)
            if stream.spans:
                stream.spans[-1] = stream.spans[-1]._replace(role="tag", rule="kip-482-first-draft.tag")
            if tag < 0:
                rule, reason = "kip-482-first-draft.tag-negative", Reason.TAG_OUT_OF_RANGE
                stream.malformed(rule, reason, tag_start, path, f"the tag is {tag}")
            yield EntryHeader(tag, size, tag_start, start)
            start = stream.tell()
        if stream.spans:
            rule = self.rule if start == first else "kip-482-first-draft.end-mark"
            stream.spans[-1] = stream.spans[-1]._replace(role="tag-end", rule=rule)

    @classmethod
    def write_entries(cls, entries: Sequence[tuple[int, bytes]], stream: BytesIO) -> None:
        """Write the entries and the end mark."""
        stream.writelines(cls.entry(tag, body) for tag, body in entries)
        stream.write(b"\0")

    @classmethod
    def entry(cls, tag: int, body: bytes) -> bytes:
        """Return the bytes of one entry."""
        return VARINT.write(len(body)) + INT16.write(tag) + body

    @classmethod
    def tag_of(cls, piece: bytes) -> int:
        """Return the tag in the bytes of a span with the role `tag`."""
        tag: int = INT16.parse(piece)
        return tag


class FirstDraft(HeadedProtocol):
    """The protocol with buffers of optional fields, and nothing compact."""

    tag_section = OptionalFieldBuffer
    compact = False

    def struct(self, field: FieldSchema, body: WireType) -> WireType:
        """Return the wire type of a struct, with the same marker in all fields."""
        return NullableStruct(body) if field.nullable else body


FIRST_DRAFT = Dialect(NAME, FirstDraftLoader(), FirstDraft())
