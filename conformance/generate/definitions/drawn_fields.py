"""The fields and structs of random definitions, used by `conformance.generate.definitions.drawn_definitions`."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from conformance.generate import edges
from conformance.generate.choices import pick
from conformance.generate.definitions.versions import EVERY_VERSION, any_range, no_later_than, part_of, starting
from reference.definitions.canonical import stated
from reference.definitions.defaults import NULL
from reference.definitions.field_rules import NULLABLE_PRIMITIVES
from reference.definitions.model import ENTITY_TYPES, INTEGER_RANGES, NO_VERSIONS, PRIMITIVES, UNSIGNED, VersionRange
from reference.definitions.properties import FLAGS, OF_FIELDS

if TYPE_CHECKING:
    from conformance.generate.choices import Choices
    from conformance.generate.definitions.versions import Features, Properties

NAMES = ("Alpha", "Bravo", "charlie", "Delta", "Echo", "foxtrot", "Golf")
"""The names of fields by their place in the struct, all different, even without regard to case (6.21)."""

MAXIMUM_FIELDS = len(NAMES)
MAXIMUM_INNER_FIELDS = 4
COMMON_NAMES = ("Shared1", "Shared2", "Shared3")
LEVELS = 4
"""The deepest nesting of inline structs."""

TAGGED_ONE_IN = 3
RARE_ONE_IN = 8
ELEMENTS = tuple(name for name in PRIMITIVES if name not in {"records", "bytes"})
"""The element types of arrays beside structs. Arrays of bytes do not compile in Apache Kafka (6.59)."""

HIGHEST_UINT32 = 2**31 - 1
"""The highest default of uint32 compiled to the right number by Apache Kafka (4.1.4)."""

DEFAULTS: dict[str, tuple[str, ...]] = {
    "bool": ("true", "false", "True", "FALSE"),
    "float64": ("1.5", "-0.0", "NaN", "Infinity", "-Infinity", "0x1p3", "1.5d", "1e300", "4.9E-324", " 2 "),
    "string": ("text", "NULL", " ", "null ", "0", "é"),
    "uuid": tuple(base64.urlsafe_b64encode(uuid.bytes).decode().rstrip("=") for uuid in edges.UUIDS),
    "records": ("abc", NULL),
}
"""Texts of defaults by type; the other types have none (4.1)."""


@dataclass(frozen=True)
class Struct:
    """The struct of a field, or of its elements."""

    name: str
    inline: bool
    lowest: int = 0
    """The first version in which the field may have it (6.52)."""


@dataclass(frozen=True)
class Surroundings:
    """The surroundings of a new field."""

    versions: VersionRange
    """The versions of the struct around it."""
    depth: int
    common: bool
    """Whether the surrounding struct is a common one, without inline structs (6.52)."""


class FieldMaker:
    """Makes the structs of one definition with these valid and flexible versions."""

    def __init__(self, choices: Choices, features: Features, valid: VersionRange, flexible: VersionRange) -> None:
        self._choices = choices
        self._features = features
        self._valid = valid
        self._flexible = flexible
        self._common: list[tuple[str, VersionRange]] = []
        self._inline_structs = 0

    def common_structs(self) -> list[Properties]:
        """Return the common structs in any order.

        Each may use the structs before it in the order of names.
        """
        count = self._choices.below(len(COMMON_NAMES) + 1) if self._features.common_structs else 0
        made: list[Properties] = []
        for name in COMMON_NAMES[:count]:
            struct = self._choices.together(partial(self._common_struct, name))
            made.insert(self._choices.below(len(made) + 1), struct)
        return made

    def _common_struct(self, name: str) -> Properties:
        versions = any_range(self._choices, self._valid)
        if versions.empty:
            versions = EVERY_VERSION
        fields = self._fields(Surroundings(versions, depth=1, common=True))
        self._common.append((name, versions.intersect(self._valid)))
        return stated({"name": name, "versions": str(versions), "fields": fields})

    def fields(self) -> list[Properties]:
        """Return the message's own fields."""
        return self._fields(Surroundings(self._valid, depth=0, common=False))

    def _fields(self, around: Surroundings) -> list[Properties]:
        maximum = MAXIMUM_INNER_FIELDS if around.depth else MAXIMUM_FIELDS
        names = NAMES[: self._choices.below(maximum + 1)]
        fields = [self._choices.together(partial(self._field, name, around)) for name in names]
        # Tags have no gaps, but may be in any order of fields.
        free = list(range(sum("taggedVersions" in field for field in fields)))
        for field in fields:
            if "taggedVersions" in field:
                field["tag"] = free.pop(self._choices.below(len(free)))
        return fields

    def _field(self, name: str, around: Surroundings) -> Properties:
        """Return a field without its tag, which depends on the other fields."""
        array = self._one_in(3)
        struct = self._struct(around)
        element = struct.name if struct else pick(self._choices, ELEMENTS if array else PRIMITIVES)
        type_name = f"[]{element}" if array else element
        tagged = self._tagged(type_name, struct)
        versions = self._versions(around, struct, tagged)
        nullable = self._nullable(type_name, versions, tagged)
        default = _default(self._choices, type_name, versions, nullable) if self._features.defaults else None
        return stated(
            {
                "name": name,
                "type": type_name,
                "versions": str(versions),
                "nullableVersions": unless_empty(nullable),
                "taggedVersions": unless_empty(tagged),
                "flexibleVersions": self._override(type_name, tagged),
                "default": default,
                **self._flags(type_name, around, tagged),
                "entityType": self._entity_type(element),
                "fields": self._inner(struct, around, versions),
            }
        )

    def _struct(self, around: Surroundings) -> Struct | None:
        """Return a common or an inline struct, or most often none."""
        kind = self._choices.below(4)
        if kind == 1 and not around.common and around.depth < LEVELS:
            self._inline_structs += 1
            return Struct(f"Inline{self._inline_structs}", inline=True)
        usable = self._usable(around) if kind == 2 else []  # noqa: PLR2004  # the third of four
        return pick(self._choices, usable) if usable else None

    def _usable(self, around: Surroundings) -> list[Struct]:
        """Return every common struct available to a field there (`reference.definitions.message_rules`)."""
        used = around.versions.intersect(self._valid)
        if used.empty:
            return [Struct(name, inline=False) for name, _ in self._common]
        structs = (
            Struct(name, inline=False, lowest=0 if made.lowest <= used.lowest else made.lowest)
            for name, made in self._common
            if not made.empty
        )
        return [struct for struct in structs if not starting(struct.lowest).intersect(used).empty]

    def _tagged(self, type_name: str, struct: Struct | None) -> VersionRange:
        possible = self._features.tags and not self._flexible.empty and type_name != "records"
        if not possible or not self._one_in(TAGGED_ONE_IN):
            return NO_VERSIONS
        return starting(max(self._flexible.lowest + self._choices.below(3), struct.lowest if struct else 0))

    def _versions(self, around: Surroundings, struct: Struct | None, tagged: VersionRange) -> VersionRange:
        if tagged.empty:
            versions = any_range(self._choices, self._valid)
        else:
            versions = starting(no_later_than(self._choices, tagged.lowest))
        if struct is None:
            return versions
        versions = versions.intersect(starting(struct.lowest))
        return starting(struct.lowest) if versions.intersect(around.versions).empty else versions

    def _nullable(self, type_name: str, versions: VersionRange, tagged: VersionRange) -> VersionRange:
        """Return any versions, even some outside the field's.

        They include all of the tagged versions or none (6.40).
        """
        features, can_be = self._features, type_name.startswith("[]") or type_name in NULLABLE_PRIMITIVES
        is_struct = type_name[:1].isupper()
        if not features.nullable or not (can_be or is_struct) or (is_struct and not features.nullable_structs):
            return NO_VERSIONS
        kind = self._choices.below(3)
        if kind == 0:
            return NO_VERSIONS
        nullable = versions if kind == 1 else any_range(self._choices, self._valid)
        common = nullable.intersect(tagged)
        if common.empty or common == tagged:
            return nullable
        return VersionRange(min(nullable.lowest, tagged.lowest), tagged.highest)

    def _override(self, type_name: str, tagged: VersionRange) -> str | None:
        """Return the field's own flexible versions, within the message's (6.34, 6.35 and 6.43)."""
        if not self._features.overrides or not OF_FIELDS["flexibleVersions"].fits(type_name) or not self._one_in(2):
            return None
        if tagged.empty:
            return str(part_of(self._choices, self._flexible))
        return str(starting(self._choices.integer(self._flexible.lowest, tagged.lowest)))

    def _flags(self, type_name: str, around: Surroundings, tagged: VersionRange) -> Properties:
        top_level, without = around.depth == 0, self._features.without
        return {
            each.name: self._one_in(2 if each.top_level else RARE_ONE_IN)
            for each in FLAGS
            if each.fits(type_name, tagged=not tagged.empty, top_level=top_level) and each.name not in without
        }

    def _entity_type(self, element: str) -> str | None:
        fitting = [name for name, type_name in ENTITY_TYPES.items() if type_name == element]
        return pick(self._choices, fitting) if fitting and self._one_in(RARE_ONE_IN) else None

    def _inner(self, struct: Struct | None, around: Surroundings, versions: VersionRange) -> list[Properties]:
        if struct is None or not struct.inline:
            return []
        return self._fields(Surroundings(around.versions.intersect(versions), around.depth + 1, common=False))

    def _one_in(self, count: int) -> bool:
        """Return true once in `count` times, with false as the simpler answer."""
        return self._choices.below(count) == 1


def _default(choices: Choices, type_name: str, versions: VersionRange, nullable: VersionRange) -> str | None:
    """Return a default for a field of that type in those versions, or None for a field without one."""
    if nullable.covers(versions) and not nullable.empty and choices.below(2):
        return NULL  # no type that cannot be null has nullable versions
    if choices.below(2) == 0:
        return None
    if type_name in INTEGER_RANGES:
        return _integer(choices, type_name)
    return pick(choices, DEFAULTS[type_name]) if type_name in DEFAULTS else None


def _integer(choices: Choices, type_name: str) -> str:
    """Return a number in decimal with any sign, in hexadecimal, or in octal."""
    highest = HIGHEST_UINT32 if type_name == "uint32" else INTEGER_RANGES[type_name][1]
    number = min(pick(choices, edges.INTEGERS[type_name]), highest)
    spelled = (str(number), f"{number:+}", f"0x{abs(number) if -highest <= number else highest:x}", "0x", "010", "-0")
    return pick(choices, spelled if type_name not in UNSIGNED else spelled[:-1])


def unless_empty(versions: VersionRange) -> str | None:
    """Return the text of a range, or None for the empty one."""
    return None if versions.empty else str(versions)
