"""The mutants of a message at one version, codecs of its definition with one property of one field changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from reference import load_release
from reference.resolution import resolve
from tests.mutants.definitions.changes import changes
from tests.mutants.definitions.places import PRESENT, FieldPlace, places
from tests.reference.evolution.mutations import rewritten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import MessageSchema
    from tests.mutants.definitions.changes import FieldChange


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
        """The schema with the change, resolved anew, as there are too many to keep."""
        definition = load_release(self.release).definition(self.schema.message)
        return resolve(rewritten(definition, self.place.number, self.change.rewrite), self.schema.version)


def mutants_of(release: str, message: str, version: int) -> Iterator[DefinitionMutant]:
    """Yield every mutant with another schema, even without a difference in bytes."""
    source = load_release(release)
    schema = source.schema(message, version)
    for place in places(source.definition(message), version):
        for change in changes(place):
            mutant = DefinitionMutant(release, schema, place, change)
            if mutant.changed != schema:
                yield mutant
