"""Numbers of a fixed width, namely bool, the integers, float64 and uuid (rules 1.1.1 to 1.1.7).

All are big-endian. An int32 of 300 is `00 00 01 2c`; -1 is all ones, `ff ff ff ff`. There is no alignment.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any
from uuid import UUID

from reference.definitions.model import INTEGER_CODES
from reference.errors import Refusal
from reference.wire.base import WireType
from reference.wire.stream import Reader, refuse, shown, wrong_type

if TYPE_CHECKING:
    from io import BytesIO

    from reference.paths import Path


class Bool(WireType):
    """A bool of one byte, 00 for false and 01 for true. Readers may take any other byte as true (rule 1.3.9).

    >>> BOOL.write(True).hex()
    '01'
    """

    width = 1

    def read(self, stream: Reader, path: Path = "") -> bool:
        data = stream.read(1)
        if not data:
            stream.truncated(path)
        if data not in (b"\0", b"\1"):
            stream.deviation("bool.other-than-0-1", stream.tell() - 1, path)
        if stream.spans is not None:
            stream.span(stream.tell() - 1, path, "number", "bool.byte", "fixed")
        return data != b"\0"

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        if obj is True:
            stream.write(b"\1")
        elif obj is False:
            stream.write(b"\0")
        else:
            wrong_type("bool", obj, path)


class FixedInteger(WireType):
    """An integer of 8, 16, 32 or 64 bits, in two's complement or unsigned.

    >>> INT32.write(300).hex()
    '0000012c'
    >>> FIXED_WIDTH["uint16"].parse(bytes.fromhex("ffff"))
    65535
    """

    def __init__(self, name: str, code: str) -> None:
        self.type_name = name
        self.code = code
        self.format = struct.Struct(f">{code}")
        self.width: int = self.format.size
        self._unpack = self.format.unpack
        self.pack = self.format.pack

    def read(self, stream: Reader, path: Path = "") -> int:
        data = stream.read(self.width)
        if len(data) != self.width:
            stream.truncated(path)
        if stream.spans is not None:
            stream.span(stream.tell() - self.width, path, "number", "int.width-and-order", "fixed")
        number: int = self._unpack(data)[0]
        return number

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        # Members of an IntEnum are numbers, but a bool is none. The first test is for speed.
        if type(obj) is not int and (not isinstance(obj, int) or isinstance(obj, bool)):
            wrong_type(self.type_name, obj, path)
        try:
            stream.write(self.pack(obj))
        except struct.error:
            refuse(Refusal.OUT_OF_RANGE, path, f"{shown(obj)} does not fit into {self.type_name}")


class Float64(WireType):
    """An IEEE 754 double of eight bytes. A NaN keeps its payload, and zero its sign (rules 1.1.6, 1.2.13).

    >>> FLOAT64.write(1.5).hex()
    '3ff8000000000000'
    """

    width = 8
    _format = struct.Struct(">d")

    def read(self, stream: Reader, path: Path = "") -> float:
        data = stream.read(8)
        if len(data) != self.width:
            stream.truncated(path)
        if stream.spans is not None:
            stream.span(stream.tell() - 8, path, "number", "float64.bits", "fixed")
        number: float = self._format.unpack(data)[0]
        return number

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        if not isinstance(obj, float):
            wrong_type("float64", obj, path)
        stream.write(self._format.pack(obj))


class Uuid(WireType):
    """A uuid of sixteen bytes, the most significant first. The zero uuid is a value like any other (rule 1.1.7).

    >>> UUID_.parse(bytes(range(16)))
    UUID('00010203-0405-0607-0809-0a0b0c0d0e0f')
    """

    width = 16

    def read(self, stream: Reader, path: Path = "") -> UUID:
        data = stream.read(16)
        if len(data) != self.width:
            stream.truncated(path)
        if stream.spans is not None:
            stream.span(stream.tell() - 16, path, "number", "uuid.byte-order", "fixed")
        return UUID(bytes=data)

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        if not isinstance(obj, UUID):
            wrong_type("uuid", obj, path)
        stream.write(obj.bytes)


BOOL = Bool()
_INTEGERS = {name: FixedInteger(name, code) for name, code in INTEGER_CODES.items()}
INT8, INT16, INT32, INT64, UINT32 = (_INTEGERS[name] for name in ("int8", "int16", "int32", "int64", "uint32"))
FLOAT64 = Float64()
UUID_ = Uuid()

FIXED_WIDTH: dict[str, WireType] = {
    "bool": BOOL,
    **_INTEGERS,
    "float64": FLOAT64,
    "uuid": UUID_,
}
"""The wire types that always take the same number of bytes, by name."""
