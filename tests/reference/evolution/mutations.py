"""Accidental changes of a definition, each in one field or in the message."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from reference.definitions.model import (
    HIGHEST_VERSION,
    NO_VERSIONS,
    Definition,
    FieldDefinition,
    StructDefinition,
    VersionRange,
)

Fields = tuple[FieldDefinition, ...]

TYPES = ("bool", "int8", "int16", "int32", "int64", "uint16", "float64", "uuid", "string")


class Mutation(NamedTuple):
    """A change of one list of fields, at one place in it."""

    name: str
    rewrite: Callable[[Fields, int], Fields]


def rewritten(definition: Definition, number: int, rewrite: Callable[[Fields, int], Fields]) -> Definition:
    """Return the definition with the change at one field, by its number in all lists of fields."""
    counter = _Counter(number, rewrite)
    return replace(
        definition,
        fields=counter.fields(definition.fields),
        common_structs=tuple(
            StructDefinition(each.name, each.versions, counter.fields(each.fields))
            for each in definition.common_structs
        ),
    )


class _Counter:
    """One walk over a definition to the field of a number."""

    def __init__(self, number: int, rewrite: Callable[[Fields, int], Fields]) -> None:
        self._left = number
        self._rewrite = rewrite

    def fields(self, fields: Fields) -> Fields:
        at = self._left
        self._left -= len(fields)
        if 0 <= at < len(fields):
            return self._rewrite(fields, at)
        return tuple(replace(each, fields=self.fields(each.fields)) if each.fields else each for each in fields)


def count(definition: Definition) -> int:
    lists = [definition.fields, *(each.fields for each in definition.common_structs)]
    return sum(1 for fields in lists for _ in _all(fields))


def _all(fields: Fields) -> Iterator[FieldDefinition]:
    for each in fields:
        yield each
        yield from _all(each.fields)


def _changed(change: Callable[[FieldDefinition], FieldDefinition]) -> Callable[[Fields, int], Fields]:
    return lambda fields, at: (*fields[:at], change(fields[at]), *fields[at + 1 :])


def _retyped(field: FieldDefinition) -> FieldDefinition:
    if field.type not in TYPES:
        return field
    other = TYPES[(TYPES.index(field.type) + 1) % len(TYPES)]
    return replace(
        field, type=other, default=None, entity_type=None, nullable_versions=NO_VERSIONS, flexible_versions=None
    )


def _nullable(field: FieldDefinition) -> FieldDefinition:
    return replace(field, nullable_versions=NO_VERSIONS if field.nullable_versions else field.versions, default=None)


def _later(field: FieldDefinition) -> FieldDefinition:
    start = VersionRange(min(field.versions.lowest + 1, HIGHEST_VERSION), HIGHEST_VERSION)
    return replace(
        field, versions=field.versions.intersect(start), tagged_versions=field.tagged_versions.intersect(start)
    )


def _untagged(field: FieldDefinition) -> FieldDefinition:
    return replace(field, tag=None, tagged_versions=NO_VERSIONS)


def _inserted(fields: Fields, at: int) -> Fields:
    new = FieldDefinition("Inserted", "int16", VersionRange(0, HIGHEST_VERSION))
    return (*fields[:at], new, *fields[at:])


def _swapped(fields: Fields, at: int) -> Fields:
    if at + 1 == len(fields):
        return fields
    return (*fields[:at], fields[at + 1], fields[at], *fields[at + 2 :])


def _swapped_tags(fields: Fields, at: int) -> Fields:
    tags = [index for index, each in enumerate(fields) if each.tag is not None]
    if fields[at].tag is None or len(tags) == 1:
        return fields
    other = next(index for index in tags if index != at)
    swapped = {at: fields[other].tag, other: fields[at].tag}
    return tuple(replace(each, tag=swapped.get(index, each.tag)) for index, each in enumerate(fields))


MUTATIONS = (
    Mutation("another type", _changed(_retyped)),
    Mutation("another name", _changed(lambda field: replace(field, name=f"{field.name}Renamed"))),
    Mutation("nullability", _changed(_nullable)),
    Mutation("from the next version on", _changed(_later)),
    Mutation("no tag", _changed(_untagged)),
    Mutation("no field", lambda fields, at: (*fields[:at], *fields[at + 1 :])),
    Mutation("a new field before", _inserted),
    Mutation("the next field before", _swapped),
    Mutation("tags of one another", _swapped_tags),
)
