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
from reference import FieldSchema, MessageSchema
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


@lru_cache(maxsize=4)
def hypotheses(schema: MessageSchema) -> tuple[Hypothesis, ...]:
    """Every single mistake that is tried, the coarsest last."""
    body, usual = schema.body, protocol_of(schema.dialect)
    wrong_schemas = (
        Hypothesis(rule, path, usual.body(wrong, inside_tag=False), _with_body(schema, wrong))
        for rule, path, wrong in _mistakes(body)
    )
    wrong_protocols = (
        Hypothesis(rule, path, protocol.body(body, inside_tag=False), schema)
        for rule, path, protocol in wrong_forms(schema)
    )
    return (*wrong_schemas, *wrong_protocols)


def _mistakes(body: FieldSchema) -> Wrong:
    for kind in (_presence, _nullability, _order, _defaults):
        yield from kind(body, "")
    yield from _sections(body)
    yield from _flexibility(body)


def _with_body(schema: MessageSchema, body: FieldSchema) -> MessageSchema:
    return replace(schema, fields=body.fields, absent_fields=body.absent_fields, flexible=body.flexible)


Wrong = Iterator[tuple[str, str, FieldSchema]]
Mistakes = Callable[[FieldSchema, str], Wrong]


def _presence(struct: FieldSchema, path: str) -> Wrong:
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


def _nullability(struct: FieldSchema, path: str) -> Wrong:
    """One struct with a marker too many or too few."""
    for field in struct.fields:
        if field.type == "struct":
            wrong = replace(field, nullable=not field.nullable)
            yield _marker_rule(struct, wrong), path + field.name, _replaced(struct, field, wrong)
    yield from _inside(struct, path, _nullability)


def _marker_rule(struct: FieldSchema, field: FieldSchema) -> str:
    """The rule of the marker of a field that is a struct: a compact one is a varint."""
    return "struct.tagged-marker" if field.tag is not None and protocol_of(struct.dialect).compact else "struct.marker"


def _order(struct: FieldSchema, path: str) -> Wrong:
    """Two neighbours have changed places, or the fields of a struct are sorted by their names."""
    for first, second in pairwise(each for each in struct.fields if each.tag is None):
        swapped = {first.name: second, second.name: first}
        fields = tuple(swapped.get(each.name, each) for each in struct.fields)
        yield "struct.field-order", path + first.name, replace(struct, fields=fields)
    fields = tuple(sorted(struct.fields, key=lambda each: each.name.lower()))
    yield "struct.field-order", path + fields[0].name if fields else path, replace(struct, fields=fields)
    yield from _inside(struct, path, _order)


def _defaults(struct: FieldSchema, path: str) -> Wrong:
    """One tagged field whose default is taken for the zero of its type."""
    for field in struct.fields:
        zero = ZEROS.get(field.type)
        if field.tag is not None and zero is not None and field.default != zero:
            yield "default.value", path + field.name, _replaced(struct, field, replace(field, default=zero))
    yield from _inside(struct, path, _defaults)


ZEROS: dict[str, Any] = {**dict.fromkeys(INTEGER_RANGES, 0), "bool": False, "string": "", "array": []}
"""What a field holds that was never set, in most languages."""


def _inside(struct: FieldSchema, path: str, mistakes: Mistakes) -> Wrong:
    """The same mistakes, one level further down."""
    for field in struct.fields:
        inner = field.element or field
        if inner.type != "struct":
            continue
        step = f"{path}{field.name}[]." if field.element else f"{path}{field.name}."
        for rule, where, wrong in mistakes(inner, step):
            changed = replace(field, element=wrong) if field.element else wrong
            yield rule, where, _replaced(struct, field, changed)


def _replaced(struct: FieldSchema, field: FieldSchema, by: FieldSchema) -> FieldSchema:
    return replace(struct, fields=tuple(by if each is field else each for each in struct.fields))


def _sections(body: FieldSchema) -> Wrong:
    """Tag sections where there are none, or none where there are: everywhere, in empty structs, inside tags."""
    rules = protocol_of(body.dialect).tag_section.rules
    yield rules.section, "", _with_sections(body, flexible=not body.flexible)
    if body.flexible:
        yield rules.section, "", _without_empty_sections(body)
        yield rules.nested_section, "", _without_nested_sections(body, inside_tag=False)


def _map_structs(struct: FieldSchema, change: Callable[[FieldSchema, FieldSchema], FieldSchema]) -> FieldSchema:
    fields = []
    for field in struct.fields:
        if field.element is not None and field.element.type == "struct":
            fields.append(replace(field, element=change(field.element, field)))
        elif field.type == "struct":
            fields.append(change(field, field))
        else:
            fields.append(field)
    return replace(struct, fields=tuple(fields))


def _with_sections(struct: FieldSchema, *, flexible: bool) -> FieldSchema:
    inner = _map_structs(struct, lambda each, _: _with_sections(each, flexible=flexible))
    return replace(inner, flexible=flexible)


def _without_empty_sections(struct: FieldSchema) -> FieldSchema:
    inner = _map_structs(struct, lambda each, _: _without_empty_sections(each))
    return inner if struct.fields else replace(inner, flexible=False)


def _without_nested_sections(struct: FieldSchema, *, inside_tag: bool) -> FieldSchema:
    inner = _map_structs(
        struct,
        lambda each, field: _without_nested_sections(each, inside_tag=inside_tag or field.tag is not None),
    )
    return replace(inner, flexible=False) if inside_tag else inner


def _flexibility(body: FieldSchema) -> Wrong:
    """The whole message flexible where it is not, or the other way round."""
    yield "version.flexible", "", _toggled(body, flexible=not body.flexible)


def _toggled(field: FieldSchema, *, flexible: bool) -> FieldSchema:
    return replace(
        field,
        compact=flexible and protocol_of(field.dialect).compact,
        flexible=flexible if field.type == "struct" else False,
        tag=field.tag if flexible else None,
        element=_toggled(field.element, flexible=flexible) if field.element else None,
        fields=tuple(_toggled(each, flexible=flexible) for each in field.fields if flexible or each.tag is None),
    )
