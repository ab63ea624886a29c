"""Codecs different from Apache Kafka where the protocol leaves it open.

They have no findings, but lines of the profile.
"""

from dataclasses import replace

from tests.mutants.mutant import Mutant, mutants
from tests.mutants.single_faults.ways import VARINT_LEGAL, refuse_if
from tests.second_codec.bodies import MarkerWay, SectionWay, StructWay
from tests.second_codec.left_out import NEGATIVE_IS_NONE
from tests.second_codec.steps import HIGHEST_TAG, ContentWay, FixedWay, LengthWay, NotTaken, VarintWay


def nothing_after(own: int, given: int) -> int:
    if own != given:
        raise NotTaken
    return own


def _malformed(raw: bytes) -> bool:
    return raw.decode(errors="replace").encode() != raw


def _excess(number: int, _size: int) -> bool:
    return number >> 32 > 0


_REFUSING = {
    "excess-bits-refused": VarintWay(refuses=_excess),
    "overlong-varints-refused": VARINT_LEGAL["overlong-refused"],
    "other-bools-refused": FixedWay(piece=refuse_if(lambda piece: piece > b"\1")),
    "malformed-utf8-refused": ContentWay(raw=refuse_if(_malformed)),
    "other-negative-counts-refused": LengthWay(of=refuse_if(lambda length: length < -1)),
    "other-markers-refused": MarkerWay(refuses=lambda marker: marker not in {1, 0xFF}),
    "unsorted-tags-refused": SectionWay(tags=refuse_if(lambda tags: list(dict.fromkeys(tags)) != sorted(set(tags)))),
    "repeated-tags-refused": SectionWay(tags=refuse_if(lambda tags: len(set(tags)) < len(tags))),
    "other-sizes-refused": SectionWay(is_exact=True),
    "negative-tag-count-refused": VarintWay(refuses=lambda count, _size: count >> 31 > 0),
    "highest-tags-refused": VarintWay(refuses=lambda tag, _size: tag > HIGHEST_TAG),
}
REFUSING = (
    *mutants(_REFUSING),
    Mutant("trailing-bytes-refused", "input.trailing-bytes", "MetadataRequest-v8..9", consumed=nothing_after),
)
"""Codecs that refuse bytes left open by the protocol."""

_ACCEPTING = {
    "other-negative-counts-are-empty": NEGATIVE_IS_NONE,
    "tags-of-other-versions-kept": StructWay(of=lambda struct: replace(struct, tags_elsewhere=frozenset())),
}
ACCEPTING = tuple(mutants(_ACCEPTING))
"""Codecs that accept bytes left open by the protocol, each in a way of its own."""
