"""What stands on the wire, whatever it is called: two fields of the same layout have the same bytes.

A struct that cannot be null adds no byte of its own in a version that is not flexible, so `[]int32` and an array of
structs with one int32 have the same layout there (rule 7.1.4). Bytes and records always have the same (rule 1.1.10).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference.schema import FieldSchema

Layout = tuple[object, ...]
"""Hashable; equal for what is written in the same way."""

_SIZED = ("string", "bytes", "array")
_PLAIN = {"records": "bytes", "int16": "fixed16", "int32": "fixed32", "int64": "fixed64"}


def written_as(field: FieldSchema) -> str:
    """How a field that is no struct goes on the wire: by its encoding (KIP-625), or by its type."""
    return field.encoding or _PLAIN.get(field.type, field.type)


def layout(fields: Iterable[FieldSchema]) -> Layout:
    """The layout of fields that follow one another, none of which is tagged."""
    return tuple(part for field in fields for part in _parts(field))


def _parts(field: FieldSchema) -> Iterator[object]:
    if field.type == "struct":
        parts = layout(each for each in field.fields if each.tag is None)
        section = (("section", _section(field.fields)),) if field.flexible else ()
        yield from (("nullable", *parts, *section),) if field.nullable else (*parts, *section)
        return
    name = written_as(field)
    element = layout([field.element]) if field.element else ()
    yield (name, field.nullable, field.compact if name in _SIZED else None, element)


def _section(fields: Iterable[FieldSchema]) -> Layout:
    return tuple(sorted((each.tag, layout([each])) for each in fields if each.tag is not None))


def type_name(field: FieldSchema) -> str:
    """The type of a field, as a definition has it."""
    if field.element is not None:
        return f"[]{type_name(field.element)}"
    return field.struct_name or field.type


def below(path: str, field: FieldSchema) -> str:
    """The path of a field in the struct at `path`."""
    return f"{path}.{field.name}" if path else field.name
