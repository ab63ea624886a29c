"""Mutants: codecs made wrong on purpose, each in one way, with the rule that the suite must blame first.

A row says what the lie is, which rule it breaks and on which pairs it shows. The adapter around it is sound.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from conformance.adapter import Decoded, LoadedAdapter
from conformance.selection import parse_selection, select
from reference import CodecError, MessageSchema, load_release
from reference.wire.message import RELEASED, Protocol
from reference.wire.stream import LenientReader
from tests.mutants import lies

if TYPE_CHECKING:
    from collections.abc import Callable


def unchanged(schema: MessageSchema) -> MessageSchema:
    """The schema as it is."""
    return schema


@dataclass(frozen=True)
class Mutant:
    """One codec that is wrong in one way."""

    name: str
    rule: str
    pairs: str
    """A selection, as --messages takes it."""
    writes: Protocol = RELEASED
    reads: Protocol = RELEASED
    schema: Callable[[MessageSchema], MessageSchema] = unchanged
    size: Callable[[int], int] = int
    consumed: Callable[[int, int], int] = field(default=lambda own, _all: own)

    def schemas(self) -> list[MessageSchema]:
        """The pairs on which it shows."""
        return select(list(load_release("4.3.0").schemas()), parse_selection([self.pairs]))

    def adapter(self) -> LoadedAdapter:
        """The mutant as an adapter."""
        versions: dict[str, set[int]] = {}
        for schema in self.schemas():
            versions.setdefault(schema.message, set()).add(schema.version)
        supported = {message: frozenset(those) for message, those in versions.items()}
        return LoadedAdapter(
            spec="",
            name=self.name,
            version="0",
            supported={"encode": supported, "decode": supported},
            encode=self._encode,
            decode=self._decode,
            size=lambda schema, value: self.size(len(self._encode(schema, value))),
            rejections=(CodecError,),
            capabilities=frozenset({"unknown-tags"}),
        )

    def _encode(self, schema: MessageSchema, value: dict[str, Any]) -> bytes:
        wrong = self.schema(schema)
        return self.writes.message(wrong).write(_with_fields_of(wrong, value))

    def _decode(self, schema: MessageSchema, data: bytes) -> Decoded:
        reader = LenientReader(data)
        wrong = self.schema(schema)
        value = {each.name: each.default for each in schema.fields} | self.reads.message(wrong).read(reader)
        absent = {each.name for each in schema.absent_fields}
        kept = {name: item for name, item in value.items() if name not in absent}
        return Decoded(kept, self.consumed(reader.tell(), len(data)))


def _with_fields_of(schema: MessageSchema, value: dict[str, Any]) -> dict[str, Any]:
    """The value with just the fields of a wrong schema, at any depth as long as structs are the same."""
    if not isinstance(value, dict):
        return value
    kept = {each.name: value.get(each.name, each.default) for each in schema.fields}
    return kept | {name: item for name, item in value.items() if name.startswith("_")}


def both(protocol: type[Protocol]) -> dict[str, Protocol]:
    """A lie in writing and in reading."""
    return {"writes": protocol(), "reads": protocol()}


MUTANTS = (
    # primitives
    Mutant("int16-length-for-compact-string", "string.compact-length", "MetadataRequest-v9..12", **both(lies.LegacyLengthForCompactString)),
    Mutant("compact-length-without-plus-one", "string.compact-length", "MetadataRequest-v9,FindCoordinatorRequest-v3", **both(lies.CompactStringsWithoutPlusOne)),
    Mutant("compact-length-plus-two", "string.compact-length", "FindCoordinatorRequest-v3", writes=lies.CompactStringsWithPlusTwo()),
    Mutant("string-limit-missing", "string.too-long", "FindCoordinatorRequest-v2..3", writes=lies.NoLimitOfStrings()),
    Mutant("int64-cut-to-32-bits", "int.width-and-order", "ProduceResponse-v3,OffsetCommitRequest-v6", writes=lies.Int64CutTo32Bits()),
    Mutant("int64-through-double", "int.width-and-order", "OffsetCommitRequest-v6", writes=lies.Int64ThroughDouble()),
    Mutant("uint16-read-as-signed", "int.width-and-order", "DescribeQuorumResponse-v2", reads=lies.Uint16IsSigned()),
    Mutant("float-little-endian", "float64.bits", "AlterClientQuotasRequest-v0..1", **both(lies.FloatLittleEndian)),
    Mutant("negative-zero-lost", "float64.bits", "AlterClientQuotasRequest-v1", writes=lies.NegativeZeroIsZero()),
    Mutant("uuid-mixed-endian", "uuid.byte-order", "MetadataRequest-v12,DeleteTopicsRequest-v6", **both(lies.UuidMixedEndian)),
    Mutant("zero-uuid-is-null", "uuid.byte-order", "MetadataRequest-v12", reads=lies.ZeroUuidIsNull()),
    Mutant("varint-wrong-from-third-byte", "varint.shortest", "FindCoordinatorRequest-v3", writes=lies.BrokenVarints()),
    Mutant("overlong-varints", "varint.shortest", "MetadataRequest-v9", writes=lies.OverlongVarints()),
    Mutant("bytes-up-to-65535", "bytes.payload", "SaslAuthenticateRequest-v1..2", writes=lies.BytesUpTo65535()),
    Mutant("array-prefix-counts-bytes", "array.count", "DeleteRecordsRequest-v1,ConsumerProtocolAssignment-v1,OffsetFetchRequest-v5", writes=lies.CountsBytes()),
    # null
    Mutant("compact-null-array-written-as-empty", "null.compact", "MetadataRequest-v9..10", writes=lies.CompactNullAsEmpty()),
    Mutant("null-array-read-as-empty", "null.compact", "MetadataRequest-v9", reads=lies.NullReadAsEmpty()),
    Mutant("null-bytes-as-length-zero", "null.legacy", "JoinGroupRequest-v5,FetchResponse-v11,ConsumerProtocolSubscription-v1", writes=lies.ZeroForNullBytes()),
    Mutant("null-read-where-not-allowed", "null.not-allowed", "MetadataResponse-v9,FindCoordinatorRequest-v2", reads=lies.NullReadAnywhere()),
    Mutant("null-written-where-not-allowed", "null.not-written", "MetadataResponse-v9,FindCoordinatorRequest-v2", writes=lies.NullAnywhere()),
    Mutant("struct-marker-missing", "struct.marker", "ConsumerGroupHeartbeatResponse-v0..1", **both(lies.MarkerMissing)),
    Mutant("struct-marker-zero-for-null", "struct.marker", "ConsumerGroupHeartbeatResponse-v0", **both(lies.MarkerZeroForNull)),
    # versions and defaults
    Mutant("field-one-version-late", "version.field-presence", "MetadataRequest-v8,JoinGroupRequest-v4", schema=lies.one_field_missing),
    Mutant("field-one-version-early", "version.field-presence", "MetadataRequest-v3,HeartbeatRequest-v2", schema=lies.one_field_early),
    Mutant("flexible-one-version-late", "version.flexible", "MetadataRequest-v9,HeartbeatRequest-v4", schema=lies.never_flexible),
    Mutant("default-not-restored", "default.restored", "FetchRequest-v12,ApiVersionsResponse-v3", reads=lies.DefaultsNotRestored()),
    # tags
    Mutant("tags-unsorted", "tag.ascending", "ApiVersionsResponse-v3", writes=lies.UnsortedTags()),
    Mutant("tag-size-short", "tag.size", "ApiVersionsResponse-v3,FetchRequest-v12", writes=lies.ShortTagSizes()),
    Mutant("default-valued-tag-written", "tag.default-omitted", "ApiVersionsResponse-v3", writes=lies.DefaultsWritten()),
    Mutant("tagged-field-omitted", "tag.non-default-written", "ApiVersionsResponse-v3,FetchRequest-v12", writes=lies.TaggedOmitted()),
    Mutant("unknown-tags-written-twice", "tag.unknown-kept", "ApiVersionsRequest-v3", writes=lies.UnknownTagsTwice()),
    Mutant("unknown-tags-refused", "tag.unknown-accepted", "ApiVersionsRequest-v3,MetadataRequest-v9", reads=lies.UnknownTagsRefused()),
    Mutant("unknown-tags-dropped", "tag.unknown-kept", "ApiVersionsRequest-v3,MetadataRequest-v9", reads=lies.UnknownTagsDropped()),
    Mutant("tag-zero-refused", "tag.known-accepted", "ApiVersionsResponse-v3", reads=lies.TagZeroRefused()),
    Mutant("section-missing-in-tagged-struct", "tag.nested-section", "FetchRequest-v15,ApiVersionsResponse-v3", **both(lies.NestedSectionMissing)),
    Mutant("section-missing-in-empty-struct", "tag.section", "ListConfigResourcesRequest-v0", writes=lies.EmptyStructsWithoutSection()),
    Mutant("section-in-version-that-is-not-flexible", "tag.section", "MetadataRequest-v8,HeartbeatRequest-v3", **both(lies.SectionsEverywhere)),
    # robustness
    Mutant("truncated-numbers-are-zero", "input.truncated", "MetadataRequest-v8,HeartbeatRequest-v3", reads=lies.ZeroPadding()),
    Mutant("strings-as-far-as-they-go", "length.within-input", "FindCoordinatorRequest-v0,DeleteGroupsRequest-v0..2", reads=lies.ShortStrings()),
    Mutant("consumed-counts-what-follows", "codec.consumed", "MetadataRequest-v8..9", consumed=lambda _own, everything: everything),
    Mutant("size-one-short", "codec.size", "MetadataRequest-v8..9", size=lambda size: size - 1),
    Mutant("string-cut-at-nul", "string.utf8", "FindCoordinatorRequest-v2..3", reads=lies.StringsCutAtNul()),
    Mutant("numbers-wrap", "number.range", "HeartbeatRequest-v3", writes=lies.WrappingNumbers()),
)  # fmt: skip
"""Every mutant; each must be killed, and its rule must be the first of the findings."""
