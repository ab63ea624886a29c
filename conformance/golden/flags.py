"""The flags of vectors: what a case does, and which rules it shows; `flags.toml` has them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CATEGORIES = ("value", "bytes", "rule")
"""What a sound value holds; what was done to sound bytes; what the bytes depart from."""


@dataclass(frozen=True)
class Flag:
    """What a flag says of a vector."""

    category: str
    about: str
    level: str
    effect: str
    """What goes wrong with a codec that fails such vectors."""
    rules: tuple[str, ...]


@cache
def flags() -> Mapping[str, Flag]:
    """Every flag, by name, in alphabetical order."""
    text = (files("conformance.golden") / "flags.toml").read_text(encoding="utf-8")
    entries = {name: Flag(**{**entry, "rules": tuple(entry["rules"])}) for name, entry in tomllib.loads(text).items()}
    return MappingProxyType(dict(sorted(entries.items())))


def flags_of_rules(rules: Iterable[str]) -> tuple[str, ...]:
    """The flags of the rules that some bytes depart from, in the same order."""
    return tuple(_by_rule()[rule] for rule in rules)


@cache
def _by_rule() -> Mapping[str, str]:
    return {rule: name for name, flag in flags().items() if flag.category == "rule" for rule in flag.rules}
