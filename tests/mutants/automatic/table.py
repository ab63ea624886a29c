"""The table of survivors, survivors.toml: each mutant that the suite does not kill, and why."""

from __future__ import annotations

import tomllib
from dataclasses import astuple, dataclass, fields
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Self

from conformance.system.whole_files import write_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from tests.mutants.automatic.mutations import Mutant
    from tests.mutants.automatic.runner import Fate

PATH = Path(__file__).with_name("survivors.toml")


@dataclass(frozen=True, order=True)
class Survivor:
    """A mutant that survives, and the verdict of a person."""

    file: str
    place: str
    operator: str
    before: str
    after: str
    verdict: str = "open"
    """`equivalent`: nobody can tell it from the reference. `open`: a blind spot of the suite."""
    reason: str = ""

    @classmethod
    def of(cls, mutant: Mutant) -> Self:
        """Return the entry of a mutant that nobody has looked at."""
        return cls(mutant.file, mutant.place, mutant.operator, mutant.before, mutant.after)

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What it is known by, wherever its lines move: as a mutant's."""
        return self.file, self.place, self.before, self.after


@dataclass(frozen=True)
class Comparison:
    """What a run says of the table."""

    explained: tuple[Survivor, ...]
    """The entries of what survived."""
    unexplained: tuple[Fate, ...]
    """What survived and has no entry."""
    stale: tuple[Survivor, ...]
    """The entries of what was killed, or is not there any more."""


def compared(table: Sequence[Survivor], fates: Sequence[Fate], files: Collection[str], *, is_whole: bool) -> Comparison:
    """Compare the table with a run of mutants of these files; `is_whole`: of all of them."""
    survived = {fate.mutant.key: fate for fate in fates if fate.killed_by is None}
    tried = {fate.mutant.key for fate in fates}
    known = {survivor.key for survivor in table}
    return Comparison(
        tuple(survivor for survivor in table if survivor.key in survived),
        tuple(fate for key, fate in survived.items() if key not in known),
        tuple(
            survivor
            for survivor in table
            if survivor.key not in survived and survivor.file in files and (is_whole or survivor.key in tried)
        ),
    )


def read_table(path: Path = PATH) -> list[Survivor]:
    """Return the table."""
    return [Survivor(**entry) for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("survivor", [])]


def write_table(survivors: Iterable[Survivor], path: Path = PATH) -> None:
    """Write the table below the head of the file."""
    head = path.read_text(encoding="utf-8").partition("[[survivor]]")[0]
    names = [field.name for field in fields(Survivor)]
    entries = (zip(names, astuple(survivor), strict=True) for survivor in sorted(survivors))
    texts = ("".join(f"{name} = {dumps(value, ensure_ascii=False)}\n" for name, value in entry) for entry in entries)
    write_text(path, head + "\n".join(f"[[survivor]]\n{text}" for text in texts))
