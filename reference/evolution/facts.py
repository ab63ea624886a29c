"""What changed in a definition and is not on the wire (rule 8.7): `facts`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.definitions.rules import structs
from reference.evolution.change import Difference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.definitions.model import Definition, FieldDefinition

RULE = "evolution.facts"


def facts(old: Definition, new: Definition) -> Iterator[Difference]:
    """What differs in properties that have no part in the bytes, of the message and of fields that both have."""
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
        yield Difference(RULE, path, f"{name} was {value} and is {after[1]}")


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
