"""The values of a body chosen for the golden vectors, from the default one variation at a time.

The variations are those of `conformance.generate.edge_values`. Some are left out, so that files stay small enough for
git:

- in a thorough pair (`Depth`), every edge of a type is tried in the first field of each kind (type, compact or not) of
  a message; its other fields, and all fields of other pairs, get one value of different bytes, and the variations of
  the field itself: null, present, empty, two elements, map keys, tags;
- 126 and 127 elements are for numbers and bools only;
- texts and blobs of more than 4 KiB are for the messages of `LONG_VALUES` only.

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
from conformance.generate.depth import Depth, long_layout
from conformance.generate.edge_values import Variation, edge_cases, is_writable, populated
from conformance.generate.unusual_values import (
    DROPPED,
    LIMIT_RULE,
    NOT_FLEXIBLE,
    NOT_WRITTEN,
    REFUSED,
    SchemaPlace,
    absent_cases,
    unencodable_variations,
    with_absent_defaults,
)
from conformance.generate.value_paths import fields_at
from reference import TAGS, MessageSchema, default, minimal
from reference.definitions.model import INTEGER_RANGES

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from reference import FieldSchema

LONG = 4096
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
_LONG = ("elements-16384", "total-96k")
_SHORT = frozenset((*INTEGER_RANGES, "bool"))

ABSENT_DEFAULTS = "absent-defaults"
OF_ANY_FIELD = frozenset((*PREFIXED, "struct"))
"""Types of fields with nullable versions somewhere, so that null is a question of the field."""


def chosen_values(schema: MessageSchema, depth: Depth) -> Iterator[Variation]:
    """Yield the valid values of a message, the smallest first.

    It is the default, or the smallest writable value if the default has null records and cannot be written.
    """
    smallest = ("default", default(schema)) if is_writable(schema, default(schema)) else ("minimal", minimal(schema))
    yield Variation("", *smallest)
    tried = Covering()
    for each in edge_cases(schema):
        if each.is_vector and each.what not in {"minimal", "default"} and _is_kept(schema, each, tried, depth):
            yield each


def chosen_dropped(schema: MessageSchema) -> Iterator[Variation]:
    """Yield values with fields of other versions, all at their defaults, then each with a value that a writer drops.

    They show the default of a writer: with another one it refuses the value, since it would lose it.
    """
    given = with_absent_defaults(schema.body, populated(schema))
    if given != populated(schema):
        yield Variation("", ABSENT_DEFAULTS, given)
    for rule, variation in absent_cases(schema):
        if rule == DROPPED and variation.what != "absent-default":
            yield variation


def chosen_refused(schema: MessageSchema, depth: Depth) -> Iterator[tuple[str, Variation]]:
    """Yield pairs of a rule and a value of a message to be refused."""
    fields = {place.path: place.field for place in SchemaPlace("", schema.body).inside()}
    tried = Covering((None,))
    for rule, each in unencodable_variations(schema):
        if tried.keeps(_kind_of_refused(schema, rule, each, fields.get(each.path), depth)):
            yield rule, each
    for rule, each in absent_cases(schema):
        if rule == REFUSED and not is_writable(schema, each.value):
            yield rule, each


def _is_kept(schema: MessageSchema, variation: Variation, tried: Covering, depth: Depth) -> bool:
    """Return whether a variation is chosen, by the rules at the top, and add it to `tried`."""
    path, what, origin = variation.path, variation.what, variation.origin
    is_long = what in _LONG or (origin.kind == LENGTH and (origin.size or 0) > LONG)
    if is_long and what not in LONG_VALUES.get(schema.message, ()):
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


def _kind(field: FieldSchema, path: str) -> tuple[object, ...]:
    """Return the properties of a field on which the reading of its bytes depends."""
    if field.element is not None and not path.endswith("]"):
        return (field.type, field.element.type, field.compact)
    scalar = field.item
    return (scalar.type, scalar.encoding, scalar.compact)


def _kind_of_refused(
    schema: MessageSchema, rule: str, variation: Variation, field: FieldSchema | None, depth: Depth
) -> Hashable:
    """Return the kind of a case, tried once in a message, or None for a case not tried in it."""
    if depth is Depth.EVERYTHING or rule == NOT_FLEXIBLE:
        return variation.name
    if rule == LIMIT_RULE:
        return long_layout(schema, variation.path)
    if rule == NOT_WRITTEN and field is not None and field.type in OF_ANY_FIELD:
        return variation.name
    if depth is Depth.FEW or field is None:
        return None
    return rule, field.written_type, variation.what
