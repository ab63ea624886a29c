"""The table of survivors, survivors.toml: the kinds of mutants that vectors do not kill, on which side, and why."""

from __future__ import annotations

import tomllib
from dataclasses import astuple, dataclass, fields, replace
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Self

from conformance.system.whole_files import write_text
from tests.mutants.definitions.mutants import MutantKind
from tests.mutants.definitions.runner import READING, Count

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

PATH = Path(__file__).with_name("survivors.toml")
EQUIVALENT, OPEN = "equivalent", "open"
Key = tuple[MutantKind, str]
"""A kind, and the side on which it survives."""


@dataclass(frozen=True, order=True)
class Entry:
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

    @classmethod
    def of(cls, key: Key, count: Count) -> Self:
        """Return the entry of a kind that nobody has looked at."""
        kind, side = key
        return cls(kind, side, *count)

    @property
    def key(self) -> Key:
        """What it is known by."""
        return self.kind, self.side

    @property
    def count(self) -> Count:
        """The number of mutants."""
        return Count(self.tried, self.strict, self.stream)

    @property
    def is_contradicted(self) -> bool:
        """Whether a vector tells apart what is said to be equivalent."""
        return self.verdict == EQUIVALENT and self.strict + self.stream < 2 * self.tried


@dataclass(frozen=True)
class TableComparison:
    """What a run says of the table."""

    explained: tuple[Entry, ...]
    """The entries of kinds that survive, with the counts of the run."""
    unexplained: tuple[Entry, ...]
    """Entries for kinds that survive and have none."""
    stale: tuple[Entry, ...]
    """The entries of kinds that are killed, or that are not there any more, or of other numbers; of a whole run."""
    contradicted: tuple[Entry, ...]
    """The entries of mutants that are said to be equivalent, and one of which is killed."""

    @property
    def is_as_expected(self) -> bool:
        """Whether the table says what the run shows."""
        return not (self.unexplained or self.stale or self.contradicted)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The table as it is from this run on."""
        return (*self.explained, *self.unexplained)


def compared(table: Sequence[Entry], counts: Mapping[Key, Count], *, is_whole: bool) -> TableComparison:
    """Compare the table with the counts of a run; `is_whole`: of all mutants."""
    known = {entry.key: entry for entry in table}
    explained = tuple(_counted(known[key], count) for key, count in counts.items() if key in known)
    return TableComparison(
        explained,
        tuple(Entry.of(key, count) for key, count in counts.items() if key not in known),
        tuple(entry for entry in table if is_whole and counts.get(entry.key) != entry.count),
        tuple(entry for entry in explained if entry.is_contradicted),
    )


def _counted(entry: Entry, count: Count) -> Entry:
    return replace(entry, **count._asdict())


def read_table(path: Path = PATH) -> list[Entry]:
    """Return the table."""
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get("survivor", [])
    return [Entry(**{**row, "kind": MutantKind(*row["kind"])}) for row in rows]


def write_table(entries: Iterable[Entry], path: Path = PATH) -> None:
    """Write the table below the head of the file."""
    head = path.read_text(encoding="utf-8").partition("[[survivor]]")[0]
    names = [field.name for field in fields(Entry)]
    rows = (zip(names, astuple(entry), strict=True) for entry in sorted(entries))
    texts = ("".join(f"{name} = {dumps(value, ensure_ascii=False)}\n" for name, value in row) for row in rows)
    write_text(path, head + "\n".join(f"[[survivor]]\n{text}" for text in texts))
