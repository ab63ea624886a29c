"""Tag sections that are written unsorted, wrong in size, or not where they belong."""

from dataclasses import replace
from io import BytesIO
from typing import Any

from reference import TAGS, MessageSchema, StructType
from reference.paths import Path
from reference.wire.base import WireType
from reference.wire.message import Protocol
from reference.wire.structs import StructBody
from reference.wire.tags import TagSection
from reference.wire.varints import write_unsigned_varint
from tests.mutants.mutant import Mutant


class LyingTags(TagSection):
    """A tag section that is written otherwise: `entries` may change what is there, `sizes` what is said of it."""

    def entries(self, value: dict[str, Any], path: Path) -> list[tuple[int, bytes]]:
        known = self._known_entries(value, path)
        return known + list(value.get(TAGS) or [])

    def size(self, body: bytes) -> int:
        return len(body)

    def write_from(self, value: Any, stream: BytesIO, path: Path) -> None:
        entries = self.entries(value, path)
        write_unsigned_varint(stream, len(entries))
        for tag, body in entries:
            write_unsigned_varint(stream, tag)
            write_unsigned_varint(stream, self.size(body))
            stream.write(body)


def with_tags(section: type[TagSection], *, nested_only: bool = False) -> type[Protocol]:
    """A protocol with other tag sections; `nested_only`: not that of the message itself."""

    class Lying(Protocol):
        def tags(self, struct: StructType, tagged: list[Any], *, inside_tag: bool) -> TagSection | None:
            tags = super().tags(struct, tagged, inside_tag=inside_tag)
            return None if tags is None else section(tags.known, tags.elsewhere, tags.rule)

        def message(self, schema: MessageSchema) -> WireType:
            body = super().message(schema)
            if nested_only and isinstance(body, StructBody) and body.tags is not None:
                body.tags = TagSection(body.tags.known, body.tags.elsewhere, body.tags.rule)
            return body

    return Lying


class _Unsorted(LyingTags):
    def entries(self, value: dict[str, Any], path: Path) -> list[tuple[int, bytes]]:
        return super().entries(value, path)[::-1]


class _ShortSize(LyingTags):
    def size(self, body: bytes) -> int:
        return max(len(body) - 1, 0)


class _SizeOfEntry(LyingTags):
    def size(self, body: bytes) -> int:
        return len(body) + 2


class _WithoutSize(LyingTags):
    def write_from(self, value: Any, stream: BytesIO, path: Path) -> None:
        entries = self.entries(value, path)
        write_unsigned_varint(stream, len(entries))
        for tag, body in entries:
            write_unsigned_varint(stream, tag)
            stream.write(body)


class _DefaultsWritten(LyingTags):
    def entries(self, value: dict[str, Any], path: Path) -> list[tuple[int, bytes]]:
        known = [(tag, wire_type.write(value[field.name])) for tag, field, wire_type in self.known]
        return known + list(value.get(TAGS) or [])


class _TaggedOmitted(LyingTags):
    def entries(self, value: dict[str, Any], path: Path) -> list[tuple[int, bytes]]:
        return list(value.get(TAGS) or [])


class _UnknownUnsorted(LyingTags):
    def entries(self, value: dict[str, Any], path: Path) -> list[tuple[int, bytes]]:
        return self._known_entries(value, path) + list(value.get(TAGS) or [])[::-1]


class _UnknownTwice(LyingTags):
    def entries(self, value: dict[str, Any], path: Path) -> list[tuple[int, bytes]]:
        unknown = list(value.get(TAGS) or [])
        return self._known_entries(value, path) + unknown + unknown


class _FromOne(LyingTags):
    def entries(self, value: dict[str, Any], path: Path) -> list[tuple[int, bytes]]:
        return [(tag + 1, body) for tag, body in self._known_entries(value, path)] + list(value.get(TAGS) or [])


class _Known(bytes):
    """The content of a field of the definition."""


class _SizeStepLate(LyingTags):
    """The room for a size is reserved before an array's count, or a struct's marker, is added to it (KAFKA-18199)."""

    def entries(self, value: dict[str, Any], path: Path) -> list[tuple[int, bytes]]:
        known = [(tag, _Known(body)) for tag, body in self._known_entries(value, path)]
        return known + list(value.get(TAGS) or [])

    def size(self, body: bytes) -> int:
        return len(body) - 1 if isinstance(body, _Known) and len(body) in {2**7, 2**14} else len(body)


TagsFromOne = with_tags(_FromOne)
SizeStepsLate = with_tags(_SizeStepLate)
UnsortedTags = with_tags(_Unsorted)
ShortTagSizes = with_tags(_ShortSize)
DefaultsWritten = with_tags(_DefaultsWritten)
TaggedOmitted = with_tags(_TaggedOmitted)
SizesOfEntries = with_tags(_SizeOfEntry)
SizesMissing = with_tags(_WithoutSize)
UnknownTagsUnsorted = with_tags(_UnknownUnsorted)
UnknownTagsTwice = with_tags(_UnknownTwice)


class NestedSectionMissing(Protocol):
    """A struct inside a tagged field has no tag section of its own."""

    def tags(self, struct: StructType, tagged: list[Any], *, inside_tag: bool) -> TagSection | None:
        return None if inside_tag else super().tags(struct, tagged, inside_tag=inside_tag)


class EmptyStructsWithoutSection(Protocol):
    """A struct without fields has no tag section."""

    def tags(self, struct: StructType, tagged: list[Any], *, inside_tag: bool) -> TagSection | None:
        return super().tags(struct, tagged, inside_tag=inside_tag) if struct.fields else None


class SectionsEverywhere(Protocol):
    """Structs end with a tag section in versions that are not flexible, too."""

    def tags(self, struct: StructType, tagged: list[Any], *, inside_tag: bool) -> TagSection | None:
        return super().tags(replace(struct, flexible=True), tagged, inside_tag=inside_tag)


class _WithoutTags(StructBody):
    """A struct that does not look for tags where it has no section for them."""

    def _check_extras(self, obj: dict[str, Any], path: Path) -> None:
        super()._check_extras({name: item for name, item in obj.items() if name != TAGS or self.tags}, path)


class TagsLostWithoutSection(Protocol):
    """Unknown tags of versions that are not flexible are neither written nor refused."""

    struct_body = _WithoutTags


MUTANTS = (
    Mutant(
        "tags-lost-in-version-that-is-not-flexible",
        "tag.not-flexible",
        "HeartbeatRequest-v3,MetadataRequest-v8",
        writes=TagsLostWithoutSection(),
    ),
    Mutant("tags-unsorted", "tag.ascending", "ApiVersionsResponse-v3", writes=UnsortedTags()),
    Mutant("tags-counted-from-one", "tag.number", "ApiVersionsResponse-v3,FetchRequest-v12", writes=TagsFromOne()),
    Mutant("tag-size-short", "tag.size", "ApiVersionsResponse-v3,FetchRequest-v12", writes=ShortTagSizes()),
    Mutant("tag-size-counts-tag-and-size", "tag.size", "ApiVersionsResponse-v3", writes=SizesOfEntries()),
    Mutant(
        "tag-size-of-128-as-127",
        "tag.size",
        "ConsumerGroupMemberMetadataValue-v0,VoteResponse-v2,ApiVersionsResponse-v4",
        writes=SizeStepsLate(),
    ),
    Mutant(
        "tag-size-of-128-as-127-in-other-structs",
        "tag.size",
        "FetchResponse-v17,ProduceResponse-v12",
        writes=SizeStepsLate(),
    ),
    Mutant("tag-size-missing", "tag.size", "ApiVersionsResponse-v3,FetchRequest-v12", writes=SizesMissing()),
    Mutant(
        "unknown-tags-written-unsorted",
        "tag.ascending",
        "ApiVersionsRequest-v3,MetadataRequest-v9",
        writes=UnknownTagsUnsorted(),
    ),
    Mutant("default-valued-tag-written", "tag.default-omitted", "ApiVersionsResponse-v3", writes=DefaultsWritten()),
    Mutant(
        "tagged-field-omitted",
        "tag.non-default-written",
        "ApiVersionsResponse-v3,FetchRequest-v12",
        writes=TaggedOmitted(),
    ),
    Mutant("unknown-tags-written-twice", "tag.unknown-kept", "ApiVersionsRequest-v3", writes=UnknownTagsTwice()),
    Mutant(
        "section-missing-in-tagged-struct",
        "tag.nested-section",
        "FetchRequest-v15,ApiVersionsResponse-v3",
        both=NestedSectionMissing(),
    ),
    Mutant(
        "section-missing-in-empty-struct",
        "tag.section",
        "ListConfigResourcesRequest-v0",
        writes=EmptyStructsWithoutSection(),
    ),
    Mutant(
        "section-in-version-that-is-not-flexible",
        "tag.section",
        "MetadataRequest-v8,HeartbeatRequest-v3",
        both=SectionsEverywhere(),
    ),
)
