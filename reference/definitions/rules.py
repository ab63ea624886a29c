"""The rules about definitions as data, and the walk over a definition for their checks.

An unreadable value counts as absent, so a rule about it would complain about the reader's guess. `independent` removes
these problems, by their place, at the same field or at the struct with it, and by the properties checked by their rule.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from reference.definitions.errors import TOP, Place, Problem
from reference.inputs.toml_text import packaged_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from reference.definitions.model import Definition, FieldDefinition, VersionRange

Steps = tuple[str | int, ...]

HARMLESS = ("definition.entity-type-known", "definition.known-properties", "definition.listener-known")
"""Problems of a property without influence on other rules."""

ABSENT = {
    "definition.flexible-versions-present": "flexibleVersions",
    "definition.kind-present": "type",
    "definition.name-present": "name",
    "definition.struct-versions-present": "versions",
    "definition.type": "type",
    "definition.valid-versions-present": "validVersions",
    "definition.versions-present": "versions",
}
"""The missing property, by the rule that demands it."""


@dataclass(frozen=True)
class RuleFacts:
    """The facts about a rule, see rules.toml."""

    number: str
    advice: str
    stage: str = ""
    looks_at: str | None = None


_TABLE = packaged_toml("reference.definitions", "rules.toml")
RULES: Mapping[str, RuleFacts] = MappingProxyType({rule: RuleFacts(**facts) for rule, facts in _TABLE.items()})


def problem(rule: str, place: Place, what: str) -> Problem:
    """Return the problem of a broken rule in a place. The id of a rule of the released dialect has no prefix."""
    rule = rule if "." in rule else f"definition.{rule}"
    return Problem(rule, RULES[rule].number, place, what, RULES[rule].advice)


@dataclass(frozen=True)
class StructUse:
    """One list of fields, of the message, of a common struct, or inline in a field."""

    definition: Definition
    name: str
    fields: tuple[FieldDefinition, ...]
    place: Place
    versions: VersionRange
    """The versions with the struct on the wire."""
    common: bool
    """Whether this is, or is inside, a common struct."""
    generated: bool = True
    """Whether code is generated from it. An array of primitives has none, nor has a field with a common struct."""

    of_struct: bool = True
    """Whether these are the fields of a struct at all. An array of primitives may list some, without a meaning."""

    @property
    def top_level(self) -> bool:
        """Whether these are the message's own fields."""
        return self.place == TOP


@dataclass(frozen=True)
class FieldUse:
    """One field at its place."""

    struct: StructUse
    index: int
    field: FieldDefinition
    place: Place

    @property
    def definition(self) -> Definition:
        """The message of the field."""
        return self.struct.definition

    @property
    def versions(self) -> VersionRange:
        """The versions with the field on the wire."""
        return self.struct.versions.intersect(self.field.versions)

    @property
    def earlier(self) -> tuple[FieldDefinition, ...]:
        """The fields before this one in its struct."""
        return self.struct.fields[: self.index]

    def problem(self, rule: str, what: str) -> Problem:
        """Return the problem of a rule broken by the field."""
        return problem(rule, self.place, what)


def structs(definition: Definition) -> Iterator[StructUse]:
    """Yield every list of fields of a definition, the message's own first and outer ones before inner ones."""
    message = StructUse(definition, definition.name, definition.fields, TOP, definition.valid_versions, common=False)
    yield from _with_inner(message)
    for index, struct in enumerate(definition.common_structs):
        place = Place(("commonStructs", index), struct.name)
        yield from _with_inner(StructUse(definition, struct.name, struct.fields, place, struct.versions, common=True))


def _with_inner(struct: StructUse) -> Iterator[StructUse]:
    yield struct
    for use in fields(struct):
        if use.field.fields:
            yield from _with_inner(_inner(use))


def _inner(use: FieldUse) -> StructUse:
    struct, name = use.struct, use.field.struct_name
    inline = name is not None and use.definition.common_struct(name) is None
    return StructUse(
        use.definition,
        name or use.field.name,
        use.field.fields,
        use.place,
        use.versions,
        common=struct.common,
        generated=struct.generated and inline,
        of_struct=name is not None,
    )


def fields(struct: StructUse) -> Iterator[FieldUse]:
    """Yield the fields of one list, each with its place."""
    listed: Counter[str] = Counter()
    for index, field in enumerate(struct.fields):
        place = struct.place.at(field.listed, listed[field.listed], name=field.name)
        yield FieldUse(struct, index, field, place)
        listed[field.listed] += 1


def all_fields(definition: Definition) -> Iterator[FieldUse]:
    """Yield every field with generated code, each struct's own fields before those of its inner structs."""
    for struct in structs(definition):
        if struct.generated:
            yield from fields(struct)


def independent(unread: Sequence[Problem], later: Iterable[Problem]) -> Iterator[Problem]:
    """Yield the later problems that do not follow from an unread value."""
    causes = [each for each in unread if each.rule not in HARMLESS]
    return (each for each in later if not any(_follows(each, cause) for cause in causes))


def _follows(later: Problem, cause: Problem) -> bool:
    owner, steps = _owner(cause.place), later.place.steps
    # The unread value is a property of the message: by property at the top, by words of the rule's id elsewhere.
    if not owner:
        return _looks_at(later, cause) if len(steps) <= 1 else any(word in later.rule for word in _words(cause))
    # The later problem is at the same object, or at one of its inner fields.
    if steps[: len(owner)] == owner:
        return "struct" in later.rule if "fields" in steps[len(owner) :] else _looks_at(later, cause)
    # It is at the struct with the unread field.
    if steps == owner[:-2]:
        return cause.place.steps == owner or _looks_at(later, cause)
    # It is elsewhere, but may be about the use of an unread common struct.
    return owner[0] == "commonStructs" and "struct" in later.rule


def _looks_at(later: Problem, cause: Problem) -> bool:
    steps = cause.place.steps[len(_owner(cause.place)) :]
    unread = steps[0] if steps else ABSENT.get(cause.rule)
    facts = RULES.get(later.rule)
    return unread is None or facts is None or facts.looks_at is None or unread in facts.looks_at.split()


def _owner(place: Place) -> Steps:
    """Return the steps to the object of a problem, the field itself, not its versions or one of its headers."""
    steps = place.steps
    while steps and isinstance(steps[-1], str):
        steps = steps[:-1]
    return steps


def _words(cause: Problem) -> Iterator[str]:
    """Yield words in the ids of rules about a property of the message, for rules at any place."""
    if "flexible" in cause.rule or "flexibleVersions" in cause.place.steps:
        yield "flexible"
    if "commonStructs" in cause.place.steps:
        yield "struct"
