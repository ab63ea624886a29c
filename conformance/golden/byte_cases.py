"""The vectors of bytes that no writer makes: cut, tampered with, or with something behind them.

What is done to bytes is what `conformance.generate` does. A message has the same lengths, counts and sections many
times over, so not every place gets every way to tamper:

- a message is cut inside the first place of each kind (the rule that says what the bytes are), and before it where
  that is one byte long, or the pair is thorough;
- where a pair is thorough (`Depth`), each way is tried at the first place of each kind, once
  for each result that it may have; elsewhere the ways of `FEW`, once for each flag and result;
- null where there may be none is tried everywhere; in messages of up to `SHORT` bytes, everything is;
- of what the protocol leaves open, each way is tried once for the rules that leave it so.
"""

from __future__ import annotations

from itertools import islice, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.cases import populated, with_unknown_tags
from conformance.generate.hostile import whole_tamperings
from conformance.generate.invalid_bytes import broken_cases
from conformance.generate.sections import insertions
from conformance.generate.tampering import tamperings
from conformance.generate.values import unknown_tags
from conformance.golden.identities import Depth
from conformance.golden.lines import Case
from conformance.golden.slugs import slug
from reference import TAGS, Reason, Result, encode_with_spans, judge, minimal
from reference.protocols import protocol_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference import Encoded, MessageSchema, Span, Verdict

SHORT = 12
"""Bytes of the fullest value of a message of which every place is tried."""

LONG_STRINGS_IN = frozenset(("compact-string", "HeartbeatRequest"))
"""Where a string of 32,768 bytes is refused."""


FEW = frozenset((
    "length-null", "length-lowest", "length-one-more", "varint-zero", "varint-one-more", "varint-huge",
    "varint-six-bytes", "unknown",
))  # fmt: skip
"""Ways to tamper that are tried in every version."""

FEW_OPEN = frozenset(("trailing-00", "unknown", "bool-02", "lone-continuation", "length-lowest"))
"""Those that are tried in every version where the protocol leaves open what the bytes are."""

ELSEWHERE = "-of-another-version"
"""How ways end that put in the tag of a field which this version has elsewhere: those too."""

LEFT_OUT = frozenset((
    "varint-overlong-five-bytes", "varint-negative", "varint-minus-one", "varint-too-long-a-string", "length-one-less",
    "overlong-slash", "beyond-unicode", "no-continuation", "nul", "trailing-ffffffff",
    "unknown-twice",
))  # fmt: skip
"""What the primitives try, and nothing in a message makes more interesting."""


TAG_SECTION = "TamperedTagSection"


class Tampered(NamedTuple):
    """Bytes with something done to them, and what they are worth."""

    base: str
    where: str
    rule: str
    """What the bytes are with which it was done; empty for whole sections, and for what is behind a message."""
    way: str
    """What was done."""
    flag: str
    wire: bytes
    verdict: Verdict

    @property
    def open_kind(self) -> tuple[str, tuple[str, ...]] | None:
        """What was done and which rules leave it open; None if none does."""
        return (self.way, self.verdict.rules) if self.verdict.result is Result.UNSPECIFIED else None

    @property
    def case(self) -> Case:
        """The case of a vector."""
        return Case(slug(self.base, self.where, self.rule, self.way), self.wire, (self.flag,))


def byte_cases(schema: MessageSchema, depth: Depth) -> Iterator[Case]:
    """Every such input of a message that becomes a vector; no bytes are tampered into twice.

    Args:
        schema: the message at one version.
        depth: how many ways to tamper, and in how many places.
    """
    full, smallest = populated(schema), minimal(schema)
    if schema.flexible:
        full = with_unknown_tags(schema.body, full)
        smallest |= {TAGS: [(unknown_tags(schema.struct)[0], b"\xca\xfe")]}
    encoded = encode_with_spans(schema, full)
    yield from _truncations(encoded, depth)
    every = list(_judged(schema, encoded, encode_with_spans(schema, smallest)))
    if depth is Depth.FEW:
        yield from _few(every)
    else:
        kept = (each for each in every if depth is Depth.EVERYTHING or each.way not in LEFT_OUT)
        yield from _thorough(kept, is_short=len(encoded.wire) <= SHORT)
    yield from _long_strings(schema, depth)


def _judged(schema: MessageSchema, full: Encoded, smallest: Encoded) -> Iterator[Tampered]:
    """Every tampering with both bases, the preferred base of each first.

    Invalid bytes come from the fullest value, for they have no value to be written down; the others, and those of a tag
    section, from the smallest where it has such a place.
    """
    late = []
    for each in _tampered(schema, full, ""):
        if each.verdict.result is Result.INVALID and each.flag != TAG_SECTION:
            yield each
        else:
            late.append(each)
    yield from _tampered(schema, smallest, "minimal")
    yield from late


def _thorough(every: Iterable[Tampered], *, is_short: bool) -> Iterator[Case]:
    """Each way and rule once for each result; all places of short messages; each null that is not allowed."""
    seen: set[object] = set()
    for each in every:
        kind = each.open_kind or (each.rule, each.way, each.verdict.reason)
        everywhere = not each.base and (is_short or each.verdict.reason is Reason.NULL_NOT_ALLOWED)
        if each.wire not in seen and (everywhere or kind not in seen):
            seen.update((kind, each.wire))
            yield each.case


def _few(every: Iterable[Tampered]) -> Iterator[Case]:
    """A few ways, once for each flag and result; each null that is not allowed."""
    seen: set[object] = set()
    for each in every:
        kind = each.open_kind or (each.flag, each.way, each.verdict.reason)
        everywhere = not each.base and each.verdict.reason is Reason.NULL_NOT_ALLOWED
        is_tried = each.way in (FEW_OPEN if each.open_kind else FEW) or each.way.endswith(ELSEWHERE)
        if is_tried and each.wire not in seen and (everywhere or kind not in seen):
            seen.update((kind, each.wire))
            yield each.case


def _truncations(encoded: Encoded, depth: Depth) -> Iterator[Case]:
    """The fullest value, cut at the places of its structure."""
    seen: set[str] = set()
    if encoded.wire:
        yield Case("cut-to-nothing", b"", ("Truncated",))
    for span, path in _places(encoded):
        if len(encoded.wire) > SHORT and span.rule in seen:
            continue
        seen.add(span.rule)
        place = slug("cut", path, span.rule)
        is_long = span.end - span.start > 1
        if span.start and not (is_long and depth is Depth.FEW):
            yield Case(f"{place}-before", encoded.wire[: span.start], ("Truncated",))
        if is_long:
            yield Case(f"{place}-inside", encoded.wire[: span.end - 1], ("Truncated",))


def _tampered(schema: MessageSchema, encoded: Encoded, base: str) -> Iterator[Tampered]:
    """One sound encoding with something done to it in one place."""
    for where, rule, way, flag, wire in (*_in_places(encoded), *_around(schema, encoded)):
        yield Tampered(base, where, rule, way, flag, wire, judge(schema, wire))


def _in_places(encoded: Encoded) -> Iterator[tuple[str, str, str, str, bytes]]:
    """One span replaced: the place, its rule, the way, the flag, the bytes."""
    wire = encoded.wire
    for span, path in _places(encoded):
        flag = _FLAGS.get(span.rule) or _FLAGS_OF_ROLES.get(span.role, "TamperedLength")
        for way, piece in tamperings(span, wire[span.start : span.end]):
            yield path, span.rule, way, flag, wire[: span.start] + piece + wire[span.end :]


def _around(schema: MessageSchema, encoded: Encoded) -> Iterator[tuple[str, str, str, str, bytes]]:
    """Entries put into tag sections, tags that trade places, and bytes behind the message; as `_in_places`."""
    for each in insertions(schema, encoded):
        yield each.path, "section", each.name, TAG_SECTION, each.wire
    places = {str(span.start): path for span, path in _places(encoded) if span.role == "tag"}
    for whole in whole_tamperings("", encoded):
        name = whole.name.strip("/")
        way, _, start = name.rpartition("-")
        if start in places:
            yield places[start], "", way, TAG_SECTION, whole.wire
        else:
            yield "", "", name, "BytesBehind", whole.wire


def _places(encoded: Encoded) -> Iterator[tuple[Span, str]]:
    """Every span with its path, to which those in a tag section add their tag: a section has several."""
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
    "kip-625.packed": "TamperedInteger",
    "kip-625.upacked": "TamperedInteger",
}
_FLAGS_OF_ROLES = {
    "count": "TamperedCount",
    "marker": "TamperedMarker",
    "tag-count": TAG_SECTION,
    "tag": TAG_SECTION,
    "tag-end": TAG_SECTION,
    "tag-header": TAG_SECTION,
    "tag-size": TAG_SECTION,
}


def _long_strings(schema: MessageSchema, depth: Depth) -> Iterator[Case]:
    """The first string that is too long, where there is one."""
    cases = (case for case in broken_cases(schema) if case.rule == "string.too-long")
    if depth is not Depth.FEW and schema.message in LONG_STRINGS_IN:
        yield from (Case(slug(case.path, "length-32768"), case.wire, ("TamperedLength",)) for case in islice(cases, 1))
