"""Sources of random choices for generated values.

One walker over schemas (`conformance.generate.drawn_values`) serves random search, the proof against Apache Kafka,
benchmarks and corpora. It asks a `Choices` for numbers. Hypothesis gives shrinkable ones; a seed gives the same ones
for ever.
"""

from __future__ import annotations

from functools import cache, lru_cache
from hashlib import blake2b
from struct import Struct
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")

BLOCK = 64
"""Bytes drawn at a time."""

_DIGEST = 64
_WORD = 8
_WORD_BITS = 64
_WORD_MASK = 2**_WORD_BITS - 1
_WORDS = Struct(">8Q")


class Choices(Protocol):
    """A source of numbers, with 0 as the simplest answer."""

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1."""

    def integer(self, lowest: int, highest: int) -> int:
        """Return a number from `lowest` to `highest`, both included."""

    def together(self, make: Callable[[], T]) -> T:
        """Return the result of `make`, as a part to drop as a whole."""


def pick(choices: Choices, options: Sequence[T]) -> T:
    """Return one of `options`, the first as the simplest."""
    return options[choices.below(len(options))]


class DrawnChoices:
    """Choices made and shrunk by Hypothesis.

    `draw` is the function of a composite strategy.
    """

    def __init__(self, draw: Callable[[Any], Any]) -> None:
        self._draw = draw

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1."""
        number: int = self._draw(_integers(0, bound - 1))
        return number

    def integer(self, lowest: int, highest: int) -> int:
        """Return a number from `lowest` to `highest`, both included.

        Hypothesis favours numbers near zero. So an unsigned number of n bits is drawn as a signed one, and numbers with
        the top bit set are as likely as the others.
        """
        count = highest - lowest + 1
        is_unsigned = lowest == 0 and count > 1 and count.bit_count() == 1
        number: int = self._draw(_integers(-count // 2, count // 2 - 1) if is_unsigned else _integers(lowest, highest))
        return number % count if is_unsigned else number

    def together(self, make: Callable[[], T]) -> T:
        """Return the result of `make`.

        Hypothesis tries to remove all of its choices at once.
        """
        made: T = self._draw(st.builds(make))
        return made


@lru_cache(maxsize=4096)
def _integers(lowest: int, highest: int) -> st.SearchStrategy[int]:
    return st.integers(lowest, highest)


class ByteChoices:
    """Choices read from random bytes, drawn and shrunk by Hypothesis in blocks.

    A value takes dozens of choices. One draw for a block of them costs a fraction of a draw for each. Small blocks are
    shrunk better, large ones are drawn faster. `draw` is the function of a composite strategy.
    """

    def __init__(self, draw: Callable[[Any], Any], block: int = BLOCK) -> None:
        self._draw = draw
        self._blocks = _blocks(block)
        self._block = b""
        self._position = 0

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1, all about equally likely.

        The byte 0 gives 0.
        """
        if bound <= _BYTE:
            if self._position == len(self._block):
                self._block, self._position = self._draw(self._blocks), 0
            self._position += 1
            return self._block[self._position - 1] % bound
        return int.from_bytes(self._bytes(((bound - 1).bit_length() + 7) // 8), "big") % bound

    def _bytes(self, length: int) -> bytes:
        end = self._position + length
        if end <= len(self._block):
            start, self._position = self._position, end
            return self._block[start:end]
        # The number crosses the end of the block, so it is read byte by byte; `below` draws the next block.
        return bytes(self.below(_BYTE) for _ in range(length))

    def integer(self, lowest: int, highest: int) -> int:
        """Return a number from `lowest` to `highest`, both included.

        Zero, or the nearest number to it, is the simplest.
        """
        number = self.below(highest - lowest + 1)
        if lowest >= 0:
            return lowest + number
        # Numbers above `highest` stand for the negative ones, so 0 remains the simplest.
        return number if number <= highest else highest - number

    def together(self, make: Callable[[], T]) -> T:
        """Return the result of `make`."""
        return make()


_BYTE = 256


@cache
def _blocks(size: int) -> st.SearchStrategy[bytes]:
    return st.binary(min_size=size, max_size=size)


class SeededChoices:
    """Choices derived from a text by hashes of it and a counter.

    The same seed gives the same choices on every machine, Python version and day. No generator of the standard library
    promises this.

    >>> [SeededChoices("a seed").below(100) for _ in range(2)]
    [27, 27]
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode()
        self._counter = 0
        self._words: list[int] = []

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1, all equally likely (to within 2^-56 for small bounds)."""
        number = self._word()
        if bound > _WORD_MASK:
            for _ in range((bound.bit_length() - 1) // _WORD_BITS):
                number = number << _WORD_BITS | self._word()
        return number % bound

    def integer(self, lowest: int, highest: int) -> int:
        """Return a number from `lowest` to `highest`, both included."""
        return lowest + self.below(highest - lowest + 1)

    def together(self, make: Callable[[], T]) -> T:
        """Return the result of `make`."""
        return make()

    def _word(self) -> int:
        """Return the next 64 bits."""
        if not self._words:
            block = blake2b(self._seed + self._counter.to_bytes(_WORD, "big"), digest_size=_DIGEST).digest()
            self._counter += 1
            self._words.extend(_WORDS.unpack(block))
        return self._words.pop()
