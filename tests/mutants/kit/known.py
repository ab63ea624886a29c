"""The table of known survivors, a TOML file with a head of prose and one entry for each survivor."""

from __future__ import annotations

import tomllib
from dataclasses import astuple, dataclass, fields, replace
from json import dumps
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from conformance.system.whole_files import write_text

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence
    from pathlib import Path

EQUIVALENT, OPEN = "equivalent", "open"
NOTES = ("verdict", "reason")
"""The fields of an entry written by a person."""


@dataclass(frozen=True)
class KnownEntry:
    """A survivor by the results of a run, with the notes of a person."""

    @property
    def key(self) -> Hashable:
        """The name of the survivor, whatever its other fields are."""
        raise NotImplementedError


Entry = TypeVar("Entry", bound=KnownEntry)


@dataclass(frozen=True)
class Comparison(Generic[Entry]):
    """The differences between a run and the table."""

    found: tuple[Entry, ...]
    """The entries of the run, with the notes of the table."""
    new: tuple[Entry, ...]
    """Those missing or different in the table."""
    stale: tuple[Entry, ...]
    """Entries of the table refuted by the run."""
    updated: tuple[Entry, ...]
    """The table from this run on."""

    @property
    def known(self) -> tuple[Entry, ...]:
        """The entries equal in the run and the table."""
        return tuple(entry for entry in self.found if entry not in self.new)


def compared(
    table: Sequence[Entry], entries: Iterable[Entry], *, is_answered: Callable[[Entry], bool]
) -> Comparison[Entry]:
    """Compare the table with the entries of a run, where `is_answered` if the run has the whole of an entry."""
    known = {entry.key: entry for entry in table}
    found = tuple(_noted(entry, known[entry.key]) if entry.key in known else entry for entry in entries)
    new = tuple(each for each in found if each.key not in known or (each not in table and is_answered(known[each.key])))
    stale = tuple(entry for entry in table if entry not in found and is_answered(entry))
    return Comparison(found, new, stale, (*(entry for entry in table if entry not in stale), *new))


def _noted(entry: Entry, known: Entry) -> Entry:
    notes: dict[str, Any] = {name: getattr(known, name) for name in NOTES if hasattr(known, name)}
    return replace(entry, **notes)


@dataclass(frozen=True)
class KnownTable(Generic[Entry]):
    """A file of entries."""

    path: Path
    title: str
    """The name of an entry in the file."""
    entry: Callable[..., Entry]
    """Makes an entry of the fields in the file."""

    def read(self) -> list[Entry]:
        """Return the entries."""
        return [self.entry(**row) for row in tomllib.loads(self.path.read_text(encoding="utf-8")).get(self.title, [])]

    def write(self, entries: Iterable[Entry]) -> None:
        """Write the entries in order below the head of the file."""
        line = f"[[{self.title}]]\n"
        head = self.path.read_text(encoding="utf-8").partition(line)[0]
        write_text(self.path, head + "\n".join(line + _text(entry) for entry in sorted(entries, key=astuple)))


def _text(entry: KnownEntry) -> str:
    names = [field.name for field in fields(entry)]
    rows = zip(names, astuple(entry), strict=True)
    return "".join(f"{name} = {dumps(value, ensure_ascii=False)}\n" for name, value in rows)
