"""The history of the released definitions: incompatible changes and their reasons (`specs/history.toml`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from reference.evolution import Change, Effect
from reference.inputs.toml_text import packaged_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

EXPLAINED = (Effect.INCOMPATIBLE, Effect.DROPPED, Effect.REVIEW)
"""The effects of changes that need a reason."""


@dataclass(frozen=True)
class Explanation:
    """The reason for an incompatible change of released definitions."""

    after: str
    """The last of the compared releases before the change."""
    by: str
    """The first of them with the change."""
    rule: str
    messages: tuple[str, ...]
    """The messages that changed, by their names in the old or in the new release."""
    reason: str
    sources: tuple[str, ...]


@dataclass(frozen=True)
class History:
    """The releases that are compared with one another, and the reasons for their changes."""

    releases: tuple[str, ...]
    """Oldest first."""
    explanations: tuple[Explanation, ...]

    def pairs(self) -> list[tuple[str, str]]:
        """Return every release with every later one."""
        return [(old, new) for at, old in enumerate(self.releases) for new in self.releases[at + 1 :]]

    def explanation(self, old: str, new: str, change: Change) -> Explanation | None:
        """Return the reason for a change from one release to the other; None if it has none, or needs none."""
        if change.effect not in EXPLAINED or not {old, new} <= set(self.releases):
            return None
        return next((entry for entry in self.explanations if self._explains(entry, old, new, change)), None)

    def _explains(self, entry: Explanation, old: str, new: str, change: Change) -> bool:
        at = self.releases.index
        between = at(old) <= at(entry.after) and at(entry.by) <= at(new)
        return between and change.rule == entry.rule and change.message in entry.messages

    def unexplained(self, old: str, new: str, changes: Iterable[Change]) -> list[Change]:
        """Return the changes from one release to the other that need a reason and have none."""
        return [change for change in changes if change.effect in EXPLAINED and not self.explanation(old, new, change)]

    def stale(self, changed: Mapping[tuple[str, str], Iterable[Change]]) -> list[tuple[Explanation, str]]:
        """Return the reasons without a change, each with a message; `changed` has the changes of every pair."""
        used = {
            (self.explanation(*pair, change), change.message) for pair, changes in changed.items() for change in changes
        }
        listed = ((entry, message) for entry in self.explanations for message in entry.messages)
        return [pair for pair in listed if pair not in used]


@lru_cache(maxsize=1)
def history() -> History:
    """Return the history of `specs/history.toml`."""
    tree = packaged_toml("specs", "history.toml")
    explanations = (
        Explanation(**{**entry, "messages": tuple(entry["messages"]), "sources": tuple(entry["sources"])})
        for entry in tree["change"]
    )
    return History(tuple(tree["releases"]), tuple(explanations))
