"""The table of survivors, survivors.toml: the kinds of mutants that vectors do not kill, on which side, and why."""

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
"""A kind, and the side on which it survives."""


@dataclass(frozen=True)
class Entry(KnownEntry):
    """A kind of which mutants survive on one side, and the verdict of a person."""

    kind: MutantKind
    side: str
    """`reading` or `writing`."""
    tried: int
    """The number of mutants of the kind, those of the same codec and vectors once."""
    strict: int
    """How many of them survive if readers refuse bytes behind a message."""
    stream: int
    """How many survive if readers leave them; a writer has no reader, and one number."""
    verdict: str = OPEN
    """`equivalent`: nobody can tell them from the definition's own codec. `open`: vectors are missing."""
    reason: str = ""

    def __str__(self) -> str:
        of_readers = f" by strict readers, {self.stream} by those of streams" if self.side == READING else ""
        return f"{self.kind}, {self.side}: {self.strict} of {self.tried}{of_readers}. {self.reason}"

    @property
    def key(self) -> Key:
        """What it is known by."""
        return self.kind, self.side

    @property
    def is_contradicted(self) -> bool:
        """Whether a vector tells apart what is said to be equivalent."""
        return self.verdict == EQUIVALENT and self.strict + self.stream < 2 * self.tried


def kinds_of(table: Sequence[Entry], counts: Mapping[Key, Count], *, is_whole: bool) -> Comparison[Entry]:
    """Compare the table with the counts of a run; `is_whole`: of all mutants."""
    return compared(table, (Entry(*key, *count) for key, count in counts.items()), is_answered=lambda _: is_whole)


def contradicted(result: Comparison[Entry]) -> list[Entry]:
    """Return the entries of mutants that are said to be equivalent, and one of which is killed."""
    return [entry for entry in result.found if entry.is_contradicted]


def equivalent() -> set[Key]:
    """Return the kinds, and the sides, on which the table has them as equivalent."""
    return {entry.key for entry in TABLE.read() if entry.verdict == EQUIVALENT}


def _entry(kind: Sequence[str], **row: Any) -> Entry:
    return Entry(MutantKind(*kind), **row)


TABLE = KnownTable(Path(__file__).with_name("survivors.toml"), "survivor", _entry)
