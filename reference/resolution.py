"""Resolve a definition at one version to a schema.

`resolve(definition, version)` alone knows about ranges of versions: a field of the schema is present, nullable, compact
or tagged, or it is not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from reference.definitions.defaults import STRUCT_DEFAULT, default_of
from reference.schema import ArrayType, DataType, FieldSchema, MessageSchema, PrimitiveType, StructType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference.definitions.model import Definition, FieldDefinition


def resolve(definition: Definition, version: int) -> MessageSchema:
    """Return the schema of `definition` at `version`, or raise ValueError if it has no such version."""
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

    A common struct may be used in a version beyond its own versions. It is then read and written as in its `nearest`
    version: its generated code does not ask for a version if the answer is the same in all its versions (rule 8.10).
    """

    def __init__(self, definition: Definition, version: int, nearest: int | None = None) -> None:
        self.definition = definition
        self.message_version = version
        self.version = version if nearest is None else nearest
        self.flexible = self.version in definition.flexible_versions

    def struct(self, name: str, fields: Iterable[FieldDefinition]) -> StructType:
        fields = tuple(fields)
        numbered = tuple(enumerate(fields))
        present = tuple(self.present(at, each) for at, each in numbered if self.version in each.versions)
        return StructType(
            name,
            present,
            tuple(self.absent(at, each) for at, each in numbered if self.version not in each.versions),
            flexible=self.flexible,
            tags_elsewhere=frozenset(each.tag for each in fields if each.tag is not None)
            - {each.tag for each in present if each.tag is not None},
            dialect=self.definition.dialect,
        )

    def present(self, position: int, definition: FieldDefinition) -> FieldSchema:
        flexible = definition.flexible_versions
        return self._field(
            position,
            definition,
            self._struct_of(definition),
            nullable=self.version in definition.nullable_versions,
            tag=definition.tag if self.version in definition.tagged_versions else None,
            compact=self.flexible if flexible is None else self.version in flexible,
        )

    def absent(self, position: int, definition: FieldDefinition) -> FieldSchema:
        """Return a field of other versions, with all its own, nullable if it ever is (rules 4.3.1 to 4.3.3)."""
        struct = None
        if definition.struct_name is not None:
            fields = tuple(self.absent(at, each) for at, each in enumerate(self._fields_of(definition)))
            struct = StructType(definition.struct_name, fields, every_version=True, dialect=self.definition.dialect)
        return self._field(position, definition, struct, nullable=not definition.nullable_versions.empty)

    def _field(  # noqa: PLR0913  # one argument for each attribute that depends on presence
        self,
        position: int,
        definition: FieldDefinition,
        struct: StructType | None,
        *,
        nullable: bool,
        tag: int | None = None,
        compact: bool = False,
    ) -> FieldSchema:
        return FieldSchema(
            definition.name,
            self._data_type(definition, struct, compact=compact),
            nullable=nullable,
            tag=tag,
            default=_default(definition, struct),
            ignorable=definition.ignorable,
            compact=compact,
            map_key=definition.map_key,
            position=position,
        )

    def _data_type(self, definition: FieldDefinition, struct: StructType | None, *, compact: bool) -> DataType:
        if not definition.is_array:
            return struct or PrimitiveType(definition.type, definition.encoding(self.version))
        default = _default(replace(definition, type=definition.element_type, default=None), struct)
        element_type = struct or PrimitiveType(definition.element_type)
        return ArrayType(FieldSchema(definition.name, element_type, compact=compact, default=default))

    def _struct_of(self, definition: FieldDefinition) -> StructType | None:
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


def _default(definition: FieldDefinition, struct: StructType | None) -> Any:
    default = default_of(definition)
    if default is STRUCT_DEFAULT and struct is not None:
        return {each.name: each.default for each in struct.fields}
    return default
