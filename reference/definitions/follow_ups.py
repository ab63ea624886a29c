"""What can still be said about a definition of which something could not be read: `independent`.

What cannot be read counts as absent, so a rule that looks at it would complain about the reader's guess. Such a problem
is told by its place, at the same field or at the struct that has it, and by what its rule looks at there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.definitions.model import WORDS
from reference.definitions.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from reference.definitions.errors import Place, Problem

Steps = tuple[str | int, ...]

HARMLESS = ("definition.entity-type-known", "definition.known-properties", "definition.listener-known")
"""Problems of a property that no other rule looks at."""

ABSENT: dict[str, str] = WORDS["missed"]
"""The property that is missed, by the rule that misses it."""


def independent(unread: Sequence[Problem], later: Iterable[Problem]) -> Iterator[Problem]:
    """Those of the later problems that do not follow from what could not be read."""
    causes = [each for each in unread if each.rule not in HARMLESS]
    return (each for each in later if not any(_follows(each, cause) for cause in causes))


def _follows(later: Problem, cause: Problem) -> bool:
    owner, steps = _owner(cause.place), later.place.steps
    if not owner:
        return _looks_at(later, cause) if len(steps) <= 1 else any(word in later.rule for word in _words(cause))
    if steps[: len(owner)] == owner:
        return "struct" in later.rule if "fields" in steps[len(owner) :] else _looks_at(later, cause)
    if steps == owner[:-2]:
        return cause.place.steps == owner or _looks_at(later, cause)
    return owner[0] == "commonStructs" and "struct" in later.rule


def _looks_at(later: Problem, cause: Problem) -> bool:
    last = cause.place.steps[-1:]
    unread = last[0] if last and isinstance(last[0], str) else ABSENT.get(cause.rule)
    facts = RULES.get(later.rule)
    return unread is None or facts is None or facts.looks_at is None or unread in facts.looks_at.split()


def _owner(place: Place) -> Steps:
    """The steps to the object that something is said about: to the field, not to its versions."""
    return place.steps[:-1] if place.steps and isinstance(place.steps[-1], str) else place.steps


def _words(cause: Problem) -> Iterator[str]:
    """What rules have in their ids that look at a property of the message, wherever they look from."""
    if "flexible" in cause.rule or "flexibleVersions" in cause.place.steps:
        yield "flexible"
    if "commonStructs" in cause.place.steps:
        yield "struct"
