"""Hostile bytes, typed by what they break: a schema tells where lengths, markers, counts, tags and sizes lie.

A sound encoding is tampered with in just these places (`tampering`, `sections`), or damaged anywhere (`damage`). What
the result is worth is not known here: `reference.judge` says so. There is a fixed set for each message, and a strategy
that goes on from there by chance.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from hypothesis import strategies as st

from conformance.generate.cases import populated, with_unknown_tags
from conformance.generate.choices import DrawnChoices, pick
from conformance.generate.mutations import damaged, wounded
from conformance.generate.sections import insertions
from conformance.generate.tampering import tamperings
from conformance.generate.values import sample, value_generator
from reference import Encoded, MessageSchema, encode, encode_with_spans, minimal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.generate.choices import Choices

FEWEST = 100
"""How many cases there are of a message at least: where structure gives fewer, damage makes up for them."""

MAXIMUM_TAMPERINGS = 3
LONGEST = 3_000
"""Bytes of a value that is damaged: in longer ones most damage is in the middle of a text."""


class HostileCase(NamedTuple):
    """Some bytes, what was done to make them, and where."""

    name: str
    path: str
    wire: bytes
    sort: str = ""
    """What was done to what: the rule of the span and the tampering, wherever it lies; empty if it is unlike others."""

    @property
    def base(self) -> str:
        """The name of the sound encoding that was tampered with."""
        return self.name.partition("/")[0]


def hostile_cases(schema: MessageSchema) -> Iterator[HostileCase]:
    """Two or three sound encodings, every way to tamper with every place of each, and damage; no bytes twice."""
    seen: set[bytes] = set()
    for case in _structural_cases(schema):
        if case.wire not in seen:
            seen.add(case.wire)
            yield case
    for case in _damaged_cases(schema):
        if len(seen) >= FEWEST:
            break
        if case.wire not in seen:
            seen.add(case.wire)
            yield case


def _structural_cases(schema: MessageSchema) -> Iterator[HostileCase]:
    values = {"minimal": minimal(schema), "populated": populated(schema)}
    if schema.flexible:
        values["tagged"] = with_unknown_tags(schema.body, populated(schema))
    yield HostileCase("empty-input", "", b"")
    for name, value in values.items():
        encoded = encode_with_spans(schema, value)
        yield HostileCase(name, "", encoded.wire)
        for index, span in enumerate(encoded.spans):
            for what, piece in tamperings(span, encoded.wire[span.start : span.end]):
                wire = encoded.wire[: span.start] + piece + encoded.wire[span.end :]
                yield HostileCase(f"{name}/{index}/{what}", span.path, wire, f"{span.rule}/{what}")
        for each in insertions(schema, encoded):
            yield HostileCase(f"{name}/section-{each.start}/{each.name}", each.path, each.wire)
        yield from whole_tamperings(name, encoded)


def whole_tamperings(name: str, encoded: Encoded) -> Iterator[HostileCase]:
    """Tampering with more than one span: bytes after the message, and tags that trade places."""
    for piece in (b"\0", b"\xff\xff\xff\xff"):
        yield HostileCase(f"{name}/trailing-{piece.hex()}", "", encoded.wire + piece)
    tags = [span for span in encoded.spans if span.role == "tag"]
    for first, second in pairwise(tags):
        if first.end - first.start == second.end - second.start:
            one, other = (encoded.wire[span.start : span.end] for span in (first, second))
            for what, left, right in (("swapped", other, one), ("repeated", one, one)):
                middle = encoded.wire[first.end : second.start]
                wire = encoded.wire[: first.start] + left + middle + right + encoded.wire[second.end :]
                yield HostileCase(f"{name}/tags-{what}-{first.start}", first.path, wire)


def _damaged_cases(schema: MessageSchema) -> Iterator[HostileCase]:
    """Damaged values, one after the other, without end for all that matters."""
    for index in range(100 * FEWEST):
        wire = encode(schema, sample(schema, f"hostile/{index}"))[:LONGEST]
        yield HostileCase(f"damaged-{index}", "", damaged(wire, f"hostile/{schema}/{index}"))


@st.composite
def hostile_bytes(draw: Callable[[Any], Any], schema: MessageSchema) -> bytes:
    """A Hypothesis strategy of hostile bytes for `schema`: a drawn value, tampered with or damaged."""
    choices = DrawnChoices(draw)
    encoded = encode_with_spans(schema, value_generator(schema)(choices))
    if choices.below(DAMAGED_ONE_IN) == DAMAGED_ONE_IN - 1:
        return wounded(encoded.wire[:LONGEST], choices)
    return tampered(schema, encoded, choices)


DAMAGED_ONE_IN = 4
SECTION_ONE_IN = 8


def tampered(schema: MessageSchema, encoded: Encoded, choices: Choices) -> bytes:
    """A sound encoding, tampered with in one to three places of its structure, from the last to the first."""
    if choices.below(SECTION_ONE_IN) == SECTION_ONE_IN - 1:
        inserted = list(insertions(schema, encoded))
        if inserted:
            return pick(choices, inserted).wire
    wire, end = encoded.wire, len(encoded.spans)
    for _ in range(1 + choices.below(MAXIMUM_TAMPERINGS)):
        if not end:
            break
        end = choices.below(end)
        span = encoded.spans[end]
        pieces = [piece for _, piece in tamperings(span, encoded.wire[span.start : span.end])]
        if pieces:
            wire = wire[: span.start] + pick(choices, pieces) + wire[span.end :]
    return wire
