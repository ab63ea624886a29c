"""The table survivors.toml of mutants not killed by the suite, with the reasons."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from tests.mutants.kit.known import OPEN, Comparison, KnownEntry, KnownTable, compared

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from tests.mutants.automatic.mutations import Mutant


@dataclass(frozen=True)
class Survivor(KnownEntry):
    """A surviving mutant, and the verdict of a person."""

    file: str
    place: str
    operator: str
    before: str
    after: str
    verdict: str = OPEN
    """`equivalent` for a mutant equal to the reference on all inputs, `open` for a blind spot of the suite."""
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.file}, {self.place}: {self.before}  ->  {self.after}"

    @classmethod
    def of(cls, mutant: Mutant) -> Self:
        """Return the entry of a mutant without a verdict."""
        return cls(mutant.file, mutant.place, mutant.operator, mutant.before, mutant.after)

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Its identity, wherever its lines move."""
        return self.file, self.place, self.before, self.after


TABLE = KnownTable(Path(__file__).with_name("survivors.toml"), "survivor", Survivor)


def survivors_of(
    table: Sequence[Survivor], killed_by: Mapping[Mutant, str | None], files: Collection[str], *, is_whole: bool
) -> Comparison[Survivor]:
    """Compare the table with a run of mutants of these files, which `is_whole` if it has all of them."""
    tried = {Survivor.of(mutant).key for mutant in killed_by}
    return compared(
        table,
        (Survivor.of(mutant) for mutant, violation in killed_by.items() if violation is None),
        is_answered=lambda entry: entry.file in files and (is_whole or entry.key in tried),
    )
