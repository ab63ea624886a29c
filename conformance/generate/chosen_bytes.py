"""The bytes of a body made by no writer, chosen for the golden vectors and tried by the suite as well.

They are cut, tampered with, or followed by other bytes. A message has the same lengths, counts and sections many times
over, so not every place gets every way:

- a message is cut inside the first place of each kind (the rule of its bytes), and before it if that is one byte long,
  or the pair is thorough;
- in a thorough pair (`Depth`), each way is tried at the first place of each kind, once for each possible result; in
  others only the ways of `FEW` are tried, once for each role and result;
- every tagged field is written at its default, alone, in every pair: the default may be null;
- null at places without nullable versions is tried everywhere; in messages of up to `SHORT` bytes, every way is;
- each way with an unspecified result is tried once for each list of violated rules;
- clean faults (`conformance.generate.clean_faults`) are tried everywhere, long texts in `LONG_TEXTS_IN`.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import chain, compress
from operator import not_
from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.clean_faults import LONG_WAYS, LOWEST_ALONE, clean_faults
from conformance.generate.covering import Covering
from conformance.generate.depth import Depth, long_layout
from conformance.generate.edge_values import Bases, populated
from conformance.generate.hostile_bodies import explicit_cases
from conformance.generate.origin import CaseOrigin
from conformance.generate.refused_bytes import UNKNOWN_TAG
from conformance.generate.structure import IN_SECTION, OTHER_VERSION, Scope, Tampering, structural_tamperings
from reference import Reason, Result, encode_with_spans, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from conformance.generate.origin import ChangedBytes
    from reference import Encoded, MessageSchema, Verdict

    Judging = Callable[[bytes], Verdict]

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


INSIDE = "inside"
"""The way of a cut within a span."""


def chosen_bases(schema: MessageSchema, bases: Bases | None = None) -> dict[str, Encoded]:
    """Return the encodings to be changed, by name: with content in every field, and the smallest one.

    Both have unknown tags if the version has any.
    """
    bases = bases or Bases.usual(schema)
    names = ("tagged", UNKNOWN_TAG) if schema.flexible else ("populated", "minimal")
    values = (bases.tagged or bases.populated, bases.unknown_tag or bases.minimal)
    return {name: encode_with_spans(schema, value) for name, value in zip(names, values, strict=True)}


class _Judged(NamedTuple):
    """A change of a base, and the verdict on its bytes."""

    base: str
    change: Tampering
    verdict: Verdict

    def kind(self, depth: Depth) -> Hashable:
        if self.verdict.result is Result.UNSPECIFIED:
            return self.change.way, self.verdict.rules
        place = self.change.role if depth is Depth.FEW else self.change.rule
        return place, self.change.way, self.verdict.reason


def changes_of_bases(
    schema: MessageSchema, depth: Depth, bases: Bases, judged: Judging | None = None
) -> Iterator[tuple[str, Tampering]]:
    """Yield the `chosen_changes` at the same places of other bases, each with its base.

    A place of the usual base that another one lacks has no change.
    """
    # A known tagged field in the smallest value would stand for the unknown one if the choice were made there.
    usual, own = chosen_bases(schema), chosen_bases(schema, bases)
    there = {name: _by_place(own[name]) for name in own if own[name].wire != usual[name].wire}
    places = {name: {change: place for place, change in _by_place(usual[name]).items()} for name in there}
    for base, change in chosen_changes(schema, depth, judged):
        same = there[base].get(places[base][change]) if base in there else change
        if same is not None:
            yield base, same


def _by_place(encoded: Encoded) -> dict[Hashable, Tampering]:
    """Return every change of an encoding by its place, of several with one path and role by the number from the end."""
    found: dict[Hashable, Tampering] = {}
    numbers: Counter[Hashable] = Counter()
    for change in reversed([*_every_cut(encoded), *structural_tamperings(encoded)]):
        place = change.scope, change.way, change.role, change.span and (change.span.path, change.span.rule)
        found[place, numbers[place]] = change
        numbers[place] += 1
    return found


def chosen_changes(
    schema: MessageSchema, depth: Depth, judged: Judging | None = None
) -> Iterator[tuple[str, Tampering]]:
    """Yield the cuts and the changes in the structure of both `chosen_bases`, one of each kind, each with its base.

    Nulls without nullable versions are tried everywhere.

    Args:
        schema: the message.
        depth: the number of kinds.
        judged: returns the verdict on bytes; default: the oracle's.
    """
    (rich, full), smallest = chosen_bases(schema).items()
    covering, judged = Covering(), judged or partial(judge, schema)
    is_short = len(full.wire) <= SHORT and depth is not Depth.FEW
    yield from ((rich, cut) for cut in _cuts(full, depth))
    every = list(_tried(rich, full, depth, judged))
    # Invalid bytes come from the richest value, since they have no value to be written down. All others, and those of a
    # tag section, come from the smallest value if it has the place.
    early = [each.verdict.result is Result.INVALID and each.change.role != IN_SECTION for each in every]
    late = compress(every, map(not_, early))
    for each in chain(compress(every, early), _tried(*smallest, depth, judged), late):
        wire, kind = each.change.wire, each.kind(depth)
        everywhere = each.base == rich and (is_short or each.verdict.reason is Reason.NULL_NOT_ALLOWED)
        if covering.keeps(wire) if everywhere else covering.keeps(wire, kind):
            covering.keeps(kind)
            yield each.base, each.change


def chosen_faults(schema: MessageSchema, depth: Depth) -> Iterator[ChangedBytes]:
    """Yield each tagged field at its default, alone, and the clean faults of the populated value.

    In a thorough pair, the tagged fields of the message itself are among the changes. Some pairs alone have long texts
    and the lowest lengths.
    """
    yield from (case for case in explicit_cases(schema) if depth is Depth.FEW or "." in case.path)
    covering = Covering((None,))
    for fault in clean_faults(schema, populated(schema)):
        if fault.origin.way in LONG_WAYS:
            layout = long_layout(schema, fault.path)
            is_kept = covering.keeps(layout and (fault.origin.way, *layout))
        else:
            is_kept = fault.origin.way != LOWEST_ALONE or depth is not Depth.FEW
        if is_kept:
            yield fault


def _cuts(encoded: Encoded, depth: Depth) -> Iterator[Tampering]:
    """Yield an encoding cut at the first place of each kind, or at all of them if it is short."""
    covering, wire = Covering(), encoded.wire
    kept = {index for index, span in enumerate(encoded.spans) if covering.keeps(span.rule) or len(wire) <= SHORT}
    for cut in _every_cut(encoded):
        span = encoded.spans[cut.span_index]
        is_long_cut_before = cut.way != INSIDE and span.end - span.start > 1
        if cut.span_index in kept and not (is_long_cut_before and depth is Depth.FEW):
            yield cut


def _every_cut(encoded: Encoded) -> Iterator[Tampering]:
    """Yield an encoding cut before and inside of each span."""
    wire = encoded.wire
    for index, span in enumerate(encoded.spans):
        if span.start:
            yield Tampering(Scope.CUT, "before", wire[: span.start], index, span)
        if span.end - span.start > 1:
            yield Tampering(Scope.CUT, INSIDE, wire[: span.end - 1], index, span)


def _tried(base: str, encoded: Encoded, depth: Depth, judged: Judging) -> Iterator[_Judged]:
    """Yield the changes of one encoding tried in this depth; no others are judged."""
    for change in structural_tamperings(encoded):
        of_few = CaseOrigin(change.way).kind == OTHER_VERSION
        if depth is not Depth.FEW:
            if depth is Depth.EVERYTHING or change.way not in LEFT_OUT:
                yield _Judged(base, change, judged(change.wire))
        elif of_few or change.way in FEW | FEW_UNSPECIFIED:
            found = _Judged(base, change, judged(change.wire))
            if of_few or change.way in (FEW_UNSPECIFIED if found.verdict.result is Result.UNSPECIFIED else FEW):
                yield found
