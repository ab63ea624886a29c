"""The second draft of KIP-482, with a section at the head of every struct.

Tag and length of an entry are interleaved into one number.

    struct  = section fields            the fields in the order of the definition
    section = count entry*              count: an unsigned varint; tags ascend
    entry   = header data               header: an unsigned varlong

The header has the bits of the length at its even places and those of the tag at its odd ones, so that it is short
where both are small. Length 4 (binary 100) and tag 5 (101) make 11 00 10, which is 50 and so `32`. An int16 of 5 with
the tag 1, before an int8 of 7: length 2 (10) and tag 1 (01) are 01 10, so `01 06 0005 07`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from reference.definitions.model import HIGHEST_VERSION, NO_VERSIONS, VersionRange
from reference.definitions.parse import READERS, required_versions
from reference.definitions.properties import FIELD_PROPERTIES, MESSAGE_PROPERTIES, STRUCT_PROPERTIES
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
from reference.wire.base import WireType
from reference.wire.lengths import length_of
from reference.wire.signed_varints import MASK_64, MAXIMUM_LONG_BYTES, read_groups
from reference.wire.tags import TagRules
from reference.wire.text import String
from reference.wire.varints import SIGN_32, read_unsigned_varint, write_unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from io import BytesIO

    from reference.definitions.errors import Problem
    from reference.definitions.model import FieldDefinition
    from reference.definitions.properties import Properties
    from reference.definitions.rules import FieldUse
    from reference.paths import Path
    from reference.schema import FieldSchema
    from reference.wire.stream import Reader

NAME = "kip-482-second-draft"
HIGHEST_TAG = SIGN_32 - 1


def _tag(use: FieldUse) -> Iterator[Problem]:
    if use.field.tag is not None and use.field.tagged_versions.empty:
        what = f"the field has the tag {use.field.tag}, but is tagged in no version"
        yield use.problem(f"{NAME}.versions-needed", what)


def _read_tag(properties: Properties, name: str) -> int | None:
    """Return a field's tag, a positive number of 31 bits."""
    return properties.integer(name, ("kip-482-second-draft.tag-range", "482B-3"), (1, HIGHEST_TAG))


class SecondDraftLoader(OptionalFieldsLoader):
    """The reader of `optionalFields`, and of tags without versions, which are for all flexible versions."""

    dialect = NAME
    message_properties = (*(name for name in MESSAGE_PROPERTIES if name != "headerVersions"), OPTIONAL_FIELDS)
    struct_properties = (*STRUCT_PROPERTIES, OPTIONAL_FIELDS)
    field_properties = (*(name for name in FIELD_PROPERTIES if name != "flexibleVersions"), OPTIONAL_FIELDS)
    readers: ClassVar = {**READERS, "tag": _read_tag}
    rules = RuleBook(
        dropped=(
            "definition.flexible-open-ended",
            "definition.tag-needs-versions",
            "definition.tag-not-negative",
            "definition.tagged-open-ended",
            "definition.tags-contiguous",
        ),
        field_checks=(_tag, in_structs),
    )

    def optional_field(self, properties: Properties, flexible: VersionRange) -> FieldDefinition:
        """Return a field with a mandatory tag."""
        if properties.value("tag") is None:
            what, advice = "an optional field has no tag", f"give it a tag, or move it out of {OPTIONAL_FIELDS}"
            properties.problem("kip-482-second-draft.optional-tag", "14.24", what, advice)
        return self.field(properties, flexible)

    def flexible_versions(self, properties: Properties, valid: VersionRange) -> VersionRange:
        """Return the message's flexible versions, by default all."""
        if properties.value("flexibleVersions") is None and not valid.empty:
            return VersionRange(0, HIGHEST_VERSION)
        return super().flexible_versions(properties, valid)

    def field_versions(
        self, properties: Properties, fields: Iterable[FieldDefinition], flexible: VersionRange
    ) -> tuple[VersionRange, VersionRange]:
        """Return a field's versions, and its tagged ones, by default all flexible ones for a field with a tag."""
        tagged = properties.versions("taggedVersions")
        if tagged is not None:
            return required_versions(
                properties, "versions", "kip-482-second-draft.versions-with-tagged", "14.26"
            ), tagged
        has_tag = properties.value("tag") is not None
        if not has_tag and OPTIONAL_FIELDS not in properties.place.steps[-2:]:
            return super().field_versions(properties, fields, flexible)
        versions = properties.versions("versions")
        versions = flexible if versions is None else versions
        return versions, versions.intersect(flexible) if has_tag else NO_VERSIONS


def interleave(length: int, tag: int) -> int:
    """Return the header of an entry with a length and a tag.

    Bit i of the length is at place 2i, bit i of the tag at place 2i + 1. Both have 32 bits, and the header 64.

    >>> interleave(4, 5)
    50
    """
    return _spread(length) | _spread(tag) << 1


def deinterleave(header: int) -> tuple[int, int]:
    """Return the length and the tag of a header.

    >>> deinterleave(50)
    (4, 5)
    """
    return _gather(header), _gather(header >> 1)


def _spread(number: int) -> int:
    return sum((number >> place & 1) << 2 * place for place in range(number.bit_length()))


def _gather(number: int) -> int:
    return sum((number >> 2 * place & 1) << place for place in range((number.bit_length() + 1) // 2))


class LengthAndTag(NamedTuple):
    """The parts of a header."""

    length: int
    tag: int


class TagHeader(WireType):
    """The header of an entry.

    >>> TAG_HEADER.write(LengthAndTag(length=4, tag=5)).hex()
    '32'
    """

    def read(self, stream: Reader, path: Path = "") -> LengthAndTag:
        start = stream.tell()
        header = read_groups(stream, path, MAXIMUM_LONG_BYTES)
        if header > MASK_64:
            detail = "the tenth byte is neither 0 nor 1"
            stream.malformed("kip-482-second-draft.header-within-64-bits", Reason.VARINT_OVERFLOW, start, path, detail)
        stream.span(start, path, "tag-header", "kip-482-second-draft.tag-header", "coded-varint")
        return LengthAndTag(*deinterleave(header))

    def write_to(self, obj: LengthAndTag, stream: BytesIO, path: Path = "") -> None:
        write_unsigned_varint(stream, interleave(obj.length, obj.tag))


TAG_HEADER = TagHeader()


class HeadTagSection(HeadSection):
    """A section with the number of its entries at the beginning."""

    rules = TagRules(
        "kip-482-second-draft.section",
        "kip-482-second-draft.nested-section",
        "kip-482-second-draft.tags-ascending",
        "kip-482-second-draft.length-within-input",
    )
    reader_rules = ReaderRules("kip-482-second-draft.order-on-read", "kip-482-second-draft.length-filled")
    highest_unknown_tag = HIGHEST_TAG

    def headers(self, stream: Reader, path: Path) -> Iterator[EntryHeader]:
        """Yield as many headers as the section declares."""
        for _ in range(read_unsigned_varint(stream, path, "tag-count", self.rule)):
            start = stream.tell()
            length, tag = TAG_HEADER.read(stream, path)
            if tag > HIGHEST_TAG:
                rule, reason = "kip-482-second-draft.tag-within-31-bits", Reason.TAG_OUT_OF_RANGE
                stream.malformed(rule, reason, start, path, f"the tag is {tag}")
            yield EntryHeader(tag, length, start, start)

    @classmethod
    def entry(cls, tag: int, body: bytes) -> bytes:
        """Return the bytes of one entry."""
        return TAG_HEADER.write(LengthAndTag(len(body), tag)) + body

    @classmethod
    def tag_of(cls, piece: bytes) -> int:
        """Return the tag in the bytes of a span with the role `tag-header`."""
        header: LengthAndTag = TAG_HEADER.parse(piece)
        return header.tag


class LongString(String):
    """A compact string without a highest length, as the document names none, and Apache Kafka's is of a later time."""

    limit_rule = "kip-482-second-draft.long-string"

    def read_too_long(self, length: int, stream: Reader, start: int, path: Path) -> None:
        """Report a long string as a deviation, if all of its bytes are there."""
        if length <= stream.size - stream.tell():
            stream.deviation(self.limit_rule, start, path)


class SecondDraft(HeadedProtocol):
    """The compact protocol with sections at the head of structs, and with interleaved headers."""

    tag_section = HeadTagSection

    def string(self, field: FieldSchema) -> WireType:
        """Return the wire type of a string, unlimited if it is compact."""
        if not field.compact:
            return super().string(field)
        return LongString(length_of("string", compact=True, nullable=field.nullable))


SECOND_DRAFT = Dialect(NAME, SecondDraftLoader(), SecondDraft())
