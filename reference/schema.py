"""A definition resolved at one version: what is on the wire, in order.

`resolve(definition, version)` answers every question that a codec asks of a definition ("is this field there, may
it be null, is it compact, is it tagged?"), so that nothing below this module knows about version ranges.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from reference.definitions.defaults import STRUCT_DEFAULT, default_of
from reference.definitions.model import RELEASED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference.definitions.model import Definition, FieldDefinition


@dataclass(frozen=True)
class FieldSchema:
    """One field, or one array element, of a message at one version."""

    name: str
    type: str
    """A wire type: one of `reference.definitions.model.PRIMITIVES`, `array` or `struct`."""
    element: FieldSchema | None = None
    """What an array holds; its name is the array's own, and it is never nullable (rule 1.1.17)."""
    fields: tuple[FieldSchema, ...] = ()
    """The fields of a struct that this version has, tagged ones included, in the order of the definition."""
    absent_fields: tuple[FieldSchema, ...] = ()
    """The fields of a struct that the definition has only in other versions."""
    nullable: bool = False
    tag: int | None = None
    """The tag, if the field is tagged in this version."""
    default: Any = None
    """The value that the field has when nobody sets it: never to be changed in place."""
    ignorable: bool = False
    compact: bool = False
    """Whether strings, bytes, records and array counts have the compact form."""
    map_key: bool = False
    position: int = 0
    """The field's place in the definition, counted over all versions."""
    flexible: bool = False
    """For a struct: whether it ends with a tag section."""
    struct: str | None = None
    """The name of a struct's type."""
    every_version: bool = False
    """For the struct of an absent field: `fields` are those of all versions, and a value may have any of them."""
    tags_elsewhere: frozenset[int] = frozenset()
    """For a struct: tags that the definition gives to fields which are not tagged in this version (rule 2.5.5)."""
    dialect: str = RELEASED
    """For a struct: which protocol's bytes it is."""
    encoding: str | None = None
    """How an integer goes on the wire, where the definition says so (KIP-625); None: as its type does."""

    def __hash__(self) -> int:
        return hash((self.name, self.type, self.tag))

    @property
    def written_type(self) -> str:
        """The type of what can be written: the field's own, or an integer as narrow as its encoding."""
        return self.type if self.encoding is None else "int" + self.encoding.lstrip(ascii_lowercase)


@dataclass(frozen=True)
class MessageSchema:
    """A message at one version. Its body is a struct: see `body`."""

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
    """Which protocol's bytes these are."""

    def __hash__(self) -> int:
        return hash((self.message, self.version, self.kind))

    def __str__(self) -> str:
        return f"{self.message}-v{self.version}"

    @property
    def body(self) -> FieldSchema:
        """The message's body as the struct that it is."""
        return FieldSchema(
            name="",
            type="struct",
            fields=self.fields,
            absent_fields=self.absent_fields,
            flexible=self.flexible,
            struct=self.message,
            tags_elsewhere=self.tags_elsewhere,
            dialect=self.dialect,
        )


def resolve(definition: Definition, version: int) -> MessageSchema:
    """Resolve `definition` at `version`.

    Raises:
        ValueError: the definition has no such version.
    """
    if version not in definition.valid_versions:
        raise ValueError(f"{definition.name} has no version {version}: its versions are {definition.valid_versions}")
    body = _Resolver(definition, version).struct(definition.name, definition.fields)
    return MessageSchema(
        message=definition.name,
        version=version,
        kind=definition.kind,
        api_key=definition.api_key,
        flexible=body.flexible,
        fields=body.fields,
        absent_fields=body.absent_fields,
        tags_elsewhere=body.tags_elsewhere,
        dialect=definition.dialect,
    )


class _Resolver:
    """One walk over a definition at one version.

    A common struct that is used in a version beyond its own versions is read and written as in the nearest one that it
    has: its code asks no question about a version whose answer is the same in all of them (rule 8.10).

    Args:
        definition: the message.
        version: the version of the message.
        nearest: the version that counts in the struct at hand; as a rule, the same.
    """

    def __init__(self, definition: Definition, version: int, nearest: int | None = None) -> None:
        self.definition = definition
        self.message_version = version
        self.version = version if nearest is None else nearest
        self.flexible = self.version in definition.flexible_versions

    def struct(self, name: str, fields: Iterable[FieldDefinition]) -> FieldSchema:
        """A struct with those fields that this version has."""
        fields = tuple(fields)
        numbered = tuple(enumerate(fields))
        present = tuple(self.present(at, each) for at, each in numbered if self.version in each.versions)
        return FieldSchema(
            name=name,
            type="struct",
            fields=present,
            absent_fields=tuple(self.absent(at, each) for at, each in numbered if self.version not in each.versions),
            flexible=self.flexible,
            struct=name,
            tags_elsewhere=frozenset(each.tag for each in fields if each.tag is not None)
            - {each.tag for each in present if each.tag is not None},
            dialect=self.definition.dialect,
        )

    def present(self, position: int, definition: FieldDefinition) -> FieldSchema:
        """A field that this version has."""
        return self._field(
            definition,
            position=position,
            nullable=self.version in definition.nullable_versions,
            tag=definition.tag if self.version in definition.tagged_versions else None,
            compact=self._compact(definition),
            struct=self._struct_of(definition),
        )

    def absent(self, position: int, definition: FieldDefinition) -> FieldSchema:
        """A field of other versions: all its own fields, nullable if it ever is (rules 4.3.1 to 4.3.3)."""
        fields = tuple(self.absent(at, each) for at, each in enumerate(self._fields_of(definition)))
        name = definition.struct_name
        return self._field(
            definition,
            position=position,
            nullable=not definition.nullable_versions.empty,
            tag=None,
            compact=False,
            struct=None
            if name is None
            else FieldSchema(name=name, type="struct", fields=fields, struct=name, every_version=True),
        )

    def _field(  # noqa: PLR0913  # one argument for each thing that depends on presence
        self,
        definition: FieldDefinition,
        *,
        position: int,
        nullable: bool,
        tag: int | None,
        compact: bool,
        struct: FieldSchema | None,
    ) -> FieldSchema:
        is_struct = struct is not None and not definition.is_array
        return FieldSchema(
            name=definition.name,
            type="array" if definition.is_array else "struct" if is_struct else definition.type,
            element=_element(definition, struct, compact=compact) if definition.is_array else None,
            fields=struct.fields if struct and is_struct else (),
            absent_fields=struct.absent_fields if struct and is_struct else (),
            nullable=nullable,
            tag=tag,
            default=_default(definition, struct),
            ignorable=definition.ignorable,
            compact=compact,
            map_key=definition.map_key,
            position=position,
            flexible=struct.flexible if struct and is_struct else False,
            struct=struct.struct if struct and is_struct else None,
            every_version=struct.every_version if struct and is_struct else False,
            tags_elsewhere=struct.tags_elsewhere if struct and is_struct else frozenset(),
            dialect=self.definition.dialect,
            encoding=definition.encoding(self.version),
        )

    def _compact(self, definition: FieldDefinition) -> bool:
        if definition.flexible_versions is None:
            return self.flexible
        return self.version in definition.flexible_versions

    def _struct_of(self, definition: FieldDefinition) -> FieldSchema | None:
        name = definition.struct_name
        if name is None:
            return None
        common = self.definition.common_struct(name)
        if common is None:
            return self.struct(name, definition.fields)
        nearest = common.versions.nearest(self.message_version)
        return _Resolver(self.definition, self.message_version, nearest).struct(name, common.fields)

    def _fields_of(self, definition: FieldDefinition) -> tuple[FieldDefinition, ...]:
        name = definition.struct_name
        common = None if name is None else self.definition.common_struct(name)
        return definition.fields if common is None else common.fields


def _element(definition: FieldDefinition, struct: FieldSchema | None, *, compact: bool) -> FieldSchema:
    """What an array holds: a field of the element's type, with that type's own default."""
    default = _default(replace(definition, type=definition.element_type, default=None), struct)
    if struct is None:
        return FieldSchema(name=definition.name, type=definition.element_type, compact=compact, default=default)
    return replace(struct, name=definition.name, compact=compact, default=default)


def _default(definition: FieldDefinition, struct: FieldSchema | None) -> Any:
    default = default_of(definition)
    if default is STRUCT_DEFAULT and struct is not None:
        return {each.name: each.default for each in struct.fields}
    return default
