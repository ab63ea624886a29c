"""The cases of values that a writer refuses, each wrong in one thing.

Every field gets null where it may not be null, for strings, bytes, records, arrays, structs and the elements of arrays;
every field of other versions that would be lost gets a value; every struct of a version that is not flexible gets an
unknown tag. What is about a type and not about a field (numbers out of range, null for a number) only the wire types
get, and once for each type messages that are thorough; long texts the pairs of `LONG_TEXTS_IN`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.generate.clean_faults import PREFIXED
from conformance.generate.edge_values import is_writable
from conformance.generate.refused_bytes import fields_at
from conformance.generate.unusual_values import (
    LIMIT_RULE,
    NOT_FLEXIBLE,
    REFUSED,
    Place,
    absent_cases,
    unencodable_variations,
)
from conformance.vectors.enumeration.pairs import LONG_TEXTS_IN, Depth
from conformance.vectors.enumeration.vector import UnwritableCase, slug
from conformance.vectors.flags import flag_of_refusal
from reference import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from conformance.generate.edge_values import Variation
    from reference import FieldSchema, MessageSchema

NULL_RULE = "null.not-written"
REFUSALS = {
    Refusal.NULL_NOT_ALLOWED: "Null in a field that is not nullable in this version, or in an element of an array.",
    Refusal.STRING_TOO_LONG: "A string of more than 32,767 bytes of UTF-8.",
    Refusal.OUT_OF_RANGE: "A number that its type does not have, or members of a batch that contradict one another.",
    Refusal.NOT_IN_THIS_VERSION: "A value in a field that the version lacks and that is not ignorable.",
    Refusal.BAD_TAGS: "Unknown tagged fields in a version that is not flexible.",
}
"""Why a value is refused, in words: the meaning of `refusal`."""
OF_ANY_FIELD = frozenset((*PREFIXED, "struct"))
"""Types of fields that may be null somewhere, so that null is a question of the field."""


def unwritable_cases(schema: MessageSchema, depth: Depth) -> Iterator[UnwritableCase]:
    """Yield every value of a message that has to be refused."""
    fields = {place.path: place.field for place in Place("", schema.body).inside()}
    tried: set[object] = set()
    for rule, variation in unencodable_variations(schema):
        kind = _kind(schema, rule, variation, fields, depth)
        if kind is not None and kind not in tried:
            tried.add(kind)
            yield _case(rule, variation)
    for rule, variation in absent_cases(schema):
        if rule == REFUSED and not is_writable(schema, variation.value):
            yield _case(rule, variation)


def _case(rule: str, variation: Variation) -> UnwritableCase:
    name = slug("unwritable", variation.path, variation.what)
    return UnwritableCase(name, variation.value, (flag_of_refusal(rule),))


def _kind(
    schema: MessageSchema, rule: str, variation: Variation, fields: Mapping[str, FieldSchema], depth: Depth
) -> object:
    """Return what is tried once in a message; None for what is not tried in it."""
    field = fields.get(variation.path)
    if depth is Depth.EVERYTHING or rule == NOT_FLEXIBLE:
        return variation.name
    if rule == LIMIT_RULE:
        return layout_of(schema, variation.path) if (schema.message, schema.version) in LONG_TEXTS_IN else None
    if rule == NULL_RULE and field is not None and field.type in OF_ANY_FIELD:
        return variation.name
    if depth is Depth.FEW or field is None:
        return None
    return rule, field.written_type, variation.what


def layout_of(schema: MessageSchema, path: str) -> tuple[bool, bool, bool]:
    """Return what the layout of a text depends on: whether it is nullable, an element, in a tagged field."""
    fields, is_element = fields_at(schema, path), path.endswith("]")
    field = fields[-1].item if is_element else fields[-1]
    return field.nullable, is_element, any(each.tag is not None for each in fields)
