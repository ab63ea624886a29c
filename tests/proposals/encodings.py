"""Random encodings (KIP-625) for the integers of a definition: legal ones, in as many ranges of versions as may be."""

from dataclasses import replace

from conformance.generate.choices import Choices, pick
from reference.definitions.model import Definition, FieldDefinition, VersionRange
from reference.proposals.kip625 import ENCODINGS, KIP_625, TYPES

NONE_ONE_IN = 4
CUTS = 3
"""One more than the most cuts between the ranges of a field; they fall among the first versions."""

SPAN = 4


def with_encodings(definition: Definition, choices: Choices) -> Definition:
    """The definition with random encodings on its integer fields, those of its structs included."""
    common = tuple(replace(each, fields=_fields(each.fields, choices)) for each in definition.common_structs)
    fields = _fields(definition.fields, choices)
    return replace(definition, fields=fields, common_structs=common, dialect=KIP_625.name)


def _fields(fields: tuple[FieldDefinition, ...], choices: Choices) -> tuple[FieldDefinition, ...]:
    return tuple(
        replace(field, fields=_fields(field.fields, choices), encodings=_encodings(field, choices)) for field in fields
    )


def _encodings(field: FieldDefinition, choices: Choices) -> tuple[tuple[VersionRange, str], ...]:
    if field.type not in TYPES or field.versions.empty or choices.below(NONE_ONE_IN) == 0:
        return ()
    bits = int(field.type.removeprefix("int"))
    names = [name for name, encoding in ENCODINGS.items() if encoding.bits <= bits]
    ranges = [(each, pick(choices, names)) for each in _ranges(field.versions, choices)]
    return tuple(ranges if choices.below(2) else ranges[::-1])


def _ranges(versions: VersionRange, choices: Choices) -> list[VersionRange]:
    last = min(versions.highest, versions.lowest + SPAN)
    begins = {versions.lowest, *(choices.integer(versions.lowest, last) for _ in range(choices.below(CUTS)))}
    ordered = sorted(begins)
    ends = [*(begin - 1 for begin in ordered[1:]), versions.highest]
    return [VersionRange(begin, end) for begin, end in zip(ordered, ends, strict=True)]
