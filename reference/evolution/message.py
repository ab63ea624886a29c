"""What changed from one definition of a message to another: `changes`.

Two definitions are compared version by version, as what each of them has on the wire there, for that is what programs
made from the one and from the other exchange. What a definition says about versions that the other one does not have
is no change.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from reference.definitions.model import NO_VERSIONS, Definition, VersionRange
from reference.definitions.rules import structs
from reference.evolution.change import EFFECTS, Change, Difference, Effect
from reference.evolution.fields import differences
from reference.evolution.tags import reused_over_time
from reference.resolution import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference.definitions.model import FieldDefinition

EXCUSED = (Effect.INCOMPATIBLE, Effect.DROPPED)
"""The effects that a version may have that was not stable."""

Found = tuple[VersionRange, Difference]
"""A difference, and the versions that have it; `none` if it is about the message as a whole."""


def changes(old: Definition, new: Definition, unstable: VersionRange | None = None) -> tuple[Change, ...]:
    """Return every change from one definition of a message to the other, the most severe first.

    `unstable` are the versions that were not stable in the old release: as far as the definition itself tells, the
    last one of a request with `latestVersionUnstable`.
    """
    unstable = unstable_versions(old) if unstable is None else unstable
    found = [*in_rows(_over_versions(old, new), unstable), *reused_over_time(old, new)]
    found += ((NO_VERSIONS, each) for each in (*_identity(old, new), *_facts(old, new)))
    return judged(old, found, unstable)


def unstable_versions(request: Definition) -> VersionRange:
    """The versions of a request that are not stable."""
    highest = request.valid_versions.highest
    return VersionRange(highest, highest) if request.latest_version_unstable else NO_VERSIONS


def judged(old: Definition, found: Iterable[Found], unstable: VersionRange) -> tuple[Change, ...]:
    """Return those differences with their effect, the most severe first."""
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


def in_rows(found: Iterable[tuple[int, Difference]], unstable: VersionRange) -> Iterator[Found]:
    """Each difference once for all versions that have it and follow one another, stable and unstable ones apart."""
    numbers: dict[tuple[Difference, bool], list[int]] = {}
    for version, difference in found:
        numbers.setdefault((difference, version in unstable), []).append(version)
    for (difference, _), versions in numbers.items():
        for _, run in groupby(enumerate(sorted(set(versions))), key=lambda each: each[1] - each[0]):
            row = [version for _, version in run]
            yield VersionRange(row[0], row[-1]), difference


def _over_versions(old: Definition, new: Definition) -> Iterator[tuple[int, Difference]]:
    for version in old.valid_versions:
        if version in new.valid_versions:
            yield from ((version, each) for each in differences(resolve(old, version).body, resolve(new, version).body))
        else:
            yield version, _dropped(version, new)
    for version in new.valid_versions:
        if version not in old.valid_versions:
            yield version, Difference("evolution.version-added", "", "the version is new")


def _dropped(version: int, new: Definition) -> Difference:
    if new.valid_versions.empty:
        return Difference("evolution.message-removed", "", "the message has no versions any more")
    rule = "lowest-version" if version < new.valid_versions.lowest else "highest-version"
    return Difference(f"evolution.{rule}", "", "the version is not valid any more")


def _identity(old: Definition, new: Definition) -> Iterator[Difference]:
    if old.name != new.name:
        yield Difference("evolution.message-renamed", "", f"the message is called {new.name} now")
    if old.kind != new.kind:
        coordinator = old.kind == "data" and new.kind in {"coordinator-key", "coordinator-value"}
        what = f"the type was {old.kind} and is {new.kind}"
        yield Difference(f"evolution.{'coordinator-kind' if coordinator else 'kind'}", "", what)
    elif old.api_key != new.api_key:
        what = f"the apiKey was {_shown(old.api_key)} and is {_shown(new.api_key)}"
        yield Difference("evolution.api-key", "", what)


def _shown(api_key: int | None) -> str:
    return "none" if api_key is None else str(api_key)


def _facts(old: Definition, new: Definition) -> Iterator[Difference]:
    """What differs in properties of the message and its fields that have no part in the bytes (rule 8.7)."""
    for before, after in zip(_of_message(old), _of_message(new), strict=True):
        yield from _difference("", before, after)
    later = {struct.name: {each.name: each for each in struct.fields} for struct in structs(new)}
    for struct in structs(old):
        for field in struct.fields:
            if other := later.get(struct.name, {}).get(field.name):
                for before, after in zip(_of_field(field), _of_field(other), strict=True):
                    yield from _difference(f"{struct.name}.{field.name}", before, after)


def _difference(path: str, before: tuple[str, str], after: tuple[str, str]) -> Iterator[Difference]:
    name, value = before
    if before != after:
        yield Difference("evolution.facts", path, f"{name} was {value} and is {after[1]}")


def _of_message(definition: Definition) -> tuple[tuple[str, str], ...]:
    return (
        ("listeners", ", ".join(definition.listeners) or "none"),
        ("deprecatedVersions", str(definition.deprecated_versions)),
        ("latestVersionUnstable", str(definition.latest_version_unstable).lower()),
    )


def _of_field(field: FieldDefinition) -> tuple[tuple[str, str], ...]:
    return (
        ("entityType", field.entity_type or "none"),
        ("mapKey", str(field.map_key).lower()),
        ("zeroCopy", str(field.zero_copy).lower()),
    )
