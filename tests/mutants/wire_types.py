"""Wire types that are wrong on their own: mutants that no message reaches, for its fields have no such type."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.session import Session
from conformance.judge.checks.wire_type_cases import primitive_cases
from conformance.judge.engine import run
from reference import CodecError, primitive
from reference.wire.varints import as_int32
from tests.second_codec.steps import signed

if TYPE_CHECKING:
    from conformance.judge.case import Event


def encode(name: str, value: Any) -> bytes:
    return primitive(name).encode(value)


def decode(name: str, wire: bytes) -> Any:
    return primitive(name).decode_leniently(wire).value


def not_folded(name: str, value: int) -> bytes:
    """A signed varint is the unsigned one of its two's complement."""
    bits = name.removeprefix("var").replace("int", "32").replace("long", "64")
    return primitive(f"unsigned-{name}").encode(value % 2 ** int(bits))


def folded_in_32_bits(name: str, value: int) -> bytes:
    """A varlong keeps the lowest 32 bits of its number."""
    return primitive(name).encode(signed(value, 32))


def sign_first(_name: str, value: int) -> bytes:
    """The lowest bit is the sign, and the others are the number itself."""
    return primitive("unsigned-varlong").encode(2 * abs(value) + (value < 0))


def unsigned_varint_with_sign(name: str, wire: bytes) -> int:
    """An unsigned varint of 2^31 and more is read as a negative number."""
    return as_int32(decode(name, wire))


def ten_bytes(_name: str, wire: bytes) -> int:
    number: int = primitive("unsigned-varlong").decode_leniently(wire).value
    return number % 2**32


@dataclass(frozen=True)
class WireTypeMutant:
    """One codec that is wrong about wire types alone."""

    name: str
    rule: str
    wire_types: tuple[str, ...]
    encode: Callable[[str, Any], bytes] = encode
    decode: Callable[[str, bytes], Any] = decode

    @property
    def places(self) -> tuple[str, ...]:
        return self.wire_types

    def adapter(self) -> LoadedAdapter:
        return LoadedAdapter(
            spec="",
            name=self.name,
            version="0",
            supported={"encode": {}, "decode": {}},
            encode_primitive=self.encode,
            decode_primitive=self.decode,
            rejections=(CodecError,),
        )

    def check(self, session: Session) -> Iterator["Event"]:
        """What comes of the deterministic checks of its wire types."""
        for name in self.wire_types:
            yield from run(session, primitive_cases(session, name))


MUTANTS = (
    WireTypeMutant("varint-not-folded", "varint.signed", ("varint", "varlong"), encode=not_folded),
    WireTypeMutant("varint-with-the-sign-first", "varint.signed", ("varint", "varlong"), encode=sign_first),
    WireTypeMutant("varlong-folded-in-32-bits", "varint.signed", ("varlong",), encode=folded_in_32_bits),
    WireTypeMutant(
        "unsigned-varint-read-with-a-sign", "varint.shortest", ("unsigned-varint",), decode=unsigned_varint_with_sign
    ),
    WireTypeMutant("varint-of-ten-bytes", "varint.too-long", ("unsigned-varint",), decode=ten_bytes),
)
