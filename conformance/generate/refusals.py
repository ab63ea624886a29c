"""Values that no writer may write: null, too long, out of range; one thing wrong at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate import edges
from conformance.generate.cases import Variation
from reference import FieldSchema, MessageSchema, minimal
from reference.definitions.model import INTEGER_RANGES
from reference.values.defaults import minimal_of

if TYPE_CHECKING:
    from collections.abc import Iterator

TOO_LONG = 32_768


def unwritable_cases(schema: MessageSchema) -> Iterator[tuple[str, Variation]]:
    """Each value that must be refused, with the rule that says so."""
    yield from _struct(schema.body, minimal(schema))


def _struct(struct: FieldSchema, smallest: dict[str, Any]) -> Iterator[tuple[str, Variation]]:
    for field in struct.fields:
        for rule, variation in _field(field):
            yield rule, variation.inside(field.name, {**smallest, field.name: variation.value})


def _field(field: FieldSchema) -> Iterator[tuple[str, Variation]]:
    if not field.nullable:
        yield "null.not-written", Variation("", "null", None)
    if field.element is not None:
        for rule, variation in _field(field.element):
            yield rule, variation.inside("[0]", [variation.value])
    elif field.type == "struct":
        yield from _struct(field, {each.name: minimal_of(each) for each in field.fields})
    elif field.type == "string":
        yield "string.too-long", Variation("", f"length-{TOO_LONG}", edges.text_of(TOO_LONG))
        yield "string.too-long", Variation("", f"length-{TOO_LONG}-wide", edges.text_of(TOO_LONG, "é"))
    elif field.type in INTEGER_RANGES:
        lowest, highest = INTEGER_RANGES[field.type]
        yield "number.range", Variation("", str(lowest - 1), lowest - 1)
        yield "number.range", Variation("", str(highest + 1), highest + 1)
