"""The wire types by name, each on its own, with which golden vectors and bindings in other languages start.

>>> primitive("compact-string").encode("abc").hex()
'04616263'
>>> primitive("varint").decode(bytes.fromhex("d704")).value
-300

Names are those of the definitions' types, with `compact-` and `nullable-` before them, and `array-of-int32` and
`array-of-string` for arrays. Varints and the tag section are no types of fields, and have names of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reference.errors import CodecError
from reference.schema import ArrayType, FieldSchema, MessageSchema, implicit_field
from reference.suggestions import close_names
from reference.values.defaults import TAGS
from reference.values.json_form import from_json, to_json
from reference.values.json_scalars import number_from_json
from reference.wire.message import RELEASED
from reference.wire.numbers import FIXED_WIDTH
from reference.wire.signed_varints import MASK_64, UNSIGNED_VARLONG, VARINT, VARLONG
from reference.wire.stream import LenientReader, Reader, Span
from reference.wire.tags import TAG_LIST
from reference.wire.varints import MASK_32, UNSIGNED_VARINT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.wire.base import WireType

TAG_SECTION = "tag-section"
VALUE = "value"
"""The name of the one field in a primitive's schema."""


class UnknownPrimitive(CodecError):
    """An unknown name of a wire type."""

    def __init__(self, name: str, close: list[str]) -> None:
        super().__init__(name, close)
        self.name = name
        self.close = close

    def __str__(self) -> str:
        hint = f"did you mean {' or '.join(self.close)}?" if self.close else "see primitives() for those that there are"
        return f"there is no wire type {self.name!r}: {hint}"


@dataclass(frozen=True)
class PrimitiveDecoded:
    """A decoded value, with the number of bytes read."""

    value: Any
    consumed: int


@dataclass(frozen=True)
class Primitive:
    """One wire type on its own."""

    name: str
    wire_type: WireType
    schema: MessageSchema | None = None
    """For types of fields: a message with one field, `value`, of this type."""
    range: tuple[int, int] | None = None
    """For variable-length numbers: the lowest and the highest."""
    decimal: bool = False
    """Whether the JSON form of a number is a decimal string."""

    def encode(self, value: Any) -> bytes:
        """Return the canonical bytes of a value, or raise Unencodable if it has none."""
        return self.wire_type.write(value)

    def decode(self, wire: bytes) -> PrimitiveDecoded:
        """Read one value, strictly.

        Raises:
            Malformed: the bytes are invalid, or the protocol leaves their meaning open (then the reason is None).
        """
        return self._decode(Reader(wire))

    def decode_leniently(self, wire: bytes) -> PrimitiveDecoded:
        """Read one value as Apache Kafka does inside messages, and leave bytes after it alone, or raise Malformed."""
        return self._decode(LenientReader(wire))

    def spans(self, wire: bytes) -> tuple[Span, ...]:
        """Return the meaning of every byte, as a lenient reader sees it, or raise Malformed for invalid bytes."""
        reader = LenientReader(wire, trace=True)
        self.wire_type.read(reader)
        return tuple(reader.spans or ())

    def _decode(self, reader: Reader) -> PrimitiveDecoded:
        return PrimitiveDecoded(self.wire_type.read(reader), reader.end())

    def to_json(self, value: Any) -> Any:
        """Return the JSON form of a value inside messages, with 64-bit numbers as decimal strings."""
        if self.schema is not None:
            return to_json(self.schema, {VALUE: value})[VALUE]
        if self.range is not None:
            return str(value) if self.decimal else value
        return [[tag, body.hex()] for tag, body in value]

    def from_json(self, form: Any) -> Any:
        """Return the value of a JSON form, or raise NotJsonForm if a part of the form does not fit its type."""
        if self.schema is not None:
            return from_json(self.schema, {VALUE: form})[VALUE]
        if self.range is not None:
            return number_from_json(form, "", decimal=self.decimal)
        return from_json(_NOTHING, {TAGS: form})[TAGS]


def primitive(name: str) -> Primitive:
    """Return the wire type named `name`, or raise UnknownPrimitive."""
    if name not in _BY_NAME:
        raise UnknownPrimitive(name, close_names(name, _BY_NAME))
    return _BY_NAME[name]


def primitives() -> tuple[str, ...]:
    """Return the names of all wire types, sorted."""
    return tuple(sorted(_BY_NAME))


_NOTHING = MessageSchema(TAG_SECTION, 0, "data", None, flexible=True, fields=(), absent_fields=())


def _all() -> Iterator[Primitive]:
    yield from (_of_field(name, implicit_field(VALUE, name)) for name in FIXED_WIDTH)
    yield Primitive("unsigned-varint", UNSIGNED_VARINT, range=(0, MASK_32))
    yield Primitive("unsigned-varlong", UNSIGNED_VARLONG, range=(0, MASK_64), decimal=True)
    yield Primitive("varint", VARINT, range=(-VARINT.highest - 1, VARINT.highest))
    yield Primitive("varlong", VARLONG, range=(-VARLONG.highest - 1, VARLONG.highest), decimal=True)
    yield Primitive(TAG_SECTION, TAG_LIST)
    for prefix, compact, nullable in _FORMS:
        for name in ("string", "bytes", "records"):
            yield _of_field(prefix + name, implicit_field(VALUE, name, compact=compact, nullable=nullable))
        for name in ("int32", "string"):
            element = implicit_field(VALUE, name, compact=compact)
            array = FieldSchema(VALUE, ArrayType(element), compact=compact, nullable=nullable, default=[])
            yield _of_field(f"{prefix}array-of-{name}", array)


_FORMS = (
    ("", False, False),
    ("nullable-", False, True),
    ("compact-", True, False),
    ("compact-nullable-", True, True),
)


def _of_field(name: str, field: FieldSchema) -> Primitive:
    schema = MessageSchema(name, 0, "data", None, flexible=False, fields=(field,), absent_fields=())
    return Primitive(name, RELEASED.field(field, inside_tag=False), schema)


_BY_NAME = {each.name: each for each in _all()}
