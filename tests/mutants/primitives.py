"""Numbers, lengths, texts and bytes that are written or read wrong."""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from uuid import UUID

from reference.wire.arrays import Array
from reference.wire.base import WireType
from reference.wire.lengths import CompactLength
from reference.wire.message import Protocol
from reference.wire.text import String
from reference.wire.varints import write_unsigned_varint
from tests.mutants.mutant import Converted, Mutant, same, signed

if TYPE_CHECKING:
    from collections.abc import Callable
    from io import BytesIO

    from reference import FieldSchema
    from reference.wire.stream import Path, Reader


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


Int64CutTo32Bits = _numbers("int64", lambda value: signed(value, 32), same)
Int64ThroughDouble = _numbers("int64", lambda value: signed(int(float(value)), 64), same)
UuidMixedEndian = _numbers("uuid", lambda value: UUID(bytes=value.bytes_le), lambda value: UUID(bytes_le=value.bytes))
ZeroUuidIsNull = _numbers("uuid", lambda value: value or UUID(int=0), lambda value: value if value.int else None)
Uint16IsSigned = _numbers("uint16", same, lambda value: signed(value, 16))
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
        return self.array._parse(stream, context, path)

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


MUTANTS = (
    Mutant(
        "int16-length-for-compact-string",
        "string.compact-length",
        "MetadataRequest-v9..12",
        both=LegacyLengthForCompactString(),
    ),
    Mutant(
        "compact-length-without-plus-one",
        "string.compact-length",
        "MetadataRequest-v9,FindCoordinatorRequest-v3",
        both=CompactStringsWithoutPlusOne(),
    ),
    Mutant(
        "compact-length-plus-two",
        "string.compact-length",
        "FindCoordinatorRequest-v3",
        writes=CompactStringsWithPlusTwo(),
    ),
    Mutant("string-limit-missing", "string.too-long", "FindCoordinatorRequest-v2..3", writes=NoLimitOfStrings()),
    Mutant(
        "int64-cut-to-32-bits",
        "int.width-and-order",
        "ProduceResponse-v3,OffsetCommitRequest-v6",
        writes=Int64CutTo32Bits(),
    ),
    Mutant("int64-through-double", "int.width-and-order", "OffsetCommitRequest-v6", writes=Int64ThroughDouble()),
    Mutant("uint16-read-as-signed", "int.width-and-order", "DescribeQuorumResponse-v2", reads=Uint16IsSigned()),
    Mutant("float-little-endian", "float64.bits", "AlterClientQuotasRequest-v0..1", both=FloatLittleEndian()),
    Mutant("negative-zero-lost", "float64.bits", "AlterClientQuotasRequest-v1", writes=NegativeZeroIsZero()),
    Mutant(
        "uuid-mixed-endian", "uuid.byte-order", "MetadataRequest-v12,DeleteTopicsRequest-v6", both=UuidMixedEndian()
    ),
    Mutant("zero-uuid-is-null", "uuid.byte-order", "MetadataRequest-v12", reads=ZeroUuidIsNull()),
    Mutant("varint-wrong-from-third-byte", "varint.shortest", "FindCoordinatorRequest-v3", writes=BrokenVarints()),
    Mutant("overlong-varints", "varint.shortest", "MetadataRequest-v9", writes=OverlongVarints()),
    Mutant("bytes-up-to-65535", "bytes.payload", "SaslAuthenticateRequest-v1..2", writes=BytesUpTo65535()),
    Mutant(
        "array-prefix-counts-bytes",
        "array.count",
        "DeleteRecordsRequest-v1,ConsumerProtocolAssignment-v1,OffsetFetchRequest-v5",
        writes=CountsBytes(),
    ),
    Mutant("string-cut-at-nul", "string.utf8", "FindCoordinatorRequest-v2..3", reads=StringsCutAtNul()),
)
