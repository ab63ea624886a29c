import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from operator import attrgetter
from typing import Any

import pytest
from hypothesis import find, given
from jsonschema import Draft202012Validator

from conformance.generate.definitions.drawn_definitions import definitions, sample_definition
from conformance.generate.definitions.versions import EVERY_FEATURE, Features
from reference.definitions.model import KINDS, PRIMITIVES, Definition, FieldDefinition, VersionRange
from reference.definitions.parse import broken_rules, parse_definition
from reference.definitions.properties import FLAGS
from reference.definitions.rules import FieldUse, all_fields, structs
from tests.helpers.probes import drawn_from

COUNT, DRAWN = 400, 1000
"""Definitions of seeds, which never change, and definitions that Hypothesis draws, which depend on what is loaded."""

FORM = Draft202012Validator(json.loads((files("specs") / "definition.schema.json").read_text(encoding="utf-8")))

Fact = Callable[["Definition"], bool]


def parsed(definition: dict[str, Any]) -> Definition:
    return parse_definition(json.dumps(definition), "drawn")


@cache
def samples(source: str) -> list[Definition]:
    if source == "seeded":
        return [parsed(sample_definition(str(number))) for number in range(COUNT)]
    return [parsed(each) for each in drawn_from(definitions(), DRAWN)]


def of_field(holds: Callable[[FieldDefinition], bool]) -> Fact:
    return lambda definition: any(holds(use.field) for use in all_fields(definition))


def of_use(holds: Callable[[FieldUse], bool]) -> Fact:
    return lambda definition: any(map(holds, all_fields(definition)))


def levels(fields: tuple[FieldDefinition, ...]) -> int:
    return max((1 + levels(each.fields) for each in fields if each.struct_name), default=0)


def tags_out_of_order(definition: Definition) -> bool:
    tags = [[each.tag for each in struct.fields if each.tag is not None] for struct in structs(definition)]
    return any(each != sorted(each) for each in tags)


def inside_array(definition: Definition) -> Iterator[FieldDefinition]:
    for use in all_fields(definition):
        if use.field.is_array:
            yield from use.field.fields


def partly(part: VersionRange, use: FieldUse) -> bool:
    versions = use.versions.intersect(use.definition.valid_versions)
    return not versions.intersect(part).empty and not part.covers(versions)


def uses(definition: Definition) -> list[str]:
    common = {each.name for each in definition.common_structs}
    return [use.field.struct_name for use in all_fields(definition) if use.field.struct_name in common]


def is_struct(field: FieldDefinition) -> bool:
    return field.struct_name is not None and not field.is_array


FACTS: dict[str, Fact] = {
    "tags out of order": tags_out_of_order,
    "tagged in some versions only": of_use(lambda use: partly(use.field.tagged_versions, use)),
    "nullable in some versions only": of_use(lambda use: partly(use.field.nullable_versions, use)),
    "a nullable struct in an array": lambda each: any(
        is_struct(field) and not field.nullable_versions.empty for field in inside_array(each)
    ),
    "a tagged nullable struct": of_field(
        lambda field: is_struct(field) and not field.tagged_versions.intersect(field.nullable_versions).empty
    ),
    "a tagged array of structs": of_field(
        lambda field: field.is_array and bool(field.fields) and field.tag is not None
    ),
    "nullable only where it is not tagged": of_field(
        lambda field: (
            field.tag is not None
            and not field.nullable_versions.empty
            and field.nullable_versions.intersect(field.tagged_versions).empty
        )
    ),
    "a common struct with narrower versions": lambda each: any(
        not struct.versions.covers(each.valid_versions) for struct in each.common_structs
    ),
    "a common struct in several places": lambda each: len(uses(each)) > len(set(uses(each))),
    "a common struct in a common struct": of_use(lambda use: use.struct.common and use.field.struct_name is not None),
    "a common struct that nobody uses": lambda each: any(
        struct.name not in uses(each) for struct in each.common_structs
    ),
    "four levels": lambda each: levels(each.fields) >= 4,
    "a message without fields": lambda each: not each.fields,
    "an empty struct": of_field(lambda field: (field.struct_name or "").startswith("Inline") and not field.fields),
    "a field of other versions alone": of_use(lambda use: use.versions.intersect(use.definition.valid_versions).empty),
    "a closed range": of_field(lambda field: not field.versions.open_ended and not field.versions.empty),
    "strings that are never compact": of_field(
        lambda field: field.flexible_versions is not None and field.flexible_versions.empty
    ),
    "strings that are compact later": of_use(
        lambda use: use.field.flexible_versions is not None and partly(use.field.flexible_versions, use)
    ),
    "a default of null": of_field(lambda field: field.default == "null"),
    "a hexadecimal default": of_field(lambda field: (field.default or "").startswith("0x1")),
    "an octal default": of_field(lambda field: field.default == "010"),
    "a default that is no number": of_field(lambda field: field.default == "NaN"),
    **{flag.name: of_field(attrgetter(flag.attribute)) for flag in FLAGS},
    "two map keys": lambda each: any(sum(field.map_key for field in struct.fields) == 2 for struct in structs(each)),
    "entityType": of_field(lambda field: field.entity_type is not None),
    "no flexible version": lambda each: each.flexible_versions.empty,
    "flexible from 0": lambda each: each.flexible_versions.lowest == 0 and not each.flexible_versions.empty,
    "flexible later": lambda each: each.flexible_versions.lowest in list(each.valid_versions)[1:],
    "flexible beyond the last version": lambda each: each.flexible_versions.lowest == each.valid_versions.highest + 1,
    "no version": lambda each: each.valid_versions.empty,
    "listeners": lambda each: bool(each.listeners),
    "latestVersionUnstable": lambda each: each.latest_version_unstable,
    "headerVersions": lambda each: each.header_versions is not None,
    "header versions that change": lambda each: len(each.header_versions or ()) == 2,
    "deprecatedVersions": lambda each: not each.deprecated_versions.empty,
    **{f"kind {kind}": lambda each, kind=kind: each.kind == kind for kind in KINDS},  # type: ignore[misc]
    **{
        f"type {name}": of_field(lambda field, name=name: field.type == name)  # type: ignore[misc]
        for name in (*PRIMITIVES, *(f"[]{each}" for each in PRIMITIVES if each not in {"bytes", "records"}))
    },
    **{
        f"default of {name}": of_field(lambda field, name=name: field.type == name and field.default is not None)  # type: ignore[misc]
        for name in PRIMITIVES
    },
}


@given(definitions())
def test_every_definition_is_sound(definition: dict[str, Any]) -> None:
    """No rule of section 6 is broken."""
    assert broken_rules(json.dumps(definition), "drawn") == []


@given(definitions())
def test_every_definition_has_the_committed_form(definition: dict[str, Any]) -> None:
    FORM.validate(definition)


@pytest.mark.parametrize("source", ["seeded", "drawn"])
@pytest.mark.parametrize("fact", FACTS)
def test_every_feature_appears(fact: str, source: str) -> None:
    assert any(map(FACTS[fact], samples(source)))


def test_a_seed_gives_the_same_definition_for_ever() -> None:
    assert sample_definition("7") == sample_definition("7") != sample_definition("8")


OFF: dict[str, tuple[Features, str]] = {
    "tags": (replace(EVERY_FEATURE, tags=False), "taggedVersions"),
    "nullable": (replace(EVERY_FEATURE, nullable=False), "nullableVersions"),
    "common structs": (replace(EVERY_FEATURE, common_structs=False), "commonStructs"),
    "defaults": (replace(EVERY_FEATURE, defaults=False), '"default"'),
    **{flag.name: (replace(EVERY_FEATURE, without=(flag.name,)), flag.name) for flag in FLAGS},
    "other kinds": (replace(EVERY_FEATURE, kinds=("data",)), "request"),
    "messages without versions": (replace(EVERY_FEATURE, given_up=False), '"validVersions": "none"'),
}


@pytest.mark.parametrize("feature", OFF)
def test_switched_off_feature_does_not_appear(feature: str) -> None:
    features, text = OFF[feature]
    assert any(text in json.dumps(sample_definition(str(number))) for number in range(COUNT))
    assert not any(text in json.dumps(sample_definition(str(number), features)) for number in range(COUNT))


def test_flexible_versions_can_be_switched_off() -> None:
    never = replace(EVERY_FEATURE, flexible=False)
    always = replace(EVERY_FEATURE, inflexible=False, kinds=("data",), given_up=False)
    for number in range(COUNT):
        assert sample_definition(str(number), never).get("flexibleVersions") in {"none", None}
        assert sample_definition(str(number), always)["flexibleVersions"] != "none"


def test_nullable_structs_can_be_switched_off() -> None:
    features = replace(EVERY_FEATURE, nullable_structs=False)
    fields = [
        use.field
        for number in range(COUNT)
        for use in all_fields(parsed(sample_definition(str(number), features)))
        if use.field.struct_name and not use.field.nullable_versions.empty
    ]
    assert fields
    assert all(field.is_array for field in fields)


def test_flexible_overrides_can_be_switched_off() -> None:
    features = replace(EVERY_FEATURE, overrides=False)
    sampled = [parsed(sample_definition(str(number), features)) for number in range(COUNT)]
    assert not any(use.field.flexible_versions for each in sampled for use in all_fields(each))


def test_the_simplest_definition_has_no_fields() -> None:
    simplest = find(definitions(), lambda _: True)
    assert simplest == {"type": "data", "name": "Sample", "validVersions": "0", "flexibleVersions": "none"}


def test_definition_shrinks_to_the_decisive_field() -> None:
    smallest = find(definitions(), lambda each: FACTS["a tagged nullable struct"](parsed(each)))
    [field] = smallest["fields"]
    assert set(field) == {"name", "type", "versions", "nullableVersions", "taggedVersions", "tag"}
