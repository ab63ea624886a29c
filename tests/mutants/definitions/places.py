"""The fields of a definition as one version sees them, at every depth, present and absent.

A field of a common struct is one place, however many fields use the struct: the definition says it once.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from reference.definitions.defaults import NULL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.definitions.model import Definition, FieldDefinition
    from tests.reference.evolution.mutations import Fields


class Exposure(StrEnum):
    """The position of a field, as its default and its ignorability depend on it, the most exposed first."""

    TAGGED = "tagged"
    IN_TAGGED = "in a tagged struct"
    """A part of the default of a tagged struct."""
    PLAIN = "plain"
    ABSENT = "absent"
    IGNORABLE = "absent and ignorable"
    IN_ABSENT = "in an absent struct"
    """A part of the default of an absent struct, not ignorable."""
    BELOW_ABSENT = "below an absent field"
    """Anywhere else below an absent field."""


PRESENT = frozenset((Exposure.TAGGED, Exposure.IN_TAGGED, Exposure.PLAIN))
"""Fields that the version has."""

_EXPOSED = tuple(Exposure)
_INNER = {
    Exposure.TAGGED: Exposure.IN_TAGGED,
    Exposure.ABSENT: Exposure.IN_ABSENT,
    Exposure.IGNORABLE: Exposure.BELOW_ABSENT,
}
"""The positions of fields inside a struct of a default, and elsewhere as the struct itself."""


@dataclass(frozen=True)
class FieldPlace:
    """A field of a definition, as one version sees it."""

    number: int
    """Of the field, counted through all lists of fields (see `tests.reference.evolution.mutations.rewritten`)."""
    path: str
    fields: Fields
    """The list of the field."""
    at: int
    """The field's place in the list."""
    version: int
    """The version in use in the list, for a common struct its nearest."""
    exposure: Exposure
    is_flexible: bool
    """Whether the struct has a tag section."""
    is_in_array: bool
    """Whether the struct is an element of an array."""

    @property
    def field(self) -> FieldDefinition:
        return self.fields[self.at]

    @property
    def depth(self) -> int:
        """The number of fields around it."""
        return self.path.count(".")


def places(definition: Definition, version: int) -> list[FieldPlace]:
    """Return the place of every field once, the most exposed one if several structs share it."""
    found: dict[int, FieldPlace] = {}
    for place in _Walk(definition, version).fields(definition.fields, version, "", Exposure.PLAIN):
        known = found.setdefault(place.number, place)
        if _EXPOSED.index(place.exposure) < _EXPOSED.index(known.exposure):
            found[place.number] = place
    return list(found.values())


class _Walk:
    """One walk over a definition at one version, into the common structs that its fields use."""

    def __init__(self, definition: Definition, version: int) -> None:
        self.definition = definition
        self.version = version
        lists = (definition.fields, *(each.fields for each in definition.common_structs))
        self.first = _first_numbers(lists)

    def fields(
        self, fields: Fields, version: int, prefix: str, holder: Exposure, *, is_in_array: bool = False
    ) -> Iterator[FieldPlace]:
        is_flexible = version in self.definition.flexible_versions
        for at, field in enumerate(fields):
            number, path = self.first[id(fields)] + at, prefix + field.name
            exposure = _exposure(field, version, holder, is_flexible=is_flexible)
            yield FieldPlace(number, path, fields, at, version, exposure, is_flexible, is_in_array)
            inner, inner_version = self.inner(field, version)
            if inner:
                below = _below(field, exposure)
                yield from self.fields(inner, inner_version, f"{path}.", below, is_in_array=field.is_array)

    def inner(self, field: FieldDefinition, version: int) -> tuple[Fields, int]:
        """Return the fields of the struct of a field or of its elements, and the version in use there."""
        common = None if field.struct_name is None else self.definition.common_struct(field.struct_name)
        return (field.fields, version) if common is None else (common.fields, common.versions.nearest(self.version))


def _first_numbers(lists: tuple[Fields, ...]) -> dict[int, int]:
    """Return the number of the first field of each list, by the list's identity."""
    first: dict[int, int] = {}
    number = 0

    def visit(fields: Fields) -> None:
        nonlocal number
        first[id(fields)] = number
        number += len(fields)
        for each in fields:
            if each.fields:
                visit(each.fields)

    for fields in lists:
        visit(fields)
    return first


def _exposure(field: FieldDefinition, version: int, holder: Exposure, *, is_flexible: bool) -> Exposure:
    if holder not in PRESENT:
        return holder
    if version not in field.versions:
        return Exposure.IGNORABLE if field.ignorable else Exposure.ABSENT
    return Exposure.TAGGED if is_flexible and version in field.tagged_versions else holder


def _below(field: FieldDefinition, exposure: Exposure) -> Exposure:
    if not field.is_array and field.default != NULL:
        return _INNER.get(exposure, exposure)
    return Exposure.PLAIN if exposure in PRESENT else Exposure.BELOW_ABSENT
