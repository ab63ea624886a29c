"""The rule catalogue, as the suite reads it: `specs/rules.toml`, and a `rules.toml` for each proposal."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

from reference.definitions.model import RELEASED
from reference.proposals import PROPOSALS
from reference.release import PROPOSED

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

CATALOGUE = "rules.toml"

LEVELS = ("must", "should", "unspecified")
"""From the most severe to the least."""

SIDES = ("encode", "decode", "definition")


@dataclass(frozen=True)
class Rule:
    """One rule of the catalogue."""

    id: str
    level: str
    side: str
    text: str
    sources: tuple[str, ...]
    dialect: str = RELEASED
    """Of which protocol it is a rule: the released one, or that of a proposal."""
    consequence: bool = False
    """Whether a departure from it often follows from another one: then that one is blamed first."""

    @property
    def gravity(self) -> int:
        """0 for must, 1 for should, 2 for unspecified."""
        return LEVELS.index(self.level)


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, Rule]:
    """Every rule, by id, in the order of the files: those of the released protocol first."""
    specs = files("specs")
    rules = _rules(specs / CATALOGUE, RELEASED)
    for dialect in PROPOSALS:
        rules += _rules(specs / PROPOSED / dialect / CATALOGUE, dialect)
    return MappingProxyType({rule.id: rule for rule in rules})


def rules_of(dialect: str = RELEASED) -> Mapping[str, Rule]:
    """The rules of one protocol, by id, in the order of the file."""
    return MappingProxyType({rule.id: rule for rule in catalogue().values() if rule.dialect == dialect})


def _rules(file: Traversable, dialect: str) -> list[Rule]:
    entries = tomllib.loads(file.read_text(encoding="utf-8"))["rule"]
    return [Rule(**{**entry, "sources": tuple(entry["sources"]), "dialect": dialect}) for entry in entries]
