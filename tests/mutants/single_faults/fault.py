"""A single fault of a codec, and its results in the suite and the vectors, for all families."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.helpers.releases import BASE
from tests.mutants.ways.named import placed
from tests.second_codec.ways import SOUND, Misstep


@dataclass(frozen=True)
class Fault:
    """One step of a codec, and its way instead of the book's, faulty or open by the format."""

    family: str
    name: str
    """Its kind, its place and the name of its way, with slashes between."""
    side: str = ""
    """`read` or `write`, as in the name."""
    legal: bool = False
    place: str = ""
    way: Any = field(default=None, compare=False)
    context: str = ""
    """Its only context, as `second-batch`, or empty for all."""
    subject: str = ""
    """A selection of its messages, or a wire type."""
    release: str = BASE

    @property
    def kind(self) -> str:
        return self.name.partition("/")[0]

    @property
    def misstep(self) -> Misstep:
        return placed(self.place, self.way, self.context) if self.place else SOUND


@dataclass(frozen=True)
class Seen:
    """The first rule or id to show a fault by each part, empty if none did."""

    differs: bool
    """Whether it differs from the sound codec on an input of the family's own generator."""
    fixed: str
    """By the deterministic checks of the suite."""
    generated: str
    """By the generated checks, run only where the fixed ones show nothing."""
    vectors: str
    first: str
    """The cause of the first finding, or the vector, if no check shows it."""


class Family(Protocol):
    """The faults of the codecs of one kind of bytes."""

    def faults(self) -> Sequence[Fault]:
        """Return all faults, legal variants among them."""

    def seen(self, fault: Fault) -> Seen:
        """Return the results of a fault."""
