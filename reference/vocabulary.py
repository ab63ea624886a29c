"""The names of declarations, for messages and fixed formats in construct's syntax.

    >>> Topic = Struct(
    ...     "Name" / CompactString * key,
    ...     "Partitions" / CompactArray(Int32),
    ...     Tags({0: "Rack" / CompactNullableString * default(None)}),
    ... )
    >>> Topic.build({"Name": "t", "Partitions": [5], "Rack": None}).hex()
    '0274020000000500'

`"name" / type` names a field and `type * note` adds a note to it, as everywhere in construct. A type is a wire type,
and also works inside construct's own classes. `Struct`, `Array` and the others of this module replace construct's, for
the reasons given in `reference.wire.base`. `reference.declaration` prints a message in these names.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from construct import Renamed

from reference.definitions.model import RELEASED
from reference.proposals.kip625 import KIP_625
from reference.protocols import protocol_of
from reference.schema import ArrayType, FieldSchema, PrimitiveType, StructType, implicit_field
from reference.wire.base import WireType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from io import BytesIO

    from reference.paths import Path
    from reference.wire.stream import Reader


class Declared(WireType):
    """A wire type made from a schema.

    It keeps the schema, for a struct with this type as a part.
    """

    def __init__(self, schema: FieldSchema, dialect: str = RELEASED) -> None:
        super().__init__()
        self.schema = schema
        self._inner = protocol_of(dialect).field(schema, inside_tag=False)
        self.width = self._inner.width

    def read(self, stream: Reader, path: Path = "") -> Any:
        """Read as the wire type of the schema."""
        return self._inner.read(stream, path)

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        """Write as the wire type of the schema."""
        self._inner.write_to(obj, stream, path)


class FieldNote(str):
    """A note on a field, as `"Name" / CompactString * key`.

    It is a text, since construct expects one.
    """

    __slots__ = ("changes",)

    changes: dict[str, Any]
    """The attributes of the field's schema changed by the note."""

    def __new__(cls, text: str, **changes: Any) -> Self:
        """Return a note with a text."""
        note = super().__new__(cls, text)
        note.changes = changes
        return note


key = FieldNote("map key", map_key=True)
"""The field is a key of its struct: no two elements of the array have the same keys."""


def default(value: Any) -> FieldNote:
    """Return the note of a default other than that of the type."""
    return FieldNote(f"default {value!r}", default=value)


@dataclass(frozen=True)
class Tags:
    """The tag section of a struct.

    Attributes:
        known: the tagged fields, by tag.
        elsewhere: tags of fields that are not tagged in this version.
    """

    known: Mapping[int, Renamed] = field(default_factory=dict)
    elsewhere: frozenset[int] | set[int] = frozenset()

    def fields(self) -> Iterator[FieldSchema]:
        """Yield the schemas of the tagged fields."""
        for tag, member in self.known.items():
            yield replace(field_of(member), tag=tag)


def Struct(*members: Renamed | Tags, dialect: str = RELEASED) -> Declared:  # noqa: N802  # as construct's class
    """Return the wire type of a struct.

    It has the fields in their order and, if it is flexible, `Tags` after or before them.

    Args:
        members: fields, as `"name" / type * note`, and at most one `Tags`.
        dialect: the protocol of the bytes, if it is not the released one.
    """
    tags = next((member for member in members if isinstance(member, Tags)), None)
    fields = [field_of(member) for member in members if not isinstance(member, Tags)]
    if tags is not None:
        fields += tags.fields()
    struct = StructType(
        "",
        tuple(fields),
        flexible=tags is not None,
        tags_elsewhere=frozenset() if tags is None else frozenset(tags.elsewhere),
        dialect=dialect,
    )
    return Declared(FieldSchema("", struct, default={each.name: each.default for each in fields}), dialect)


def Nullable(struct: Declared) -> Declared:  # noqa: N802
    """Return the wire type of a struct that may be null."""
    return Declared(replace(struct.schema, nullable=True))


def Encoded(integer: Declared, encoding: str) -> Declared:  # noqa: N802
    """Return the wire type of an integer in an encoding of KIP-625, such as `packed32`."""
    data_type = PrimitiveType(integer.schema.type, encoding)
    return Declared(replace(integer.schema, data_type=data_type), KIP_625.name)


def field_of(member: Renamed) -> FieldSchema:
    """Return the schema of a field, made from its type, name and notes."""
    changes: dict[str, Any] = {"name": member.name}
    inner = member
    while isinstance(inner, Renamed):
        changes |= getattr(inner.docs, "changes", {})
        inner = inner.subcon
    if not isinstance(inner, Declared):
        raise TypeError(f"{member.name} is of {inner!r}, which is no type of this vocabulary")
    return replace(inner.schema, **changes)


def spelling(schema: FieldSchema) -> str:
    """Return the name of a primitive or an array type in this vocabulary.

    Such names are `CompactNullableString`, `Int32` and `Array`.
    """
    name = "Array" if schema.element else schema.type.capitalize().replace("Uint", "UInt")
    if schema.encoding is not None:
        return f'Encoded({name}, "{schema.encoding}")'
    if name not in {"Array", "String", "Bytes", "Records"}:
        return name
    return f"{'Compact' if schema.compact else ''}{'Nullable' if schema.nullable else ''}{name}"


def _array(element: Declared, *, compact: bool = False, nullable: bool = False) -> Declared:
    return Declared(FieldSchema("", ArrayType(element.schema), default=[], compact=compact, nullable=nullable))


def _primitive(name: str, *, compact: bool = False, nullable: bool = False) -> Declared:
    return Declared(implicit_field("", name, compact=compact, nullable=nullable))


Array = _array
NullableArray = partial(_array, nullable=True)
CompactArray = partial(_array, compact=True)
CompactNullableArray = partial(_array, compact=True, nullable=True)
Bool = _primitive("bool")
Int8 = _primitive("int8")
Int16 = _primitive("int16")
Int32 = _primitive("int32")
Int64 = _primitive("int64")
UInt16 = _primitive("uint16")
UInt32 = _primitive("uint32")
Float64 = _primitive("float64")
Uuid = _primitive("uuid")
String = _primitive("string")
Bytes = _primitive("bytes")
Records = _primitive("records")
NullableString = _primitive("string", nullable=True)
NullableBytes = _primitive("bytes", nullable=True)
NullableRecords = _primitive("records", nullable=True)
CompactString = _primitive("string", compact=True)
CompactBytes = _primitive("bytes", compact=True)
CompactRecords = _primitive("records", compact=True)
CompactNullableString = _primitive("string", compact=True, nullable=True)
CompactNullableBytes = _primitive("bytes", compact=True, nullable=True)
CompactNullableRecords = _primitive("records", compact=True, nullable=True)
