"""Drawn changes of definitions, tried with bytes: is what `specs diff` says of them true?

A version of which nothing incompatible is said must have no witness. One that is called incompatible should have one;
if it has none, its rules are counted, for then they are about a document, or about more than the bytes of the body.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from conformance.campaign.proof.evolution_witness import witnesses
from conformance.generate.definitions.evolved import sample_evolved
from reference.evolution import EFFECTS, Effect, changes
from reference.resolution import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.campaign.proof.evolution_witness import Witness
    from conformance.generate.definitions.evolved import Evolved
    from reference import MessageSchema, StructType
    from reference.evolution import Change


class TriedVersion(NamedTuple):
    """A version whose bytes were tried."""

    old: StructType
    new: StructType
    witness: Witness | None


def _tried(old: MessageSchema, new: MessageSchema, before: TriedVersion | None) -> TriedVersion:
    """Look for a witness, unless this version is as the one before it."""
    if before and (old.struct, new.struct) == (before.old, before.new):
        return before
    witness = next(witnesses(old, new), None) if old.struct != new.struct else None
    return TriedVersion(old.struct, new.struct, witness)


@dataclass
class Trial:
    """What came of the changes that were tried."""

    changes: int = 0
    compatible: int = 0
    """Versions that changed, and are said to be compatible."""
    incompatible: int = 0
    """Versions that are said to be incompatible, and have a witness."""
    unwitnessed: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """Versions that are said to be incompatible, and have no witness, by the rules that say so."""
    misread: list[str] = field(default_factory=list)
    """Versions that are said to be compatible, and have a witness."""

    def try_change(self, name: str, evolved: Evolved) -> None:
        """Hold what is said of a change against the bytes of each version that both definitions have."""
        self.changes += 1
        found = changes(*evolved)
        before: TriedVersion | None = None
        for version in evolved.old.valid_versions.intersect(evolved.new.valid_versions):
            before = _tried(resolve(evolved.old, version), resolve(evolved.new, version), before)
            self._count(f"{name} v{version}", before, breaking(found, version))

    def _count(self, place: str, tried: TriedVersion, broken: list[Change]) -> None:
        witness = tried.witness
        if witness and not broken:
            self.misread.append(f"{place}: {witness.wire.hex(' ')}: {witness.reader.name} {witness.problem}")
        if not broken:
            self.compatible += tried.old != tried.new
        elif witness:
            self.incompatible += 1
        else:
            self.unwitnessed[tuple(sorted({change.rule for change in broken}))] += 1

    def add(self, other: Trial) -> None:
        """Add what came of other changes."""
        self.changes += other.changes
        self.compatible += other.compatible
        self.incompatible += other.incompatible
        self.unwitnessed += other.unwitnessed
        self.misread += other.misread


def trial_of(numbers: Iterable[int]) -> Trial:
    """Try the drawn changes of those numbers."""
    trial = Trial()
    for number in numbers:
        trial.try_change(str(number), sample_evolved(str(number)))
    return trial


def breaking(found: Iterable[Change], version: int) -> list[Change]:
    """Return the changes that make a version incompatible: its own, and those of the message as a whole."""
    return [each for each in found if breaks(each) and (each.versions.empty or version in each.versions)]


def breaks(change: Change) -> bool:
    """Whether bytes may be a witness of a change: in a version that was stable it is incompatible."""
    return EFFECTS[change.rule] is Effect.INCOMPATIBLE
