"""The mutants of a message at one version, codecs of its definition with one property of one field changed by mistake.

Each change has a name, and rewrites the list of fields around the field. Dependent properties go with it, as a default
of null with the last null.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from reference import load_release
from reference.definitions.defaults import NULL, default_of
from reference.definitions.errors import BadDefault
from reference.definitions.model import ARRAY_PREFIX, INTEGER_RANGES, NO_VERSIONS, FieldDefinition, VersionRange
from reference.resolution import resolve
from tests.mutants.definitions.places import PRESENT, Exposure, FieldPlace, places
from tests.reference.evolution.mutations import rewritten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from reference import MessageSchema
    from tests.reference.evolution.mutations import Fields

NEIGHBOURS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "bool": ("int8",),
    "int8": ("bool", "int16"),
    "int16": ("int8", "uint16", "int32"),
    "uint16": ("int16", "uint32"),
    "int32": ("int16", "uint32", "int64"),
    "uint32": ("uint16", "int32", "int64"),
    "int64": ("int32", "uint32", "float64"),
    "float64": ("int64",),
    "uuid": ("string", "bytes", "int64"),
    "string": ("bytes", "records", "uuid"),
    "bytes": ("string", "records", "uuid"),
    "records": ("bytes", "string"),
})  # fmt: skip
"""The types taken for each other by mistake, of another width or sign, of the same form, or of the same meaning."""

_LENGTHS = frozenset(("string", "bytes", "records"))
_OTHER_DEFAULTS = {
    **dict.fromkeys(INTEGER_RANGES, ("1", "2")),
    "bool": ("true", "false"),
    "float64": ("1.5", "2.5"),
    "string": ("other", "another"),
    "uuid": ("AAAAAAAAAAAAAAAAAAAAAQ", "AAAAAAAAAAAAAAAAAAAAAg"),
}


class FieldChange(NamedTuple):
    """A change of one property of one field."""

    property: str
    what: str
    rewrite: Callable[[Fields, int], Fields]


def changes(place: FieldPlace) -> Iterator[FieldChange]:
    """Yield every change of a field, and of an absent field only those with an effect in this version."""
    if place.exposure in PRESENT:
        for made in (_nullable, _missing, _types, _tag, _tagged, _order, _compact, _map_key):
            yield from made(place)
    elif place.exposure in {Exposure.ABSENT, Exposure.IGNORABLE}:
        yield from _present(place)
    yield from _defaults(place)
    yield _of_field("ignorable", _turned(on=not place.field.ignorable), ignorable=not place.field.ignorable)


def _turned(*, on: bool) -> str:
    return "gained" if on else "lost"


def _of_field(name: str, what: str, /, **properties: object) -> FieldChange:
    """Return the change to other properties of the field."""

    def rewrite(fields: Fields, at: int) -> Fields:
        return (*fields[:at], replace(fields[at], **properties), *fields[at + 1 :])  # type: ignore[arg-type]

    return FieldChange(name, what, rewrite)


def _only(version: int) -> VersionRange:
    """Return the range of one version, the only one with an effect in the mutant."""
    return VersionRange(version, version)


def _nullable(place: FieldPlace) -> Iterator[FieldChange]:
    field = place.field
    if not _may_be_null(field):
        return
    kind = "array" if field.is_array else _shown(field.type)
    if place.version not in field.nullable_versions:
        yield _of_field("nullable", f"{kind} gained", nullable_versions=_only(place.version))
        return
    default = None if field.default == NULL else field.default
    yield _of_field("nullable", f"{kind} lost", nullable_versions=NO_VERSIONS, default=default)


def _may_be_null(field: FieldDefinition) -> bool:
    return field.is_array or field.struct_name is not None or field.type in _LENGTHS


def _missing(place: FieldPlace) -> Iterator[FieldChange]:
    yield _of_field("presence", "missing", versions=NO_VERSIONS, tagged_versions=NO_VERSIONS)


def _present(place: FieldPlace) -> Iterator[FieldChange]:
    field = place.field
    is_tagged = field.versions.nearest(place.version) in field.tagged_versions
    what = (
        "present" if not is_tagged else "present, tagged" if place.is_flexible else "present, tagged without a section"
    )
    [properties] = [_as_in_nearest(field, place.version)]
    yield FieldChange("presence", what, lambda fields, at: (*fields[:at], properties, *fields[at + 1 :]))


def _as_in_nearest(field: FieldDefinition, version: int) -> FieldDefinition:
    """Return a field with the properties of its nearest version in another version."""
    nearest, only = field.versions.nearest(version), _only(version)

    def moved(versions: VersionRange) -> VersionRange:
        return only if nearest in versions else NO_VERSIONS

    return replace(
        field,
        versions=only,
        nullable_versions=moved(field.nullable_versions),
        tagged_versions=moved(field.tagged_versions),
        fields=tuple(_as_in_nearest(each, version) if nearest in each.versions else each for each in field.fields),
    )


def _types(place: FieldPlace) -> Iterator[FieldChange]:
    field = place.field
    for other in _other_types(field):
        retyped = replace(field, type=other)
        nullable = field.nullable_versions if _may_be_null(retyped) else NO_VERSIONS
        default = field.default if _fits(replace(retyped, nullable_versions=nullable)) else None
        what = f"{_shown(field.type)} to {_shown(other)}"
        yield _of_field("type", what, type=other, nullable_versions=nullable, default=default)


def _other_types(field: FieldDefinition) -> Iterator[str]:
    prefix, element = ARRAY_PREFIX if field.is_array else "", field.element_type
    yield from (prefix + other for other in NEIGHBOURS.get(element, ()))
    yield element if field.is_array else ARRAY_PREFIX + element


def _shown(type_name: str) -> str:
    """Return the name of a type, of which all structs are one."""
    element = type_name.removeprefix(ARRAY_PREFIX).strip()
    return type_name.replace(element, "struct") if element[:1].isupper() else type_name


def _fits(field: FieldDefinition) -> bool:
    """Return whether the text of a default is one of the field's type."""
    try:
        default_of(field)
    except BadDefault:
        return False
    return True


def _tag(place: FieldPlace) -> Iterator[FieldChange]:
    if place.exposure is not Exposure.TAGGED:
        return
    yield _of_field("tag", "another", tag=_free_tag(place.fields))
    others = [each.tag for each in place.fields if place.version in each.tagged_versions and each is not place.field]
    if others:
        yield _of_field("tag", "of a neighbour", tag=others[0])


def _free_tag(fields: Fields) -> int:
    return 1 + max((each.tag for each in fields if each.tag is not None), default=-1)


def _tagged(place: FieldPlace) -> Iterator[FieldChange]:
    if place.exposure is Exposure.TAGGED:
        yield _of_field("tagged", "lost", tagged_versions=NO_VERSIONS)
    elif place.is_flexible:
        yield _of_field("tagged", "gained", tagged_versions=_only(place.version), tag=_free_tag(place.fields))


def _defaults(place: FieldPlace) -> Iterator[FieldChange]:
    field = place.field
    texts = [text for text in _OTHER_DEFAULTS.get(field.type, ()) if text != field.default]
    if texts:
        yield _of_field("default", "another", default=texts[0])
    if _may_be_null(field) and field.default != NULL and _fits(replace(field, default=NULL)):
        yield _of_field("default", "null", default=NULL)
    if field.default is not None:
        yield _of_field("default", "none", default=None)


def _order(place: FieldPlace) -> Iterator[FieldChange]:
    following = range(place.at + 1, len(place.fields))
    after = next((at for at in following if place.version in place.fields[at].versions), None)
    if after is None:
        return
    is_tagged = place.exposure is Exposure.TAGGED or (
        place.is_flexible and place.version in place.fields[after].tagged_versions
    )
    what = "with the next, one of them tagged" if is_tagged else "with the next"
    yield FieldChange("order", what, lambda fields, at: _swapped(fields, at, after))


def _swapped(fields: Fields, first: int, second: int) -> Fields:
    swapped = list(fields)
    swapped[first], swapped[second] = swapped[second], swapped[first]
    return tuple(swapped)


def _compact(place: FieldPlace) -> Iterator[FieldChange]:
    field = place.field
    if field.struct_name is None and not _may_be_null(field):
        return
    if field.struct_name is not None and not field.is_array:
        return
    own = place.is_flexible if field.flexible_versions is None else place.version in field.flexible_versions
    yield _of_field("compact", _turned(on=not own), flexible_versions=NO_VERSIONS if own else _only(place.version))


def _map_key(place: FieldPlace) -> Iterator[FieldChange]:
    if place.is_in_array:
        yield _of_field("map key", _turned(on=not place.field.map_key), map_key=not place.field.map_key)


class MutantKind(NamedTuple):
    """The common properties of mutants refuted by the same inputs."""

    property: str
    change: str
    exposure: str

    def __str__(self) -> str:
        return f"{self.property} {self.change} ({self.exposure})"


@dataclass(frozen=True)
class DefinitionMutant:
    """A message at one version, with one property of one field changed."""

    release: str
    schema: MessageSchema
    place: FieldPlace
    change: FieldChange

    @property
    def kind(self) -> MutantKind:
        return MutantKind(self.change.property, self.change.what, str(self.place.exposure))

    def __str__(self) -> str:
        return f"{self.release} {self.schema} {self.place.path}: {self.kind}"

    @property
    def key(self) -> tuple[object, ...]:
        """The identity of the codec, shared by releases with the same layout of the message."""
        field = self.place.field
        absent = () if self.place.exposure in PRESENT else (field.type, field.default, field.ignorable)
        return str(self.schema), self.place.path, self.kind, absent

    @property
    def changed(self) -> MessageSchema:
        """The schema with the change."""
        return changed_by(self.release, self.schema, [self])


def changed_by(release: str, schema: MessageSchema, mutants: Iterable[DefinitionMutant]) -> MessageSchema:
    """Return a schema with changes, resolved anew, as there are too many to keep."""
    definition = load_release(release).definition(schema.message)
    for mutant in sorted(mutants, key=lambda each: -each.place.number):  # a change moves no earlier field
        definition = rewritten(definition, mutant.place.number, mutant.change.rewrite)
    return resolve(definition, schema.version)


def mutants_of(release: str, message: str, version: int) -> Iterator[DefinitionMutant]:
    """Yield every mutant with another schema, even without a difference in bytes."""
    source = load_release(release)
    schema = source.schema(message, version)
    for place in places(source.definition(message), version):
        for change in changes(place):
            mutant = DefinitionMutant(release, schema, place, change)
            if mutant.changed != schema:
                yield mutant
