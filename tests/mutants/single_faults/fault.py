"""A single fault of a codec, and its results in the suite and the vectors, for all families."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Fault:
    """One faulty step of a codec, or one done otherwise where the format leaves it open."""

    family: str
    name: str
    """Its kind, its place and its way, with slashes between."""
    side: str
    """`read` or `write`."""
    about: str
    legal: bool = False

    @property
    def kind(self) -> str:
        return self.name.partition("/")[0]


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
