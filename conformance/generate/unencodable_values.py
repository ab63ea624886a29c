"""Values that no writer may write: null, too long, out of range; one error at a time. And unspecified values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate import edges
from conformance.generate.cases import Variation
from conformance.generate.values import section_of, unknown_tags
from reference import TAGS, FieldSchema, MessageSchema, minimal
from reference.definitions.model import INTEGER_RANGES
from reference.values.defaults import minimal_of

if TYPE_CHECKING:
    from collections.abc import Iterator

TOO_LONG = 32_768


def unencodable_variations(schema: MessageSchema) -> Iterator[tuple[str, Variation]]:
    """Yield each value that a writer must refuse, with the rule that says so."""
    yield from _struct(schema.body, minimal(schema))


def _struct(struct: FieldSchema, smallest: dict[str, Any]) -> Iterator[tuple[str, Variation]]:
    for field in struct.fields:
        for rule, variation in _field(field):
            yield rule, variation.inside(field.name, {**smallest, field.name: variation.value})


def _field(field: FieldSchema) -> Iterator[tuple[str, Variation]]:
    if not field.nullable and field.type != "bool":
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
        rule = "number.range" if field.written_type == field.type else "kip-625.range"
        lowest, highest = INTEGER_RANGES[field.written_type]
        yield rule, Variation("", str(lowest - 1), lowest - 1)
        yield rule, Variation("", str(highest + 1), highest + 1)


def unspecified_variations(schema: MessageSchema) -> Iterator[tuple[str, Variation]]:
    """Yield values that a writer may write or refuse, with the rule that leaves it unspecified."""
    smallest = minimal(schema)
    yield "value.known-fields", Variation("Unheard", "unheard", {**smallest, "Unheard": 1})
    for field in schema.fields[:1]:
        others = {name: value for name, value in smallest.items() if name != field.name}
        yield "value.complete", Variation(field.name, "missing", others)
    for field in _first(schema, "string"):
        yield "string.unpaired-surrogate", Variation(field.name, "surrogate", {**smallest, field.name: "a\ud800"})
    for field in _first(schema, *INTEGER_RANGES):
        yield "value.type", Variation(field.name, "text", {**smallest, field.name: "1"})
    for field in _first(schema, "bool"):
        yield "value.type", Variation(field.name, "null", {**smallest, field.name: None})
    if schema.flexible:
        low, high, *_ = unknown_tags(schema.struct)
        too_high = section_of(schema.struct).highest_unknown_tag + 1
        for what, tags in (("descending", (high, low)), ("repeated", (low, low)), ("too-high", (too_high,))):
            entries = [(tag, b"\xca\xfe") for tag in tags]
            yield "tag.unknown-writable", Variation(TAGS, f"tags-{what}", {**smallest, TAGS: entries})


def _first(schema: MessageSchema, *types: str) -> tuple[FieldSchema, ...]:
    """Return the first field of such a type, if the message has one."""
    return tuple(field for field in schema.fields if field.type in types)[:1]
