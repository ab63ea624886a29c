"""Which statements a rule covers: those of the book, and the requirements of the proposals' documents."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import chain, starmap
from typing import TYPE_CHECKING, Any

from conformance.definitions.book import statements
from reference.inputs.toml_text import parse_toml
from reference.release import PROPOSED

if TYPE_CHECKING:
    from conformance.definitions.book import Statement

REQUIREMENTS = "requirements.toml"


@dataclass(frozen=True)
class Requirement:
    """One statement of a proposal's document, or one decision about what it leaves open."""

    number: str
    title: str
    rules: tuple[str, ...] = ()
    """The rules that test codecs for it, the closest one first."""
    reason: str = ""
    """The reason why it has no rules: withdrawn, not definite, or about one program."""
    tests: tuple[str, ...] = ()
    """Its tests, by their names in pytest."""


@lru_cache(maxsize=1)
def requirements_of_proposals() -> tuple[Requirement, ...]:
    """Return the requirements of `specs/proposals/requirements.toml`, in order."""
    text = (files("specs") / PROPOSED / REQUIREMENTS).read_bytes()
    entries = [each for section in parse_toml(text, REQUIREMENTS)["section"] for each in section["statements"].items()]
    return tuple(starmap(_requirement, entries))


def _requirement(number: str, entry: dict[str, Any]) -> Requirement:
    entry |= {name: tuple(entry[name]) for name in ("rules", "tests") if name in entry}
    return Requirement(number, **entry)


def covered_by(rule: str) -> tuple[Statement | Requirement, ...]:
    """Return what a rule covers: statements of the book, then requirements of proposals."""
    everything: chain[Statement | Requirement] = chain(statements().values(), requirements_of_proposals())
    return tuple(each for each in everything if rule in each.rules)
