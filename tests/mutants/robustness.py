"""Broken input that is taken for sound, and lengths that are believed."""

from tests.mutants.mutant import mutants
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

WAYS = {
    "truncated-numbers-are-zero": FixedWay(pads=True),
    "message-may-end-before-its-section": VarintWay(pads=True),
    "strings-as-far-as-they-go": AS_FAR_AS_IT_GOES,
    "arrays-as-far-as-they-go": AS_FAR_AS_IT_GOES,
    "memory-before-the-length-is-checked": LengthWay(of=_allocated),
    "negative-count-is-empty": NEGATIVE_IS_EMPTY,
    "negative-length-is-no-text": NEGATIVE_IS_EMPTY,
    "length-of-six-bytes": VarintWay(most=64),
    "long-strings-read": LengthWay(limit=2**31),
}

MUTANTS = tuple(mutants(WAYS))
