"""The vectors of values, as `conformance.generate.chosen_values` chooses them.

Thorough pairs have real record batches as well. Values with another text in each text field are for the newest version
of each message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.generate.chosen_values import ABSENT_DEFAULTS, chosen_dropped, chosen_refused, chosen_values
from conformance.generate.depth import Depth
from conformance.generate.text_values import text_values
from conformance.generate.value_paths import fields_at, tagged_ancestor
from conformance.targets.listed import real_records_cases
from conformance.vectors.enumeration.vector import UnwritableCase, VectorBytes, slug
from conformance.vectors.flags import flag_of_refusal
from reference import TAGS, Refusal, encode
from reference.definitions.model import INTEGER_RANGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.generate.edge_values import Variation
    from reference import MessageSchema

REAL_RECORDS = "RealRecords"

FLAGS = {
    "default": "Default",
    "minimal": "Minimal",
    "null": "Null",
    "present": "StructPresent",
    "empty": "Empty",
    **dict.fromkeys(("keys-descending", "keys-equal"), "MapKeys"),
    **dict.fromkeys(("known-and-unknown", "two-tags", "populated-with-unknown-tags"), "UnknownTag"),
    "all-tagged": "TaggedField",
    "populated": "Populated",
    "populated-minus-one": "NumberEdge",
}
"""The flag of a variation."""
FLAGS_OF_KINDS = {"elements-": "Elements", "content-of-": "TaggedField"}
"""The flag of a variation by its change without the number."""

TYPE_FLAGS = {
    **dict.fromkeys(INTEGER_RANGES, "NumberEdge"),
    "bool": "Bool",
    "float64": "FloatBits",
    "uuid": "Uuid",
    "string": "Text",
    **dict.fromkeys(("bytes", "records"), "Blob"),
}
"""The flag of any other variation, by the type of the field."""

DROPPED_NAMES = {ABSENT_DEFAULTS: ABSENT_DEFAULTS, "absent-set": "dropped", "absent-null": "dropped-null"}
"""The ends of ids of vectors, by the content of fields of other versions."""


def value_cases(schema: MessageSchema, depth: Depth) -> Iterator[VectorBytes]:
    """Yield every case of a valid value of a message, the smallest first."""
    for each in chosen_values(schema, depth):
        yield _vector(schema, each, *_flags(schema, each))
    for each in chosen_dropped(schema):
        named = each._replace(what=DROPPED_NAMES[each.what])
        yield _vector(schema, named, "IgnorableDropped")._replace(given=each.value)
    for each in real_records_cases(schema) if depth is Depth.THOROUGH else ():
        yield _vector(schema, each, REAL_RECORDS)


def text_cases(schema: MessageSchema) -> Iterator[VectorBytes]:
    """Return the values with another text in each text field."""
    return (_vector(schema, each.whole, "Text") for each in text_values(schema))


def _vector(schema: MessageSchema, variation: Variation, *flags: str) -> VectorBytes:
    return VectorBytes(slug(variation.path, variation.what), encode(schema, variation.value), flags)


def _flags(schema: MessageSchema, variation: Variation) -> tuple[str, ...]:
    """Return the flags of a variation, for its type, and for a place in a tagged field."""
    if variation.path.endswith(TAGS) or variation.what in FLAGS:
        first = FLAGS.get(variation.what, "UnknownTag")
    elif variation.origin.kind in FLAGS_OF_KINDS:
        first = FLAGS_OF_KINDS[variation.origin.kind]
    else:
        field = fields_at(schema, variation.path)[-1]
        first = TYPE_FLAGS[field.item.type]
    is_tagged = tagged_ancestor(schema, variation.path.removesuffix(TAGS).removesuffix(".")) is not None
    return (first, "TaggedField") if is_tagged and first != "TaggedField" else (first,)


REFUSALS = {
    Refusal.NULL_NOT_ALLOWED: "Null in a field that is not nullable in this version, or in an element of an array.",
    Refusal.STRING_TOO_LONG: "A string of more than 32,767 bytes of UTF-8.",
    Refusal.OUT_OF_RANGE: "A number that its type does not have, or members of a batch that contradict one another.",
    Refusal.NOT_IN_THIS_VERSION: "A value in a field that the version lacks and that is not ignorable.",
    Refusal.BAD_TAGS: "Unknown tagged fields in a version that is not flexible.",
}
"""The meaning of `refusal`, the reason why a value is refused."""


def unwritable_cases(schema: MessageSchema, depth: Depth) -> Iterator[UnwritableCase]:
    """Yield every value of a message to be refused."""
    for rule, each in chosen_refused(schema, depth):
        yield UnwritableCase(slug("unwritable", each.path, each.what), each.value, (flag_of_refusal(rule),))
