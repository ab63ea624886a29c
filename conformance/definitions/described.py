"""Compares an implementation's description of its schema with the definitions of a release.

The description is the result of `describe` of an adapter, or of the operation `describe` of a harness. It has messages
in the words of Kafka's definition files, each field with the implementation's own name. Missing parts are not compared.
An unmatched described field is paired with the next unmatched field of the definition of the same type, and its name is
reported as another name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from reference import ConformanceError
from reference.definitions.model import HIGHEST_VERSION, NO_VERSIONS, VersionRange, ranges_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from reference import Release
    from reference.definitions.model import Definition, FieldDefinition

Described = Mapping[str, Any]


class BadDescription(ConformanceError):
    """A description in another form, with the place in its text."""


@dataclass(frozen=True)
class Discrepancy:
    """One difference between a described message and its definition, in some versions."""

    message: str
    path: str
    """The field by the names of the definition, or else of the implementation. It is empty for the message."""
    versions: str
    """The versions, like `3-5, 7`."""
    text: str
    is_name: bool = False
    """Whether only the name is different."""

    def __str__(self) -> str:
        place = f"{self.message}.{self.path}" if self.path else self.message
        return f"{place}, version {self.versions}: {self.text}" if self.versions else f"{place}: {self.text}"


def departures(
    release: Release,
    described: Mapping[str, Described],
    is_selected: Callable[[str, int], bool] = lambda _message, _version: True,
) -> Iterator[Discrepancy]:
    """Yield the differences from the release in the selected versions, by message, or raise `BadDescription`."""
    for name in sorted(described):
        if name not in release.messages:
            yield Discrepancy(name, "", "", f"{release.title} has no such message")
            continue
        yield from _of_message(release.definition(name), described[name], partial(is_selected, name))


def _of_message(
    definition: Definition, described: Described, is_selected: Callable[[int], bool]
) -> Iterator[Discrepancy]:
    own = _versions(definition.name, described.get("versions"))
    valid = definition.valid_versions
    if own is not None:
        yield from _other_versions(definition, own, is_selected)
        valid = valid.intersect(own)
    comparison = _Comparison(definition, tuple(filter(is_selected, valid)))
    flexible = _versions(definition.name, described.get("flexibleVersions"))
    yield from comparison.ranges("", definition.flexible_versions, flexible, "flexible")
    yield from comparison.fields("", definition.fields, described.get("fields"))


def _other_versions(
    definition: Definition, own: VersionRange, is_selected: Callable[[int], bool]
) -> Iterator[Discrepancy]:
    ours, theirs = ({*filter(is_selected, versions)} for versions in (own, definition.valid_versions))
    for versions, text in ((theirs - ours, "not there"), (ours - theirs, "not in the definition")):
        if versions:
            yield Discrepancy(definition.name, "", shown(versions), text)


class _Comparison:
    """The comparison of one message in the versions common to both sides."""

    def __init__(self, definition: Definition, versions: tuple[int, ...]) -> None:
        self._definition = definition
        self._versions = versions

    def ranges(self, path: str, defined: VersionRange, own: VersionRange | None, what: str) -> Iterator[Discrepancy]:
        """Yield the versions in which only one side has a property."""
        if own is None:
            return
        more = [version for version in self._versions if version in own and version not in defined]
        less = [version for version in self._versions if version in defined and version not in own]
        for versions, text in ((more, f"{what}, which the definition is not"), (less, f"not {what}")):
            if versions:
                says = f"; there it is {what} in versions {own}, the definition says {defined}"
                yield self._departure(path, versions, text + says)

    def fields(self, path: str, defined: Iterable[FieldDefinition], own: Any) -> Iterator[Discrepancy]:
        if own is None:
            return
        defined = tuple(defined)
        by_name = _by_name(defined, own)
        for field in defined:
            yield from self._field(joined(path, field.name), field, by_name.pop(field.name, []))
        for extra in by_name.values():
            for each in extra:
                held = _versions(path, each.get("versions"))
                versions = [version for version in self._versions if held is None or version in held]
                if versions:
                    name = str(each.get("own") or each.get("name"))
                    yield self._departure(joined(path, name), versions, "the definition has no such field")

    def _field(self, path: str, defined: FieldDefinition, own: list[Described]) -> Iterator[Discrepancy]:
        """Compare one field with its descriptions, possibly one for each range of versions."""
        there = [version for version in self._versions if version in defined.versions]
        present = [field for field in own if field.get("own", "") is not None]
        if not present:
            if there:
                yield self._departure(path, there, "the implementation has no such field")
            return
        yield from self._presence(path, defined, present)
        for field in present:
            yield from self._properties(path, defined, field)

    def _presence(self, path: str, defined: FieldDefinition, own: list[Described]) -> Iterator[Discrepancy]:
        ranges = [_versions(path, field.get("versions")) for field in own]
        # A description without versions may have the field in any of them.
        if any(held is None for held in ranges):
            return
        held = [version for version in self._versions if any(version in (each or ()) for each in ranges)]
        says = f"versions {', '.join(map(str, ranges))} have the field, the definition says {defined.versions}"
        for versions, text in (
            ([version for version in held if version not in defined.versions], "not in the definition"),
            ([version for version in self._versions if version in defined.versions and version not in held], "missing"),
        ):
            if versions:
                yield self._departure(path, versions, f"{text}; {says}")

    def _properties(self, path: str, defined: FieldDefinition, own: Described) -> Iterator[Discrepancy]:
        there = self._both(path, defined, own)
        if not there:
            return
        name = own.get("own")
        if name and _plain(name) != _plain(defined.name):
            yield self._departure(path, [], f"is called {name} there", is_name=True)
        kind = own.get("type")
        if kind is not None and _kind(kind) != _kind(defined.type):
            yield self._departure(path, there, f"{kind}, the definition says {defined.type}")
        part = _Comparison(self._definition, there)
        nullable = _versions(path, own.get("nullableVersions"))
        yield from part.ranges(path, defined.nullable_versions, nullable, "nullable")
        yield from part.ranges(path, defined.tagged_versions, _versions(path, own.get("taggedVersions")), "tagged")
        if own.get("tag") is not None and defined.tag not in {None, own["tag"]}:
            yield self._departure(path, there, f"tag {own['tag']}, the definition says {defined.tag}")
        yield from part.fields(path, self._inner(defined), own.get("fields"))

    def _both(self, path: str, defined: FieldDefinition, own: Described) -> tuple[int, ...]:
        held = _versions(path, own.get("versions"))
        return tuple(
            version for version in self._versions if version in defined.versions and (held is None or version in held)
        )

    def _inner(self, defined: FieldDefinition) -> Iterable[FieldDefinition]:
        common = self._definition.common_struct(defined.struct_name or "")
        return defined.fields if common is None else common.fields

    def _departure(self, path: str, versions: Iterable[int], text: str, *, is_name: bool = False) -> Discrepancy:
        return Discrepancy(self._definition.name, path, shown(versions), text, is_name)


def _by_name(defined: Iterable[FieldDefinition], own: Iterable[Described]) -> dict[str, list[Described]]:
    """Return the described fields by the names of the definition, those without a counterpart by the empty name."""
    by_name: dict[str, list[Described]] = defaultdict(list)
    kinds = {field.name: _kind(field.type) for field in defined}
    unmatched: list[Described] = []
    for field in own:
        if field.get("name") in kinds:
            by_name[field["name"]].append(field)
        else:
            unmatched.append(field)
    missing = [name for name in kinds if name not in by_name]
    for field in unmatched:
        kind = field.get("type")
        same = next((name for name in missing if kind is not None and kinds[name] == _kind(kind)), "")
        by_name[same].append({"own": field.get("name"), **field})
        # Both sides have their fields in wire order, so later fields match later ones.
        missing = missing[missing.index(same) + 1 :] if same else missing
    return by_name


def joined(path: str, name: str) -> str:
    """Return the path of a field inside of another."""
    return f"{path}.{name}" if path else name


def shown(versions: Iterable[int]) -> str:
    """Return versions as ranges, like `3-5, 7`."""
    return ", ".join(map(str, ranges_of(versions)))


def _versions(place: str, text: Any) -> VersionRange | None:
    if text is None:
        return None
    match = re.fullmatch(r"(\d+)(?:(\+)|-(\d+))?", str(text))
    if match is None:
        if text == "none":
            return NO_VERSIONS
        raise BadDescription(f"{place}: {text!r} is no range of versions as 3, 3-5, 3+ or none")
    lowest, is_open, highest = match.groups()
    return VersionRange(int(lowest), HIGHEST_VERSION if is_open else int(highest or lowest))


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _kind(kind: str) -> str:
    """Return a type without the name of a struct."""
    prefix, _, element = kind.rpartition("[]")
    return f"{prefix}[]{_kind(element)}" if kind.startswith("[]") else "struct" if kind[:1].isupper() else kind
