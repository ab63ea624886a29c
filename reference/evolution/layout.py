"""What stands on the wire, whatever it is called: two fields of the same layout have the same bytes.

A struct that cannot be null adds no byte of its own in a version that is not flexible, so `[]int32` and an array of
structs with one int32 have the same layout there (rule 7.1.4). Bytes and records always have the same (rule 1.1.10).
Defaults of tagged fields are part of a layout, as they are the meaning of no bytes. Two dialects differ in their tag
sections, and so only in structs that have one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.protocols import protocol_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference.schema import FieldSchema
    from reference.wire.tags import TagSection

Layout = tuple[object, ...]
"""Hashable; equal for what is written in the same way."""

_SIZED = ("string", "bytes", "array")
_PLAIN = {"records": "bytes", "int16": "fixed16", "int32": "fixed32", "int64": "fixed64"}


def written_as(field: FieldSchema) -> str:
    """How a field that is no struct goes on the wire: by its encoding (KIP-625), or by its type."""
    return field.encoding or _PLAIN.get(field.type, field.type)


def layout(fields: Iterable[FieldSchema], *, tagged: bool = True) -> Layout:
    """The layout of fields that follow one another, none of which is tagged; `tagged`: with the tagged ones inside."""
    return tuple(part for field in fields for part in _parts(field, tagged=tagged))


def _parts(field: FieldSchema, *, tagged: bool) -> Iterator[object]:
    if field.type == "struct":
        parts = _struct(field, tagged=tagged)
        yield from (("nullable", *parts),) if field.nullable else parts
        return
    name = written_as(field)
    element = layout([field.element], tagged=tagged) if field.element else ()
    yield (name, field.nullable, field.compact if name in _SIZED else None, element)


def _struct(struct: FieldSchema, *, tagged: bool) -> Layout:
    fields = layout((each for each in struct.fields if each.tag is None), tagged=tagged)
    if not struct.flexible:
        return fields
    entries = sorted((each.tag, unset(each), layout([each])) for each in struct.fields if each.tag is not None)
    section = (("section", section_of(struct), tuple(entries) if tagged else ()),)
    return (*section, *fields) if protocol_of(struct.dialect).section_first else (*fields, *section)


def section_of(struct: FieldSchema) -> type[TagSection] | None:
    """How the tag section of a struct goes on the wire; None if it has none."""
    return protocol_of(struct.dialect).tag_section if struct.flexible else None


def leaves(fields: Iterable[FieldSchema]) -> Iterator[FieldSchema]:
    """The fields that stand on the wire one after another, those of a struct in its place; tagged ones last."""
    fields = tuple(fields)
    for field in (*(each for each in fields if each.tag is None), *(each for each in fields if each.tag is not None)):
        if field.type == "struct" and not field.nullable and field.tag is None:
            yield from leaves(field.fields)
        else:
            yield field


def unset(field: FieldSchema) -> tuple[str, ...]:
    """The default of a field as text, that of a struct as those of its fields; equal for what is the same value.

    Records that may not be null have null as their default, which nobody can write (rule 4.2.2): they count as empty.
    """
    default: Any = field.default
    if default is None:
        return ("null",) if field.nullable else (repr(b""),)
    if field.type == "struct":
        present = ("present",) if field.nullable else ()
        return (*present, *(part for each in field.fields for part in unset(each)))
    return (repr(default),)


def type_name(field: FieldSchema) -> str:
    """The type of a field, as a definition has it."""
    if field.element is not None:
        return f"[]{type_name(field.element)}"
    return field.struct_name or field.type


def below(path: str, field: FieldSchema) -> str:
    """The path of a field in the struct at `path`."""
    return f"{path}.{field.name}" if path else field.name
