"""The checks of a message as a whole and of its structs, `message_problems` and `struct_problems`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.definitions.errors import TOP, Place
from reference.definitions.header_versions import header_problems
from reference.definitions.model import NO_VERSIONS, Definition, FieldDefinition, VersionRange
from reference.definitions.rules import FieldUse, StructUse, all_fields, fields, problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference.definitions.errors import Problem

COORDINATOR_KINDS = ("coordinator-key", "coordinator-value")


def message_problems(definition: Definition) -> Iterator[Problem]:
    """Yield every problem of a message as a whole, in the order of section 6."""
    yield from _versions(definition)
    yield from _request_properties(definition)
    yield from header_problems(definition)
    yield from _coordinator(definition)
    yield from _names_of_common_structs(definition)
    yield from _inline_structs(definition)
    yield from _common_structs(definition)


def _versions(definition: Definition) -> Iterator[Problem]:
    valid, flexible = definition.valid_versions, definition.flexible_versions
    if valid.open_ended:
        yield problem("valid-versions-bounded", TOP.at("validVersions"), f"the validVersions {valid} have no end")
    if not flexible.empty and not flexible.open_ended:
        what = f"the flexibleVersions {flexible} come to an end"
        yield problem("flexible-open-ended", TOP.at("flexibleVersions"), what)


def _request_properties(definition: Definition) -> Iterator[Problem]:
    kind = definition.kind
    if definition.listeners and kind != "request":
        yield problem("listeners-on-requests", TOP.at("listeners"), f"a message of type {kind} has listeners")
    if definition.latest_version_unstable and kind != "request":
        what = f"a message of type {kind} has latestVersionUnstable"
        yield problem("unstable-on-requests", TOP.at("latestVersionUnstable"), what)


def _coordinator(definition: Definition) -> Iterator[Problem]:
    kind, valid = definition.kind, definition.valid_versions
    if valid.empty:  # the apiKey of a message without versions is a matter of the whole module
        return
    if kind in COORDINATOR_KINDS and definition.api_key is None:
        yield problem("coordinator-api-key", TOP, f"a message of type {kind} has no apiKey")
    if kind == "coordinator-key" and valid != VersionRange(0, 0):
        what = f"the validVersions of a coordinator-key are 0, not {valid}"
        yield problem("coordinator-key-version", TOP.at("validVersions"), what)
    if kind == "coordinator-key" and not definition.flexible_versions.empty:
        place = TOP.at("flexibleVersions")
        yield problem("coordinator-key-not-flexible", place, "a coordinator-key has flexible versions")


def _places(definition: Definition) -> tuple[Place, ...]:
    return tuple(Place(("commonStructs", at), each.name) for at, each in enumerate(definition.common_structs))


def _names_of_common_structs(definition: Definition) -> Iterator[Problem]:
    for place in _places(definition):
        if not place.name[:1].isupper():
            what = f"the name of the struct {place.name!r} does not begin with a capital"
            yield problem("common-struct-capitalised", place, what)
    seen: set[str] = set()
    for place in _places(definition):
        if place.name in seen:
            what = f"the common struct {place.name} is declared more than once"
            yield problem("common-structs-unique", place, what)
        seen.add(place.name)


def _inline_structs(definition: Definition) -> Iterator[Problem]:
    uses = tuple(all_fields(definition))
    for use in uses:
        if use.field.fields and _is_common(use) and not use.struct.common:
            what = f"{use.field.struct_name} is a common struct, but this field lists fields for it"
            yield use.problem("common-struct-respecified", what)
    seen: set[str] = set()
    inline = [(use, use.field.struct_name) for use in uses if use.field.struct_name and not _is_common(use)]
    for use, name in inline:
        if not use.struct.common:
            if name in seen:
                what = f"the struct {name} is used a second time without being a common struct"
                yield use.problem("inline-struct-once", what)
            seen.add(name)
    for use, name in inline:
        if use.struct.common:
            what = f"inside a common struct, {name} is not a common struct"
            yield use.problem("inline-struct-in-common", what)


def _is_common(use: FieldUse) -> bool:
    return use.definition.common_struct(use.field.struct_name or "") is not None


def _common_structs(definition: Definition) -> Iterator[Problem]:
    for place in _places(definition):
        if place.name in _reached(definition, place.name):
            yield problem("common-struct-recursive", place, f"the common struct {place.name} contains itself")
    for place, struct in zip(_places(definition), definition.common_structs, strict=True):
        if struct.versions.empty:
            yield problem("common-struct-given-up", place, f"the common struct {struct.name} has no versions")
    for use, version, made in _uses_too_early(definition):
        name = use.field.struct_name
        what = f"version {version} uses the common struct {name}, which is made for the versions {made} only"
        yield use.problem("common-struct-versions", what)


def _reached(definition: Definition, name: str) -> set[str]:
    reached: set[str] = set()
    waiting = [name]
    while waiting:
        struct = definition.common_struct(waiting.pop())
        inner = {each.struct_name for each in struct.fields if each.struct_name} if struct else set()
        waiting += inner - reached
        reached |= inner
    return reached


def struct_problems(struct: StructUse) -> Iterator[Problem]:
    """Yield every problem of a list of fields."""
    for use in fields(struct):
        if struct.top_level and use.field.map_key:
            yield use.problem("map-key-in-arrays", "a field of the message itself is a mapKey")
    tags = sorted({each.tag for each in struct.fields if each.tag is not None and each.tag >= 0})
    missing = next((expected for expected, tag in enumerate(tags) if expected != tag), None)
    if missing is not None and struct.of_struct:
        what = f"the tags of {struct.name} are {', '.join(map(str, tags))}: {missing} is missing"
        yield problem("tags-contiguous", struct.place, what)


def _uses_too_early(definition: Definition) -> Iterator[tuple[FieldUse, int, VersionRange]]:
    """Yield each use of a common struct in a version for which it is not made, the version, and those with it."""
    made = _Making(definition).made
    for use in all_fields(definition):
        name = use.field.struct_name or ""
        user = definition.valid_versions if use.struct.top_level else made.get(use.struct.name, NO_VERSIONS)
        used = user.intersect(use.field.versions)
        if definition.common_struct(name) is None or used.empty:
            continue
        if made[name].empty or made[name].lowest > used.lowest:
            yield use, used.lowest, made[name]


class _Making:
    """The versions in which the generator makes the structs of a message, fewer than expected.

    It makes each struct once, at its first use: common structs in the order of their names, each followed by the
    structs in it; then the message. It makes a struct for its own versions, as far as the user of the struct has them
    too:

        commonStructs: Detail, versions 1+, with a field of type Part      Detail is made for 1+, and so is Part
                       Part, versions 0+
        fields:        one of type Part, versions 0+                       in version 0 there is no Part: refused

    If Detail were named Whole, Part would be made first, for 0+. Versions after the last one of a struct are harmless
    (rule 8.10).
    """

    def __init__(self, definition: Definition) -> None:
        self._definition = definition
        self.made: dict[str, VersionRange] = {}
        for struct in sorted(definition.common_structs, key=lambda each: each.name):
            self._make(struct.name, struct.versions, struct.fields, definition.valid_versions)
        self._make_inner(definition.fields, definition.valid_versions)

    def _make(self, name: str, versions: VersionRange, fields: Iterable[FieldDefinition], parent: VersionRange) -> None:
        if name not in self.made:
            self.made[name] = parent.intersect(versions)
            self._make_inner(fields, self.made[name])

    def _make_inner(self, fields: Iterable[FieldDefinition], parent: VersionRange) -> None:
        for field in fields:
            if field.struct_name is not None:
                struct = self._definition.common_struct(field.struct_name)
                inner = (struct.versions, struct.fields) if struct else (field.versions, field.fields)
                self._make(field.struct_name, *inner, parent)
