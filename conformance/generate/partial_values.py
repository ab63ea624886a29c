"""Values that leave out one field which has a default: a tagged or an ignorable one, at every level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate.cases import Variation
from reference import FieldSchema, MessageSchema, minimal
from reference.values.defaults import fresh, minimal_of

if TYPE_CHECKING:
    from collections.abc import Iterator

LEFT_OUT = "left-out"


def partial_cases(schema: MessageSchema) -> Iterator[tuple[Variation, dict[str, Any]]]:
    """Yield each partial value, and the whole one that it stands for: with the field at its default."""
    yield from _struct(schema.body, minimal(schema))


def _struct(struct: FieldSchema, smallest: dict[str, Any]) -> Iterator[tuple[Variation, dict[str, Any]]]:
    for field in struct.fields:
        has_default = field.tag is not None or field.ignorable
        if has_default and (field.nullable or field.default is not None):
            partial = {name: item for name, item in smallest.items() if name != field.name}
            yield Variation(field.name, LEFT_OUT, partial), {**smallest, field.name: fresh(field.default)}
        for variation, whole in _inside(field):
            partial = {**smallest, field.name: variation.value}
            yield variation.inside(field.name, partial), {**smallest, field.name: whole}


def _inside(field: FieldSchema) -> Iterator[tuple[Variation, Any]]:
    if field.element is not None:
        for variation, whole in _inside(field.element):
            yield variation.inside("[0]", [variation.value]), [whole]
    elif field.type == "struct":
        yield from _struct(field, {each.name: minimal_of(each) for each in field.fields})
