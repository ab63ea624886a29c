"""The cases of bytes made by no writer, truncated, tampered with, or followed by other bytes.

The ways of tampering are those of `conformance.generate.structure`. A message has the same lengths, counts and sections
many times over, so not every place gets every way:

- a message is cut inside the first place of each kind (the rule of its bytes), and before it if that is one byte long,
  or the pair is thorough;
- in a thorough pair (`Depth`), each way is tried at the first place of each kind, once for each possible result; in
  others only the ways of `FEW` are tried, once for each flag and result;
- every tagged field is written at its default, alone, in every pair: the default may be null;
- null at places without nullable versions is tried everywhere; in messages of up to `SHORT` bytes, every way is;
- each way with an unspecified result is tried once for each list of violated rules;
- clean faults (`conformance.generate.clean_faults`) are tried everywhere, long texts in `LONG_TEXTS_IN`.
"""

from __future__ import annotations

from itertools import chain, compress, zip_longest
from operator import attrgetter, not_
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.clean_faults import (
    LONG,
    LONG_UNSIGNED,
    LONG_WAYS,
    LOWEST_ALONE,
    MARKERS,
    NEGATIVE,
    NULL_ALONE,
    clean_faults,
)
from conformance.generate.covering import Covering
from conformance.generate.drawn_values import unknown_tags
from conformance.generate.edge_values import populated, with_unknown_tags
from conformance.generate.origin import CaseOrigin
from conformance.generate.structure import (
    EXPLICIT_DEFAULT,
    OTHER_VERSION,
    Scope,
    explicit_defaults,
    structural_tamperings,
)
from conformance.vectors.enumeration.pairs import LONG_TEXTS_IN, Depth
from conformance.vectors.enumeration.value_vectors import layout_of
from conformance.vectors.enumeration.vector import VectorBytes, distinct, slug
from reference import TAGS, Reason, Result, encode_with_spans, judge, minimal
from reference.protocols import protocol_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from conformance.generate.structure import Tampering
    from reference import Encoded, MessageSchema, Span, Verdict

SHORT = 12
"""The largest populated value, in bytes, of a message with trials at every place."""

FEW = frozenset((
    "length-null", "length-lowest", "length-one-more", "varint-zero", "varint-one-more", "varint-huge",
    "varint-six-bytes", "unknown",
))  # fmt: skip
"""Ways of tampering tried in every version."""

FEW_UNSPECIFIED = frozenset(("trailing-00", "unknown", "bool-02", "lone-continuation", "length-lowest"))
"""Ways with an unspecified result tried in every version."""

LEFT_OUT = frozenset((
    "varint-overlong-five-bytes", "varint-negative", "varint-minus-one", "varint-too-long-a-string", "length-one-less",
    "overlong-slash", "beyond-unicode", "no-continuation", "nul", "trailing-ffffffff",
    "unknown-twice",
))  # fmt: skip
"""Ways for the wire types alone, since they show nothing more in a message."""

TAG_SECTION = "TamperedTagSection"


class Tampered(NamedTuple):
    """Tampered bytes, and their verdict."""

    base: str
    """The name of the valid encoding; empty for the populated value."""
    path: str
    rule: str
    """The rule of the span; `section` for a whole section, empty for bytes after the message and for pairs of tags."""
    way: str
    flag: str
    wire: bytes
    verdict: Verdict

    @property
    def unspecified_kind(self) -> tuple[str, tuple[str, ...]] | None:
        """The way and the violated rules if the result is unspecified, else None."""
        return (self.way, self.verdict.rules) if self.verdict.result is Result.UNSPECIFIED else None

    @property
    def case(self) -> VectorBytes:
        """The case of a vector."""
        return VectorBytes(slug(self.base, self.path, self.rule, self.way), self.wire, (self.flag,))


def byte_cases(schema: MessageSchema, depth: Depth) -> Iterator[VectorBytes]:
    """Return every case of bytes of a message, of explicit defaults and clean faults those with bytes of their own."""
    full, smallest = populated(schema), minimal(schema)
    if schema.flexible:
        full = with_unknown_tags(schema.body, full)
        smallest |= {TAGS: [(unknown_tags(schema.struct)[0], b"\xca\xfe")]}
    own = list(_tampered_cases(schema, full, smallest, depth))
    return chain(own, distinct(chain(_explicit_defaults(schema, depth), _clean_cases(schema, depth)), own))


def _explicit_defaults(schema: MessageSchema, depth: Depth) -> Iterator[VectorBytes]:
    """Yield each tagged field at its default, alone.

    In a thorough pair, those of the message itself are among the ways of tampering.
    """
    for path, wire in explicit_defaults(schema):
        if depth is Depth.FEW or "." in path:
            yield VectorBytes(slug(path, EXPLICIT_DEFAULT), wire, ("TaggedField",))


def _tampered_cases(
    schema: MessageSchema, full: dict[str, Any], smallest: dict[str, Any], depth: Depth
) -> Iterator[VectorBytes]:
    """Yield the cases of a message made by cutting and tampering."""
    encoded = encode_with_spans(schema, full)
    yield from _truncations(encoded, depth)
    everything = _judged(encoded, encode_with_spans(schema, smallest))
    if depth is Depth.FEW:
        yield from _once(filter(_is_of_few, everything), attrgetter("flag"), is_short=False)
    else:
        kept = (item for item in everything if depth is Depth.EVERYTHING or item.way not in LEFT_OUT)
        yield from _once(kept, attrgetter("rule"), is_short=len(encoded.wire) <= SHORT)


def _judged(full: Encoded, smallest: Encoded) -> Iterator[Tampered]:
    """Return every tampering with both encodings, the preferred encoding of each kind first.

    Invalid bytes come from the populated value, since they have no value to be written down. All others, and those of a
    tag section, come from the smallest value if it has the place.
    """
    every = list(_tampered(full, ""))
    early = [item.verdict.result is Result.INVALID and item.flag != TAG_SECTION for item in every]
    late = compress(every, map(not_, early))
    return chain(compress(every, early), _tampered(smallest, "minimal"), late)


def _once(items: Iterable[Tampered], place: Callable[[Tampered], str], *, is_short: bool) -> Iterator[VectorBytes]:
    """Yield each way and place once for each result.

    Short messages get all of them, and nulls without nullable versions are tried everywhere.
    """
    covering = Covering()
    for item in items:
        kind = item.unspecified_kind or (place(item), item.way, item.verdict.reason)
        everywhere = not item.base and (is_short or item.verdict.reason is Reason.NULL_NOT_ALLOWED)
        if covering.keeps(item.wire) if everywhere else covering.keeps(item.wire, kind):
            covering.keeps(kind)
            yield item.case


def _is_of_few(item: Tampered) -> bool:
    is_tried = item.way in (FEW_UNSPECIFIED if item.unspecified_kind else FEW)
    return is_tried or CaseOrigin(item.way).kind == OTHER_VERSION


def _truncations(encoded: Encoded, depth: Depth) -> Iterator[VectorBytes]:
    """Yield the populated value, cut at the places of its structure."""
    covering = Covering()
    if encoded.wire:
        yield VectorBytes("cut-to-nothing", b"", ("Truncated",))
    for span, path in _places(encoded):
        if not covering.keeps(span.rule) and len(encoded.wire) > SHORT:
            continue
        place = slug("cut", path, span.rule)
        is_long = span.end - span.start > 1
        if span.start and not (is_long and depth is Depth.FEW):
            yield VectorBytes(f"{place}-before", encoded.wire[: span.start], ("Truncated",))
        if is_long:
            yield VectorBytes(f"{place}-inside", encoded.wire[: span.end - 1], ("Truncated",))


def _tampered(encoded: Encoded, base: str) -> Iterator[Tampered]:
    """Yield every tampering with one encoding, with its verdict."""
    places = list(_places(encoded))
    for tampering in structural_tamperings(encoded):
        path, rule, flag = _kind(tampering, places)
        yield Tampered(base, path, rule, tampering.way, flag, tampering.wire, judge(encoded.schema, tampering.wire))


def _kind(tampering: Tampering, places: list[tuple[Span, str]]) -> tuple[str, str, str]:
    """Return the path, the rule and the flag of a tampering."""
    if tampering.scope is Scope.END:
        return "", "", "BytesBehind"
    span, path = places[tampering.span_index]
    if tampering.scope is Scope.SECTION:
        return span.path, "section", TAG_SECTION
    if tampering.scope is Scope.TAGS:
        return path, "", TAG_SECTION
    return path, span.rule, _FLAGS.get(span.rule) or _FLAGS_OF_ROLES.get(span.role, "TamperedLength")


def _places(encoded: Encoded) -> Iterator[tuple[Span, str]]:
    """Yield every span with its path.

    The path of a span in an entry of a tag section ends with its tag, since the paths of entries are otherwise equal.
    """
    section = protocol_of(encoded.schema.dialect).tag_section
    tag = ""
    for span, following in zip_longest(encoded.spans, encoded.spans[1:]):
        first = following if span.role == "tag-size" and following.role == "tag" else span
        if first.role in ("tag", "tag-header"):
            tag = f"-tag-{section.tag_of(encoded.wire[first.start : first.end])}"
        yield span, span.path + tag if span.role in ("tag", "tag-header", "tag-size") else span.path


_FLAGS = {
    "bool.byte": "TamperedBool",
    "string.utf8": "TamperedText",
    **dict.fromkeys(("kip-625.packed", "kip-625.upacked"), "TamperedInteger"),
}
_FLAGS_OF_ROLES = {
    "count": "TamperedCount",
    "marker": "TamperedMarker",
    **dict.fromkeys(("tag-count", "tag", "tag-end", "tag-header", "tag-size"), TAG_SECTION),
}


def _clean_cases(schema: MessageSchema, depth: Depth) -> Iterator[VectorBytes]:
    """Yield the clean faults of the populated value.

    Some pairs alone have long texts and the lowest lengths.
    """
    covering = Covering()
    for fault in clean_faults(schema, populated(schema)):
        is_kept = fault.way != LOWEST_ALONE or depth is not Depth.FEW
        if fault.way in LONG_WAYS:
            layout = fault.way, *layout_of(schema, fault.path)
            is_kept = (schema.message, schema.version) in LONG_TEXTS_IN and covering.keeps(layout)
        if is_kept:
            yield VectorBytes(slug(fault.path, fault.way), fault.wire, (_FLAGS_OF_WAYS[fault.way],))


_FLAGS_OF_WAYS = {
    NULL_ALONE: "NullAlone",
    **dict.fromkeys((*NEGATIVE, LONG_UNSIGNED), "NegativeAlone"),
    LONG: "TamperedLength",
    **dict.fromkeys(MARKERS, "MarkerAdded"),
}
