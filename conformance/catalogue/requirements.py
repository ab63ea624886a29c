"""The ledgers, as the suite reads them: which rules cover which numbered statement about the protocol.

`ledger()` is about the protocol as released, `ledger_of_proposals()` about the documents that proposed changes of it.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import starmap
from typing import TYPE_CHECKING, Any

from reference.release import PROPOSED

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

LEDGER = "requirements.toml"


@dataclass(frozen=True)
class Statement:
    """One statement about the protocol."""

    number: str
    title: str
    rules: tuple[str, ...] = ()
    """The rules that hold codecs to it, the closest one first."""
    not_observable: str = ""
    """Why nothing of it can be seen from outside, where there are no rules."""
    tests: tuple[str, ...] = ()
    """What shows that it holds, as pytest names tests; for statements of proposals."""
    not_testable: str = ""
    """Why no test can show it, for statements of proposals: withdrawn, not definite, or about one program."""


@dataclass(frozen=True)
class Section:
    """Statements that belong together."""

    title: str
    prefix: str
    """What the numbers of its statements begin with: `1.1.`, `482A-`."""
    last: int
    """The number of its last statement, without the prefix."""
    statements: tuple[Statement, ...]
    first: int = 1
    """The number of its first statement."""

    @property
    def numbers(self) -> list[str]:
        """Which statements it must have."""
        return [f"{self.prefix}{number}" for number in range(self.first, self.last + 1)]


@dataclass(frozen=True)
class Ledger:
    """Every statement, and what there is beside them."""

    sections: tuple[Section, ...]
    unnumbered: dict[str, str]
    """The rules that no statement is about, with what they rest on."""

    @property
    def statements(self) -> tuple[Statement, ...]:
        """All of them, in order."""
        return tuple(statement for section in self.sections for statement in section.statements)

    def about(self, rule: str) -> tuple[Statement, ...]:
        """The statements that a rule covers."""
        return tuple(statement for statement in self.statements if rule in statement.rules)


@lru_cache(maxsize=1)
def ledger() -> Ledger:
    """What `specs/requirements.toml` says."""
    return _read(files("specs") / LEDGER)


@lru_cache(maxsize=1)
def ledger_of_proposals() -> Ledger:
    """What `specs/proposals/requirements.toml` says."""
    return _read(files("specs") / PROPOSED / LEDGER)


def _read(file: Traversable) -> Ledger:
    tree = tomllib.loads(file.read_text(encoding="utf-8"))
    return Ledger(tuple(map(_section, tree["section"])), tree.get("unnumbered", {}))


def _section(entry: dict[str, Any]) -> Section:
    statements = tuple(starmap(_statement, entry["statements"].items()))
    return Section(entry["title"], entry["prefix"], entry["last"], statements, entry.get("first", 1))


def _statement(number: str, entry: dict[str, Any]) -> Statement:
    return Statement(
        number,
        entry["title"],
        rules=tuple(entry.get("rules", ())),
        not_observable=entry.get("not-observable", ""),
        tests=tuple(entry.get("tests", ())),
        not_testable=entry.get("not-testable", ""),
    )
