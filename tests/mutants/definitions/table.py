"""The table survivors.toml of the kinds of mutants not killed by vectors, by side, with the reasons."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.mutants.definitions.mutants import MutantKind
from tests.mutants.definitions.runner import READING, Count
from tests.mutants.kit.known import EQUIVALENT, OPEN, Comparison, KnownEntry, KnownTable, compared

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Key = tuple[MutantKind, str]
"""A kind, and the side of its survival."""


@dataclass(frozen=True)
class Entry(KnownEntry):
    """A kind of mutants with survivors on one side, and the verdict of a person."""

    kind: MutantKind
    side: str
    """`reading` or `writing`."""
    tried: int
    """The number of mutants of the kind, with equal codecs and vectors counted once."""
    strict: int
    """The number of survivors if readers refuse bytes after a message."""
    stream: int
    """The number of survivors if readers leave them (a writer has no reader, and one number)."""
    verdict: str = OPEN
    """`equivalent` for a codec equal to the definition's own on all inputs, `open` for missing vectors."""
    reason: str = ""

    def __str__(self) -> str:
        of_readers = f" by strict readers, {self.stream} by those of streams" if self.side == READING else ""
        return f"{self.kind}, {self.side}: {self.strict} of {self.tried}{of_readers}. {self.reason}"

    @property
    def key(self) -> Key:
        """Its identity."""
        return self.kind, self.side

    @property
    def is_contradicted(self) -> bool:
        """Whether a vector refutes the verdict equivalent."""
        return self.verdict == EQUIVALENT and self.strict + self.stream < 2 * self.tried


def kinds_of(table: Sequence[Entry], counts: Mapping[Key, Count], *, is_whole: bool) -> Comparison[Entry]:
    """Compare the table with the counts of a run, which `is_whole` if it has all mutants."""
    return compared(table, (Entry(*key, *count) for key, count in counts.items()), is_answered=lambda _: is_whole)


def contradicted(result: Comparison[Entry]) -> list[Entry]:
    """Return the entries with the verdict equivalent and a killed mutant."""
    return [entry for entry in result.found if entry.is_contradicted]


def equivalent() -> set[Key]:
    """Return the kinds and sides with the verdict equivalent in the table."""
    return {entry.key for entry in TABLE.read() if entry.verdict == EQUIVALENT}


def _entry(kind: Sequence[str], **row: Any) -> Entry:
    return Entry(MutantKind(*kind), **row)


TABLE = KnownTable(Path(__file__).with_name("survivors.toml"), "survivor", _entry)
