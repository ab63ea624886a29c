"""Codecs of KIP-625 that are wrong in one way."""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any

from reference import FieldSchema, MessageSchema, load_release
from reference.paths import Path
from reference.proposals.kip625 import EncodedInteger, Encoding, EncodingProtocol, encoded_integer
from reference.wire.base import WireType
from reference.wire.message import RELEASED
from reference.wire.numbers import FIXED_WIDTH
from reference.wire.signed_varints import read_unsigned_varlong, zigzag_encode
from reference.wire.stream import Reader
from reference.wire.varints import write_unsigned_varint
from tests.mutants.dialects import Converted, DialectMutant, Lie
from tests.second_codec.steps import same, signed

RELEASE = "kip-625"


class Lying(EncodingProtocol):
    """Numbers in encodings of some kinds are something else."""

    def __init__(self, lie: Callable[[FieldSchema, EncodedInteger], WireType], *kinds: str) -> None:
        self.lie, self.kinds = lie, kinds

    def number(self, field: FieldSchema) -> WireType:
        number = super().number(field)
        return self.lie(field, number) if isinstance(number, EncodedInteger) and self._is_meant(number) else number

    def _is_meant(self, number: EncodedInteger) -> bool:
        return number.encoding.kind in self.kinds


VARINTS = ("packed", "upacked")
ALL = ("fixed", *VARINTS)


class OtherPattern(Lie):
    """The varint of something else than it should be."""

    def __init__(self, pattern: Callable[[int, Encoding], int], _field: FieldSchema, inner: EncodedInteger) -> None:
        super().__init__(inner)
        self.pattern, self.encoding = pattern, inner.encoding

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        super().write_to(obj, type(stream)(), path)
        write_unsigned_varint(stream, self.pattern(obj, self.encoding))


class NarrowedSilently(Lie):
    """Numbers that do not fit lose their upper bits, as long as the type of the field holds them."""

    def __init__(self, field: FieldSchema, inner: EncodedInteger) -> None:
        super().__init__(inner)
        self.type, self.bits = FIXED_WIDTH[field.type], inner.encoding.bits

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        self.type.write(obj, path)
        super().write_to(signed(obj, self.bits), stream, path)


class Clipped(NarrowedSilently):
    """Numbers that do not fit become the nearest one that does."""

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        self.type.write(obj, path)
        highest = 2 ** (self.bits - 1) - 1
        Lie.write_to(self, max(-highest - 1, min(obj, highest)), stream, path)


class SurplusBitsDropped(Lie):
    """As many bytes as allowed, whatever is in them: bits beyond the encoding's are lost."""

    def __init__(self, _field: FieldSchema, inner: EncodedInteger) -> None:
        super().__init__(inner)
        self.encoding = inner.encoding

    def read(self, stream: Reader, path: Path = "") -> Any:
        start = stream.tell()
        pattern = read_unsigned_varlong(stream, path)
        if stream.tell() - start > -(-self.encoding.bits // 7):
            stream.seek(start)
            return super().read(stream, path)
        return self.encoding.number(pattern % 2**self.encoding.bits)


class TenBytes(Lie):
    """Ten bytes whatever the encoding, as long as the number has no more bits."""

    def __init__(self, _field: FieldSchema, inner: EncodedInteger) -> None:
        super().__init__(inner)
        self.encoding = inner.encoding

    def read(self, stream: Reader, path: Path = "") -> Any:
        start = stream.tell()
        pattern = read_unsigned_varlong(stream, path)
        if pattern >> self.encoding.bits:
            stream.seek(start)
            return super().read(stream, path)
        return self.encoding.number(pattern)


def _without_sign(field: FieldSchema, inner: EncodedInteger) -> WireType:
    """A narrow number is taken for an unsigned one in a wider type."""
    if field.written_type == field.type:
        return inner
    highest = 2**inner.encoding.bits - 1
    return Converted(inner, same, lambda value: value & highest)


def _fixed_as_type(field: FieldSchema, _inner: EncodedInteger) -> WireType:
    """A fixed number takes as many bytes as the type, not as the name says."""
    return FIXED_WIDTH[field.type]


def _in_bits_of_type(field: FieldSchema, inner: EncodedInteger) -> WireType:
    """An unsigned varint of as many bits as the type has, not as the name says."""
    return encoded_integer(inner.encoding.kind + field.type.removeprefix("int"))


class VersionBefore(EncodingProtocol):
    """Messages are written as in the version before."""

    def message(self, schema: MessageSchema) -> WireType:
        return super().message(load_release(RELEASE).schema(schema.message, schema.version - 1))


def _not_folded(number: int, encoding: Encoding) -> int:
    return number & (1 << encoding.bits) - 1


def _folded(number: int, _encoding: Encoding) -> int:
    return zigzag_encode(number)


def _sign_lowest(number: int, _encoding: Encoding) -> int:
    return 2 * abs(number) + (number < 0)


def _varint(pattern: Callable[[int, Encoding], int], kind: str) -> Lying:
    return Lying(partial(OtherPattern, pattern), kind)


_mutant = partial(DialectMutant, writes=EncodingProtocol(), reads=EncodingProtocol(), release=RELEASE)
INTEGERS = "ShortsData,IntsData,LongsData"
PROMOTED = "LongsData,TooSmallData-v0..1"

MUTANTS = (
    _mutant("packed-not-folded", "kip-625.packed", INTEGERS, writes=_varint(_not_folded, "packed")),
    _mutant("packed-with-the-sign-lowest", "kip-625.packed", INTEGERS, writes=_varint(_sign_lowest, "packed")),
    _mutant("upacked-folded", "kip-625.upacked", INTEGERS, writes=_varint(_folded, "upacked")),
    _mutant("upacked-in-the-bits-of-the-type", "kip-625.upacked", INTEGERS, writes=Lying(_in_bits_of_type, "upacked")),
    _mutant("fixed-in-the-bits-of-the-type", "kip-625.fixed", INTEGERS, writes=Lying(_fixed_as_type, "fixed")),
    _mutant("encodings-ignored", "kip-625.upacked", "LeaderIdData-v10,PartitionData-v10", writes=RELEASED),
    _mutant("narrowed-silently", "kip-625.range", INTEGERS, writes=Lying(NarrowedSilently, *ALL)),
    _mutant("clipped-to-the-encoding", "kip-625.range", INTEGERS, writes=Lying(Clipped, *ALL)),
    _mutant("surplus-bits-dropped", "kip-625.surplus-bits", INTEGERS, reads=Lying(SurplusBitsDropped, *VARINTS)),
    _mutant("varints-of-ten-bytes", "kip-625.too-long", INTEGERS, reads=Lying(TenBytes, *VARINTS)),
    _mutant("sign-lost-on-promotion", "kip-625.promotion", PROMOTED, reads=Lying(_without_sign, "fixed", "upacked")),
    _mutant("encoding-of-the-version-before", "kip-625.upacked", "LeaderIdData-v10", writes=VersionBefore()),
    _mutant("width-of-the-version-before", "kip-625.fixed", "TooSmallData-v2", writes=VersionBefore()),
)
