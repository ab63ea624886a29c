"""The variable-length numbers of record batches, signed ones of 32 and 64 bits and an unsigned one of 64.

No message field has them. *Zig-zag* turns a signed number into an unsigned one first: 0, -1, 1, -2 become 0, 1, 2, 3.
So small negative numbers are short too: -1 is `01`, 300 is 600 and so `d8 04`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.errors import Reason, Refusal
from reference.wire.base import WireType
from reference.wire.stream import Reader, refuse, shown, wrong_type
from reference.wire.varints import CONTINUES, read_unsigned_varint, size_of_unsigned_varint, write_unsigned_varint

if TYPE_CHECKING:
    from io import BytesIO

    from reference.paths import Path

MAXIMUM_LONG_BYTES = 10
MASK_64 = 0xFFFF_FFFF_FFFF_FFFF


def read_unsigned_varlong(stream: Reader, path: Path) -> int:
    """Read one unsigned number of up to 64 bits in at most ten bytes (rule 1.3.13)."""
    start = stream.tell()
    value = read_groups(stream, path, MAXIMUM_LONG_BYTES)
    if value > MASK_64:
        stream.deviation("varint.excess-bits", start, path)
    stream.span(start, path, "varint", "varint.shortest", "varint")
    return value & MASK_64


def read_groups(stream: Reader, path: Path, most: int, too_long: str = "varint.too-long") -> int:
    """Read one unsigned number of seven bits a byte, all of them kept, in at most so many bytes.

    Raises:
        Malformed: the input ends inside the number, or its last possible byte says that another one follows (rule
            1.3.13, or the one named by `too_long`).
    """
    start = stream.tell()
    value = length = 0
    continues = True
    while continues:
        if length == most:
            stream.malformed(too_long, Reason.VARINT_OVERFLOW, start, path, f"more than {most} bytes")
        data = stream.read(1)
        if not data:
            stream.truncated(path)
        value |= (data[0] & 0x7F) << 7 * length
        length += 1
        continues = data[0] >= CONTINUES
    if length > size_of_unsigned_varint(value):
        stream.deviation("varint.overlong", start, path)
    return value


def zigzag_encode(number: int) -> int:
    """Return the unsigned number of a signed one, so that 0, -1, 1, -2 become 0, 1, 2, 3."""
    return 2 * number if number >= 0 else -2 * number - 1


def zigzag_decode(number: int) -> int:
    """Return the signed number of an unsigned one."""
    return number >> 1 if number % 2 == 0 else -(number >> 1) - 1


class UnsignedVarlong(WireType):
    """An unsigned number of up to 64 bits.

    >>> UNSIGNED_VARLONG.write(2**64 - 1).hex()
    'ffffffffffffffffff01'
    """

    def read(self, stream: Reader, path: Path = "") -> int:
        return read_unsigned_varlong(stream, path)

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        _check_range(obj, 0, MASK_64, path)
        write_unsigned_varint(stream, obj)


class SignedVarint(WireType):
    """A signed number of 32 or 64 bits, zig-zag encoded.

    >>> VARINT.write(-300).hex(), VARLONG.write(-300).hex()
    ('d704', 'd704')
    """

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.highest = 2 ** (bits - 1) - 1
        self._read = read_unsigned_varint if bits == 32 else read_unsigned_varlong  # noqa: PLR2004  # an int32

    def read(self, stream: Reader, path: Path = "") -> int:
        return zigzag_decode(self._read(stream, path))

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        _check_range(obj, -self.highest - 1, self.highest, path)
        write_unsigned_varint(stream, zigzag_encode(obj))


def _check_range(obj: Any, lowest: int, highest: int, path: Path) -> None:
    if not isinstance(obj, int) or isinstance(obj, bool):
        wrong_type("an integer", obj, path)
    if not lowest <= obj <= highest:
        refuse(Refusal.OUT_OF_RANGE, path, f"{shown(obj)} is not from {lowest} to {highest}")


VARINT = SignedVarint(32)
VARLONG = SignedVarint(64)
UNSIGNED_VARLONG = UnsignedVarlong()
