"""Lengths and counts, the prefix of every string, bytes, records and array.

There are two forms (rules 1.1.8 to 1.1.14). *Legacy*: a signed integer of 16 bits (strings) or 32 bits (everything
else), -1 for null. *Compact*, in flexible versions: an unsigned varint of the length plus one, 0 for null. "abc" is
`00 03 61 62 63` in legacy form and `04 61 62 63` in compact form; null is `ff ff` and `00`.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from reference.errors import Reason
from reference.wire.base import WireType
from reference.wire.stream import Reader, wrong_type
from reference.wire.varints import as_int32, rest_of_unsigned_varint, write_unsigned_varint

if TYPE_CHECKING:
    from io import BytesIO

    from reference.paths import Path

NULL = -1
HIGHEST_INT32 = 0x7FFF_FFFF
_EMPTY, _LONG = b"\x01", b"\x80"
"""Bounds of the first byte of a compact length of one byte that is not null."""
WRAPPED = -0x8000_0001
"""One below the lowest int32, equal to the highest int32 in 32 bits."""


class Length(WireType):
    """The common part of legacy and compact lengths.

    Args:
        role: `length` or `count`.
        rule: the id of the rule about this length.
        nullable: whether null, a negative length, may stand here.
    """

    null_rule: str

    def __init__(self, role: str, rule: str, *, nullable: bool) -> None:
        self.role = role
        self.rule = rule
        self.nullable = nullable

    def _negative(self, stream: Reader, length: int, start: int, path: Path) -> None:
        """Decide on a negative length (rules 1.3.6 and 1.3.7)."""
        if self.nullable:
            if length != NULL:
                stream.deviation("null.other-negative", start, path)
        elif length == NULL:
            stream.malformed("null.not-allowed", Reason.NULL_NOT_ALLOWED, start, path)
        else:
            stream.malformed("length.negative", Reason.NEGATIVE_LENGTH, start, path, f"the length is {length}")


class LegacyLength(Length):
    """A signed big-endian integer of 16 or 32 bits, -1 for null.

    >>> LegacyLength("length", "string.length", width=2, nullable=True).parse(bytes.fromhex("ffff")) is None
    True
    """

    null_rule = "null.legacy"

    def __init__(self, role: str, rule: str, *, width: int, nullable: bool) -> None:
        super().__init__(role, rule, nullable=nullable)
        self.width = width
        self.format = struct.Struct(">h" if width == 2 else ">i")  # noqa: PLR2004  # bytes of an int16

    def read(self, stream: Reader, path: Path = "") -> int | None:
        data = stream.read(self.width)
        if len(data) != self.width:
            stream.truncated(path)
        length: int = self.format.unpack(data)[0]
        if length < 0:
            self._negative(stream, length, stream.tell() - self.width, path)
        if stream.spans is not None:
            rule = self.rule if length >= 0 else self.null_rule
            stream.span(stream.tell() - self.width, path, self.role, rule, "fixed")
        return length if length >= 0 else None

    def write_to(self, obj: int | None, stream: BytesIO, path: Path = "") -> None:
        if obj is None and not self.nullable:
            wrong_type("a length", obj, path)
        stream.write(self.format.pack(NULL if obj is None else obj))


class CompactLength(Length):
    """An unsigned varint of the length plus one, 0 for null.

    >>> CompactLength("length", "string.compact-length", nullable=True).write(300).hex()
    'ad02'
    """

    null_rule = "null.compact"

    def read(self, stream: Reader, path: Path = "") -> int | None:
        first = stream.read(1)
        if _EMPTY <= first < _LONG and stream.spans is None:
            return first[0] - 1  # a short cut for nearly all lengths
        start = stream.tell() - len(first)
        # Java has the varint in an int, where 2^31 and more are negative.
        length = as_int32(rest_of_unsigned_varint(stream, first, path, self.role, self.rule)) - 1
        if length < 0:
            return self._not_positive(stream, length, start, path)
        return length

    def _not_positive(self, stream: Reader, length: int, start: int, path: Path) -> int | None:
        """Decide on null, a negative length, or the one pattern that wraps around to 2^31-1 (rule 1.3.5)."""
        if length == WRAPPED:
            return HIGHEST_INT32
        self._negative(stream, length, start, path)
        if stream.spans:
            stream.spans[-1] = stream.spans[-1]._replace(rule=self.null_rule)
        return None

    def write_to(self, obj: int | None, stream: BytesIO, path: Path = "") -> None:
        if obj is None and not self.nullable:
            wrong_type("a length", obj, path)
        write_unsigned_varint(stream, 0 if obj is None else obj + 1)


def length_of(type_name: str, *, compact: bool, nullable: bool) -> Length:
    """Return the length of a type, or its count for an array, by the name of the type."""
    role = "count" if type_name == "array" else "length"
    if compact:
        return CompactLength(role, f"{type_name}.compact-{role}", nullable=nullable)
    return LegacyLength(role, f"{type_name}.{role}", width=2 if type_name == "string" else 4, nullable=nullable)
