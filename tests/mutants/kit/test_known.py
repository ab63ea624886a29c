"""The file of the table of known survivors, and its comparison with a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.mutants.automatic.survivors import TABLE as AUTOMATIC
from tests.mutants.definitions.table import TABLE as DEFINITIONS
from tests.mutants.kit.known import EQUIVALENT, OPEN, KnownEntry, KnownTable, compared
from tests.mutants.single_faults.table import TABLE as MISSES

TABLES: list[KnownTable[Any]] = [AUTOMATIC, DEFINITIONS, MISSES]


@dataclass(frozen=True)
class CountedEntry(KnownEntry):
    """A survivor with a number."""

    name: str
    count: int
    reason: str = ""

    @property
    def key(self) -> str:
        return self.name


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Entries are below the head of the file, in order."""
    table = KnownTable(tmp_path / "table.toml", "entry", CountedEntry)
    table.path.write_text("# head\n\n", encoding="utf-8")
    entries = [CountedEntry("é", 1, 'a "reason"'), CountedEntry("b", 2)]
    table.write(entries)
    assert table.read() == entries[::-1]
    assert table.path.read_text(encoding="utf-8").startswith("# head\n\n[[entry]]\n")


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.path.parent.name)
def test_a_committed_table_is_written_as_it_is(table: KnownTable[Any], tmp_path: Path) -> None:
    """An update changes no line of an entry that stays."""
    text = table.path.read_text(encoding="utf-8")
    copy = KnownTable(tmp_path / "table.toml", table.title, table.entry)
    copy.path.write_text(text, encoding="utf-8")
    copy.write(reversed(copy.read()))
    assert copy.path.read_text(encoding="utf-8") == text


def test_an_entry_keeps_its_reason() -> None:
    """The run knows none."""
    known = CountedEntry("a", 1, "reason")
    result = compared([known], [CountedEntry("a", 1)], is_answered=lambda _: True)
    assert (result.known, result.new, result.stale, result.updated) == ((known,), (), (), (known,))


def test_another_result_is_new_and_its_old_entry_stale() -> None:
    """An update keeps the reason."""
    known, changed = CountedEntry("a", 1, "reason"), CountedEntry("a", 2, "reason")
    result = compared([known], [CountedEntry("a", 2)], is_answered=lambda _: True)
    assert (result.new, result.stale, result.updated) == ((changed,), (known,), (changed,))


def test_an_entry_without_an_answer_stays() -> None:
    """A run of a part of the mutants has other numbers, and has no results for the rest."""
    table = [CountedEntry("a", 1), CountedEntry("b", 1)]
    result = compared(table, [CountedEntry("a", 2)], is_answered=lambda _: False)
    assert (result.new, result.stale, result.updated) == ((), (), tuple(table))


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.path.parent.name)
def test_every_committed_entry_has_a_reason_and_a_key_of_its_own(table: KnownTable[Any]) -> None:
    entries = table.read()
    assert not [entry for entry in entries if not entry.reason]
    assert len({entry.key for entry in entries}) == len(entries)


@pytest.mark.parametrize("table", [AUTOMATIC, DEFINITIONS], ids=lambda table: table.path.parent.name)
def test_every_survivor_has_a_verdict(table: KnownTable[Any]) -> None:
    """It is equivalent with a reason, or open with the missing test."""
    assert {entry.verdict for entry in table.read()} <= {EQUIVALENT, OPEN}
