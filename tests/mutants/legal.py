"""Codecs that differ from Apache Kafka where the protocol leaves it open.

They have no findings, but lines of the profile.
"""

from dataclasses import replace

from tests.mutants.mutant import Mutant, reading
from tests.mutants.single_faults.ways import VARINT_LEGAL, refuse_if
from tests.second_codec.bodies import MarkerWay, SectionWay, StructWay
from tests.second_codec.steps import HIGHEST_TAG, ContentWay, FixedWay, LengthWay, NotTaken, VarintWay


def nothing_after(own: int, given: int) -> int:
    if own != given:
        raise NotTaken
    return own


def _malformed(raw: bytes) -> bool:
    return raw.decode(errors="replace").encode() != raw


def _excess(number: int, _size: int) -> bool:
    return number >> 32 > 0


REFUSING = (
    reading("excess-bits-refused", "varint.excess-bits", "MetadataRequest-v9", "*", VarintWay(refuses=_excess)),
    reading("overlong-varints-refused", "varint.overlong", "MetadataRequest-v9", "*", VARINT_LEGAL["overlong-refused"]),
    reading(
        "other-bools-refused",
        "bool.other-than-0-1",
        "MetadataRequest-v8..9",
        "number/bool",
        FixedWay(piece=refuse_if(lambda piece: piece > b"\1")),
    ),
    reading(
        "malformed-utf8-refused",
        "string.malformed-utf8",
        "FindCoordinatorRequest-v2..3",
        "string/*",
        ContentWay(raw=refuse_if(_malformed)),
    ),
    reading(
        "other-negative-counts-refused",
        "null.other-negative",
        "MetadataRequest-v8..9",
        "*/nullable",
        LengthWay(of=refuse_if(lambda length: length < -1)),
    ),
    reading(
        "other-markers-refused",
        "struct.other-marker",
        "ConsumerGroupHeartbeatResponse-v0",
        "marker",
        MarkerWay(refuses=lambda marker: marker not in {1, 0xFF}),
    ),
    reading(
        "unsorted-tags-refused",
        "tag.order-on-read",
        "ApiVersionsResponse-v3",
        "section*",
        SectionWay(tags=refuse_if(lambda tags: list(dict.fromkeys(tags)) != sorted(set(tags)))),
    ),
    reading(
        "repeated-tags-refused",
        "tag.duplicate",
        "ApiVersionsResponse-v3",
        "section*",
        SectionWay(tags=refuse_if(lambda tags: len(set(tags)) < len(tags))),
    ),
    reading(
        "other-sizes-refused", "tag.size-mismatch", "ApiVersionsResponse-v3", "section*", SectionWay(is_exact=True)
    ),
    reading(
        "negative-tag-count-refused",
        "tag.count-negative",
        "MetadataRequest-v9",
        "section*-count",
        VarintWay(refuses=lambda count, _size: count >> 31 > 0),
    ),
    reading(
        "highest-tags-refused",
        "tag.beyond-31-bits",
        "MetadataRequest-v9",
        "section*-tag",
        VarintWay(refuses=lambda tag, _size: tag > HIGHEST_TAG),
    ),
    Mutant("trailing-bytes-refused", "input.trailing-bytes", "MetadataRequest-v8..9", consumed=nothing_after),
)
"""Codecs that refuse bytes left open by the protocol."""

ACCEPTING = (
    reading(
        "other-negative-counts-are-empty",
        "null.other-negative",
        "MetadataRequest-v8..9",
        "array*/nullable",
        LengthWay(of=lambda length: 0 if length < -1 else length),
    ),
    reading(
        "tags-of-other-versions-kept",
        "tag.not-in-this-version",
        "FetchRequest-v12..14",
        "struct*",
        StructWay(of=lambda struct: replace(struct, tags_elsewhere=frozenset())),
    ),
)
"""Codecs that accept bytes left open by the protocol, each in a way of its own."""
