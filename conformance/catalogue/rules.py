"""The rule catalogue, as the suite reads it: `specs/rules.toml`, and a `rules.toml` for each proposal."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

from conformance.catalogue.examples import Example, example_from
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
    """The protocol that the rule belongs to: the released one, or that of a proposal."""
    consequence: bool = False
    """A violation of this rule often follows from another one, which is then blamed first."""
    example: Example = field(default=Example(), compare=False, repr=False)

    @property
    def severity(self) -> int:
        """0 for must, 1 for should, 2 for unspecified."""
        return LEVELS.index(self.level)


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, Rule]:
    """Return every rule, by id, in the order of the files: those of the released protocol first."""
    specs = files("specs")
    rules = _rules(specs / CATALOGUE, RELEASED)
    for dialect in PROPOSALS:
        rules += _rules(specs / PROPOSED / dialect / CATALOGUE, dialect)
    return MappingProxyType({rule.id: rule for rule in rules})


def rules_of(dialect: str = RELEASED) -> Mapping[str, Rule]:
    """Return the rules of one protocol, by id, in the order of the file."""
    return MappingProxyType({rule.id: rule for rule in catalogue().values() if rule.dialect == dialect})


def _rules(file: Traversable, dialect: str) -> list[Rule]:
    entries = tomllib.loads(file.read_text(encoding="utf-8"))["rule"]
    return [
        Rule(
            **{
                **entry,
                "sources": tuple(entry["sources"]),
                "dialect": dialect,
                "example": example_from(entry["example"], dialect),
            }
        )
        for entry in entries
    ]
