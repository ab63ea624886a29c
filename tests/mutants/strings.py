"""Lengths and texts of strings that are written or read wrong."""

from dataclasses import replace
from io import BytesIO
from typing import Any
from unicodedata import normalize

from reference import FieldSchema
from reference.paths import Path
from reference.wire.base import WireType
from reference.wire.lengths import CompactLength, LegacyLength
from reference.wire.message import Protocol
from reference.wire.stream import Reader
from reference.wire.text import String
from reference.wire.varints import MASK_32, write_unsigned_varint
from tests.mutants.mutant import Converted, Lie, Mutant, same


class LegacyLengthForCompactString(Protocol):
    """Strings have an int16 length in flexible versions too."""

    def string(self, field: FieldSchema) -> WireType:
        return super().string(replace(field, compact=False))


class CompactLengthForLegacyString(Protocol):
    """Strings have a compact length in versions that are not flexible, too."""

    def string(self, field: FieldSchema) -> WireType:
        return super().string(replace(field, compact=True))


class Int32LengthForLegacyString(Protocol):
    """The length of a string is an int32 in versions that are not flexible."""

    def string(self, field: FieldSchema) -> WireType:
        if field.compact:
            return super().string(field)
        return String(LegacyLength("length", "string.length", width=4, nullable=field.nullable))


class ShiftedCompactLength(CompactLength):
    """A compact length with another number added than one."""

    shift = 1

    def read(self, stream: Reader, path: Path = "") -> int | None:
        length = super().read(stream, path)
        return None if length is None else length + 1 - self.shift

    def write_to(self, obj: int | None, stream: BytesIO, path: Path = "") -> None:
        write_unsigned_varint(stream, 0 if obj is None else obj + self.shift & MASK_32)


class _WithoutPlusOne(ShiftedCompactLength):
    shift = 0


class _PlusTwo(ShiftedCompactLength):
    shift = 2


class _MinusTwo(ShiftedCompactLength):
    shift = -2


class _WrongThirdByte(CompactLength):
    def write_to(self, obj: int | None, stream: BytesIO, path: Path = "") -> None:
        number = 0 if obj is None else obj + 1
        if number < 2**14:
            super().write_to(obj, stream, path)
            return
        stream.write(bytes([number & 0x7F | 0x80, number >> 7 & 0x7F | 0x80, (number >> 14) << 1 & 0x7F]))
        return


def _compact_strings(length: type[CompactLength]) -> type[Protocol]:
    class Lying(Protocol):
        def string(self, field: FieldSchema) -> WireType:
            if not field.compact:
                return super().string(field)
            return String(length("length", "string.compact-length", nullable=field.nullable))

    return Lying


CompactStringsWithoutPlusOne = _compact_strings(_WithoutPlusOne)
CompactStringsWithPlusTwo = _compact_strings(_PlusTwo)
CompactStringsWithMinusTwo = _compact_strings(_MinusTwo)
BrokenVarints = _compact_strings(_WrongThirdByte)


class CharactersCounted(Protocol):
    """The length of a string counts characters, not bytes."""

    def string(self, field: FieldSchema) -> WireType:
        return _Counted(super().string(field))


class _Counted(Lie):
    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        if not isinstance(obj, str) or len(obj.encode()) >= 2**15:
            super().write_to(obj, stream, path)
            return
        assert isinstance(self.inner, String)
        self.inner.length.write_to(len(obj), stream, path)
        stream.write(obj.encode())
        return


class NoLimitOfStrings(Protocol):
    """Strings of any length are written; a legacy length wraps to a negative number."""

    def string(self, field: FieldSchema) -> WireType:
        return _Wrapping(super().string(field))


class _Wrapping(Lie):
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
        return


class StringsCutAtNul(Protocol):
    """A string ends at its first NUL."""

    def string(self, field: FieldSchema) -> WireType:
        return Converted(super().string(field), same, lambda value: value and value.split("\0")[0])


class StringsNormalised(Protocol):
    """Text is read in normal form C."""

    def string(self, field: FieldSchema) -> WireType:
        return Converted(super().string(field), same, lambda value: value and normalize("NFC", value))


class ByteOrderMarkDropped(Protocol):
    """A byte order mark at the beginning of a text is dropped."""

    def string(self, field: FieldSchema) -> WireType:
        return Converted(super().string(field), same, lambda value: value and value.removeprefix("\ufeff"))


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
    Mutant(
        "compact-length-minus-two",
        "string.compact-length",
        "FindCoordinatorRequest-v3",
        writes=CompactStringsWithMinusTwo(),
    ),
    Mutant(
        "compact-length-for-legacy-string",
        "string.length",
        "FindCoordinatorRequest-v0..2",
        both=CompactLengthForLegacyString(),
    ),
    Mutant(
        "int32-length-for-legacy-string",
        "string.length",
        "FindCoordinatorRequest-v0..2",
        both=Int32LengthForLegacyString(),
    ),
    Mutant("characters-counted", "string.length", "FindCoordinatorRequest-v2", writes=CharactersCounted()),
    Mutant(
        "characters-counted-in-compact-string",
        "string.compact-length",
        "FindCoordinatorRequest-v3",
        writes=CharactersCounted(),
    ),
    Mutant("string-limit-missing", "string.too-long", "FindCoordinatorRequest-v2..3", writes=NoLimitOfStrings()),
    Mutant("varint-wrong-from-third-byte", "varint.shortest", "FindCoordinatorRequest-v3", writes=BrokenVarints()),
    Mutant("string-cut-at-nul", "string.utf8", "FindCoordinatorRequest-v2..3", reads=StringsCutAtNul()),
    Mutant("text-normalised", "string.utf8", "FindCoordinatorRequest-v2..3", reads=StringsNormalised()),
    Mutant("byte-order-mark-dropped", "string.utf8", "FindCoordinatorRequest-v2", reads=ByteOrderMarkDropped()),
)
