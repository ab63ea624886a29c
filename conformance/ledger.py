"""The ledger, as the suite reads it: which rules of the catalogue cover which numbered statement about the protocol."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files


@dataclass(frozen=True)
class Statement:
    """One statement about the protocol."""

    number: str
    title: str
    rules: tuple[str, ...] = ()
    """The rules that hold codecs to it, the closest one first."""
    not_observable: str = ""
    """Why nothing of it can be seen from outside, where there are no rules."""


@dataclass(frozen=True)
class Section:
    """Statements that belong together."""

    number: str
    title: str
    last: int
    """The number of its last statement, without that of the section."""
    statements: tuple[Statement, ...]


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
    """What `specs/ledger.toml` says."""
    tree = tomllib.loads((files("specs") / "ledger.toml").read_text(encoding="utf-8"))
    sections = tuple(
        Section(
            number=section["number"],
            title=section["title"],
            last=section["last"],
            statements=tuple(
                Statement(number, each["title"], tuple(each.get("rules", ())), each.get("not-observable", ""))
                for number, each in section["statements"].items()
            ),
        )
        for section in tree["section"]
    )
    return Ledger(sections, tree["unnumbered"])
