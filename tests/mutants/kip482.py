"""Codecs of both drafts of KIP-482 that are wrong in one way."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import Any

from reference import TAGS, FieldSchema, Reason, StructType
from reference.paths import Path
from reference.proposals import kip482_first_draft as first
from reference.proposals import kip482_second_draft as second
from reference.proposals.kip482 import EntryHeader
from reference.wire.base import WireType
from reference.wire.message import RELEASED, Protocol
from reference.wire.numbers import FIXED_WIDTH, INT16
from reference.wire.signed_varints import read_unsigned_varlong, zigzag_decode
from reference.wire.stream import LenientReader, Reader
from reference.wire.structs import StructBody
from reference.wire.tags import TaggedField, TagSection
from reference.wire.varints import UNSIGNED_VARINT, read_unsigned_varint
from tests.mutants.dialects import DialectMutant

UINT16 = FIXED_WIDTH["uint16"]


class Overlooking(LenientReader):
    """A reader that overlooks what should end it: the rule that would have."""

    overlooked = ""

    def malformed(self, rule: str, reason: Reason, offset: int, path: Path, detail: str = "") -> Any:
        if rule != self.overlooked:
            super().malformed(rule, reason, offset, path, detail)


def overlooking(rule: str) -> type[LenientReader]:
    class Reader(Overlooking):
        overlooked = rule

    return Reader


class FirstAtTheEnd(first.FirstDraft):
    """The buffer follows the other fields, as in the released protocol."""

    struct_body = StructBody


class SecondAtTheEnd(second.SecondDraft):
    """The section follows the other fields, as in the released protocol."""

    struct_body = StructBody


def with_buffer(section: type[first.OptionalFieldBuffer]) -> Protocol:
    class Lying(first.FirstDraft):
        tag_section = section

    return Lying()


def with_section(section: type[second.HeadTagSection]) -> Protocol:
    class Lying(second.SecondDraft):
        tag_section = section

    return Lying()


class CountsTheTag(first.OptionalFieldBuffer):
    """The length is that of tag and value."""

    @classmethod
    def entry(cls, tag: int, body: bytes) -> bytes:
        entry = super().entry(tag, body + b"\0\0")
        return entry[:-2]


class Unsigned(first.OptionalFieldBuffer):
    """The length is not folded."""

    @classmethod
    def entry(cls, tag: int, body: bytes) -> bytes:
        return UNSIGNED_VARINT.write(len(body)) + INT16.write(tag) + body


class TagFirst(first.OptionalFieldBuffer):
    """The tag stands before the length."""

    @classmethod
    def entry(cls, tag: int, body: bytes) -> bytes:
        entry = super().entry(tag, body)
        head = len(entry) - len(body) - 2
        return entry[head : head + 2] + entry[:head] + body


class LittleEndianTag(first.OptionalFieldBuffer):
    """The lower byte of the tag comes first."""

    @classmethod
    def entry(cls, tag: int, body: bytes) -> bytes:
        entry = super().entry(0, body)
        head = len(entry) - len(body) - 2
        return entry[:head] + tag.to_bytes(2, "little") + body


class NoEndMark(first.OptionalFieldBuffer):
    """A buffer of entries ends without a mark."""

    @classmethod
    def write_entries(cls, entries: Sequence[tuple[int, bytes]], stream: BytesIO) -> None:
        super().write_entries(entries, stream)
        if entries:
            stream.seek(-1, 1)
            stream.truncate()


class FirstDescending(first.OptionalFieldBuffer):
    """Entries by falling tags."""

    def entries_of(self, value: Mapping[str, Any], path: Path) -> list[tuple[int, bytes]]:
        return sorted(super().entries_of(value, path), reverse=True)


class FirstUnmerged(first.OptionalFieldBuffer):
    """Unknown fields behind all known ones."""

    def entries_of(self, value: Mapping[str, Any], path: Path) -> list[tuple[int, bytes]]:
        unknown = list(value.get(TAGS) or [])
        return [entry for entry in super().entries_of(value, path) if entry not in unknown] + unknown


class NegativeLengthEnds(first.OptionalFieldBuffer):
    """Whatever is not positive ends the buffer."""

    def headers(self, stream: Reader, path: Path) -> Iterator[EntryHeader]:
        start = stream.tell()
        while (size := zigzag_decode(read_unsigned_varint(stream, path))) > 0:
            yield EntryHeader(INT16.read(stream, path), size, start, start)
            start = stream.tell()


class UnsignedTags(first.OptionalFieldBuffer):
    """Negative tags are high ones."""

    def headers(self, stream: Reader, path: Path) -> Iterator[EntryHeader]:
        start = stream.tell()
        while size := zigzag_decode(read_unsigned_varint(stream, path)):
            yield EntryHeader(UINT16.read(stream, path), size, start, start)
            start = stream.tell()


class AsFarAsItGoes(first.OptionalFieldBuffer):
    """A length beyond the input is that of what is left, and then the end mark is not missed."""

    def headers(self, stream: Reader, path: Path) -> Iterator[EntryHeader]:
        for header in super().headers(stream, path):
            left = stream.size - stream.tell()
            yield header._replace(size=min(header.size, left))
            if header.size > left:
                return


class SecondAsFarAsItGoes(second.HeadTagSection):
    """A length beyond the input is that of what is left."""

    def headers(self, stream: Reader, path: Path) -> Iterator[EntryHeader]:
        for header in super().headers(stream, path):
            yield header._replace(size=min(header.size, stream.size - stream.tell()))


class SecondDescending(second.HeadTagSection):
    """Entries by falling tags."""

    def entries_of(self, value: Mapping[str, Any], path: Path) -> list[tuple[int, bytes]]:
        return sorted(super().entries_of(value, path), reverse=True)


class FirstDefaults(first.OptionalFieldBuffer):
    """Every optional field is written, even at its default."""

    def _known_entries(self, value: Mapping[str, Any], path: Path) -> list[tuple[int, bytes]]:
        return [(tag, wire_type.write(value[field.name])) for tag, field, wire_type in self.known]


class SecondDefaults(second.HeadTagSection):
    """Every tagged field is written, even at its default."""

    def _known_entries(self, value: Mapping[str, Any], path: Path) -> list[tuple[int, bytes]]:
        return [(tag, wire_type.write(value[field.name])) for tag, field, wire_type in self.known]


class SwappedBits(second.HeadTagSection):
    """Tag bits at the even places, length bits at the odd ones."""

    @classmethod
    def entry(cls, tag: int, body: bytes) -> bytes:
        header = second.TAG_HEADER.write(second.LengthAndTag(length=tag, tag=len(body)))
        return header + body


class NotWoven(second.HeadTagSection):
    """A tag and a length, each a varint, as in the released protocol."""

    @classmethod
    def entry(cls, tag: int, body: bytes) -> bytes:
        return UNSIGNED_VARINT.write(tag) + UNSIGNED_VARINT.write(len(body)) + body


class NestedMissingInFirst(first.FirstDraft):
    """A struct inside an optional field has no buffer."""

    def tags(self, struct: StructType, tagged: list[TaggedField], *, inside_tag: bool) -> TagSection | None:
        return None if inside_tag else super().tags(struct, tagged, inside_tag=inside_tag)


class NestedMissingInSecond(second.SecondDraft):
    """A struct inside a tagged field has no section."""

    def tags(self, struct: StructType, tagged: list[TaggedField], *, inside_tag: bool) -> TagSection | None:
        return None if inside_tag else super().tags(struct, tagged, inside_tag=inside_tag)


class CompactStrings(first.FirstDraft):
    """Strings have compact lengths."""

    def string(self, field: FieldSchema) -> WireType:
        return super().string(replace(field, compact=True))


class HeaderBitsDropped(second.HeadTagSection):
    """Bits of a header beyond the 64th are lost."""

    def headers(self, stream: Reader, path: Path) -> Iterator[EntryHeader]:
        for _ in range(read_unsigned_varint(stream, path)):
            start = stream.tell()
            length, tag = second.deinterleave(read_unsigned_varlong(stream, path))
            yield EntryHeader(tag, length, start, start)


_first = partial(DialectMutant, writes=first.FirstDraft(), reads=first.FirstDraft(), release=first.NAME)
_second = partial(DialectMutant, writes=second.SecondDraft(), reads=second.SecondDraft(), release=second.NAME)
FLEXIBLE = "FooResponse-v9,EverythingData-v4,ClosedRangeData-v1"
ALL_OPTIONAL = "ClosedRangeData-v1"
EVERYTHING = "EverythingData-v4"


def _careless(make: Callable[..., DialectMutant], release: str, rule: str) -> DialectMutant:
    """A codec that reads on where this rule says that it cannot."""
    return make(f"{release}-{rule}-overlooked", f"{release}.{rule}", FLEXIBLE, reader=overlooking(f"{release}.{rule}"))


MUTANTS = (
    _first("buffer-at-the-end", f"{first.NAME}.buffer", FLEXIBLE, writes=FirstAtTheEnd()),
    _first("length-counts-the-tag", f"{first.NAME}.length", FLEXIBLE, writes=with_buffer(CountsTheTag)),
    _first("length-not-folded", f"{first.NAME}.length", FLEXIBLE, writes=with_buffer(Unsigned)),
    _first("tag-before-length", f"{first.NAME}.tag", FLEXIBLE, writes=with_buffer(TagFirst)),
    _first("little-endian-tag", f"{first.NAME}.tag", FLEXIBLE, writes=with_buffer(LittleEndianTag)),
    _first("end-mark-missing", f"{first.NAME}.end-mark", FLEXIBLE, writes=with_buffer(NoEndMark)),
    _first("descending-entries", f"{first.NAME}.tags-ascending", FLEXIBLE, writes=with_buffer(FirstDescending)),
    _first("unknown-fields-last", f"{first.NAME}.tags-ascending", FLEXIBLE, writes=with_buffer(FirstUnmerged)),
    _first("default-in-the-buffer", "tag.default-omitted", FLEXIBLE, writes=with_buffer(FirstDefaults)),
    _first("nested-buffer-missing", f"{first.NAME}.nested-buffer", EVERYTHING, writes=NestedMissingInFirst()),
    _first("compact-strings", "string.length", FLEXIBLE, writes=CompactStrings()),
    *(_careless(_first, first.NAME, rule) for rule in ("length-filled", "order-on-read")),
    _first("negative-length-ends", f"{first.NAME}.length-negative", FLEXIBLE, reads=with_buffer(NegativeLengthEnds)),
    _first("tags-without-sign", f"{first.NAME}.tag-negative", FLEXIBLE, reads=with_buffer(UnsignedTags)),
    _first("as-far-as-it-goes", f"{first.NAME}.length-within-input", ALL_OPTIONAL, reads=with_buffer(AsFarAsItGoes)),
    _second("section-at-the-end", f"{second.NAME}.section", FLEXIBLE, writes=SecondAtTheEnd()),
    _second("header-bits-swapped", f"{second.NAME}.tag-header", FLEXIBLE, writes=with_section(SwappedBits)),
    _second("header-not-woven", f"{second.NAME}.tag-header", FLEXIBLE, writes=with_section(NotWoven)),
    _second("descending-tags", f"{second.NAME}.tags-ascending", FLEXIBLE, writes=with_section(SecondDescending)),
    _second("default-in-the-section", "tag.default-omitted", FLEXIBLE, writes=with_section(SecondDefaults)),
    _second("nested-section-missing", f"{second.NAME}.nested-section", EVERYTHING, writes=NestedMissingInSecond()),
    _second("released-protocol", f"{second.NAME}.section", FLEXIBLE, writes=RELEASED),
    _second(
        "header-bits-dropped", f"{second.NAME}.header-within-64-bits", FLEXIBLE, reads=with_section(HeaderBitsDropped)
    ),
    *(_careless(_second, second.NAME, rule) for rule in ("length-filled", "order-on-read", "tag-within-31-bits")),
    _second(
        "data-as-far-as-it-goes",
        f"{second.NAME}.length-within-input",
        ALL_OPTIONAL,
        reads=with_section(SecondAsFarAsItGoes),
    ),
)
