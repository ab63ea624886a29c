"""The history of the released definitions, with incompatible changes and their reasons (`specs/history.toml`)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from reference.evolution import Change, Effect
from reference.inputs.toml_text import packaged_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

EXPLAINED = (Effect.INCOMPATIBLE, Effect.DROPPED, Effect.REVIEW)
"""The effects of changes in need of a reason."""

RELEASE = re.compile(r"[0-9]+(\.[0-9]+)*")
"""The name of a release of Apache Kafka. A folder has none, and its changes have reasons of their own."""

REASONED_ELSEWHERE = frozenset(("evolution.not-ignorable",))
"""The rules about changes with a version of their own, whose proposal has the reason."""


@dataclass(frozen=True)
class ChangeReason:
    """The reason for an incompatible change of released definitions."""

    after: str
    """The last of the compared releases before the change."""
    by: str
    """The first of them with the change."""
    rule: str
    messages: tuple[str, ...]
    """The changed messages, by their names in the old or in the new release."""
    reason: str
    sources: tuple[str, ...]


@dataclass(frozen=True)
class History:
    """The releases compared with one another, and the reasons for their changes."""

    releases: tuple[str, ...]
    """Their names, oldest first."""
    explanations: tuple[ChangeReason, ...]

    def pairs(self) -> list[tuple[str, str]]:
        """Return every release with every later one."""
        return [(old, new) for at, old in enumerate(self.releases) for new in self.releases[at + 1 :]]

    def explanation(self, old: str, new: str, change: Change) -> ChangeReason | None:
        """Return the reason for a change from one release to the other, or None if it has none, or needs none."""
        if not needs_reason(change) or not (RELEASE.fullmatch(old) and RELEASE.fullmatch(new)):
            return None
        return next((entry for entry in self.explanations if _explains(entry, old, new, change)), None)

    def unexplained(self, old: str, new: str, changes: Iterable[Change]) -> list[Change]:
        """Return the changes from one release to the other without a needed reason."""
        return [change for change in changes if needs_reason(change) and not self.explanation(old, new, change)]

    def stale(self, changed: Mapping[tuple[str, str], Iterable[Change]]) -> list[tuple[ChangeReason, str]]:
        """Return the reasons without a change, each with a message. `changed` has the changes of every pair."""
        used = {
            (self.explanation(*pair, change), change.message) for pair, changes in changed.items() for change in changes
        }
        listed = ((entry, message) for entry in self.explanations for message in entry.messages)
        return [pair for pair in listed if pair not in used]


def needs_reason(change: Change) -> bool:
    """Return whether a change of released definitions needs a reason."""
    return change.effect in EXPLAINED and change.rule not in REASONED_ELSEWHERE


def _explains(entry: ChangeReason, old: str, new: str, change: Change) -> bool:
    # The step of the reason must overlap the step between the releases.
    overlaps = _order(old) < _order(entry.by) and _order(entry.after) < _order(new)
    return overlaps and change.rule == entry.rule and change.message in entry.messages


def _order(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


@lru_cache(maxsize=1)
def history() -> History:
    """Return the history of `specs/history.toml`."""
    tree = packaged_toml("specs", "history.toml")
    explanations = (
        ChangeReason(**{**entry, "messages": tuple(entry["messages"]), "sources": tuple(entry["sources"])})
        for entry in tree["change"]
    )
    return History(tuple(tree["releases"]), tuple(explanations))
