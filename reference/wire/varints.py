"""The unsigned varint of lengths, counts, tags and sizes in flexible versions (rule 1.1.21).

Seven bits a byte, the lowest group first, the top bit set on all bytes but the last. 300 is binary 10 0101100, so
`ac 02`. A 32-bit number takes one to five bytes; the shortest form is the canonical one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from reference.errors import Reason, Refusal
from reference.wire.base import WireType
from reference.wire.stream import Reader, refuse, shown, wrong_type

if TYPE_CHECKING:
    from io import BytesIO

    from reference.paths import Path

CONTINUES = 0x80
MAXIMUM_BYTES = 5
MASK_32 = 0xFFFF_FFFF
SIGN_32 = 0x8000_0000

_BYTES = tuple(bytes([number]) for number in range(256))


def read_unsigned_varint(stream: Reader, path: Path, role: str = "varint", rule: str = "varint.shortest") -> int:
    """Read one unsigned varint, 0 to 2^32-1, of at most five bytes (rule 1.3.12)."""
    return rest_of_unsigned_varint(stream, stream.read(1), path, role, rule)


def rest_of_unsigned_varint(stream: Reader, first: bytes, path: Path, role: str, rule: str) -> int:
    """Read the rest of an unsigned varint after its first byte, which is empty at the end of the input."""
    if first and first[0] < CONTINUES:
        value = first[0]
        length = 1
    else:
        value, length = _read_long(stream, first, path)
    if stream.spans is not None:
        stream.span(stream.tell() - length, path, role, rule, "varint")
    return value


def _read_long(stream: Reader, first: bytes, path: Path) -> tuple[int, int]:
    start = stream.tell() - len(first)
    value, shift, data = 0, 0, first
    for length in range(1, MAXIMUM_BYTES + 1):
        if not data:
            stream.truncated(path)
        value |= (data[0] & 0x7F) << shift
        if data[0] < CONTINUES:
            _check_form(stream, value, length, start, path)
            return value & MASK_32, length  # Java drops the bits beyond 32 as well
        shift += 7
        data = stream.read(1) if length < MAXIMUM_BYTES else data
    return _too_long(stream, start, path)


def _check_form(stream: Reader, value: int, length: int, start: int, path: Path) -> None:
    if value > MASK_32:
        stream.deviation("varint.excess-bits", start, path)
    elif length > size_of_unsigned_varint(value):
        stream.deviation("varint.overlong", start, path)


def _too_long(stream: Reader, start: int, path: Path) -> NoReturn:
    stream.malformed("varint.too-long", Reason.VARINT_OVERFLOW, start, path, "the fifth byte says that a sixth follows")


def write_unsigned_varint(stream: BytesIO, value: int) -> None:
    """Write the shortest form of a number that is not negative."""
    stream.write(_BYTES[value] if value < CONTINUES else _long_form(value))


def unsigned_varint(value: int) -> bytes:
    """Return the shortest form of a number that is not negative."""
    return _BYTES[value] if value < CONTINUES else _long_form(value)


def _long_form(value: int) -> bytes:
    groups = bytearray()
    while value >= CONTINUES:
        groups.append(value & 0x7F | CONTINUES)
        value >>= 7
    groups.append(value)
    return bytes(groups)


def size_of_unsigned_varint(value: int) -> int:
    """Return the number of bytes of the shortest form, 1 to 5 for 32 bits."""
    return max(1, (value.bit_length() + 6) // 7)


def as_int32(value: int) -> int:
    """Return the signed number of a 32-bit pattern, as a reader in Java sees it."""
    return value - 0x1_0000_0000 if value >= SIGN_32 else value


class UnsignedVarint(WireType):
    """An unsigned varint on its own.

    >>> UNSIGNED_VARINT.write(300).hex()
    'ac02'
    >>> UNSIGNED_VARINT.parse(bytes.fromhex("ffffffff0f"))
    4294967295
    """

    def read(self, stream: Reader, path: Path = "") -> int:
        return read_unsigned_varint(stream, path)

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        if not isinstance(obj, int) or isinstance(obj, bool):
            wrong_type("an unsigned varint", obj, path)
        if not 0 <= obj <= MASK_32:
            refuse(Refusal.OUT_OF_RANGE, path, f"{shown(obj)} does not fit into 32 bits without a sign")
        write_unsigned_varint(stream, obj)


UNSIGNED_VARINT = UnsignedVarint()
