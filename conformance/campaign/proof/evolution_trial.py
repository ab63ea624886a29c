"""Drawn changes of definitions, tried with bytes to check the rules of `specs diff`.

A version without an incompatible change must have no witness. A version with one should have a witness. If it has none,
its rules are counted: they are about a document, or about more than the bytes of the body.
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
    """A version with the result of the search for a witness."""

    old: StructType
    new: StructType
    witness: Witness | None


def _tried(old: MessageSchema, new: MessageSchema, before: TriedVersion | None) -> TriedVersion:
    """Look for a witness, unless this version is equal to the one before it."""
    if before and (old.struct, new.struct) == (before.old, before.new):
        return before
    witness = next(witnesses(old, new), None) if old.struct != new.struct else None
    return TriedVersion(old.struct, new.struct, witness)


@dataclass
class Trial:
    """The results of the changes tried."""

    changes: int = 0
    compatible: int = 0
    """Versions that changed, with compatible changes only."""
    incompatible: int = 0
    """Versions with an incompatible change and a witness."""
    unwitnessed: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """Versions with an incompatible change, but without a witness, by the rules of the change."""
    misread: list[str] = field(default_factory=list)
    """Versions with compatible changes only, but with a witness."""

    def try_change(self, name: str, evolved: Evolved) -> None:
        """Compare the rules for a change with the bytes of each version in both definitions."""
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
        """Add the results of other changes."""
        self.changes += other.changes
        self.compatible += other.compatible
        self.incompatible += other.incompatible
        self.unwitnessed += other.unwitnessed
        self.misread += other.misread


def trial_of(numbers: Iterable[int]) -> Trial:
    """Try the drawn changes with these numbers."""
    trial = Trial()
    for number in numbers:
        trial.try_change(str(number), sample_evolved(str(number)))
    return trial


def breaking(found: Iterable[Change], version: int) -> list[Change]:
    """Return the changes that make a version incompatible, its own and those of the message as a whole."""
    return [each for each in found if breaks(each) and (each.versions.empty or version in each.versions)]


def breaks(change: Change) -> bool:
    """Return whether bytes may be a witness of a change, which is incompatible in a stable version."""
    return EFFECTS[change.rule] is Effect.INCOMPATIBLE
