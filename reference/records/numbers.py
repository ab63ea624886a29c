"""The numbers of a record, zig-zag varints of 32 and 64 bits (rules 16.2.1, 16.2.7).

No other lengths of the protocol are zig-zag: a key of one byte has the length `02`, null is `01`. Short cuts for speed
leave unusual numbers to the wire types.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from reference.errors import CodecError
from reference.wire.signed_varints import (
    MASK_64,
    VARINT,
    VARLONG,
    SignedVarint,
    read_unsigned_varlong,
    zigzag_decode,
    zigzag_encode,
)
from reference.wire.varints import CONTINUES, MASK_32, read_unsigned_varint

if TYPE_CHECKING:
    from typing import Any

    from reference.paths import Path
    from reference.wire.stream import Reader

MOST_SMALL = 64
"""Numbers from -64 to 63 take one byte."""
SMALL = tuple(bytes((zigzag_encode(number),)) for number in range(-MOST_SMALL, MOST_SMALL))
SMALL_FORMS = tuple(bytes((byte,)) for byte in range(CONTINUES))
"""The one-byte forms of numbers, by their zig-zag number."""
ONE_BYTE = tuple(zigzag_decode(byte) for byte in range(CONTINUES))
"""The numbers of one-byte forms, by that byte."""
NEXT_GROUP = 7


def read_varint(stream: Reader, path: Path, role: str, rule: str) -> int:
    """Read a zig-zag number of 32 bits, with a span of the given role and rule."""
    return zigzag_decode(read_unsigned_varint(stream, path, role, rule))


def read_varlong(stream: Reader, path: Path, rule: str) -> int:
    """Read a zig-zag number of 64 bits, with a span of the given rule."""
    number = read_unsigned_varlong(stream, path)
    if stream.spans:
        stream.spans[-1] = stream.spans[-1]._replace(rule=rule)
    return zigzag_decode(number)


def varint(number: Any, path: Path) -> bytes:
    """Return the shortest form of a number of 32 bits, or raise Unencodable."""
    if type(number) is int and -MOST_SMALL <= number < MOST_SMALL:
        return SMALL[number + MOST_SMALL]
    return _written(VARINT, number, path)


def varlong(number: Any, path: Path) -> bytes:
    """Return the shortest form of a number of 64 bits, or raise Unencodable."""
    if type(number) is int and -MOST_SMALL <= number < MOST_SMALL:
        return SMALL[number + MOST_SMALL]
    return _written(VARLONG, number, path)


def _written(wire_type: SignedVarint, number: Any, path: Path) -> bytes:
    stream = BytesIO()
    wire_type.write_to(number, stream, path)
    return stream.getvalue()


class Unusual(CodecError):
    """Bytes for the reader with rules, being wrong or not as a writer writes them."""


def quick_varint(data: bytes, at: int, mask: int = MASK_32) -> tuple[int, int]:
    """Return the zig-zag number at `at` and the offset after it, for shortest forms only.

    Raises:
        Unusual: the number is too large or has a longer form than necessary.
        IndexError: the input ends inside it.
    """
    byte = data[at]
    if byte < CONTINUES:
        return ONE_BYTE[byte], at + 1
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < CONTINUES:
            break
        shift += NEXT_GROUP
        if value > mask:
            raise Unusual
    if value > mask or (not byte and shift):
        raise Unusual
    return zigzag_decode(value), at


def quick_varlong(data: bytes, at: int) -> tuple[int, int]:
    """Return the zig-zag number of 64 bits at `at` and the offset after it, as `quick_varint`."""
    return quick_varint(data, at, MASK_64)
