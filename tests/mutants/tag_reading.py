"""Tag sections that are refused or not kept though they are sound, or taken though they are broken."""

from os import SEEK_CUR
from typing import Any

from reference import TAGS, Malformed
from reference.paths import Path
from reference.wire.stream import Reader
from reference.wire.tags import TagSection
from reference.wire.varints import read_unsigned_varint
from tests.mutants.mutant import Mutant
from tests.mutants.tags import with_tags


class _TagZeroRefused(TagSection):
    def _read_entries(self, count: int, value: dict[str, Any], stream: Reader, path: Path) -> None:
        start = stream.tell()
        if stream.read(1) == b"\0":
            stream.truncated(path)
        stream.seek(start)
        super()._read_entries(count, value, stream, path)


class _UnknownRefused(TagSection):
    def read_into(self, value: dict[str, Any], stream: Reader, path: Path) -> None:
        super().read_into(value, stream, path)
        if TAGS in value:
            stream.truncated(path)


class _KnownDefaultRefused(TagSection):
    def _read_entries(self, count: int, value: dict[str, Any], stream: Reader, path: Path) -> None:
        defaults = {field.name: value[field.name] for _, field, _ in self.known}
        start = stream.tell()
        super()._read_entries(count, value, stream, path)
        written = _tags_at(stream, start, count)
        known = [field.name for tag, field, _ in self.known if tag in written]
        if any(value[name] == defaults[name] and self.is_refused(value[name]) for name in known):
            stream.truncated(path)

    def is_refused(self, default: Any) -> bool:  # any default is
        return True


class _NullDefaultRefused(_KnownDefaultRefused):
    def is_refused(self, default: Any) -> bool:
        return default is None


def _tags_at(stream: Reader, start: int, count: int) -> set[int]:
    """The tags of `count` entries from `start` on."""
    end, tags = stream.tell(), set()
    stream.seek(start)
    for _ in range(count):
        tags.add(read_unsigned_varint(stream, ""))
        stream.seek(read_unsigned_varint(stream, ""), SEEK_CUR)
    stream.seek(end)
    return tags


class _UnknownShort(TagSection):
    def read_into(self, value: dict[str, Any], stream: Reader, path: Path) -> None:
        start = stream.tell()
        try:
            super().read_into(value, stream, path)
        except Malformed as error:
            if error.rule != "tag.size-within-input":
                raise
            stream.seek(start)
            value[TAGS] = [(0, stream.read())]


class _UnknownNotSkipped(TagSection):
    def _read_entries(self, count: int, value: dict[str, Any], stream: Reader, path: Path) -> None:
        if self.known:
            super()._read_entries(count, value, stream, path)


class _UnknownDropped(TagSection):
    def read_into(self, value: dict[str, Any], stream: Reader, path: Path) -> None:
        super().read_into(value, stream, path)
        value.pop(TAGS, None)


TagZeroRefused = with_tags(_TagZeroRefused)
DefaultsRefused = with_tags(_KnownDefaultRefused)
NestedDefaultsRefused = with_tags(_KnownDefaultRefused, nested_only=True)
NullDefaultsRefused = with_tags(_NullDefaultRefused)
ShortUnknownTags = with_tags(_UnknownShort)
UnknownTagsRefused = with_tags(_UnknownRefused)
UnknownTagsDropped = with_tags(_UnknownDropped)
NestedUnknownTagsDropped = with_tags(_UnknownDropped, nested_only=True)
NestedUnknownTagsNotSkipped = with_tags(_UnknownNotSkipped, nested_only=True)

MUTANTS = (
    Mutant(
        "unknown-tags-refused",
        "tag.unknown-accepted",
        "ApiVersionsRequest-v3,MetadataRequest-v9",
        reads=UnknownTagsRefused(),
    ),
    Mutant(
        "unknown-tags-dropped",
        "tag.unknown-kept",
        "ApiVersionsRequest-v3,MetadataRequest-v9",
        reads=UnknownTagsDropped(),
    ),
    Mutant("tag-zero-refused", "tag.known-accepted", "ApiVersionsResponse-v3", reads=TagZeroRefused()),
    Mutant(
        "unknown-tags-of-nested-structs-dropped",
        "tag.unknown-kept",
        "MetadataRequest-v9,DeleteTopicsRequest-v6",
        reads=NestedUnknownTagsDropped(),
    ),
    Mutant(
        "unknown-tags-of-nested-structs-not-skipped",
        "tag.unknown-accepted",
        "MetadataRequest-v9,DeleteTopicsRequest-v6",
        reads=NestedUnknownTagsNotSkipped(),
    ),
    Mutant("default-valued-tag-refused", "tag.explicit-default", "ApiVersionsResponse-v3", reads=DefaultsRefused()),
    Mutant(
        "default-valued-tag-of-nested-structs-refused",
        "tag.explicit-default",
        "CreateTopicsResponse-v5..7",
        reads=NestedDefaultsRefused(),
    ),
    Mutant(
        "explicit-null-refused",
        "tag.explicit-default",
        "FetchRequest-v12..17,FetchSnapshotRequest-v0,PartitionChangeRecord-v0..1",
        reads=NullDefaultsRefused(),
    ),
    Mutant(
        "unknown-tags-as-far-as-they-go",
        "tag.size-within-input",
        "ApiVersionsRequest-v3,MetadataRequest-v9",
        reads=ShortUnknownTags(),
    ),
)
