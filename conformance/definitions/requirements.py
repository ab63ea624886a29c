"""Traceability: which rules cover which numbered statement about the protocol.

`requirements()` is about the released protocol, `requirements_of_proposals()` about the documents of the proposals.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import starmap
from typing import TYPE_CHECKING, Any

from reference.inputs.toml_text import parse_toml
from reference.release import PROPOSED

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

REQUIREMENTS = "requirements.toml"


@dataclass(frozen=True)
class Statement:
    """One statement about the protocol."""

    number: str
    title: str
    rules: tuple[str, ...] = ()
    """The rules that test codecs for it, the closest one first."""
    not_observable: str = ""
    """The reason why it cannot be observed from outside, if there are no rules."""
    tests: tuple[str, ...] = ()
    """The tests of a proposal's statement, by their names in pytest."""
    not_testable: str = ""
    """The reason why a proposal's statement has no tests: withdrawn, not definite, or about one program."""


@dataclass(frozen=True)
class Section:
    """Statements that belong together."""

    title: str
    prefix: str
    """The beginning of the numbers of its statements: `1.1.`, `482A-`."""
    last: int
    """The number of its last statement, without the prefix."""
    statements: tuple[Statement, ...]
    first: int = 1
    """The number of its first statement."""

    @property
    def numbers(self) -> list[str]:
        """The numbers that its statements must have."""
        return [f"{self.prefix}{number}" for number in range(self.first, self.last + 1)]


@dataclass(frozen=True)
class Requirements:
    """All statements, and the rules that belong to none."""

    sections: tuple[Section, ...]
    unnumbered: dict[str, str]
    """The rules that no statement is about, each with its foundation."""

    @property
    def statements(self) -> tuple[Statement, ...]:
        """All statements, in order."""
        return tuple(statement for section in self.sections for statement in section.statements)

    def about(self, rule: str) -> tuple[Statement, ...]:
        """Return the statements that a rule covers."""
        return tuple(statement for statement in self.statements if rule in statement.rules)


@lru_cache(maxsize=1)
def requirements() -> Requirements:
    """Return the statements of `specs/requirements.toml`."""
    return _read(files("specs") / REQUIREMENTS)


@lru_cache(maxsize=1)
def requirements_of_proposals() -> Requirements:
    """Return the statements of `specs/proposals/requirements.toml`."""
    return _read(files("specs") / PROPOSED / REQUIREMENTS)


def _read(file: Traversable) -> Requirements:
    tree = parse_toml(file.read_bytes(), file.name)
    return Requirements(tuple(map(_section, tree["section"])), tree.get("unnumbered", {}))


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
