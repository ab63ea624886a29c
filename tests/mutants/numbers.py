"""Bools, integers, doubles and uuids that are written or read wrong."""

import struct
from collections.abc import Callable
from io import BytesIO
from typing import Any
from uuid import UUID

from reference import FieldSchema
from reference.paths import Path
from reference.wire.base import WireType
from reference.wire.message import Protocol
from tests.mutants.mutant import Converted, Lie, Mutant, same, signed


class TrueIsAllOnes(Protocol):
    """True is the byte ff."""

    def number(self, field: FieldSchema) -> WireType:
        number = super().number(field)
        return _AllOnes(number) if field.type == "bool" else number


class _AllOnes(Lie):
    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        stream.write(b"\xff" if obj else b"\0")


class BoolOfFourBytes(Protocol):
    """A bool is an int32 of 0 or 1."""

    def number(self, field: FieldSchema) -> WireType:
        number = super().number(field)
        return _FourBytes(number) if field.type == "bool" else number


class _FourBytes(Lie):
    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        stream.write(b"\0\0\0" + (b"\1" if obj else b"\0"))


def _numbers(type_name: str, write: Callable[[Any], Any], read: Callable[[Any], Any]) -> type[Protocol]:
    class Lying(Protocol):
        def number(self, field: FieldSchema) -> WireType:
            number = super().number(field)
            return Converted(number, write, read) if field.type == type_name else number

    return Lying


Int32LittleEndian = _numbers(
    "int32",
    lambda value: signed(int.from_bytes(value.to_bytes(4, "little", signed=True), "big"), 32),
    lambda value: signed(int.from_bytes(value.to_bytes(4, "little", signed=True), "big"), 32),
)
Int64CutTo32Bits = _numbers("int64", lambda value: signed(value, 32), same)
Int64ThroughDouble = _numbers("int64", lambda value: signed(int(float(value)), 64), same)
UuidMixedEndian = _numbers("uuid", lambda value: UUID(bytes=value.bytes_le), lambda value: UUID(bytes_le=value.bytes))
ZeroUuidIsNull = _numbers("uuid", lambda value: value or UUID(int=0), lambda value: value if value.int else None)
Uint16IsSigned = _numbers("uint16", same, lambda value: signed(value, 16))
Uint32IsSigned = _numbers("uint32", same, lambda value: signed(value, 32))
FloatLittleEndian = _numbers(
    "float64",
    lambda value: struct.unpack(">d", struct.pack("<d", value))[0],
    lambda value: struct.unpack("<d", struct.pack(">d", value))[0],
)
NegativeZeroIsZero = _numbers("float64", lambda value: value + 0.0, same)
NanWithoutPayload = _numbers("float64", same, lambda value: value if value == value else float("nan"))  # noqa: PLR0124


class WrappingNumbers(Protocol):
    """Numbers out of range wrap around."""

    def number(self, field: FieldSchema) -> WireType:
        number = super().number(field)
        if not field.type.startswith("int"):
            return number
        bits = int(field.type.removeprefix("int"))
        return Converted(number, lambda value: signed(value, bits) if isinstance(value, int) else value, same)


MUTANTS = (
    Mutant("true-is-all-ones", "bool.byte", "MetadataRequest-v8,ApiVersionsResponse-v3", writes=TrueIsAllOnes()),
    Mutant("bool-of-four-bytes", "bool.byte", "MetadataRequest-v8", writes=BoolOfFourBytes()),
    Mutant("int32-little-endian", "int.width-and-order", "HeartbeatRequest-v3..4", both=Int32LittleEndian()),
    Mutant(
        "int64-cut-to-32-bits",
        "int.width-and-order",
        "ProduceResponse-v3,OffsetCommitRequest-v6",
        writes=Int64CutTo32Bits(),
    ),
    Mutant("int64-through-double", "int.width-and-order", "OffsetCommitRequest-v6", writes=Int64ThroughDouble()),
    Mutant("uint16-read-as-signed", "int.width-and-order", "DescribeQuorumResponse-v2", reads=Uint16IsSigned()),
    Mutant("uint32-read-as-signed", "int.width-and-order", "ProducerSnapshot-v1", reads=Uint32IsSigned()),
    Mutant("float-little-endian", "float64.bits", "AlterClientQuotasRequest-v0..1", both=FloatLittleEndian()),
    Mutant("negative-zero-lost", "float64.bits", "AlterClientQuotasRequest-v1", writes=NegativeZeroIsZero()),
    Mutant("payload-of-nan-lost", "float64.bits", "AlterClientQuotasRequest-v0", reads=NanWithoutPayload()),
    Mutant(
        "uuid-mixed-endian", "uuid.byte-order", "MetadataRequest-v12,DeleteTopicsRequest-v6", both=UuidMixedEndian()
    ),
    Mutant("zero-uuid-is-null", "uuid.byte-order", "MetadataRequest-v12", reads=ZeroUuidIsNull()),
    Mutant("numbers-wrap", "number.range", "HeartbeatRequest-v3", writes=WrappingNumbers()),
)
