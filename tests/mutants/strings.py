"""Lengths and texts of strings that are written or read wrong."""

from dataclasses import replace
from io import BytesIO
from typing import Any
from unicodedata import normalize

from reference import FieldSchema
from reference.paths import Path
from reference.wire.base import WireType
from reference.wire.lengths import CompactLength, LegacyLength
from reference.wire.message import RELEASED
from reference.wire.stream import Reader
from reference.wire.text import String
from reference.wire.varints import MASK_32, write_unsigned_varint
from tests.mutants.mutant import Lie, Lying, Mutant, read_as


def string_of(*, compact: bool) -> Lying:
    """Strings are those of a field that is compact or is not."""
    return Lying(string=lambda field, _: RELEASED.string(replace(field, compact=compact)))


def _int32_length(field: FieldSchema, string: WireType) -> WireType:
    if field.compact:
        return string
    return String(LegacyLength("length", "string.length", width=4, nullable=field.nullable))


class ShiftedCompactLength(CompactLength):
    """A compact length with another number added than one."""

    shift = 1

    def read(self, stream: Reader, path: Path = "") -> int | None:
        length = super().read(stream, path)
        return None if length is None else length + 1 - self.shift

    def write_to(self, obj: int | None, stream: BytesIO, path: Path = "") -> None:
        write_unsigned_varint(stream, 0 if obj is None else obj + self.shift & MASK_32)


def shifted(number: int) -> type[ShiftedCompactLength]:
    return type("Shifted", (ShiftedCompactLength,), {"shift": number})


class _WrongThirdByte(CompactLength):
    def write_to(self, obj: int | None, stream: BytesIO, path: Path = "") -> None:
        number = 0 if obj is None else obj + 1
        if number < 2**14:
            super().write_to(obj, stream, path)
            return
        stream.write(bytes([number & 0x7F | 0x80, number >> 7 & 0x7F | 0x80, (number >> 14) << 1 & 0x7F]))


def _compact_strings(length: type[CompactLength]) -> Lying:
    def lie(field: FieldSchema, string: WireType) -> WireType:
        if not field.compact:
            return string
        return String(length("length", "string.compact-length", nullable=field.nullable))

    return Lying(string=lie)


class _Counted(Lie):
    """The length of a string counts characters, not bytes."""

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        if not isinstance(obj, str) or len(obj.encode()) >= 2**15:
            super().write_to(obj, stream, path)
            return
        assert isinstance(self.inner, String)
        self.inner.length.write_to(len(obj), stream, path)
        stream.write(obj.encode())


class _Wrapping(Lie):
    """Strings of any length are written; a legacy length wraps to a negative number."""

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        data = obj.encode() if isinstance(obj, str) else b""
        if len(data) < 2**15:
            super().write_to(obj, stream, path)
            return
        assert isinstance(self.inner, String)
        if isinstance(self.inner.length, CompactLength):
            write_unsigned_varint(stream, len(data) + 1)
        else:
            stream.write((len(data) % 2**16).to_bytes(2, "big"))
        stream.write(data)


MUTANTS = (
    Mutant(
        "int16-length-for-compact-string",
        "string.compact-length",
        "MetadataRequest-v9..12",
        both=string_of(compact=False),
    ),
    Mutant(
        "compact-length-without-plus-one",
        "string.compact-length",
        "MetadataRequest-v9,FindCoordinatorRequest-v3",
        both=_compact_strings(shifted(0)),
    ),
    Mutant(
        "compact-length-plus-two",
        "string.compact-length",
        "FindCoordinatorRequest-v3",
        writes=_compact_strings(shifted(2)),
    ),
    Mutant(
        "compact-length-minus-two",
        "string.compact-length",
        "FindCoordinatorRequest-v3",
        writes=_compact_strings(shifted(-2)),
    ),
    Mutant(
        "compact-length-for-legacy-string",
        "string.length",
        "FindCoordinatorRequest-v0..2",
        both=string_of(compact=True),
    ),
    Mutant(
        "int32-length-for-legacy-string",
        "string.length",
        "FindCoordinatorRequest-v0..2",
        both=Lying(string=_int32_length),
    ),
    Mutant("characters-counted", "string.length", "FindCoordinatorRequest-v2", writes=Lying(string=_Counted.of)),
    Mutant(
        "characters-counted-in-compact-string",
        "string.compact-length",
        "FindCoordinatorRequest-v3",
        writes=Lying(string=_Counted.of),
    ),
    Mutant(
        "string-limit-missing", "string.too-long", "FindCoordinatorRequest-v2..3", writes=Lying(string=_Wrapping.of)
    ),
    Mutant(
        "varint-wrong-from-third-byte",
        "varint.shortest",
        "FindCoordinatorRequest-v3",
        writes=_compact_strings(_WrongThirdByte),
    ),
    Mutant(
        "string-cut-at-nul",
        "string.utf8",
        "FindCoordinatorRequest-v2..3",
        reads=Lying(string=read_as(lambda value: value and value.split("\0")[0])),
    ),
    Mutant(
        "text-normalised",
        "string.utf8",
        "FindCoordinatorRequest-v2..3",
        reads=Lying(string=read_as(lambda value: value and normalize("NFC", value))),
    ),
    Mutant(
        "byte-order-mark-dropped",
        "string.utf8",
        "FindCoordinatorRequest-v2",
        reads=Lying(string=read_as(lambda value: value and value.removeprefix("\ufeff"))),
    ),
)
