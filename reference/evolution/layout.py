"""The layout of fields on the wire, apart from their names.

Two fields of the same layout have the same bytes. A struct that cannot be null adds no byte of its own in a version
that is not flexible. So `[]int32` and an array of structs with one int32 have the same layout there (rule 7.1.4). Bytes
and records always have the same layout (rule 1.1.10). Defaults of tagged fields are part of a layout, as they are the
meaning of no bytes. Two dialects differ in their tag sections, and so only in structs with one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.protocols import protocol_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference.schema import FieldSchema
    from reference.wire.tags import TagSection

Layout = tuple[object, ...]
"""A hashable value, equal for fields written in the same way."""

_SIZED = ("string", "bytes", "array")
_PLAIN = {"records": "bytes", "int16": "fixed16", "int32": "fixed32", "int64": "fixed64"}


def written_as(field: FieldSchema) -> str:
    """Return the encoding of a field that is no struct, its own (KIP-625) or that of its type."""
    return field.encoding or _PLAIN.get(field.type, field.type)


def layout(fields: Iterable[FieldSchema], *, tagged: bool = True) -> Layout:
    """Return the layout of consecutive fields without a tag, with `tagged` also of the tagged fields inside them."""
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
    """Return the class of a struct's tag section, or None if it has none."""
    return protocol_of(struct.dialect).tag_section if struct.flexible else None


def leaves(fields: Iterable[FieldSchema]) -> Iterator[FieldSchema]:
    """Yield the fields one after another on the wire, with those of a struct in its place and tagged ones last."""
    fields = tuple(fields)
    for field in (*(each for each in fields if each.tag is None), *(each for each in fields if each.tag is not None)):
        if field.type == "struct" and not field.nullable and field.tag is None:
            yield from leaves(field.fields)
        else:
            yield field


def unset(field: FieldSchema) -> tuple[str, ...]:
    """Return the default of a field as text, for a struct as those of its fields. Equal values have equal texts.

    Records that may not be null have null as their default, although nobody can write it (rule 4.2.2): they count as
    empty.
    """
    default: Any = field.default
    if default is None:
        return ("null",) if field.nullable else (repr(b""),)
    if field.type == "struct":
        present = ("present",) if field.nullable else ()
        return (*present, *(part for each in field.fields for part in unset(each)))
    return (repr(default),)


def type_name(field: FieldSchema) -> str:
    """Return the type of a field, as written in a definition."""
    if field.element is not None:
        return f"[]{type_name(field.element)}"
    return field.struct_name or field.type


def below(path: str, field: FieldSchema) -> str:
    """Return the path of a field in the struct at `path`."""
    return f"{path}.{field.name}" if path else field.name
