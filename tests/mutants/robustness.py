"""Broken input taken for sound, and lengths believed."""

from tests.mutants.mutant import mutants
from tests.second_codec.left_out import ANY_WIDTH, NEGATIVE_IS_NONE, NO_BOUND, NO_LIMIT
from tests.second_codec.steps import FixedWay, LengthWay, VarintWay

MOST_MEMORY = 2**28
"""Bytes of memory."""


def _allocated(length: int) -> int:
    """Take memory before a length is held against the input."""
    if length > MOST_MEMORY:
        raise MemoryError(length)
    return length


WAYS = {
    "truncated-numbers-are-zero": FixedWay(pads=True),
    "message-may-end-before-its-section": VarintWay(pads=True),
    "strings-as-far-as-they-go": NO_BOUND,
    "arrays-as-far-as-they-go": NO_BOUND,
    "memory-before-the-length-is-checked": LengthWay(of=_allocated),
    "negative-count-is-empty": NEGATIVE_IS_NONE,
    "negative-length-is-no-text": NEGATIVE_IS_NONE,
    "length-of-six-bytes": ANY_WIDTH,
    "long-strings-read": NO_LIMIT,
}

MUTANTS = tuple(mutants(WAYS))
