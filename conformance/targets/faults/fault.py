"""Codecs with one mistake each, to explain what an implementation does.

If an implementation writes exactly the bytes that a codec with one mistake writes, the rule that this codec breaks is
the broken one, wherever the first different byte may be. The faults of a target stand in its room.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import tee
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Blame(NamedTuple):
    """A rule and the field where it is broken."""

    rule: str
    path: str = ""


class Read(NamedTuple):
    """A content read from bytes, and the number of bytes read."""

    content: Any
    consumed: int


class FaultyCodec(Protocol):
    """A codec for the contents of a target."""

    def write(self, content: Any) -> bytes:
        """Return the bytes of a content.

        Raises:
            CodecError: it has none in this codec.
        """

    def read(self, wire: bytes) -> Read:
        """Return the content at the beginning of some bytes.

        Raises:
            CodecError: there is none.
            NotImplementedError: this codec only writes.
        """


C_co = TypeVar("C_co", bound=FaultyCodec, covariant=True)


# Compared by identity, so that nothing hashes whole schemas.
@dataclass(frozen=True, eq=False)
class FaultModel(Generic[C_co]):
    """A codec with a single mistake, and the rule that it breaks.

    Attributes:
        rule: the rule.
        path: the place, empty for the whole content.
        codec: the codec.
        is_everywhere: whether it is in all fields of a kind, so that it has no place.
        note: what the codec does, if rule and path do not say it.
    """

    rule: str
    path: str
    codec: C_co
    is_everywhere: bool = False
    note: str = ""


class Faults(Generic[C_co]):
    """Faults in the order in which they are tried, likely ones first, each made when it is needed and then kept."""

    def __init__(self, faults: Iterable[FaultModel[C_co]]) -> None:
        self._faults: Iterator[FaultModel[C_co]] = iter(faults)

    def __iter__(self) -> Iterator[FaultModel[C_co]]:
        self._faults, copy = tee(self._faults)
        return copy
