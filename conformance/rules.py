"""The rule catalogue, as the suite reads it: `specs/rules.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

LEVELS = ("must", "should", "unspecified")
"""From the gravest to the lightest."""

SIDES = ("encode", "decode", "definition")


@dataclass(frozen=True)
class Rule:
    """One wire rule."""

    id: str
    level: str
    side: str
    text: str
    sources: tuple[str, ...]
    consequence: bool = False
    """Whether a departure from it often follows from another one: then that one is blamed first."""

    @property
    def gravity(self) -> int:
        """0 for must, 1 for should, 2 for unspecified."""
        return LEVELS.index(self.level)


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, Rule]:
    """Every rule, by id, in the order of the file."""
    text = (files("specs") / "rules.toml").read_text(encoding="utf-8")
    rules = [Rule(**{**entry, "sources": tuple(entry["sources"])}) for entry in tomllib.loads(text)["rule"]]
    return MappingProxyType({rule.id: rule for rule in rules})
