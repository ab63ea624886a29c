"""Values with one unusual place at any level of a message, and the smallest value elsewhere.

Some have no encoding: a null, a text too long, a number out of range. Some have a field of other versions only, or lack
a field with a default. And for some the protocol does not specify whether they are written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.generate import edges
from conformance.generate.drawn_values import section_of, unknown_tags
from conformance.generate.edge_values import Variation, populated_of
from reference import TAGS, FieldSchema, MessageSchema, minimal
from reference.definitions.model import INTEGER_RANGES
from reference.paths import joined
from reference.protocols import protocol_of
from reference.values.defaults import fresh, is_dropped_by_default, minimal_of
from reference.wire.text import String

if TYPE_CHECKING:
    from collections.abc import Iterator

TOO_LONG = 32_768
RUN = 20
"""The numbers before an unencodable one in an array, since a codec may write a whole array at once."""
DROPPED = "ignorable.dropped"
REFUSED = "ignorable.refused"
LIMIT_RULE = String.limit_rule
NOT_FLEXIBLE = "tag.not-flexible"
NOT_WRITTEN = "null.not-written"
NO_TAG = 9999
"""A tag outside every definition."""


@dataclass(frozen=True)
class SchemaPlace:
    """The body of a message, a field of it at any level, or the only element of an array."""

    path: str
    field: FieldSchema
    around: SchemaPlace | None = None

    def without(self, name: str) -> dict[str, Any]:
        """Return the smallest value of this struct, without one of its fields."""
        return {field.name: minimal_of(field) for field in self.field.fields if field.name != name}

    def put(self, value: Any) -> Any:
        """Return the smallest value of the message with this value here."""
        if self.around is None:
            return value
        if self.around.field.element is not None:
            return self.around.put([value])
        struct = {field.name: minimal_of(field) for field in self.around.field.fields}
        return self.around.put({**struct, self.field.name: value})

    def at(self, step: str, field: FieldSchema) -> SchemaPlace:
        """Return the place of a field or an element in this one.

        The argument `step` is as for `joined`.
        """
        return SchemaPlace(joined(self.path, step), field, self)

    def varied(self, what: str, value: Any) -> Variation:
        """Return the variation of the message with this value here."""
        return Variation(self.path, what, self.put(value))

    def inside(self) -> Iterator[SchemaPlace]:
        """Yield this place, and every place in it."""
        yield self
        if self.field.element_with_bytes is not None:
            yield from self.at("[0]", self.field.element_with_bytes).inside()
        for field in self.field.fields:
            yield from self.at(field.name, field).inside()


def absent_cases(schema: MessageSchema) -> Iterator[tuple[str, Variation]]:
    """Yield pairs of a rule and a value with a field of other versions.

    Each field gets its default, another value, and null if this is not its default. It is dropped if it is ignorable or
    at its default, else refused. A default of NaN is left to the writer (rule 4.2.3).
    """
    for struct in SchemaPlace("", schema.body).inside():
        for field in struct.field.absent_fields:
            place = struct.at(field.name, field)
            rule = DROPPED if field.ignorable else REFUSED
            if is_dropped_by_default(field):
                yield DROPPED, place.varied("absent-default", fresh(field.default))
            yield rule, place.varied("absent-set", populated_of(field))
            if field.nullable and field.default is not None:
                yield rule, place.varied("absent-null", None)


def with_absent_defaults(field: FieldSchema, value: Any) -> Any:
    """Return a value with each field of other versions at its default.

    A field lacks a default that is none of its values, or that not every writer drops.
    """
    return field.mapped(value, _with_absent_defaults)


def _with_absent_defaults(field: FieldSchema, value: Any) -> Any:
    droppable = [each for each in field.absent_fields if has_default(each) and is_dropped_by_default(each)]
    return value | {each.name: fresh(each.default) for each in droppable} if droppable else value


def has_default(field: FieldSchema) -> bool:
    """Return whether the default of a field is one of its values.

    The default null of a field without nullable versions is none.
    """
    return field.nullable or field.default is not None


def partial_cases(schema: MessageSchema) -> Iterator[tuple[Variation, dict[str, Any]]]:
    """Yield pairs of a value without a tagged or ignorable field, and the same value with the field at its default."""
    for place in SchemaPlace("", schema.body).inside():
        field, struct = place.field, place.around
        if struct is not None and has_default(field) and (field.tag is not None or field.ignorable):
            partial = struct.put(struct.without(field.name))
            yield Variation(place.path, "left-out", partial), place.put(fresh(field.default))


def unencodable_variations(schema: MessageSchema) -> Iterator[tuple[str, Variation]]:
    """Yield pairs of a rule and a value refused by it, with one error each."""
    yield from _tags_without_section(schema)
    for place in list(SchemaPlace("", schema.body).inside())[1:]:
        field = place.field
        if not field.nullable and field.type != "bool":
            yield NOT_WRITTEN, place.varied("null", None)
        if field.type == "string" and limit_rule(schema, field) == LIMIT_RULE:
            yield LIMIT_RULE, place.varied(f"length-{TOO_LONG}", edges.text_of(TOO_LONG))
            yield LIMIT_RULE, place.varied(f"length-{TOO_LONG}-wide", edges.text_of(TOO_LONG, "é"))
        elif field.type in INTEGER_RANGES:
            rule = "number.range" if field.written_type == field.type else "kip-625.range"
            lowest, highest = INTEGER_RANGES[field.written_type]
            yield rule, place.varied(str(lowest - 1), lowest - 1)
            yield rule, place.varied(str(highest + 1), highest + 1)
        elif field.item.type in INTEGER_RANGES:
            last, above = joined(place.path, f"[{RUN}]"), INTEGER_RANGES[field.item.type][1] + 1
            yield NOT_WRITTEN, Variation(last, "null", place.put([*[0] * RUN, None]))
            yield "number.range", Variation(last, str(above), place.put([*[0] * RUN, above]))


def _tags_without_section(schema: MessageSchema) -> Iterator[tuple[str, Variation]]:
    """Yield each struct of an inflexible version with an unknown tag."""
    for place in () if schema.flexible else SchemaPlace("", schema.body).inside():
        if place.field.type == "struct":
            value = {**place.without(TAGS), TAGS: [(NO_TAG, b"\xca\xfe")]}
            yield NOT_FLEXIBLE, Variation(f"{place.path}.{TAGS}".removeprefix("."), "without-section", place.put(value))


def unspecified_variations(schema: MessageSchema) -> Iterator[tuple[str, Variation]]:
    """Yield pairs of a rule and a value left unspecified by it.

    A writer may write or refuse the value.
    """
    smallest, body = minimal(schema), SchemaPlace("", schema.body)
    yield "value.known-fields", Variation("Unheard", "unheard", {**smallest, "Unheard": 1})
    for field in schema.fields[:1]:
        yield "value.complete", Variation(field.name, "missing", body.without(field.name))
    for field in _first(schema, "string"):
        yield "string.unpaired-surrogate", Variation(field.name, "surrogate", {**smallest, field.name: "a\ud800"})
        if (rule := limit_rule(schema, field)) != LIMIT_RULE:
            yield rule, Variation(field.name, f"length-{TOO_LONG}", {**smallest, field.name: edges.text_of(TOO_LONG)})
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


def limit_rule(schema: MessageSchema, field: FieldSchema) -> str:
    """Return the id of the rule about more than 32,767 bytes in a string of the message.

    A dialect may have a rule of its own.
    """
    wire_type = protocol_of(schema.dialect).string(field)
    return wire_type.limit_rule if isinstance(wire_type, String) else String.limit_rule


def _first(schema: MessageSchema, *types: str) -> tuple[FieldSchema, ...]:
    """Return the first field of the given types, or nothing if the message has none."""
    return tuple(field for field in schema.fields if field.type in types)[:1]
