"""Protocols with one kind of prefix, number, null, text, marker or tag section in another form.

A length has another width, or a size is left out. No schema describes these mistakes: they are in all fields of a kind.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from conformance.targets.faults.other_types import OF_NUMBERS, PREFIXES
from conformance.targets.faults.wrong_sections import wrong_sections
from reference import TAGS, FieldSchema, MessageSchema, PrimitiveType, StructType
from reference.definitions.model import RELEASED
from reference.errors import Reason
from reference.proposals.kip482_first_draft import FIRST_DRAFT, FirstDraft
from reference.proposals.kip625 import KIP_625, EncodingProtocol
from reference.wire.arrays import Array
from reference.wire.base import WireType
from reference.wire.blobs import Blob
from reference.wire.lengths import NULL, CompactLength, Length, length_of
from reference.wire.message import Protocol
from reference.wire.numbers import FIXED_WIDTH, INT8, INT16, INT32
from reference.wire.structs import NullableStruct, TaggedNullableStruct
from reference.wire.tags import TaggedField, TagSection
from reference.wire.text import String
from reference.wire.varints import UNSIGNED_VARINT, write_unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from io import BytesIO

    from reference.paths import Path
    from reference.wire.stream import Reader


def wrong_protocols(schema: MessageSchema) -> Iterator[tuple[str, str, Protocol]]:
    """Yield a rule, its place (empty for everywhere), and a protocol that breaks it.

    In proposals, KIP-625 has integers with the width of their type in place of their encoding, and the drafts of
    KIP-482 have sections of another form.
    """
    if schema.dialect != RELEASED:
        if schema.dialect == KIP_625.name:
            yield from ((f"kip-625.{kind}", "", _WidthOfType(kind)) for kind in ("fixed", "upacked"))
        yield from ((rule, "", protocol) for rule, protocol in wrong_sections(schema.dialect))
        yield from _compact_lengths(schema)
        return
    fields = [field for _, field in schema.body.within()]
    is_compact = schema.flexible or any(field.compact for field in fields)  # a wire type alone has no tag section
    for type_name, rules in PREFIXES.items():
        for length in (_other_form, _other_width, *((_as_it_is, _plus_two) if is_compact else ())):
            yield rules[is_compact], "", OtherLengths(frozenset((type_name,)), length)
    types = [field.type for field in fields]
    for type_name in dict.fromkeys(filter(FIXED_WIDTH.__contains__, types)):
        yield OF_NUMBERS.get(type_name, "int.width-and-order"), "", _OtherOrder(type_name)
    yield "string.empty", "", _WithoutEmptyTexts()
    yield ("null.compact" if is_compact else "null.legacy"), "", _StepsBack()
    nulls = (_minus_one_is_empty, _minus_one) if is_compact else ()
    yield from (("null.compact", "", OtherLengths(frozenset(PREFIXES), null)) for null in nulls)
    for marker in (INT16, UNSIGNED_VARINT):
        yield "struct.marker", "", _OtherMarkers(NullableStruct, marker)
    for marker in (INT16, INT8):
        yield "struct.tagged-marker", "", _OtherMarkers(TaggedNullableStruct, marker)
    if schema.flexible:
        yield "tag.size", TAGS, _WithoutSizes(known=False)
        yield "tag.size", "", _WithoutSizes(known=True)


def _compact_lengths(schema: MessageSchema) -> Iterator[tuple[str, str, Protocol]]:
    """Yield the lengths of the released protocol, in the draft without compact ones."""
    if schema.dialect == FIRST_DRAFT.name and schema.flexible:
        for type_name, (rule, _) in PREFIXES.items():
            yield rule, "", _CompactFirstDraft(frozenset((type_name,)), _other_form)


def _other_form(field: FieldSchema) -> Length:
    """Return a compact length in place of another one, or the reverse."""
    if not field.compact:
        return CompactLength("length", "", nullable=field.nullable)
    return NumberAsLength(INT16 if field.type == "string" else INT32, nullable=field.nullable)


def _other_width(field: FieldSchema) -> Length:
    """Return an int32 in place of the int16 of a string, or the reverse."""
    return NumberAsLength(INT32 if field.type == "string" else INT16, nullable=field.nullable)


def _as_it_is(field: FieldSchema) -> Length:
    """Return a compact length without the added one."""
    return NumberAsLength(UNSIGNED_VARINT, nullable=field.nullable, added=0 if field.compact else 1)


def _plus_two(field: FieldSchema) -> Length:
    """Return a compact length with an added two."""
    return NumberAsLength(UNSIGNED_VARINT, nullable=field.nullable, added=2)


def _minus_one(field: FieldSchema) -> Length:
    """Return a compact length with -1 in 32 bits for null, so that the real one is a negative length."""
    return _MinusOne(nullable=field.nullable)


def _minus_one_is_empty(field: FieldSchema) -> Length:
    """Return such a length whose reader takes the null of an array for an empty one."""
    return _MinusOne(nullable=field.nullable, is_empty=field.element is not None)


class NumberAsLength(Length):
    """A length that refuses values outside its number's range.

    Null is -1, or 0 for unsigned numbers.
    """

    def __init__(self, number: WireType, *, nullable: bool, added: int = 0) -> None:
        super().__init__("length", "", nullable=nullable)
        self.number = number
        self.added = added
        self.null = 0 if number is UNSIGNED_VARINT else NULL

    def read(self, stream: Reader, path: Path = "") -> int | None:
        """Return the length, or None for null."""
        start = stream.tell()
        length = self.number.read(stream, path)
        if length == self.null:
            self._negative(stream, NULL, start, path)
            return None
        if length < self.added:
            stream.malformed(self.rule, Reason.NEGATIVE_LENGTH, start, path)
        return int(length - self.added)

    def write_to(self, obj: int | None, stream: BytesIO, path: Path = "") -> None:
        """Write a length, or null for None."""
        stream.write(self.number.write(self.null if obj is None else obj + self.added, path))


class OtherLengths(Protocol):
    """A protocol with other lengths for all fields of some types."""

    def __init__(self, types: frozenset[str], length: Callable[[FieldSchema], Length]) -> None:
        self.types = types
        self.length = length

    def string(self, field: FieldSchema) -> WireType:
        """Return the type of a string, perhaps with another length."""
        return String(self.length(field)) if "string" in self.types else super().string(field)

    def blob(self, field: FieldSchema) -> WireType:
        """Return the type of bytes or records, perhaps with another length."""
        return Blob(field.type, self.length(field)) if field.type in self.types else super().blob(field)

    def array(self, field: FieldSchema, element: WireType) -> WireType:
        """Return the type of an array, perhaps with another count."""
        return Array(self.length(field), element) if "array" in self.types else super().array(field, element)


class _OtherOrder(Protocol):
    """A protocol with the bytes of the numbers of one type in another order, little-endian, or mixed for a uuid."""

    def __init__(self, type_name: str) -> None:
        self.type_name = type_name

    def number(self, field: FieldSchema) -> WireType:
        """Return the type of a number, perhaps in another order."""
        number = super().number(field)
        return _Reordered(number) if field.type == self.type_name else number


class _Reordered(WireType):
    def __init__(self, number: WireType) -> None:
        super().__init__()
        self.number = number
        width = number.width or 0
        self.order = MIXED if width == len(MIXED) else range(width)[::-1]

    def read(self, stream: Reader, path: Path = "") -> Any:
        data = stream.read(len(self.order))
        if len(data) != len(self.order):
            stream.truncated(path)
        return self.number.parse(self._reordered(data))

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        stream.write(self._reordered(self.number.write(obj, path)))

    def _reordered(self, data: bytes) -> bytes:
        return bytes(data[at] for at in self.order)


MIXED = (3, 2, 1, 0, 5, 4, 7, 6, *range(8, 16))
"""The order of the bytes of a uuid whose first three numbers are little-endian."""


class _WithoutEmptyTexts(Protocol):
    """A protocol that writes nothing for an empty string."""

    def string(self, field: FieldSchema) -> WireType:
        """Return the type of a string without its empty form."""
        return _TextOrNothing(length_of("string", compact=field.compact, nullable=field.nullable))


class _TextOrNothing(String):
    def read(self, stream: Reader, path: Path = "") -> str | None:
        raise NotImplementedError("nothing is left to be read")

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        if obj != "":
            super().write_to(obj, stream, path)


class _StepsBack(Protocol):
    """A protocol whose reader goes on one byte before the end of a null, by its length of -1."""

    def string(self, field: FieldSchema) -> WireType:
        """Return the type of a string."""
        return _BackFromNull(super().string(field))

    def blob(self, field: FieldSchema) -> WireType:
        """Return the type of bytes or records."""
        return _BackFromNull(super().blob(field))


class _BackFromNull(WireType):
    def __init__(self, sound: WireType) -> None:
        super().__init__()
        self.sound = sound

    def read(self, stream: Reader, path: Path = "") -> Any:
        value = self.sound.read(stream, path)
        if value is None:
            stream.seek(stream.tell() - 1)
        return value

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        self.sound.write_to(obj, stream, path)


class _MinusOne(NumberAsLength):
    def __init__(self, *, nullable: bool, is_empty: bool = False) -> None:
        super().__init__(UNSIGNED_VARINT, nullable=nullable, added=1)
        self.null = ALL_BITS
        self.is_empty = is_empty

    def read(self, stream: Reader, path: Path = "") -> int | None:
        start = stream.tell()
        if self.is_empty and stream.read(1) == b"\0":
            return 0
        stream.seek(start)
        return super().read(stream, path)


ALL_BITS = 0xFFFF_FFFF


class _CompactFirstDraft(OtherLengths, FirstDraft):
    """The first draft, with other lengths."""


class _WidthOfType(EncodingProtocol):
    """A protocol with encodings of one kind as wide as the type of their field."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def number(self, field: FieldSchema) -> WireType:
        """Return the type of an integer, perhaps in an encoding of another width."""
        if field.encoding is None or not field.encoding.startswith(self.kind):
            return super().number(field)
        encoding = self.kind + field.type.removeprefix("int")
        return super().number(replace(field, data_type=PrimitiveType(field.type, encoding)))


class _OtherMarkers(Protocol):
    """A protocol with another number for the marker of structs of one kind."""

    def __init__(self, kind: type[WireType], marker: WireType) -> None:
        self.kind = kind
        self.marker = marker

    def struct(self, field: FieldSchema, body: WireType) -> WireType:
        """Return the type of a struct, perhaps with another marker."""
        struct = super().struct(field, body)
        return _OtherMarker(body, self.marker) if isinstance(struct, self.kind) else struct


class _OtherMarker(WireType):
    def __init__(self, body: WireType, marker: WireType) -> None:
        super().__init__()
        self.body = body
        self.marker = marker
        self.null = 0 if marker is UNSIGNED_VARINT else NULL

    def read(self, stream: Reader, path: Path = "") -> Any:
        return None if self.marker.read(stream, path) == self.null else self.body.read(stream, path)

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        stream.write(self.marker.write(self.null if obj is None else 1))
        if obj is not None:
            self.body.write_to(obj, stream, path)


class _WithoutSizes(Protocol):
    """A protocol with unknown tagged fields, or with all of them, without their sizes."""

    def __init__(self, *, known: bool) -> None:
        self.known = known

    def tags(self, struct: StructType, tagged: list[TaggedField], *, inside_tag: bool) -> TagSection | None:
        """Return the section without sizes."""
        tags = super().tags(struct, tagged, inside_tag=inside_tag)
        return None if tags is None else _SizelessTags(tags, known=self.known)


class _SizelessTags(TagSection):
    """A section with the bytes of a field directly after its tag."""

    def __init__(self, tags: TagSection, *, known: bool) -> None:
        super().__init__(tags.known, tags.elsewhere, tags.rule)
        self.sizes_of_known = not known

    def write_from(self, value: Mapping[str, Any], stream: BytesIO, path: Path) -> None:
        """Write the unknown fields without sizes, and the known ones with theirs unless they are affected."""
        known = self._known_entries(value, path)
        unknown = value.get(TAGS) or []
        write_unsigned_varint(stream, len(known) + len(unknown))
        for tag, body in known:
            write_unsigned_varint(stream, tag)
            if self.sizes_of_known:
                write_unsigned_varint(stream, len(body))
            stream.write(body)
        for tag, body in unknown:
            write_unsigned_varint(stream, tag)
            stream.write(body)
