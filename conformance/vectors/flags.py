"""The flags of vectors: the class of a case, and the rules that it is about. `flags.toml` lists them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from reference.inputs.toml_text import packaged_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CATEGORIES = ("value", "bytes", "refused", "rule")
"""Flags about sound values, about what was done to sound bytes, about refused values, about rules that bytes break."""


@dataclass(frozen=True)
class Flag:
    """One flag."""

    category: str
    level: str
    about: str
    effect: str
    """The fault of a codec that fails such vectors."""
    rules: tuple[str, ...]


@cache
def flags() -> Mapping[str, Flag]:
    """Return every flag, by name, in alphabetical order."""
    table = packaged_toml("conformance.vectors", "flags.toml")
    entries = {name: Flag(**{**entry, "rules": tuple(entry["rules"])}) for name, entry in table.items()}
    return MappingProxyType(dict(sorted(entries.items())))


def flags_of_rules(rules: Iterable[str]) -> tuple[str, ...]:
    """Return the flags of the rules that some bytes violate, in the same order."""
    return tuple(_by_rule()[rule] for rule in rules)


@cache
def _by_rule() -> Mapping[str, str]:
    return {rule: name for name, flag in flags().items() if flag.category == "rule" for rule in flag.rules}
