"""Values with a field that only other versions have: dropped if it is ignorable or at its default, else refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate.cases import Variation, populated_of
from reference import FieldSchema, MessageSchema, minimal
from reference.values.defaults import fresh, minimal_of

if TYPE_CHECKING:
    from collections.abc import Iterator

DROPPED = "ignorable.dropped"
REFUSED = "ignorable.refused"


def absent_cases(schema: MessageSchema) -> Iterator[tuple[str, Variation]]:
    """Yield each field of other versions, at every level, with its default and with something else; and the rule."""
    yield from _struct(schema.body, minimal(schema))


def _struct(struct: FieldSchema, smallest: dict[str, Any]) -> Iterator[tuple[str, Variation]]:
    for field in struct.absent_fields:
        for what, value in (("default", fresh(field.default)), ("set", populated_of(field))):
            rule = DROPPED if field.ignorable or what == "default" else REFUSED
            yield rule, Variation(field.name, f"absent-{what}", {**smallest, field.name: value})
    for field in struct.fields:
        for rule, variation in _inside(field):
            yield rule, variation.inside(field.name, {**smallest, field.name: variation.value})


def _inside(field: FieldSchema) -> Iterator[tuple[str, Variation]]:
    if field.element is not None:
        for rule, variation in _inside(field.element):
            yield rule, variation.inside("[0]", [variation.value])
    elif field.type == "struct":
        yield from _struct(field, {each.name: minimal_of(each) for each in field.fields})
