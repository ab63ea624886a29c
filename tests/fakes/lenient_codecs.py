"""Codecs that differ from Apache Kafka where the protocol leaves it open.

They have no findings, but lines of the profile.
"""

from typing import Any

from reference import FieldSchema, Malformed
from reference.paths import Path
from reference.wire.base import WireType
from reference.wire.message import Protocol
from reference.wire.stream import LenientReader, Reader
from reference.wire.tags import TagSection
from tests.mutants.mutant import Lie, Mutant
from tests.mutants.tags import with_tags


def refusing(rule: str) -> type[LenientReader]:
    class Refusing(LenientReader):
        def deviation(self, rule_here: str, offset: int, path: Path) -> None:
            if rule_here == rule:
                self.truncated(path)
            super().deviation(rule_here, offset, path)

    return Refusing


def nothing_after(own: int, given: int) -> int:
    if own != given:
        raise Malformed("input.trailing-bytes", None, own, "")
    return own


class OtherNegativeIsEmpty(Protocol):
    """Reads a negative count other than -1 as none, where null is allowed."""

    def array(self, field: FieldSchema, element: WireType) -> WireType:
        array = super().array(field, element)
        return _OtherNegativeIsEmpty(array) if field.nullable else array


class _OtherNegativeIsEmpty(Lie):
    def read(self, stream: Reader, path: Path = "") -> Any:
        assert isinstance(stream, LenientReader)
        before = len(stream.deviations)
        items = super().read(stream, path)
        return [] if items is None and len(stream.deviations) > before else items


class _AnyTagKept(TagSection):
    def __init__(self, known: Any, _elsewhere: frozenset[int], rule: str) -> None:
        super().__init__(known, frozenset(), rule)


TagsOfOtherVersionsKept = with_tags(_AnyTagKept)


def _refusal(name: str, rule: str, pairs: str) -> Mutant:
    return Mutant(name, rule, pairs, reader=refusing(rule))


REFUSING = (
    _refusal("excess-bits-refused", "varint.excess-bits", "MetadataRequest-v9"),
    _refusal("overlong-varints-refused", "varint.overlong", "MetadataRequest-v9"),
    _refusal("other-bools-refused", "bool.other-than-0-1", "MetadataRequest-v8..9"),
    _refusal("malformed-utf8-refused", "string.malformed-utf8", "FindCoordinatorRequest-v2..3"),
    _refusal("other-negative-counts-refused", "null.other-negative", "MetadataRequest-v8..9"),
    _refusal("other-markers-refused", "struct.other-marker", "ConsumerGroupHeartbeatResponse-v0"),
    _refusal("unsorted-tags-refused", "tag.order-on-read", "ApiVersionsResponse-v3"),
    _refusal("repeated-tags-refused", "tag.duplicate", "ApiVersionsResponse-v3"),
    _refusal("other-sizes-refused", "tag.size-mismatch", "ApiVersionsResponse-v3"),
    _refusal("negative-tag-count-refused", "tag.count-negative", "MetadataRequest-v9"),
    _refusal("highest-tags-refused", "tag.beyond-31-bits", "MetadataRequest-v9"),
    Mutant("trailing-bytes-refused", "input.trailing-bytes", "MetadataRequest-v8..9", consumed=nothing_after),
)
"""Codecs that refuse bytes left open by the protocol."""

ACCEPTING = (
    Mutant(
        "other-negative-counts-are-empty", "null.other-negative", "MetadataRequest-v8..9", reads=OtherNegativeIsEmpty()
    ),
    Mutant(
        "tags-of-other-versions-kept",
        "tag.not-in-this-version",
        "FetchRequest-v12..14",
        reads=TagsOfOtherVersionsKept(),
    ),
)
"""Codecs that accept bytes left open by the protocol, each in a way of its own."""
