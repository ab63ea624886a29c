"""Tampering by structure: each place of a sound encoding, changed in every way that `tampering` and `sections` know.

The hostile cases of the suite and the golden vectors of invalid bytes are both made of these.
"""

from __future__ import annotations

from enum import Enum, auto
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.sections import insertions
from conformance.generate.tampering import tamperings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import Encoded, Span


class Scope(Enum):
    """How much of an encoding is tampered with."""

    SPAN = auto()
    """The bytes of one span."""
    SECTION = auto()
    """A tag section gets entries."""
    TAGS = auto()
    """Two neighbouring tags: swapped, or the first repeated."""
    END = auto()
    """Bytes behind the message."""


class Tampering(NamedTuple):
    """A sound encoding with one change in its structure."""

    scope: Scope
    way: str
    """What was done: `length-null`, `unknown-descending`, `trailing-00`, `tags-swapped`."""
    wire: bytes
    span_index: int
    """Of the span where it was done, in `Encoded.spans`; their number for the end of the message."""


def structural_tamperings(encoded: Encoded) -> Iterator[Tampering]:
    """Yield every tampering with one encoding: spans, then tag sections, then the end, then pairs of tags."""
    wire = encoded.wire
    for index, span in enumerate(encoded.spans):
        for way, piece in tamperings(span, wire[span.start : span.end]):
            yield Tampering(Scope.SPAN, way, wire[: span.start] + piece + wire[span.end :], index)
    for insertion in insertions(encoded):
        yield Tampering(Scope.SECTION, insertion.name, insertion.wire, insertion.span_index)
    for piece in (b"\0", b"\xff\xff\xff\xff"):
        yield Tampering(Scope.END, f"trailing-{piece.hex()}", wire + piece, len(encoded.spans))
    yield from _tag_tamperings(encoded)


def _tag_tamperings(encoded: Encoded) -> Iterator[Tampering]:
    """Yield the encodings in which two neighbouring tags of equal length trade places, or the first stands twice."""
    tags = [(index, span) for index, span in enumerate(encoded.spans) if span.role == "tag"]
    for (index, first), (_, second) in pairwise(tags):
        one, other = (encoded.wire[span.start : span.end] for span in (first, second))
        if len(one) == len(other):
            yield Tampering(Scope.TAGS, "tags-swapped", _with_tags(encoded, (first, other), (second, one)), index)
            yield Tampering(Scope.TAGS, "tags-repeated", _with_tags(encoded, (first, one), (second, one)), index)


def _with_tags(encoded: Encoded, first: tuple[Span, bytes], second: tuple[Span, bytes]) -> bytes:
    (left, left_tag), (right, right_tag) = first, second
    wire = encoded.wire
    return wire[: left.start] + left_tag + wire[left.end : right.start] + right_tag + wire[right.end :]
