"""The flags of vectors.

A flag is the class of a case (`flags.toml`), or a rule of the catalogue broken by its bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from conformance.definitions.catalogue import DECODE, LEVELS, catalogue
from reference.inputs.toml_text import packaged_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from conformance.definitions.catalogue import Rule

CATEGORIES = ("value", "bytes", "refused", "rule")
"""The subjects of flags: valid values, changes of valid bytes, refused values, and rules broken by bytes."""


@dataclass(frozen=True)
class Flag:
    """One flag."""

    category: str
    level: str
    about: str
    effect: str
    """The fault of a codec with a failure on these vectors."""
    rules: tuple[str, ...]


@cache
def flags() -> Mapping[str, Flag]:
    """Return every flag, by name, in alphabetical order."""
    table = packaged_toml("conformance.vectors", "flags.toml")
    classes = {name: _of_class(entry) for name, entry in table.items()}
    of_rules = {rule.flag: _of_rule(rule) for rule in catalogue().values() if rule.flag}
    return MappingProxyType(dict(sorted((classes | of_rules).items())))


def flags_of_rules(rules: Iterable[str]) -> tuple[str, ...]:
    """Return the flags of the rules violated by some bytes, in the same order."""
    return tuple(_by_rule("rule")[rule] for rule in rules)


def flag_of_refusal(rule: str) -> str:
    """Return the flag of values refused by a rule."""
    return _by_rule("refused")[rule]


@cache
def _by_rule(category: str) -> Mapping[str, str]:
    return {rule: name for name, flag in flags().items() if flag.category == category for rule in flag.rules}


def _of_class(entry: dict[str, Any]) -> Flag:
    severity = min(catalogue()[rule].severity for rule in entry["rules"])
    return Flag(**{"level": LEVELS[severity], **entry, "rules": tuple(entry["rules"])})


def _of_rule(rule: Rule) -> Flag:
    return Flag("rule", rule.level, rule.sentence(DECODE), rule.effect, (rule.id,))
