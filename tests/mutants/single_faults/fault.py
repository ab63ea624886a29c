"""A single fault of a codec, and what the suite and the vectors show of it; the same for all families."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Fault:
    """One step of a codec that is done wrong in one thing, or otherwise where the format leaves it open."""

    family: str
    name: str
    """Its kind, its place and what is done there, with slashes between."""
    side: str
    """`read` or `write`."""
    about: str
    legal: bool = False

    @property
    def kind(self) -> str:
        """The first part of its name."""
        return self.name.partition("/")[0]


@dataclass(frozen=True)
class Seen:
    """What shows a fault: the rule or the id that did first, empty if none did."""

    differs: bool
    """Whether an input of the family's own generator tells it from the sound codec."""
    fixed: str
    """By the deterministic checks of the suite."""
    generated: str
    """By the generated checks; they are asked only where the fixed ones show nothing."""
    vectors: str
    first: str
    """The cause of the first finding, or the vector, if no check shows it."""


class Family(Protocol):
    """The faults of the codecs of one kind of bytes."""

    def faults(self) -> Sequence[Fault]:
        """Return all faults, legal variants among them."""

    def seen(self, fault: Fault) -> Seen:
        """Return what shows a fault."""
