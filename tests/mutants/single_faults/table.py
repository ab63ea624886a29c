"""The table misses.toml of faults missed by the suite or the vectors, with the reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.kit.known import Comparison, KnownEntry, KnownTable, compared
from tests.mutants.single_faults.fault import Fault, Seen

FIXED, GENERATED, VECTORS = "fixed", "generated", "vectors"


@dataclass(frozen=True)
class Miss(KnownEntry):
    """A fault, and the parts to miss it."""

    family: str
    fault: str
    by: tuple[str, ...]
    """`fixed` and `generated` for the checks of the suite, `vectors` for the vectors."""
    reason: str = ""
    """The letter of a reason in the head of the file."""

    @property
    def key(self) -> tuple[str, str]:
        """Return its identity."""
        return self.family, self.fault


def _miss(by: Iterable[str], **row: str) -> Miss:
    return Miss(**row, by=tuple(by))


TABLE = KnownTable(Path(__file__).with_name("misses.toml"), "miss", _miss)


def miss_of(fault: Fault, seen: Seen) -> Miss | None:
    """Return the parts that miss a fault, or None if every part shows it or it has no difference."""
    if fault.legal or not seen.differs:
        return None
    shown = {FIXED: seen.fixed, GENERATED: seen.fixed or seen.generated, VECTORS: seen.vectors}
    by = tuple(what for what, first in shown.items() if not first)
    return Miss(fault.family, fault.name, by) if by else None


def misses_of(table: Iterable[Miss], results: Mapping[Fault, Seen], known: Iterable[Fault]) -> Comparison[Miss]:
    """Compare the table with a run, where `known` has all faults of families in the run."""
    tried = {(fault.family, fault.name) for fault in results}
    every = {(fault.family, fault.name) for fault in known}
    families = {family for family, _ in every}
    found = (miss for fault, seen in results.items() if (miss := miss_of(fault, seen)))
    return compared(
        [*table],
        found,
        is_answered=lambda miss: miss.key in tried or (miss.family in families and miss.key not in every),
    )
