"""Schemas that are wrong in one way, to explain what an implementation did.

If bytes are exactly those of a codec that takes one field for present in a version that lacks it, then that is the
rule to name, wherever the first different byte may be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.blame.wrong_forms import wrong_forms
from reference import ArrayType, DataType, FieldSchema, MessageSchema, PrimitiveType, StructType
from reference.definitions.model import INTEGER_RANGES
from reference.protocols import protocol_of

if TYPE_CHECKING:
    from reference.wire.base import WireType


class Hypothesis(NamedTuple):
    """A single mistake, and the wire type of a codec that makes it."""

    rule: str
    path: str
    wire_type: WireType
    schema: MessageSchema


@lru_cache(maxsize=32)
def hypotheses(schema: MessageSchema) -> tuple[Hypothesis, ...]:
    """Every single mistake that is tried, the coarsest last."""
    body, usual = schema.struct, protocol_of(schema.dialect)
    wrong_schemas = (
        Hypothesis(rule, path, usual.body(wrong, inside_tag=False), _with_body(schema, wrong))
        for rule, path, wrong in _mistakes(body)
    )
    wrong_protocols = (
        Hypothesis(rule, path, protocol.body(body, inside_tag=False), schema)
        for rule, path, protocol in wrong_forms(schema)
    )
    return (*wrong_schemas, *wrong_protocols)


def _mistakes(body: StructType) -> Wrong:
    for kind in (_presence, _nullability, _order, _defaults, _widths):
        yield from kind(body, "")
    yield from _sections(body)
    yield from _flexibility(body)


def _with_body(schema: MessageSchema, body: StructType) -> MessageSchema:
    return replace(schema, fields=body.fields, absent_fields=body.absent_fields, flexible=body.flexible)


Wrong = Iterator[tuple[str, str, StructType]]
Mistakes = Callable[[StructType, str], Wrong]


def _presence(struct: StructType, path: str) -> Wrong:
    """One field dropped, or one field of other versions taken for present."""
    for field in struct.fields:
        if field.tag is not None:
            continue  # left out, a tagged field says nothing about versions
        kept = tuple(each for each in struct.fields if each is not field)
        yield "version.field-presence", path + field.name, replace(struct, fields=kept)
    for field in struct.absent_fields:
        present = replace(field, compact=struct.flexible and protocol_of(struct.dialect).compact)
        fields = tuple(sorted((*struct.fields, present), key=lambda each: each.position))
        yield "version.field-presence", path + field.name, replace(struct, fields=fields)
    yield from _inside(struct, path, _presence)


def _nullability(struct: StructType, path: str) -> Wrong:
    """One struct with a marker too many or too few."""
    for field in struct.fields:
        if field.type == "struct":
            wrong = replace(field, nullable=not field.nullable)
            yield _marker_rule(struct, wrong), path + field.name, _replaced(struct, field, wrong)
    yield from _inside(struct, path, _nullability)


def _marker_rule(struct: StructType, field: FieldSchema) -> str:
    """The rule of the marker of a field that is a struct: a compact one is a varint."""
    return "struct.tagged-marker" if field.tag is not None and protocol_of(struct.dialect).compact else "struct.marker"


def _order(struct: StructType, path: str) -> Wrong:
    """Two neighbours have changed places, or the fields of a struct are sorted by their names."""
    for first, second in pairwise(each for each in struct.fields if each.tag is None):
        swapped = {first.name: second, second.name: first}
        fields = tuple(swapped.get(each.name, each) for each in struct.fields)
        yield "struct.field-order", path + first.name, replace(struct, fields=fields)
    fields = tuple(sorted(struct.fields, key=lambda each: each.name.lower()))
    yield "struct.field-order", path + fields[0].name if fields else path, replace(struct, fields=fields)
    yield from _inside(struct, path, _order)


def _defaults(struct: StructType, path: str) -> Wrong:
    """One tagged field whose default is taken for the zero of its type."""
    for field in struct.fields:
        zero = ZEROS.get(field.type)
        if field.tag is not None and zero is not None and field.default != zero:
            yield "default.value", path + field.name, _replaced(struct, field, replace(field, default=zero))
    yield from _inside(struct, path, _defaults)


ZEROS: dict[str, Any] = {**dict.fromkeys(INTEGER_RANGES, 0), "bool": False, "string": "", "array": []}
"""What a field holds that was never set, in most languages."""


def _widths(struct: StructType, path: str) -> Wrong:
    """One integer, or each element of an array of integers, with the bytes of another type."""
    for field in struct.fields:
        number = field.item
        if number.type in INTEGER_RANGES and number.encoding is None:
            for other in ("int8", "int16", "int32", "int64"):
                wrong = _with_item(field, PrimitiveType(other))
                if other != number.type:
                    yield "int.width-and-order", path + field.name, _replaced(struct, field, wrong)
    yield from _inside(struct, path, _widths)


def _with_item(field: FieldSchema, item: PrimitiveType) -> FieldSchema:
    """Return the field with another type, of its elements if it is an array."""
    if field.element is None:
        return replace(field, data_type=item)
    return replace(field, data_type=ArrayType(replace(field.element, data_type=item)))


def _inside(struct: StructType, path: str, mistakes: Mistakes) -> Wrong:
    """The same mistakes, one level further down."""
    for field in struct.fields:
        if field.struct is None:
            continue
        step = f"{path}{field.name}[]." if field.element else f"{path}{field.name}."
        for rule, where, wrong in mistakes(field.struct, step):
            yield rule, where, _replaced(struct, field, field.with_struct(wrong))


def _replaced(struct: StructType, field: FieldSchema, by: FieldSchema) -> StructType:
    return replace(struct, fields=tuple(by if each is field else each for each in struct.fields))


def _sections(body: StructType) -> Wrong:
    """Tag sections where there are none, or none where there are: everywhere, in empty structs, inside tags."""
    rules = protocol_of(body.dialect).tag_section.rules
    yield rules.section, "", _with_sections(body, flexible=not body.flexible)
    if body.flexible:
        yield rules.section, "", _without_empty_sections(body)
        yield rules.nested_section, "", _without_nested_sections(body, inside_tag=False)


def _map_structs(struct: StructType, change: Callable[[StructType, FieldSchema], StructType]) -> StructType:
    fields = (field.with_struct(change(field.struct, field)) if field.struct else field for field in struct.fields)
    return replace(struct, fields=tuple(fields))


def _with_sections(struct: StructType, *, flexible: bool) -> StructType:
    inner = _map_structs(struct, lambda each, _: _with_sections(each, flexible=flexible))
    return replace(inner, flexible=flexible)


def _without_empty_sections(struct: StructType) -> StructType:
    inner = _map_structs(struct, lambda each, _: _without_empty_sections(each))
    return inner if struct.fields else replace(inner, flexible=False)


def _without_nested_sections(struct: StructType, *, inside_tag: bool) -> StructType:
    inner = _map_structs(
        struct,
        lambda each, field: _without_nested_sections(each, inside_tag=inside_tag or field.tag is not None),
    )
    return replace(inner, flexible=False) if inside_tag else inner


def _flexibility(body: StructType) -> Wrong:
    """The whole message flexible where it is not, or the other way round."""
    compact = not body.flexible and protocol_of(body.dialect).compact
    yield "version.flexible", "", _toggled(body, flexible=not body.flexible, compact=compact)


def _toggled(struct: StructType, *, flexible: bool, compact: bool) -> StructType:
    kept = (field for field in struct.fields if flexible or field.tag is None)
    fields = tuple(_toggled_field(field, flexible=flexible, compact=compact) for field in kept)
    return replace(struct, flexible=flexible, fields=fields)


def _toggled_field(field: FieldSchema, *, flexible: bool, compact: bool) -> FieldSchema:
    data_type: DataType = field.data_type
    match data_type:
        case ArrayType(element):
            data_type = ArrayType(_toggled_field(element, flexible=flexible, compact=compact))
        case StructType():
            data_type = _toggled(data_type, flexible=flexible, compact=compact)
    return replace(field, data_type=data_type, compact=compact, tag=field.tag if flexible else None)
