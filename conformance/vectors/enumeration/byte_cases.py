"""The vectors of bytes made by no writer, as `conformance.generate.chosen_bytes` chooses them."""

from __future__ import annotations

from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from conformance.generate.chosen_bytes import chosen_bases, chosen_changes, chosen_faults
from conformance.generate.clean_faults import LONG, LONG_UNSIGNED, MARKERS, NEGATIVE, NULL_ALONE
from conformance.generate.structure import EXPLICIT_DEFAULT, IN_SECTION, Scope
from conformance.vectors.enumeration.vector import VectorBytes, distinct, slug
from reference.protocols import protocol_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.generate.depth import Depth
    from reference import Encoded, MessageSchema

TRUNCATED = ("Truncated",)


def byte_cases(schema: MessageSchema, depth: Depth) -> Iterator[VectorBytes]:
    """Return every case of bytes of a message, of explicit defaults and clean faults those with bytes of their own."""
    own = list(_changed(schema, depth))
    faults = ((each.path, each.origin.way, each.wire) for each in chosen_faults(schema, depth))
    others = (VectorBytes(slug(path, way), wire, (_FLAGS_OF_WAYS[way],)) for path, way, wire in faults)
    return chain(own, distinct(others, own))


def _changed(schema: MessageSchema, depth: Depth) -> Iterator[VectorBytes]:
    """Yield the cases of a message made by cutting and tampering."""
    bases = chosen_bases(schema)
    places = {name: list(_places(encoded)) for name, encoded in bases.items()}
    rich, _ = bases
    if bases[rich].wire:
        yield VectorBytes("cut-to-nothing", b"", TRUNCATED)
    for base, change in chosen_changes(schema, depth):
        place = "" if change.span is None else places[base][change.span_index]
        is_cut, is_smallest = change.scope is Scope.CUT, base != rich
        rule = "section" if change.scope is Scope.SECTION else change.rule
        flag = _FLAGS.get(change.rule) or _FLAGS_OF_ROLES.get(change.role, "TamperedLength")
        name = slug("cut" if is_cut else "minimal" if is_smallest else "", place, rule, change.way)
        yield VectorBytes(name, change.wire, TRUNCATED if is_cut else (flag,))


def _places(encoded: Encoded) -> Iterator[str]:
    """Yield the path of every span.

    The path of a span in an entry of a tag section ends with its tag, since the paths of entries are otherwise equal.
    """
    section = protocol_of(encoded.schema.dialect).tag_section
    tag = ""
    for span, following in zip_longest(encoded.spans, encoded.spans[1:]):
        first = following if span.role == "tag-size" and following.role == "tag" else span
        if first.role in ("tag", "tag-header"):
            tag = f"-tag-{section.tag_of(encoded.wire[first.start : first.end])}"
        yield span.path + tag if span.role in ("tag", "tag-header", "tag-size") else span.path


_FLAGS = {
    "bool.byte": "TamperedBool",
    "string.utf8": "TamperedText",
    **dict.fromkeys(("kip-625.packed", "kip-625.upacked"), "TamperedInteger"),
}
_FLAGS_OF_ROLES = {
    "": "BytesBehind",
    "count": "TamperedCount",
    "marker": "TamperedMarker",
    IN_SECTION: "TamperedTagSection",
}
_FLAGS_OF_WAYS = {
    EXPLICIT_DEFAULT: "TaggedField",
    NULL_ALONE: "NullAlone",
    **dict.fromkeys((*NEGATIVE, LONG_UNSIGNED), "NegativeAlone"),
    LONG: "TamperedLength",
    **dict.fromkeys(MARKERS, "MarkerAdded"),
}
