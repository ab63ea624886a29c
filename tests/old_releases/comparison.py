"""The reported causes of an old release, compared with those counted by hand.

`causes.toml` has a table for each library. Its causes were read in its sources, each with a fact, the place, the rules
for its name, and patterns of its parts. A finding is divided by message, version and field, and by its examples. Each
part belongs to the first cause with a pattern for it.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

CAUSES = Path(__file__).with_name("causes.toml")
TOLERANCE = 1
"""By how many causes a run may differ from the count by hand, as whether one edit mends two mistakes may be doubted."""


class Key(NamedTuple):
    """The key of a finding."""

    rule: str
    outcome: str
    cluster: str


class Part(NamedTuple):
    """The share of a finding in one field of one message, or a pattern of it with globs, `*` by default."""

    rule: str = "*"
    outcome: str = "*"
    cluster: str = "*"
    message: str = "*"
    direction: str = "*"
    field: str = "*"
    case: str = "*"
    """Of the example."""

    def matches(self, part: Part) -> bool:
        """Return whether this pattern is of a part."""
        return all(fnmatchcase(text, glob) for text, glob in zip(part, self, strict=True))


@dataclass(frozen=True)
class CountedCause:
    """A mistake in the sources of a library, fixed by one change."""

    name: str
    rules: frozenset[str]
    """Those that may stand first in a report of it."""
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Library:
    """An old release, and its causes counted by hand."""

    version: str
    release: str
    """Of Kafka, whose definitions it is compared with."""
    causes: tuple[CountedCause, ...]

    def owner_of(self, part: Part) -> str | None:
        """Return the name of the cause of a part of a finding."""
        return next(
            (cause.name for cause in self.causes if any(pattern.matches(part) for pattern in cause.parts)), None
        )


def load_libraries(path: Path = CAUSES) -> dict[str, Library]:
    """Return the libraries of a file by their names."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: _library(table) for name, table in tables.items()}


def _library(table: Mapping[str, Any]) -> Library:
    causes = (
        CountedCause(cause["name"], frozenset(cause["rules"]), tuple(Part(**part) for part in cause["parts"]))
        for cause in table["causes"]
    )
    return Library(table["version"], table["release"], tuple(causes))


def differences(library: Library, report: Iterable[str]) -> list[str]:
    """Return the differences between a report, in lines of JSON, and the causes of a library, as sentences."""
    events = [json.loads(line) for line in report]
    owners = owners_of(library, events)
    groups = _groups(events)
    return [
        *_of_number(library, groups),
        *(f"{_shown(key)}: no cause was counted for {part}" for key, part in _unowned(library, events)),
        *_of_heads(library, groups, owners),
        *_of_followers(groups, owners),
    ]


def reported_causes(report: Iterable[str]) -> int:
    """Return how many causes a report has."""
    return len(_groups([json.loads(line) for line in report]))


def mixed_findings(library: Library, report: Iterable[str]) -> list[str]:
    """Return the findings of several causes in a report, as sentences."""
    owners = owners_of(library, [json.loads(line) for line in report])
    return [f"{_shown(key)}: of {', '.join(sorted(names))}" for key, names in owners.items() if len(names) > 1]


def owners_of(library: Library, events: Iterable[Mapping[str, Any]]) -> dict[Key, set[str]]:
    """Return the causes with a part of each finding."""
    owners: dict[Key, set[str]] = {}
    for key, part in _parts(events):
        owner = library.owner_of(part)
        owners.setdefault(key, set()).update({owner} - {None})  # type: ignore[arg-type]  # None is taken away
    return owners


def _parts(events: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Key, Part]]:
    for event in events:
        if event["event"] == "violation":
            message = f"{event['message']}-v{event['version']}"
            for field in event["fields"]:
                yield _key(event), Part(*_key(event), message, event["direction"], field, event["case"])


def _unowned(library: Library, events: Iterable[Mapping[str, Any]]) -> list[tuple[Key, str]]:
    places = {
        (key, f"{part.message} {part.field}".strip()) for key, part in _parts(events) if not library.owner_of(part)
    }
    return sorted(places)


def _key(event: Mapping[str, Any]) -> Key:
    return Key(event["rule"], event["outcome"], event["cluster"])


def _groups(events: Iterable[Mapping[str, Any]]) -> dict[Key, list[Key]]:
    """Return the heads of a report, each with its followers."""
    groups: dict[Key, list[Key]] = {}
    for event in events:
        if event["event"] == "finding" and "follows" in event:
            groups.setdefault(_key(event["follows"]), []).append(_key(event))
        elif event["event"] == "finding":
            groups.setdefault(_key(event), [])
    return groups


def _of_number(library: Library, groups: Mapping[Key, list[Key]]) -> Iterator[str]:
    if abs(len(groups) - len(library.causes)) > TOLERANCE:
        yield f"{len(groups)} causes are reported, {len(library.causes)} were counted"


def _of_heads(library: Library, groups: Mapping[Key, list[Key]], owners: Mapping[Key, set[str]]) -> Iterator[str]:
    for cause in library.causes:
        heads = [key for key in (*groups, *_shared(groups, owners)) if cause.name in owners.get(key, ())]
        if not any(key.rule in cause.rules for key in heads):
            named = ", ".join(sorted({key.rule for key in heads})) or "nothing"
            yield f"{cause.name}: named by {named}, not by {' or '.join(sorted(cause.rules))}"


def _shared(groups: Mapping[Key, list[Key]], owners: Mapping[Key, set[str]]) -> set[Key]:
    """Return the findings of several causes that stand under one of these."""
    return {
        key
        for head, followers in groups.items()
        for key in followers
        if owners.get(key, set()) & owners.get(head, set())
    }


def _of_followers(groups: Mapping[Key, list[Key]], owners: Mapping[Key, set[str]]) -> Iterator[str]:
    shared = _shared(groups, owners)
    for head, followers in groups.items():
        for key in followers:
            foreign = owners.get(key, set()) - owners.get(head, set())
            for name in sorted(() if key in shared else foreign):
                of = ", ".join(sorted(owners.get(head, ()))) or "no cause"
                yield f"{_shown(key)}: of {name}, but stands under {_shown(head)}, of {of}"


def _shown(key: Key) -> str:
    return f"{key.rule} ({key.outcome}{', ' * bool(key.cluster)}{key.cluster})"
