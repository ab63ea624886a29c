"""A message at one version, with its fields in the order of the wire.

A field has one of three types: a primitive, an array or a struct. Nothing here knows about ranges of versions;
`reference.resolution` answers all questions about them.

>>> from reference import load_release
>>> schema = load_release("4.3.0").schema("ListTransactionsRequest", 0)
>>> [(field.name, field.type, field.compact) for field in schema.fields]
[('StateFilters', 'array', True), ('ProducerIdFilters', 'array', True)]
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from string import ascii_lowercase
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from reference.definitions.defaults import IMPLICIT_DEFAULTS
from reference.definitions.model import RELEASED
from reference.limits import UNLIMITED, Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

FrameDirection = Literal["request", "response"]
STORED_FORMS: Mapping[str, Literal["prefixed", "record"]] = MappingProxyType({
    "data": "prefixed",
    "coordinator-key": "prefixed",
    "coordinator-value": "prefixed",
    "metadata": "record",
})  # fmt: skip
"""The prefix of a stored message, by the kind of the message: an int16, or the frame of a metadata record."""


@dataclass(frozen=True)
class PrimitiveType:
    """A type without parts, such as a number, a text or bytes."""

    name: str
    """One of `reference.definitions.model.PRIMITIVES`."""
    encoding: str | None = None
    """The encoding of an integer, if the definition names one (KIP-625). None stands for the encoding of its type."""

    @property
    def written_name(self) -> str:
        """The name of the type itself or, with an encoding, of the integer type with the range of its values."""
        return self.name if self.encoding is None else "int" + self.encoding.lstrip(ascii_lowercase)


@dataclass(frozen=True)
class ArrayType:
    """A count, followed by elements of one type."""

    element: FieldSchema
    """The schema of an element. Its name is the array's own, and it is never nullable (rule 1.1.17)."""


@dataclass(frozen=True)
class StructType:
    """Fields in the order of the definition and, in flexible versions, a tag section."""

    name: str
    fields: tuple[FieldSchema, ...] = ()
    """The fields of this version, tagged ones included, in the order of the definition."""
    absent_fields: tuple[FieldSchema, ...] = ()
    """The fields of other versions only."""
    flexible: bool = False
    """Whether there is a tag section."""
    tags_elsewhere: frozenset[int] = frozenset()
    """Tags given by the definition to fields without a tag in this version (rule 2.5.5)."""
    every_version: bool = False
    """For the struct of an absent field: `fields` are those of all versions, and a value may have any of them."""
    dialect: str = RELEASED
    """The protocol of the struct's bytes."""

    def __hash__(self) -> int:
        # The generated hash would walk the whole tree of fields, and schemas are keys of caches.
        return hash((self.name, len(self.fields)))


DataType = PrimitiveType | ArrayType | StructType


@dataclass(frozen=True)
class FieldSchema:
    """One field, or one array element, of a message at one version."""

    name: str
    data_type: DataType
    nullable: bool = False
    tag: int | None = None
    """The tag, if the field is tagged in this version."""
    default: Any = None
    """The value of a field that is not set: never to be changed in place."""
    ignorable: bool = False
    compact: bool = False
    """Whether strings, bytes, records and array counts have the compact form."""
    map_key: bool = False
    position: int = 0
    """The field's place in the definition, counted over all versions."""

    type: str = field(init=False, repr=False, compare=False)
    """The name of the wire type: that of a primitive, `array` or `struct`."""
    element: FieldSchema | None = field(init=False, repr=False, compare=False)
    """The schema of an array's elements; None if the field is no array."""
    fields: tuple[FieldSchema, ...] = field(init=False, repr=False, compare=False)
    """The fields of a struct in this version; empty if the field is no struct."""

    def __post_init__(self) -> None:
        """Set the facts used most by adapters and codecs, as attributes, since properties take three times as long."""
        parts: tuple[str, FieldSchema | None, tuple[FieldSchema, ...]]
        match self.data_type:
            case PrimitiveType(name):
                parts = (name, None, ())
            case ArrayType(element):
                parts = ("array", element, ())
            case StructType(fields=fields):
                parts = ("struct", None, fields)
        for attribute, part in zip(("type", "element", "fields"), parts, strict=True):
            object.__setattr__(self, attribute, part)

    def __hash__(self) -> int:
        return hash((self.name, self.type, self.tag))

    @property
    def absent_fields(self) -> tuple[FieldSchema, ...]:
        """The fields of a struct in other versions only, or none if the field is no struct."""
        return self.data_type.absent_fields if isinstance(self.data_type, StructType) else ()

    @property
    def flexible(self) -> bool:
        """Whether the field is a struct with a tag section."""
        return isinstance(self.data_type, StructType) and self.data_type.flexible

    @property
    def tags_elsewhere(self) -> frozenset[int]:
        """The tags of a struct for fields untagged in this version, or none if the field is no struct."""
        return self.data_type.tags_elsewhere if isinstance(self.data_type, StructType) else frozenset()

    @property
    def dialect(self) -> str:
        """The protocol of a struct's bytes, or the released one if the field is no struct."""
        return self.data_type.dialect if isinstance(self.data_type, StructType) else RELEASED

    @property
    def encoding(self) -> str | None:
        """The encoding of an integer named by the definition (KIP-625), or None for the encoding of its type."""
        return self.data_type.encoding if isinstance(self.data_type, PrimitiveType) else None

    @property
    def written_type(self) -> str:
        """The name of the field's own type or, with an encoding, of the integer type with the range of its values."""
        return self.data_type.written_name if isinstance(self.data_type, PrimitiveType) else self.type

    @property
    def takes_no_bytes(self) -> bool:
        """Whether every value of the field is written as no bytes at all."""
        if self.type != "struct" or self.flexible or self.nullable:
            return False
        return all(field.takes_no_bytes for field in self.fields)

    @property
    def element_with_bytes(self) -> FieldSchema | None:
        """The element of an array, or None if it takes no bytes: no array of such is read (rule 1.3.19)."""
        return None if self.element is None or self.element.takes_no_bytes else self.element

    @property
    def item(self) -> FieldSchema:
        """The element of an array, or the field itself if it is no array."""
        return self.data_type.element if isinstance(self.data_type, ArrayType) else self

    @property
    def struct(self) -> StructType | None:
        """The struct of the field or of its elements, or None if they are primitives."""
        item_type = self.item.data_type
        return item_type if isinstance(item_type, StructType) else None

    @property
    def struct_name(self) -> str | None:
        """The name of that struct in the definition, or None if there is no struct."""
        return None if self.struct is None else self.struct.name

    def within(self, path: str = "") -> Iterator[tuple[str, FieldSchema]]:
        """Yield every field and element in this one at any depth, with its path, as `Topics[].Name`."""
        for each in self.fields if self.element is None else (self.element,):
            inner = f"{path}.{each.name}".removeprefix(".") if self.element is None else f"{path}[]"
            yield inner, each
            yield from each.within(inner)

    def parts(self, value: Any, path: str = "") -> Iterator[tuple[str, FieldSchema, Any]]:
        """Yield a value and every part in it, each with its path, as `Topics[0].Name`, and its schema."""
        yield path, self, value
        if self.element is not None and isinstance(value, list):
            for index, item in enumerate(value):
                yield from self.element.parts(item, f"{path}[{index}]")
        elif isinstance(value, dict):
            for each in self.fields:
                if each.name in value:
                    yield from each.parts(value[each.name], f"{path}.{each.name}" if path else each.name)

    def mapped(self, value: Any, change: Callable[[FieldSchema, Any], Any]) -> Any:
        """Return a value with each part made anew from its schema and itself, the inner parts first."""
        if self.element is not None and isinstance(value, list):
            value = [self.element.mapped(item, change) for item in value]
        elif self.fields and isinstance(value, dict):
            present = [each for each in self.fields if each.name in value]
            value = value | {each.name: each.mapped(value[each.name], change) for each in present}
        return change(self, value)

    def with_struct(self, struct: StructType) -> FieldSchema:
        """Return the field with another struct for itself or its elements."""
        if isinstance(self.data_type, ArrayType):
            return replace(self, data_type=ArrayType(replace(self.data_type.element, data_type=struct)))
        return replace(self, data_type=struct)


def implicit_field(name: str, type_name: str, *, compact: bool = False, nullable: bool = False) -> FieldSchema:
    """Return a field of a primitive type with the default of the type."""
    default = IMPLICIT_DEFAULTS[type_name]
    return FieldSchema(name, PrimitiveType(type_name), compact=compact, nullable=nullable, default=default)


@dataclass(frozen=True)
class MessageSchema:
    """A message at one version."""

    message: str
    version: int
    kind: str
    """One of `reference.definitions.model.KINDS`."""
    api_key: int | None
    flexible: bool
    fields: tuple[FieldSchema, ...]
    absent_fields: tuple[FieldSchema, ...]
    tags_elsewhere: frozenset[int] = field(default=frozenset(), repr=False)
    dialect: str = RELEASED
    """The protocol of the message's bytes."""
    limits: Limits = field(default=UNLIMITED, repr=False, compare=False)
    """The limits of Apache Kafka's reader in the release of the schema."""

    def __hash__(self) -> int:
        return hash((self.message, self.version, self.kind))

    def __str__(self) -> str:
        return f"{self.message}-v{self.version}"

    @property
    def direction(self) -> FrameDirection:
        """The direction of a frame with the message, `request` for a request and `response` for any other message."""
        return "request" if self.kind == "request" else "response"

    @property
    def stored_form(self) -> Literal["prefixed", "record"] | None:
        """The form of the message where it is stored, or None if it never is.

        A stored message begins with an int16 (`prefixed`), or with the frame of a metadata record (`record`).
        """
        return STORED_FORMS.get(self.kind)

    @cached_property
    def struct(self) -> StructType:
        """The message's body as a struct."""
        return StructType(
            self.message,
            self.fields,
            self.absent_fields,
            flexible=self.flexible,
            tags_elsewhere=self.tags_elsewhere,
            dialect=self.dialect,
        )

    @cached_property
    def body(self) -> FieldSchema:
        """The message's body as a field without a name."""
        return FieldSchema("", self.struct)
