"""The history of the released definitions: what changed against the rules, and why (`specs/history.toml`)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from reference.evolution import Change, Effect

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

EXPLAINED = (Effect.INCOMPATIBLE, Effect.DROPPED)
"""The effects that a change between two releases does not have without a reason."""


@dataclass(frozen=True)
class Explanation:
    """Why released definitions changed against a rule."""

    after: str
    """The last of the compared releases that is from before the change."""
    by: str
    """The first of them that has the change."""
    rule: str
    messages: tuple[str, ...]
    """The messages that changed, by their names in the old or in the new release."""
    reason: str
    sources: tuple[str, ...]


@dataclass(frozen=True)
class History:
    """The releases that are compared with one another, and what is to be said about them."""

    releases: tuple[str, ...]
    """Oldest first."""
    explanations: tuple[Explanation, ...]

    def pairs(self) -> list[tuple[str, str]]:
        """Every release with every later one."""
        return [(old, new) for at, old in enumerate(self.releases) for new in self.releases[at + 1 :]]

    def explanation(self, old: str, new: str, change: Change) -> Explanation | None:
        """Why that changed from one release to the other; None if nothing is known, or nothing is to be explained."""
        if change.effect not in EXPLAINED or not {old, new} <= set(self.releases):
            return None
        return next((each for each in self.explanations if self._explains(each, old, new, change)), None)

    def _explains(self, entry: Explanation, old: str, new: str, change: Change) -> bool:
        at = self.releases.index
        between = at(old) <= at(entry.after) and at(entry.by) <= at(new)
        return between and change.rule == entry.rule and change.message in entry.messages

    def unexplained(self, old: str, new: str, changes: Iterable[Change]) -> list[Change]:
        """The changes from one release to the other for which there has to be a reason, and is none."""
        return [each for each in changes if each.effect in EXPLAINED and self.explanation(old, new, each) is None]

    def stale(self, found: Mapping[tuple[str, str], Iterable[Change]]) -> list[tuple[Explanation, str]]:
        """The reasons for what did not happen, with the messages; `found` is what changed, for every pair."""
        used = {
            (self.explanation(*pair, change), change.message) for pair, changes in found.items() for change in changes
        }
        given = ((each, message) for each in self.explanations for message in each.messages)
        return [each for each in given if each not in used]


@lru_cache(maxsize=1)
def history() -> History:
    """What `specs/history.toml` says."""
    tree = tomllib.loads((files("specs") / "history.toml").read_text(encoding="utf-8"))
    explanations = (
        Explanation(**{**entry, "messages": tuple(entry["messages"]), "sources": tuple(entry["sources"])})
        for entry in tree["change"]
    )
    return History(tuple(tree["releases"]), tuple(explanations))
