"""The changes between two definitions of a message, or between all definitions of two releases.

Two definitions are compared version by version, if both have it, as the bytes exchanged by programs made from them.

Messages are paired by name. A message without a namesake is paired with the one of its type and number. The keys of
coordinator records were once versions of one `data` message, and are messages of their own now. Each has the old
version as its apiKey, so the number before them is unchanged (rules 5.15 and 15.7).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from reference.definitions.header_versions import APIS
from reference.definitions.model import NO_VERSIONS, Definition, VersionRange
from reference.evolution.change import EFFECTS, Change, Divergence, Effect
from reference.evolution.fields import differences
from reference.evolution.properties import (
    property_differences,
    refused_fields,
    reservation_difference,
    unstable_versions,
)
from reference.evolution.tags import reused_over_time
from reference.headers import header_before
from reference.resolution import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from reference.definitions.model import Definition
    from reference.schema import MessageSchema

EXCUSED = (Effect.INCOMPATIBLE, Effect.DROPPED)
"""The effects allowed in a version that was not stable."""

Found = tuple[VersionRange, Divergence]
"""A difference, and its versions; `none` if it is about the message as a whole."""


@dataclass(frozen=True)
class DefinitionSet:
    """The definitions of one release, or of another set."""

    definitions: Mapping[str, Definition]
    modules: Mapping[str, str] = field(default_factory=dict)
    """The module of each message, as `kafka-clients`; empty if it is not known."""

    def module(self, message: str) -> str:
        """Return the module of a message, or empty text if it is not known."""
        return self.modules.get(message, "")


def release_changes(old: DefinitionSet, new: DefinitionSet) -> tuple[Change, ...]:
    """Return every change from one set to the other, by message, the most severe change of each first."""
    found: list[Change] = []
    known: set[str] = set()
    for definition in old.definitions.values():
        successor = new.definitions.get(definition.name) or _renamed(definition, old, new)
        if successor is None:
            found += _removed(definition, _unstable(definition, old))
        elif _became_keys(definition, successor):
            keys = _keys(successor, new)
            known |= {keys[version].name for version in definition.valid_versions if version in keys}
            found += _split(definition, keys)
        else:
            found += changes(definition, successor, _unstable(definition, old))
        if successor is not None:
            known.add(successor.name)
            found += _moved(definition, old.module(definition.name), new.module(successor.name))
    found += (_added(each) for each in new.definitions.values() if each.name not in known)
    return tuple(sorted(found, key=lambda each: each.message))


def counterpart(definition: Definition, version: int, old: DefinitionSet, new: DefinitionSet) -> MessageSchema | None:
    """Return the schema of an old definition's version in the new definitions, or None if they lack it."""
    successor = new.definitions.get(definition.name) or _renamed(definition, old, new)
    if successor is not None and _became_keys(definition, successor):
        successor, version = _keys(successor, new).get(version), 0
    return resolve(successor, version) if successor and version in successor.valid_versions else None


def _became_keys(definition: Definition, successor: Definition) -> bool:
    return (definition.kind, successor.kind) == ("data", "coordinator-key")


def _keys(successor: Definition, members: DefinitionSet) -> dict[int | None, Definition]:
    keys = _of_kind(members, "coordinator-key", members.module(successor.name))
    return {each.api_key: each for each in keys if not each.valid_versions.empty}


def _renamed(definition: Definition, old: DefinitionSet, new: DefinitionSet) -> Definition | None:
    if definition.api_key is None:
        return None
    others = _of_kind(new, definition.kind, old.module(definition.name))
    return next(
        (each for each in others if each.api_key == definition.api_key and each.name not in old.definitions), None
    )


def _of_kind(members: DefinitionSet, kind: str, module: str) -> Iterator[Definition]:
    for name, each in members.definitions.items():
        if each.kind == kind and (not module or members.module(name) in {"", module}):
            yield each


def _unstable(definition: Definition, members: DefinitionSet) -> VersionRange:
    if definition.kind != "response":
        return unstable_versions(definition)
    requests = _of_kind(members, "request", members.module(definition.name))
    request = next((each for each in requests if each.api_key == definition.api_key), definition)
    return unstable_versions(request)


def _removed(definition: Definition, unstable: VersionRange) -> tuple[Change, ...]:
    """Return the changes of a removed message. The removal of a message without versions is a fact and no more."""
    rule = "evolution.facts" if definition.valid_versions.empty else "evolution.message-removed"
    gone = Divergence(rule, "", "the message is not there any more")
    found = [(NO_VERSIONS, each) for each in (gone, *reservation_difference(definition, None))]
    return judged(definition, found, unstable)


def _added(definition: Definition) -> Change:
    what = f"the message is new, with the versions {definition.valid_versions}"
    rule = "evolution.message-added"
    return Change(definition.name, NO_VERSIONS, "", rule, EFFECTS[rule], what)


def _moved(definition: Definition, before: str, after: str) -> tuple[Change, ...]:
    if not before or not after or before == after:
        return ()
    what = f"the definition was in {before} and is in {after}"
    return judged(definition, [(NO_VERSIONS, Divergence("evolution.facts", "", what))], NO_VERSIONS)


def _split(old: Definition, keys: Mapping[int | None, Definition]) -> tuple[Change, ...]:
    return judged(old, in_rows(_over_keys(old, keys), NO_VERSIONS), NO_VERSIONS)


def _over_keys(old: Definition, keys: Mapping[int | None, Definition]) -> Iterator[tuple[int, Divergence]]:
    for version in old.valid_versions:
        if version not in keys:
            yield (
                version,
                Divergence("evolution.lowest-version", "", "no coordinator-key has this version as its apiKey"),
            )
            continue
        key = keys[version]
        what = f"the version is {key.name} now, a coordinator-key with the apiKey {version}"
        yield version, Divergence("evolution.coordinator-kind", "", what)
        yield from ((version, each) for each in differences(resolve(old, version).body, resolve(key, 0).body))


def changes(old: Definition, new: Definition, unstable: VersionRange | None = None) -> tuple[Change, ...]:
    """Return every change from one definition of a message to the other, the most severe first.

    `unstable` are the versions not stable in the old release, by default the last one of a request with
    `latestVersionUnstable`.
    """
    unstable = unstable_versions(old) if unstable is None else unstable
    rows = in_rows((*_over_versions(old, new), *refused_fields(old, new)), unstable)
    found = [*rows, *reused_over_time(old, new)]
    found += ((NO_VERSIONS, each) for each in (*_identity(old, new), *property_differences(old, new)))
    return judged(old, found, unstable)


def judged(old: Definition, found: Iterable[Found], unstable: VersionRange) -> tuple[Change, ...]:
    """Return the differences with their effects, the most severe first."""
    result = [
        Change(old.name, versions, each.path, each.rule, _effect(old, versions, each.rule, unstable), each.what)
        for versions, each in found
    ]
    return tuple(sorted(result, key=lambda each: (each.effect.severity, each.rule, each.path, each.versions)))


def _effect(old: Definition, versions: VersionRange, rule: str, unstable: VersionRange) -> Effect:
    effect = EFFECTS[rule]
    versions = old.valid_versions if versions.empty else versions
    excused = effect in EXCUSED and not unstable.empty and unstable.covers(versions)
    return Effect.UNSTABLE if excused else effect


def in_rows(found: Iterable[tuple[int, Divergence]], unstable: VersionRange) -> Iterator[Found]:
    """Yield each difference once for consecutive versions with it, with stable and unstable ones apart."""
    numbers: dict[tuple[Divergence, bool], list[int]] = {}
    for version, difference in found:
        numbers.setdefault((difference, version in unstable), []).append(version)
    for (difference, _), versions in numbers.items():
        for _, run in groupby(enumerate(sorted(set(versions))), key=lambda each: each[1] - each[0]):
            row = [version for _, version in run]
            yield VersionRange(row[0], row[-1]), difference


def _over_versions(old: Definition, new: Definition) -> Iterator[tuple[int, Divergence]]:
    for version in old.valid_versions:
        if version in new.valid_versions:
            yield from ((version, each) for each in differences(resolve(old, version).body, resolve(new, version).body))
            yield from ((version, each) for each in header_difference(old, new, version))
        else:
            yield version, _dropped(version, new)
    for version in new.valid_versions:
        if version not in old.valid_versions:
            yield version, Divergence("evolution.version-added", "", "the version is new")


def _dropped(version: int, new: Definition) -> Divergence:
    if new.valid_versions.empty:
        return Divergence("evolution.message-removed", "", "the message has no versions any more")
    rule = "lowest-version" if version < new.valid_versions.lowest else "highest-version"
    return Divergence(f"evolution.{rule}", "", "the version is not valid any more")


def _identity(old: Definition, new: Definition) -> Iterator[Divergence]:
    yield from reservation_difference(old, new)
    if old.name != new.name:
        yield Divergence("evolution.message-renamed", "", f"the message is called {new.name} now")
    if old.kind != new.kind:
        coordinator = old.kind == "data" and new.kind in {"coordinator-key", "coordinator-value"}
        what = f"the type was {old.kind} and is {new.kind}"
        yield Divergence(f"evolution.{'coordinator-kind' if coordinator else 'kind'}", "", what)
    elif old.api_key != new.api_key:
        what = f"the apiKey was {_shown(old.api_key)} and is {_shown(new.api_key)}"
        yield Divergence("evolution.api-key", "", what)


def _shown(api_key: int | None) -> str:
    return "none" if api_key is None else str(api_key)


def header_difference(old: Definition, new: Definition, version: int) -> Iterator[Divergence]:
    """Yield a change of the header before a version, if one of the definitions names it (rule 7.4.14).

    The header of a version that becomes flexible or stops being flexible belongs to that change.
    """
    if old.kind != new.kind or old.kind not in APIS or old.header_versions is new.header_versions is None:
        return
    if (version in old.flexible_versions) != (version in new.flexible_versions):
        return
    before, after = header_before(old, version), header_before(new, version)
    if before != after:
        yield Divergence(
            "evolution.header-version", "", f"header {before} stood before it, and header {after} does now"
        )
