"""Ways to be wrong: each class or function departs from the protocol in one thing, which its docstring says."""

from __future__ import annotations

import struct
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any
from uuid import UUID

from reference import TAGS, FieldSchema, MessageSchema
from reference.wire.arrays import Array
from reference.wire.base import WireType
from reference.wire.lengths import CompactLength
from reference.wire.message import Protocol
from reference.wire.numbers import FIXED_WIDTH
from reference.wire.structs import NullableStruct
from reference.wire.tags import TagSection
from reference.wire.text import String
from reference.wire.varints import write_unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference.wire.stream import Path, Reader


class Converted(WireType):
    """A wire type with a conversion before writing and one after reading."""

    def __init__(self, inner: WireType, write: Callable[[Any], Any], read: Callable[[Any], Any]) -> None:
        super().__init__()
        self.inner, self.before, self.after = inner, write, read

    def _parse(self, stream: Reader, context: Any, path: Path) -> Any:
        return self.after(self.inner._parse(stream, context, path))

    def _build(self, obj: Any, stream: BytesIO, context: Any, path: Path) -> Any:
        return self.inner._build(self.before(obj), stream, context, path)


def same(value: Any) -> Any:
    """No change."""
    return value


# --- primitives


class LegacyLengthForCompactString(Protocol):
    """Strings have an int16 length in flexible versions too."""

    def string(self, field: FieldSchema) -> WireType:
        return super().string(replace(field, compact=False))


class ShiftedCompactLength(CompactLength):
    """A compact length without the plus one, or with another one."""

    shift = 0

    def _parse(self, stream: Reader, context: Any, path: Path) -> int | None:
        length = super()._parse(stream, context, path)
        return None if length is None else length + 1 - self.shift

    def _build(self, obj: int | None, stream: BytesIO, context: Any, path: Path) -> Any:
        return super()._build(None if obj is None else obj - 1 + self.shift, stream, context, path)


class CompactStringsWithoutPlusOne(Protocol):
    """A compact string begins with its length, not with its length plus one."""

    def string(self, field: FieldSchema) -> WireType:
        if not field.compact:
            return super().string(field)
        return String(ShiftedCompactLength("length", "string.compact-length", nullable=field.nullable))


class CompactStringsWithPlusTwo(Protocol):
    """A compact string begins with its length plus two."""

    def string(self, field: FieldSchema) -> WireType:
        if not field.compact:
            return super().string(field)
        length = ShiftedCompactLength("length", "string.compact-length", nullable=field.nullable)
        length.shift = 2
        return String(length)


class WrappingLegacyLength(WireType):
    """A text whose int16 length wraps around beyond 32,767 bytes, or whose compact length has no limit."""

    def __init__(self, inner: String) -> None:
        super().__init__()
        self.inner = inner

    def _parse(self, stream: Reader, context: Any, path: Path) -> Any:
        return self.inner._parse(stream, context, path)

    def _build(self, obj: Any, stream: BytesIO, context: Any, path: Path) -> Any:
        data = obj.encode() if isinstance(obj, str) else b""
        if len(data) < 2**15:
            return self.inner._build(obj, stream, context, path)
        if isinstance(self.inner.length, CompactLength):
            write_unsigned_varint(stream, len(data) + 1)
        else:
            stream.write((len(data) % 2**16).to_bytes(2, "big"))
        stream.write(data)
        return obj


class NoLimitOfStrings(Protocol):
    """Strings of any length are written; a legacy length wraps to a negative number."""

    def string(self, field: FieldSchema) -> WireType:
        string = super().string(field)
        assert isinstance(string, String)
        return WrappingLegacyLength(string)


def _numbers(type_name: str, write: Callable[[Any], Any], read: Callable[[Any], Any]) -> type[Protocol]:
    class Lying(Protocol):
        def number(self, field: FieldSchema) -> WireType:
            number = super().number(field)
            return Converted(number, write, read) if field.type == type_name else number

    return Lying


def _signed(value: int, bits: int) -> int:
    """The lowest bits of a number, as a signed number."""
    value %= 2**bits
    return value - 2**bits if value >= 2 ** (bits - 1) else value


Int64CutTo32Bits = _numbers("int64", lambda value: _signed(value, 32), same)
Int64ThroughDouble = _numbers("int64", lambda value: _signed(int(float(value)), 64), same)
UuidMixedEndian = _numbers("uuid", lambda value: UUID(bytes=value.bytes_le), lambda value: UUID(bytes_le=value.bytes))
ZeroUuidIsNull = _numbers("uuid", lambda value: value or UUID(int=0), lambda value: value if value.int else None)
Uint16IsSigned = _numbers("uint16", same, lambda value: _signed(value, 16))
FloatLittleEndian = _numbers(
    "float64",
    lambda value: struct.unpack(">d", struct.pack("<d", value))[0],
    lambda value: struct.unpack("<d", struct.pack(">d", value))[0],
)
NegativeZeroIsZero = _numbers("float64", lambda value: value + 0.0, same)


class BrokenVarints(Protocol):
    """Compact lengths of three bytes are wrong from the third byte on."""

    def string(self, field: FieldSchema) -> WireType:
        if not field.compact:
            return super().string(field)
        return String(_WrongThirdByte("length", "string.compact-length", nullable=field.nullable))


class _WrongThirdByte(CompactLength):
    def _build(self, obj: int | None, stream: BytesIO, context: Any, path: Path) -> Any:
        number = 0 if obj is None else obj + 1
        if number < 2**14:
            return super()._build(obj, stream, context, path)
        stream.write(bytes([number & 0x7F | 0x80, number >> 7 & 0x7F | 0x80, (number >> 14) << 1 & 0x7F]))
        return obj


class OverlongVarints(Protocol):
    """Counts of arrays are written as varints of two bytes where one would do."""

    def array(self, field: FieldSchema, element: WireType) -> WireType:
        if not field.compact:
            return super().array(field, element)
        return Array(_TwoBytes("count", "array.compact-count", nullable=field.nullable), element)


class _TwoBytes(CompactLength):
    def _build(self, obj: int | None, stream: BytesIO, context: Any, path: Path) -> Any:
        number = 0 if obj is None else obj + 1
        if number >= 0x80:
            return super()._build(obj, stream, context, path)
        stream.write(bytes([number | 0x80, 0]))
        return obj


class CountsBytes(Protocol):
    """The prefix of an array of int32 counts bytes, not elements."""

    def array(self, field: FieldSchema, element: WireType) -> WireType:
        array = super().array(field, element)
        if field.element is None or field.element.type != "int32":
            return array
        return _BytesCounted(array, element)


class _BytesCounted(WireType):
    def __init__(self, array: WireType, element: WireType) -> None:
        super().__init__()
        self.array, self.element = array, element

    def _parse(self, stream: Reader, context: Any, path: Path) -> Any:
        value = self.array._parse(stream, context, path)
        return value

    def _build(self, obj: Any, stream: BytesIO, context: Any, path: Path) -> Any:
        if not obj:
            return self.array._build(obj, stream, context, path)
        body = self.array.write(obj)
        elements = b"".join(self.element.write(item) for item in obj)
        prefix = len(body) - len(elements)
        assert isinstance(self.array, Array)
        self.array.count._build(len(elements), stream, context, path)
        stream.write(body[prefix:])
        return obj


class BytesUpTo65535(Protocol):
    """Bytes of more than 65,535 bytes are cut."""

    def blob(self, field: FieldSchema) -> WireType:
        return Converted(super().blob(field), lambda value: value and value[:65_535], same)


class StringsCutAtNul(Protocol):
    """A string ends at its first NUL."""

    def string(self, field: FieldSchema) -> WireType:
        return Converted(super().string(field), same, lambda value: value and value.split("\0")[0])


# --- null


class CompactNullAsEmpty(Protocol):
    """A compact null array is written as an empty one."""

    def array(self, field: FieldSchema, element: WireType) -> WireType:
        array = super().array(field, element)
        return Converted(array, lambda value: [] if value is None else value, same) if field.compact else array


class NullReadAsEmpty(Protocol):
    """A null array is read as an empty one."""

    def array(self, field: FieldSchema, element: WireType) -> WireType:
        return Converted(super().array(field, element), same, lambda value: value or [])


class ZeroForNullBytes(Protocol):
    """Null bytes and records are written with length 0 in versions that are not flexible."""

    def blob(self, field: FieldSchema) -> WireType:
        blob = super().blob(field)
        return blob if field.compact else Converted(blob, lambda value: b"" if value is None else value, same)


class NullAnywhere(Protocol):
    """Null is written and read for every string and array, whatever the version."""

    def string(self, field: FieldSchema) -> WireType:
        return super().string(replace(field, nullable=True))

    def array(self, field: FieldSchema, element: WireType) -> WireType:
        return super().array(replace(field, nullable=True), element)


class NullReadAnywhere(NullAnywhere):
    """Null is read for every string and array, though not written."""


class MarkerMissing(Protocol):
    """A struct that may be null has no marker while it is present."""

    def struct(self, field: FieldSchema, body: WireType) -> WireType:
        struct = super().struct(field, body)
        return _OtherMarker(body, b"") if isinstance(struct, NullableStruct) else struct


class MarkerZeroForNull(Protocol):
    """A struct that may be null is marked 00 for null."""

    def struct(self, field: FieldSchema, body: WireType) -> WireType:
        struct = super().struct(field, body)
        return _OtherMarker(body, b"\1", b"\0") if isinstance(struct, NullableStruct) else struct


class _OtherMarker(WireType):
    def __init__(self, body: WireType, present: bytes, null: bytes = b"\xff") -> None:
        super().__init__()
        self.body, self.present, self.null = body, present, null

    def _parse(self, stream: Reader, context: Any, path: Path) -> Any:
        marker = stream.read(1)
        return None if marker == self.null else self.body._parse(stream, context, path)

    def _build(self, obj: Any, stream: BytesIO, context: Any, path: Path) -> Any:
        stream.write(self.null if obj is None else self.present)
        return obj if obj is None else self.body._build(obj, stream, context, path)


# --- versions


def one_field_missing(schema: MessageSchema) -> MessageSchema:
    """The last field of the version comes one version late."""
    return replace(schema, fields=schema.fields[:-1])


def one_field_early(schema: MessageSchema) -> MessageSchema:
    """The first field of later versions is written and read one version early."""
    early = replace(schema.absent_fields[0], compact=schema.flexible)
    return replace(schema, fields=(*schema.fields, early))


def never_flexible(schema: MessageSchema) -> MessageSchema:
    """Flexible versions begin one version late."""
    body = _stiff(schema.body)
    return replace(schema, fields=body.fields, flexible=False)


def _stiff(field: FieldSchema) -> FieldSchema:
    return replace(
        field,
        compact=False,
        flexible=False,
        element=_stiff(field.element) if field.element else None,
        fields=tuple(_stiff(each) for each in field.fields if each.tag is None),
    )


class DefaultsNotRestored(Protocol):
    """A tagged field that is absent from the wire is read as the zero of its type."""

    def body(self, struct: FieldSchema, *, inside_tag: bool) -> WireType:
        zeroed = (replace(field, default=_ZEROS.get(field.type, field.default)) if field.tag is not None else field for field in struct.fields)
        return _ReadOtherwise(super().body(struct, inside_tag=inside_tag), super().body(replace(struct, fields=tuple(zeroed)), inside_tag=inside_tag))


_ZEROS = {"int8": 0, "int16": 0, "int32": 0, "int64": 0, "string": "", "array": []}


class _ReadOtherwise(WireType):
    def __init__(self, writer: WireType, reader: WireType) -> None:
        super().__init__()
        self.writer, self.reader = writer, reader

    def _parse(self, stream: Reader, context: Any, path: Path) -> Any:
        return self.reader._parse(stream, context, path)

    def _build(self, obj: Any, stream: BytesIO, context: Any, path: Path) -> Any:
        return self.writer._build(obj, stream, context, path)


# --- tags


class LyingTags(TagSection):
    """A tag section that is written otherwise: `entries` may change what is there, `sizes` what is said of it."""

    def entries(self, value: dict[str, Any], context: Any, path: Path) -> list[tuple[int, bytes]]:
        """What is written."""
        known = self._known_entries(value, context, path)
        return known + list(value.get(TAGS) or [])

    def size(self, body: bytes) -> int:
        """The size that is announced."""
        return len(body)

    def build_from(self, value: Any, stream: BytesIO, context: Any, path: Path) -> None:
        entries = self.entries(value, context, path)
        write_unsigned_varint(stream, len(entries))
        for tag, body in entries:
            write_unsigned_varint(stream, tag)
            write_unsigned_varint(stream, self.size(body))
            stream.write(body)


def _with_tags(section: type[TagSection]) -> type[Protocol]:
    class Lying(Protocol):
        def tags(self, struct: FieldSchema, tagged: list[Any], *, inside_tag: bool) -> TagSection | None:
            tags = super().tags(struct, tagged, inside_tag=inside_tag)
            return None if tags is None else section(tags.known, tags.elsewhere, tags.rule)

    return Lying


class _Unsorted(LyingTags):
    def entries(self, value: dict[str, Any], context: Any, path: Path) -> list[tuple[int, bytes]]:
        return super().entries(value, context, path)[::-1]


class _ShortSize(LyingTags):
    def size(self, body: bytes) -> int:
        return max(len(body) - 1, 0)


class _DefaultsWritten(LyingTags):
    def entries(self, value: dict[str, Any], context: Any, path: Path) -> list[tuple[int, bytes]]:
        known = [(tag, wire_type.write(value[field.name])) for tag, field, wire_type in self.known]
        return known + list(value.get(TAGS) or [])


class _TaggedOmitted(LyingTags):
    def entries(self, value: dict[str, Any], context: Any, path: Path) -> list[tuple[int, bytes]]:
        return list(value.get(TAGS) or [])


class _UnknownTwice(LyingTags):
    def entries(self, value: dict[str, Any], context: Any, path: Path) -> list[tuple[int, bytes]]:
        unknown = list(value.get(TAGS) or [])
        return self._known_entries(value, context, path) + unknown + unknown


class _TagZeroRefused(TagSection):
    def _parse_entries(self, count: int, value: dict[str, Any], stream: Reader, context: Any, path: Path) -> None:
        start = stream.tell()
        if stream.read(1) == b"\0":
            stream.truncated(path)
        stream.seek(start)
        super()._parse_entries(count, value, stream, context, path)


class _UnknownRefused(TagSection):
    def parse_into(self, value: dict[str, Any], stream: Reader, context: Any, path: Path) -> None:
        super().parse_into(value, stream, context, path)
        if TAGS in value:
            stream.truncated(path)


class _UnknownDropped(TagSection):
    def parse_into(self, value: dict[str, Any], stream: Reader, context: Any, path: Path) -> None:
        super().parse_into(value, stream, context, path)
        value.pop(TAGS, None)


UnsortedTags = _with_tags(_Unsorted)
ShortTagSizes = _with_tags(_ShortSize)
DefaultsWritten = _with_tags(_DefaultsWritten)
TaggedOmitted = _with_tags(_TaggedOmitted)
UnknownTagsTwice = _with_tags(_UnknownTwice)
TagZeroRefused = _with_tags(_TagZeroRefused)
UnknownTagsRefused = _with_tags(_UnknownRefused)
UnknownTagsDropped = _with_tags(_UnknownDropped)


class NestedSectionMissing(Protocol):
    """A struct inside a tagged field has no tag section of its own."""

    def tags(self, struct: FieldSchema, tagged: list[Any], *, inside_tag: bool) -> TagSection | None:
        return None if inside_tag else super().tags(struct, tagged, inside_tag=inside_tag)


class EmptyStructsWithoutSection(Protocol):
    """A struct without fields has no tag section."""

    def tags(self, struct: FieldSchema, tagged: list[Any], *, inside_tag: bool) -> TagSection | None:
        return super().tags(struct, tagged, inside_tag=inside_tag) if struct.fields else None


class SectionsEverywhere(Protocol):
    """Structs end with a tag section in versions that are not flexible, too."""

    def tags(self, struct: FieldSchema, tagged: list[Any], *, inside_tag: bool) -> TagSection | None:
        return super().tags(replace(struct, flexible=True), tagged, inside_tag=inside_tag)


# --- robustness


class ZeroPadding(Protocol):
    """What is missing at the end of the input is read as zeros."""

    def number(self, field: FieldSchema) -> WireType:
        number = FIXED_WIDTH[field.type]
        return _Padded(number)


class _Padded(WireType):
    def __init__(self, inner: WireType) -> None:
        super().__init__()
        self.inner = inner

    def _parse(self, stream: Reader, context: Any, path: Path) -> Any:
        width = self.inner.sizeof()
        return self.inner.parse(stream.read(width).ljust(width, b"\0"))

    def _build(self, obj: Any, stream: BytesIO, context: Any, path: Path) -> Any:
        return self.inner._build(obj, stream, context, path)


class ShortStrings(Protocol):
    """A string that is longer than the input is read as far as it goes."""

    def string(self, field: FieldSchema) -> WireType:
        string = super().string(field)
        assert isinstance(string, String)
        return _AsFarAsItGoes(string)


class _AsFarAsItGoes(WireType):
    def __init__(self, inner: String) -> None:
        super().__init__()
        self.inner = inner

    def _parse(self, stream: Reader, context: Any, path: Path) -> Any:
        length = self.inner.length._parse(stream, context, path)
        return None if length is None else stream.read(length).decode(errors="replace")

    def _build(self, obj: Any, stream: BytesIO, context: Any, path: Path) -> Any:
        return self.inner._build(obj, stream, context, path)


class WrappingNumbers(Protocol):
    """Numbers out of range wrap around."""

    def number(self, field: FieldSchema) -> WireType:
        number = super().number(field)
        if not field.type.startswith("int"):
            return number
        bits = int(field.type.removeprefix("int"))
        return Converted(number, lambda value: _signed(value, bits) if isinstance(value, int) else value, same)


