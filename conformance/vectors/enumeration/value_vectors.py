"""The cases of valid values, the default, and from there one variation at a time.

The variations are those of `conformance.generate.edge_values`. Some are left out, so that files stay small enough for
git:

- in a thorough pair (`Depth`), every edge of a type is tried in the first field of each kind (type, compact or not) of
  a message; its other fields, and all fields of other pairs, get one value of different bytes, and the variations of
  the field itself: null, present, empty, two elements, map keys, tags;
- 126 and 127 elements are for numbers and bools only;
- texts and blobs of more than 4 KiB are for the messages of `LONG_VALUES` only;
- real record batches are for thorough pairs only;
- values with another text in each text field are for the newest version of each message.

Values refused by a writer are wrong in one thing each. Every string, bytes, records, array, struct and element of an
array without nullable versions gets null; every field of other versions with a loss of its value gets a value; every
struct of an inflexible version gets an unknown tag. Faults of a type, not of a field (numbers out of range, null for a
number), are for the wire types, and once for each type for thorough messages; long texts are for the pairs of
`LONG_TEXTS_IN`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.generate import edges
from conformance.generate.clean_faults import PREFIXED
from conformance.generate.covering import Covering
from conformance.generate.edge_values import edge_cases, is_writable, populated, with_minus_one
from conformance.generate.text_values import text_values
from conformance.generate.unusual_values import (
    DROPPED,
    LIMIT_RULE,
    NOT_FLEXIBLE,
    REFUSED,
    SchemaPlace,
    absent_cases,
    unencodable_variations,
    with_absent_defaults,
)
from conformance.generate.value_paths import fields_at
from conformance.targets.listed import real_records_cases
from conformance.vectors.enumeration.pairs import LONG_TEXTS_IN, Depth
from conformance.vectors.enumeration.vector import UnwritableCase, VectorBytes, slug
from conformance.vectors.flags import flag_of_refusal
from reference import TAGS, MessageSchema, Refusal, Unencodable, default, encode, minimal
from reference.definitions.model import INTEGER_RANGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from conformance.generate.edge_values import Variation
    from conformance.generate.origin import CaseOrigin
    from reference import FieldSchema

LONG = 4096
REAL_RECORDS = "RealRecords"
LONG_VALUES = {
    **dict.fromkeys(("string", "nullable-string", "compact-nullable-string", "HeartbeatRequest"), ("length-32767",)),
    **dict.fromkeys(("bytes", "compact-records", "SaslAuthenticateRequest"), ("length-16384",)),
    "compact-string": ("length-16384", "length-32767-wide"),
    "compact-bytes": ("length-16384", "length-65536"),
    **{f"{prefix}array-of-int32": ("elements-16384",) for prefix in ("", "nullable-", "compact-", "compact-nullable-")},
}
"""The long values kept, by message or wire type."""

LEFT_OUT = frozenset(("length-126-wide", "length-127-wide", "length-128", "elements-128"))
"""Variations for the wire types alone, since they show nothing more in a message."""

ONE_OF_EACH = frozenset((
    "18", "4660", "305419896", "1311768467463790320",
    "true", "false", "eight-different-bytes", "topic-1", "length-1", str(edges.UUIDS[2]),
))  # fmt: skip
"""Variations of every field: for each type one value of different bytes, and both bools."""

ABOUT_THE_FIELD = frozenset((
    "null", "present", "empty", "elements-1", "elements-2", "keys-descending", "keys-equal",
))  # fmt: skip
"""Variations of every field, since they are about the field and not about its type."""

ELEMENTS, LENGTH = "elements-", "length-"
UNKNOWN_ALONE = frozenset(("tag-", "tag-of-", "tag-of-no-bytes", "two-tags"))
"""The kinds of variations with unknown tags alone."""
_MANY = frozenset((ELEMENTS, count) for count in (126, 127, 128))

FLAGS = {
    "null": "Null",
    "present": "StructPresent",
    "empty": "Empty",
    **dict.fromkeys(("keys-descending", "keys-equal"), "MapKeys"),
    **dict.fromkeys(("known-and-unknown", "two-tags", "populated-with-unknown-tags"), "UnknownTag"),
    "all-tagged": "TaggedField",
    "populated": "Populated",
}
"""The flag of a variation."""
FLAGS_OF_KINDS = {ELEMENTS: "Elements", "content-of-": "TaggedField"}
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


def value_cases(schema: MessageSchema, depth: Depth) -> Iterator[VectorBytes]:
    """Yield every case of a valid value of a message, the smallest first."""
    yield from _smallest(schema)
    tried = Covering()
    for variation in edge_cases(schema):
        is_candidate = variation.is_vector and variation.what not in {"minimal", "default"}
        if is_candidate and _is_kept(schema, variation, tried, depth):
            name = slug(variation.path, variation.what)
            yield VectorBytes(name, encode(schema, variation.value), _flags(schema, variation))
    yield from _of_every_field(schema)
    yield from _dropped(schema)
    for variation in real_records_cases(schema) if depth is Depth.THOROUGH else ():
        yield VectorBytes(slug(variation.path, variation.what), encode(schema, variation.value), (REAL_RECORDS,))


def text_cases(schema: MessageSchema) -> Iterator[VectorBytes]:
    """Yield the values with another text in each text field."""
    for value, _ in text_values(schema):
        yield VectorBytes(slug(value.what), encode(schema, value.value), ("Text",))


def _smallest(schema: MessageSchema) -> Iterator[VectorBytes]:
    """Yield the default, or the smallest writable value if the default has null records and cannot be written."""
    try:
        yield VectorBytes("default", encode(schema, default(schema)), ("Default",))
    except Unencodable:
        yield VectorBytes("minimal", encode(schema, minimal(schema)), ("Minimal",))


def _of_every_field(schema: MessageSchema) -> Iterator[VectorBytes]:
    """Yield the cases about every field of a message at once, in one value.

    -1 in each signed integer shows whether it has a sign. Fields of other versions, each at its default, show the
    default of a writer: with another one it refuses the value, since it would lose it.
    """
    negative = with_minus_one(schema.body, populated(schema))
    if negative != populated(schema):
        yield VectorBytes("populated-minus-one", encode(schema, negative), ("NumberEdge",))
    given = with_absent_defaults(schema.body, populated(schema))
    if given != populated(schema):
        yield VectorBytes("absent-defaults", encode(schema, given), ("IgnorableDropped",), given=given)


def _dropped(schema: MessageSchema) -> Iterator[VectorBytes]:
    """Yield a value for each field of other versions dropped by a writer though it is set."""
    for rule, variation in absent_cases(schema):
        if rule == DROPPED and variation.what in DROPPED_NAMES:
            name = slug(variation.path, DROPPED_NAMES[variation.what])
            yield VectorBytes(name, encode(schema, variation.value), ("IgnorableDropped",), given=variation.value)


DROPPED_NAMES = {"absent-set": "dropped", "absent-null": "dropped-null"}
"""The ends of ids of vectors, by the content of a field of other versions."""


def _is_kept(schema: MessageSchema, variation: Variation, tried: Covering, depth: Depth) -> bool:
    """Return whether a variation becomes a vector, by the rules at the top, and add it to `tried`."""
    path, what, origin = variation.path, variation.what, variation.origin
    if _is_long(origin) and what not in LONG_VALUES.get(schema.message, ()):
        return False
    if what in LEFT_OUT and depth is not Depth.EVERYTHING:
        return False
    if path.endswith(TAGS) or not path:
        kind: tuple[object, ...] = (TAGS, what)
        is_needed = tried.keeps((path, "tags")) or origin.kind not in UNKNOWN_ALONE
    else:
        field = fields_at(schema, path)[-1]
        if (origin.kind, origin.size) in _MANY and depth is not Depth.EVERYTHING and field.item.type not in _SHORT:
            return False
        kind, is_needed = (*_kind(field, path), what), what in ABOUT_THE_FIELD or what in ONE_OF_EACH
    is_new = tried.keeps(kind)
    return is_needed or (is_new and depth is not Depth.FEW)


_SHORT = frozenset((*INTEGER_RANGES, "bool"))


def _is_long(origin: CaseOrigin) -> bool:
    is_long = origin.kind == LENGTH and (origin.size or 0) > LONG
    return is_long or origin.way in ("elements-16384", "total-96k")


def _kind(field: FieldSchema, path: str) -> tuple[object, ...]:
    """Return the properties of a field on which the reading of its bytes depends."""
    if field.element is not None and not path.endswith("]"):
        return (field.type, field.element.type, field.compact)
    scalar = field.item
    return (scalar.type, scalar.encoding, scalar.compact)


def _flags(schema: MessageSchema, variation: Variation) -> tuple[str, ...]:
    """Return the flags of a variation, for its type, and for a place in a tagged field."""
    if variation.path.endswith(TAGS) or variation.what in FLAGS:
        first = FLAGS.get(variation.what, "UnknownTag")
    elif variation.origin.kind in FLAGS_OF_KINDS:
        first = FLAGS_OF_KINDS[variation.origin.kind]
    else:
        field = fields_at(schema, variation.path)[-1]
        first = TYPE_FLAGS[field.item.type]
    path = variation.path.removesuffix(TAGS).removesuffix(".")
    is_tagged = any(field.tag is not None for field in fields_at(schema, path)) if path else False
    return (first, "TaggedField") if is_tagged and first != "TaggedField" else (first,)


NULL_RULE = "null.not-written"
REFUSALS = {
    Refusal.NULL_NOT_ALLOWED: "Null in a field that is not nullable in this version, or in an element of an array.",
    Refusal.STRING_TOO_LONG: "A string of more than 32,767 bytes of UTF-8.",
    Refusal.OUT_OF_RANGE: "A number that its type does not have, or members of a batch that contradict one another.",
    Refusal.NOT_IN_THIS_VERSION: "A value in a field that the version lacks and that is not ignorable.",
    Refusal.BAD_TAGS: "Unknown tagged fields in a version that is not flexible.",
}
"""The meaning of `refusal`, the reason why a value is refused."""
OF_ANY_FIELD = frozenset((*PREFIXED, "struct"))
"""Types of fields with nullable versions somewhere, so that null is a question of the field."""


def unwritable_cases(schema: MessageSchema, depth: Depth) -> Iterator[UnwritableCase]:
    """Yield every value of a message to be refused."""
    fields = {place.path: place.field for place in SchemaPlace("", schema.body).inside()}
    tried = Covering()
    refused: list[tuple[str, Variation]] = []
    for rule, variation in unencodable_variations(schema):
        kind = _dedupe_key(schema, rule, variation, fields, depth)
        refused += [(rule, variation)] if kind is not None and tried.keeps(kind) else []
    refused += [each for each in absent_cases(schema) if each[0] == REFUSED and not is_writable(schema, each[1].value)]
    for rule, variation in refused:
        name = slug("unwritable", variation.path, variation.what)
        yield UnwritableCase(name, variation.value, (flag_of_refusal(rule),))


def _dedupe_key(
    schema: MessageSchema, rule: str, variation: Variation, fields: Mapping[str, FieldSchema], depth: Depth
) -> object:
    """Return the kind of a case, tried once in a message, or None for a case not tried in it."""
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
    """Return the properties on which the layout of a text depends.

    They are whether it is nullable, an element, and in a tagged field.
    """
    fields, is_element = fields_at(schema, path), path.endswith("]")
    field = fields[-1].item if is_element else fields[-1]
    return field.nullable, is_element, any(each.tag is not None for each in fields)
