"""The common part of both drafts of KIP-482, as differences from the released protocol.

*Definitions*: `optionalFields`, a list beside `fields` in a message and in every struct, has the fields of the struct's
section. They are put before the others; `FieldDefinition.listed` has the list of each field.

*Bytes*: the section stands at the head of a struct, before its other fields. A reader must refuse more: tags that do
not ascend, and a known field shorter or longer than its length. A tag unknown to this version is an unknown field, even
if other versions have it.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from reference.definitions.parse import Loader
from reference.errors import Reason
from reference.values.defaults import TAGS, is_default
from reference.wire.message import Protocol
from reference.wire.structs import StructBody
from reference.wire.tags import TagSection

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from reference.definitions.errors import Problem
    from reference.definitions.model import FieldDefinition, VersionRange
    from reference.definitions.properties import Properties
    from reference.definitions.rules import FieldUse
    from reference.paths import Path
    from reference.wire.stream import Reader
    from reference.wire.tags import TaggedField

OPTIONAL_FIELDS = "optionalFields"


class OptionalFieldsLoader(Loader):
    """A loader of definitions with `optionalFields`."""

    def listed_fields(self, properties: Properties, flexible: VersionRange) -> tuple[FieldDefinition, ...]:
        """Return the optional fields of an object, then its others."""
        optional = (self.optional_field(each, flexible) for each in properties.objects(OPTIONAL_FIELDS))
        listed = tuple(replace(each, listed=OPTIONAL_FIELDS) for each in optional)
        return (*listed, *super().listed_fields(properties, flexible))

    @abstractmethod
    def optional_field(self, properties: Properties, flexible: VersionRange) -> FieldDefinition:
        """Return the field of an object in `optionalFields`."""


def in_structs(use: FieldUse) -> Iterator[Problem]:
    """Yield a problem if an array of primitives lists optional fields. Other fields listed by it are harmless."""
    field = use.field
    if field.is_array and field.struct_name is None and any(each.listed == OPTIONAL_FIELDS for each in field.fields):
        what = f"a field of type {field.type} has no structure, and so no {OPTIONAL_FIELDS}"
        yield use.problem("inner-fields", what)


class ReaderRules(NamedTuple):
    """The ids of the rules by which a reader refuses a section."""

    order: str
    filled: str


class EntryHeader(NamedTuple):
    """The header before the bytes of an entry."""

    tag: int
    size: int
    tag_start: int
    """The offset of the tag, or of the number with the tag in it."""
    size_start: int
    """The offset of the length, or of the number with the length in it."""


class HeadSection(TagSection):
    """A section at the head of a struct, with ascending tags.

    Args:
        known: the tagged fields of this version.
        _elsewhere: tags of fields of other versions, which are unknown here.
        rule: the id of the rule about this section.
    """

    reader_rules: ReaderRules
    lowest_tag = 1
    refuses_other_versions = False

    def __init__(self, known: Sequence[TaggedField], _elsewhere: frozenset[int], rule: str) -> None:
        super().__init__(known, frozenset(), rule)

    @abstractmethod
    def headers(self, stream: Reader, path: Path) -> Iterator[EntryHeader]:
        """Yield the header of each entry. The caller reads the bytes after a header before it takes the next one."""

    def read_into(self, value: dict[str, Any], stream: Reader, path: Path) -> None:
        """Read the section, and put its fields into `value`."""
        unknown: list[tuple[int, bytes]] = []
        previous = -1
        for header in self.headers(stream, path):
            if header.tag <= previous:
                detail = f"tag {header.tag} follows {previous}"
                stream.malformed(self.reader_rules.order, Reason.TAG_ORDER, header.tag_start, path, detail)
            previous = header.tag
            entry = self._by_tag.get(header.tag)
            key: Path = (path, entry.field.name) if entry else ((path, TAGS), len(unknown))
            if header.size > stream.size - stream.tell():
                reason, detail = Reason.LENGTH_EXCEEDS_INPUT, f"{header.size} bytes"
                stream.malformed(self.rules.within_input, reason, header.size_start, key, detail)
            if entry:
                value[entry.field.name] = self._read_known(entry, header, stream, key)
            else:
                unknown.append((header.tag, _read_unknown(header.size, stream, key)))
        if unknown:
            value[TAGS] = unknown

    def _read_known(self, entry: TaggedField, header: EntryHeader, stream: Reader, path: Path) -> Any:
        start = stream.tell()
        value = entry.wire_type.read(stream, path)
        taken = stream.tell() - start
        if taken != header.size:
            detail = f"{header.size} bytes are announced, and the value takes {taken}"
            stream.malformed(self.reader_rules.filled, Reason.SIZE_MISMATCH, header.size_start, path, detail)
        if is_default(entry.field, value):
            stream.note("tag.explicit-default", start, path)
        return value

    def entries_of(self, value: Mapping[str, Any], path: Path) -> list[tuple[int, bytes]]:
        """Return known and unknown entries, by tag."""
        return sorted(super().entries_of(value, path))


def _read_unknown(size: int, stream: Reader, path: Path) -> bytes:
    data = stream.read(size)
    if stream.spans is not None:
        stream.span(stream.tell() - size, path, "payload", "tag.unknown-kept", "raw")
    return data


class HeadedStruct(StructBody):
    """A struct with its section at the beginning, if it has one."""

    def read(self, stream: Reader, path: Path = "") -> dict[str, Any]:
        tagged: dict[str, Any] = {}
        if self.tags is not None:
            self.tags.read_into(tagged, stream, path)
        return self._read_fields(stream, path) | tagged

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        fields = BytesIO()  # written first, as it checks that no field is missing
        self._write_fields(obj, fields, path)
        if self.tags is not None:
            self.tags.write_from(obj, stream, path)
        stream.write(fields.getvalue())


class HeadedProtocol(Protocol):
    """The protocol with sections at the head of bodies. The drafts do not change headers."""

    struct_body: type[StructBody] = HeadedStruct
    section_first = True
    flexible_headers = False
