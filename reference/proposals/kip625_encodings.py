"""The nine encodings of integers that KIP-625 names, as wire types.

`fixedN` is an integer of N bits. `packedN` folds the sign into the lowest bit and writes a varint, so that numbers near
zero are short on both sides. `upackedN` writes the N bits as they are as a varint: short from zero up, and as long as
can be for every negative number.

    300    fixed32 00 00 01 2c    packed32 d8 04    upacked32 ac 02
     -1    fixed32 ff ff ff ff    packed32 01       upacked32 ff ff ff ff 0f

The number in the name says which numbers there are and how long a varint may be: 3, 5 or 10 bytes. It may be smaller
than that of the field's type: then a writer checks the range, and a reader extends the sign.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from reference.definitions.model import INTEGER_RANGES
from reference.errors import Reason, Refusal
from reference.wire.base import WireType
from reference.wire.signed_varints import read_groups, zigzag_decode, zigzag_encode
from reference.wire.stream import Form, Reader, refuse, shown, wrong_type
from reference.wire.varints import size_of_unsigned_varint, write_unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Mapping
    from io import BytesIO

    from reference.paths import Path

KINDS = ("fixed", "packed", "upacked")
WIDTHS = (16, 32, 64)
RULES = {"fixed": "kip-625.fixed", "packed": "kip-625.packed", "upacked": "kip-625.upacked"}
MAXIMUM_BYTES = {bits: -(-bits // 7) for bits in WIDTHS}
"""Of a varint, by the number of its bits: 3, 5 and 10."""


@dataclass(frozen=True)
class Encoding:
    """One of the nine encodings."""

    kind: str
    """fixed, packed or upacked."""
    bits: int
    """16, 32 or 64."""

    @property
    def name(self) -> str:
        """As definitions have it."""
        return f"{self.kind}{self.bits}"

    @property
    def integer(self) -> str:
        """The type that holds just the numbers that can be written."""
        return f"int{self.bits}"

    def holds(self, number: int) -> bool:
        """Whether a number can be written at all."""
        lowest, highest = INTEGER_RANGES[self.integer]
        return lowest <= number <= highest

    def pattern(self, number: int) -> int:
        """The bits that stand for a number, as an unsigned one of N bits."""
        return zigzag_encode(number) if self.kind == "packed" else number % 2**self.bits

    def number(self, pattern: int) -> int:
        """The number that N bits stand for."""
        if self.kind == "packed":
            return zigzag_decode(pattern)
        return pattern - 2**self.bits if pattern >> (self.bits - 1) else pattern

    def size(self, number: int) -> int:
        """How many bytes a number takes that can be written."""
        return self.bits // 8 if self.kind == "fixed" else size_of_unsigned_varint(self.pattern(number))


ENCODINGS: Mapping[str, Encoding] = MappingProxyType(
    {each.name: each for kind in KINDS for bits in WIDTHS for each in [Encoding(kind, bits)]}
)
"""All of them, by name."""


class EncodedInteger(WireType):
    """An integer in one of the encodings.

    >>> encoded_integer("packed16").build(-65).hex(), encoded_integer("upacked16").build(-65).hex()
    ('8101', 'bfff03')
    >>> encoded_integer("fixed16").parse(bytes.fromhex("ffff"))
    -1
    """

    def __init__(self, encoding: Encoding) -> None:
        super().__init__()
        self.encoding = encoding
        self._read = _read_fixed if encoding.kind == "fixed" else _read_varint
        self._form: Form = "fixed" if encoding.kind == "fixed" else "coded-varint"

    def read(self, stream: Reader, path: Path = "") -> int:
        start = stream.tell()
        pattern = self._read(stream, self.encoding.bits, path)
        stream.span(start, path, "number", RULES[self.encoding.kind], self._form)
        return self.encoding.number(pattern)

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        encoding = self.encoding
        if not isinstance(obj, int) or isinstance(obj, bool):
            wrong_type(encoding.integer, obj, path)
        if not encoding.holds(obj):
            refuse(Refusal.OUT_OF_RANGE, path, f"{shown(obj)} does not fit into {encoding.name}", "kip-625.range")
        pattern = encoding.pattern(obj)
        if encoding.kind == "fixed":
            stream.write(pattern.to_bytes(encoding.bits // 8, "big"))
        else:
            write_unsigned_varint(stream, pattern)


def _read_fixed(stream: Reader, bits: int, path: Path) -> int:
    data = stream.read(bits // 8)
    if len(data) != bits // 8:
        stream.truncated(path)
    return int.from_bytes(data, "big")


def _read_varint(stream: Reader, bits: int, path: Path) -> int:
    """Read an unsigned number of so many bits, which are all that its bytes may hold."""
    start = stream.tell()
    value = read_groups(stream, path, MAXIMUM_BYTES[bits], "kip-625.too-long")
    if value >> bits:
        stream.malformed("kip-625.surplus-bits", Reason.VARINT_OVERFLOW, start, path, f"more than {bits} bits")
    return value


_WIRE_TYPES = {name: EncodedInteger(encoding) for name, encoding in ENCODINGS.items()}


def encoded_integer(name: str) -> EncodedInteger:
    """Return the wire type of an encoding, by name; raise KeyError if there is none."""
    return _WIRE_TYPES[name]
