"""Broken input that is taken for sound, and lengths that are believed."""

from tests.mutants.mutant import reading
from tests.second_codec.steps import FixedWay, LengthWay, VarintWay

MOST_MEMORY = 2**28
"""Bytes of memory."""


def _allocated(length: int) -> int:
    """Take memory before a length is held against the input."""
    if length > MOST_MEMORY:
        raise MemoryError(length)
    return length


AS_FAR_AS_IT_GOES = LengthWay(is_bound=False)
NEGATIVE_IS_EMPTY = LengthWay(of=lambda length: 0 if length < -1 else length)

MUTANTS = (
    reading(
        "truncated-numbers-are-zero",
        "input.truncated",
        "MetadataRequest-v8,HeartbeatRequest-v3",
        "number*",
        FixedWay(pads=True),
    ),
    reading(
        "message-may-end-before-its-section",
        "input.truncated",
        "HeartbeatRequest-v4,MetadataRequest-v9",
        "section.message-count",
        VarintWay(pads=True),
    ),
    reading(
        "strings-as-far-as-they-go",
        "length.within-input",
        "FindCoordinatorRequest-v0,DeleteGroupsRequest-v0..2",
        "string*",
        AS_FAR_AS_IT_GOES,
    ),
    reading(
        "arrays-as-far-as-they-go",
        "count.within-input",
        "DeleteGroupsRequest-v1,ConsumerProtocolSubscription-v0,ListGroupsResponse-v2",
        "array*",
        AS_FAR_AS_IT_GOES,
    ),
    reading(
        "memory-before-the-length-is-checked",
        "length.within-input",
        "SaslAuthenticateRequest-v1..2,FindCoordinatorRequest-v3",
        "[brs]*",
        LengthWay(of=_allocated),
    ),
    reading(
        "negative-count-is-empty",
        "length.negative",
        "DeleteGroupsRequest-v1..2,ApiVersionsResponse-v2..3",
        "array*[!e]",
        NEGATIVE_IS_EMPTY,
    ),
    reading(
        "negative-length-is-no-text",
        "length.negative",
        "FindCoordinatorRequest-v2..3",
        "string*[!e]",
        NEGATIVE_IS_EMPTY,
    ),
    reading(
        "length-of-six-bytes", "varint.too-long", "FindCoordinatorRequest-v3", "string/compact*", VarintWay(most=64)
    ),
    reading(
        "long-strings-read",
        "string.too-long",
        "FindCoordinatorRequest-v3",
        "string/compact*",
        LengthWay(limit=2**31),
    ),
)
