"""Changed and unchanged properties of definitions after a change."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest

from reference import FieldSchema, MessageSchema, load_release
from tests.helpers.releases import BASE
from tests.mutants.definitions.mutants import DefinitionMutant, mutants_of

RELEASE = BASE
REQUEST = load_release(RELEASE).schema("MetadataRequest", 12)


def mutant(message: str, version: int, path: str, changed: str, how: str) -> DefinitionMutant:
    mutants = mutants_of(RELEASE, message, version)
    return next(each for each in mutants if (each.place.path, *each.change[:2]) == (path, changed, how))


def field_at(schema: MessageSchema, path: str) -> FieldSchema:
    """Return the field of that path, present or absent."""
    field = schema.body
    for name in path.split("."):
        field = next(each for each in chain(field.item.fields, field.item.absent_fields) if each.name == name)
    return field


ATTRIBUTES: dict[tuple[str, int, str, str, str], dict[str, Any]] = {
    ("MetadataRequest", 12, "Topics.TopicId", "type", "uuid to string"): {"type": "string"},
    ("MetadataRequest", 12, "Topics", "nullable", "array lost"): {"nullable": False},
    ("MetadataRequest", 12, "Topics", "type", "[]struct to struct"): {"type": "struct", "element": None},
    ("MetadataRequest", 12, "Topics.Name", "compact", "lost"): {"compact": False},
    ("MetadataRequest", 12, "AllowAutoTopicCreation", "default", "another"): {"default": False},
    ("MetadataRequest", 12, "AllowAutoTopicCreation", "tagged", "gained"): {"tag": 0},
    ("MetadataRequest", 12, "Topics.Name", "map key", "gained"): {"map_key": True},
    ("MetadataRequest", 12, "AllowAutoTopicCreation", "ignorable", "gained"): {"ignorable": True},
    ("FetchRequest", 17, "ClusterId", "tag", "another"): {"tag": 2},
    ("FetchRequest", 17, "ClusterId", "tag", "of a neighbour"): {"tag": 1},
    ("FetchRequest", 17, "ClusterId", "tagged", "lost"): {"tag": None},
    ("FetchRequest", 17, "ClusterId", "nullable", "string lost"): {"nullable": False, "default": ""},
}


@pytest.mark.parametrize("place", ATTRIBUTES, ids=str)
def test_a_change_gives_another_property_to_the_field(place: tuple[str, int, str, str, str]) -> None:
    """Only attributes of that property differ."""
    changed = field_at(mutant(*place).changed, place[2])
    assert {name: getattr(changed, name) for name in ATTRIBUTES[place]} == ATTRIBUTES[place]


def test_a_present_field_goes_missing() -> None:
    """The version then has it as a field of other versions."""
    changed = mutant("MetadataRequest", 12, "Topics", "presence", "missing").changed
    assert "Topics" not in [each.name for each in changed.fields]
    assert "Topics" in [each.name for each in changed.absent_fields]


def test_a_field_of_other_versions_is_as_in_the_nearest_one() -> None:
    """It has the place of the definition, and is nullable if it is so there."""
    changed = mutant("MetadataRequest", 3, "AllowAutoTopicCreation", "presence", "present").changed
    assert [each.name for each in changed.fields] == ["Topics", "AllowAutoTopicCreation"]


def test_order_of_a_swapped_field_is_the_next_ones() -> None:
    """Each is read in the place of the other."""
    changed = mutant("MetadataRequest", 12, "Topics", "order", "with the next").changed
    assert [each.name for each in changed.fields][:2] == ["AllowAutoTopicCreation", "Topics"]


def test_every_mutant_has_another_schema() -> None:
    """A change without an effect is none."""
    assert all(each.changed != REQUEST for each in mutants_of(RELEASE, "MetadataRequest", 12))


def test_every_property_of_a_field_is_changed() -> None:
    """The message has tagged fields, nullable ones and map keys."""
    properties = {each.kind.property for each in mutants_of(RELEASE, "FetchRequest", 17)}
    assert properties == {
        *("nullable", "presence", "type", "tag", "tagged", "default", "order", "compact", "ignorable", "map key"),
    }
