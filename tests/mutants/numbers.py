"""Bools, integers, doubles and uuids that are written or read wrong."""

import struct
from collections.abc import Callable
from io import BytesIO
from typing import Any
from uuid import UUID

from reference import FieldSchema, Malformed, Refusal, Unencodable
from reference.paths import Path
from reference.wire.base import WireType
from tests.mutants.mutant import Converted, Lie, Lying, Mutant, same, signed


def _other_bool(true: bytes, false: bytes) -> Lying:
    class Written(Lie):
        def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
            stream.write(true if obj else false)

    return Lying(number=lambda field, number: Written(number) if field.type == "bool" else number)


def _numbers(type_name: str, write: Callable[[Any], Any], read: Callable[[Any], Any]) -> Lying:
    return Lying(number=lambda field, number: Converted(number, write, read) if field.type == type_name else number)


def _int32_turned(value: int) -> int:
    return signed(int.from_bytes(value.to_bytes(4, "little", signed=True), "big"), 32)


def _wrapping(field: FieldSchema, number: WireType) -> WireType:
    if not field.type.startswith("int"):
        return number
    bits = int(field.type.removeprefix("int"))
    return Converted(number, lambda value: signed(value, bits) if isinstance(value, int) else value, same)


def _refused(number: int) -> int:
    if number < -1:
        raise Unencodable(Refusal.OUT_OF_RANGE, "", "not an error code")
    return number


def _unknown(number: int) -> int:
    if number > HIGHEST_KNOWN:
        raise Malformed("value.accepted", None, 0, "")
    return number


HIGHEST_KNOWN = 133
"""As of an enum of error codes that was generated once."""

UUID_MIXED = _numbers("uuid", lambda value: UUID(bytes=value.bytes_le), lambda value: UUID(bytes_le=value.bytes))
ZERO_UUID_IS_NULL = _numbers("uuid", lambda value: value or UUID(int=0), lambda value: value if value.int else None)
FLOAT_LITTLE_ENDIAN = _numbers(
    "float64",
    lambda value: struct.unpack(">d", struct.pack("<d", value))[0],
    lambda value: struct.unpack("<d", struct.pack(">d", value))[0],
)
NAN_WITHOUT_PAYLOAD = _numbers("float64", same, lambda value: value if value == value else float("nan"))  # noqa: PLR0124

MUTANTS = (
    Mutant(
        "later-error-codes-refused",
        "value.accepted",
        "HeartbeatResponse-v0..1",
        reads=_numbers("int16", same, _unknown),
    ),
    Mutant(
        "low-error-codes-refused",
        "value.writable",
        "HeartbeatResponse-v0,HeartbeatResponse-v4",
        writes=_numbers("int16", _refused, same),
    ),
    Mutant(
        "true-is-all-ones", "bool.byte", "MetadataRequest-v8,ApiVersionsResponse-v3", writes=_other_bool(b"\xff", b"\0")
    ),
    Mutant("bool-of-four-bytes", "bool.byte", "MetadataRequest-v8", writes=_other_bool(b"\0\0\0\1", b"\0\0\0\0")),
    Mutant(
        "int32-little-endian",
        "int.width-and-order",
        "HeartbeatRequest-v3..4",
        both=_numbers("int32", _int32_turned, _int32_turned),
    ),
    Mutant(
        "int64-cut-to-32-bits",
        "int.width-and-order",
        "ProduceResponse-v3,OffsetCommitRequest-v6",
        writes=_numbers("int64", lambda value: signed(value, 32), same),
    ),
    Mutant(
        "int64-through-double",
        "int.width-and-order",
        "OffsetCommitRequest-v6",
        writes=_numbers("int64", lambda value: signed(int(float(value)), 64), same),
    ),
    Mutant(
        "uint16-read-as-signed",
        "int.width-and-order",
        "DescribeQuorumResponse-v2",
        reads=_numbers("uint16", same, lambda value: signed(value, 16)),
    ),
    Mutant(
        "uint32-read-as-signed",
        "int.width-and-order",
        "ProducerSnapshot-v1",
        reads=_numbers("uint32", same, lambda value: signed(value, 32)),
    ),
    Mutant("float-little-endian", "float64.bits", "AlterClientQuotasRequest-v0..1", both=FLOAT_LITTLE_ENDIAN),
    Mutant(
        "negative-zero-lost",
        "float64.bits",
        "AlterClientQuotasRequest-v1",
        writes=_numbers("float64", lambda value: value + 0.0, same),
    ),
    Mutant("payload-of-nan-lost", "float64.bits", "AlterClientQuotasRequest-v0", reads=NAN_WITHOUT_PAYLOAD),
    Mutant("uuid-mixed-endian", "uuid.byte-order", "MetadataRequest-v12,DeleteTopicsRequest-v6", both=UUID_MIXED),
    Mutant("zero-uuid-is-null", "uuid.byte-order", "MetadataRequest-v12", reads=ZERO_UUID_IS_NULL),
    Mutant("numbers-wrap", "number.range", "HeartbeatRequest-v3", writes=Lying(number=_wrapping)),
)
