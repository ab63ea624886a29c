"""One broken definition for each rule of section 6, with the place in which it is broken."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reference.definitions.errors import BrokenDefinition
from reference.definitions.field_rules import FIELD_RULES
from reference.definitions.message_rules import MESSAGE_RULES, STRUCT_RULES
from reference.definitions.parse import broken_rules, parse_definition

Properties = dict[str, Any]


def message(*fields: Properties, **properties: Any) -> Properties:
    """A sound definition, but for what is given."""
    sound = {"type": "data", "name": "Sample", "validVersions": "0-2", "flexibleVersions": "1+"}
    return sound | properties | {"fields": list(fields)}


def field(**properties: Any) -> Properties:
    """A sound field, but for what is given."""
    return {"name": "Some", "type": "int32", "versions": "0+"} | properties


def struct(*fields: Properties, **properties: Any) -> Properties:
    """A sound common struct, but for what is given."""
    return {"name": "Shared", "versions": "0+"} | properties | {"fields": list(fields)}


def tagged(**properties: Any) -> Properties:
    """A sound tagged field, but for what is given."""
    return field(versions="1+", taggedVersions="1+", tag=0) | properties


def without(name: str, properties: Properties) -> Properties:
    """The properties but that one."""
    return {key: value for key, value in properties.items() if key != name}


Broken = tuple[str, str, str, Properties]

WHOLE = "the definition as a whole"

READ: list[Broken] = [
    ("6.1", "versions-syntax", "fields[0].versions (Some)", message(field(versions="0 - 2"))),
    ("6.1", "versions-syntax", "fields[0].versions (Some)", message(field(versions="32768"))),
    ("6.1", "versions-syntax", "fields[0].versions (Some)", message(field(versions="all"))),
    ("6.3", "versions-not-negative", "fields[0].versions (Some)", message(field(versions="0--1"))),
    ("6.3", "versions-not-negative", "fields[0].versions (Some)", message(field(versions="-1"))),
    ("6.5", "name-present", "commonStructs[0]", message(commonStructs=[without("name", struct(field()))])),
    ("6.5", "name-present", WHOLE, without("name", message())),
    ("6.5", "kind-present", "(Sample)", without("type", message())),
    ("6.6", "kind", "type (Sample)", message(type="Request")),
    ("6.7", "valid-versions-present", "(Sample)", without("validVersions", message())),
    ("6.10", "flexible-versions-present", "(Sample)", without("flexibleVersions", message())),
    ("6.12", "listener-known", "listeners (Sample)", message(type="request", listeners=["proxy"])),
    ("6.15", "api-key-range", "apiKey (Sample)", message(apiKey=32768)),
    ("6.16", "known-properties", "about (Sample)", message(about="what it is for")),
    ("6.16", "known-properties", "fields[0].since (Some)", message(field(since="4.0"))),
    ("6.16", "known-properties", "commonStructs[0].about (Shared)", message(commonStructs=[struct(about="shared")])),
    ("6.25", "name-present", "fields[0]", message(without("name", field()))),
    ("6.26", "versions-present", "fields[0] (Some)", message(without("versions", field()))),
    ("6.26", "versions-present", "commonStructs[0] (Shared)", message(commonStructs=[without("versions", struct())])),
    (
        "6.27",
        "struct-versions-present",
        "fields[0] (Some)",
        message(without("versions", tagged(type="Inner", fields=[field(name="In")]))),
    ),
    ("6.28", "type", "fields[0] (Some)", message(without("type", field()))),
    ("6.28", "type", "fields[0].type (Some)", message(field(type="int24"))),
    ("6.28", "type", "fields[0].type (Some)", message(field(type="[]"))),
    ("6.28", "type", "fields[0].type (Some)", message(field(type="[][]int32"))),
    ("6.32", "entity-type-known", "fields[0].entityType (Some)", message(field(entityType="color"))),
    ("8.3", "property-type", "fields[0].ignorable (Some)", message(field(ignorable="yes"))),
    ("8.3", "property-type", "fields[0].tag (Some)", message(tagged(tag="zero"))),
    ("8.3", "property-type", "fields[0].default (Some)", message(field(default=[1]))),
    ("8.3", "property-type", "fields[0]", message("field")),  # type: ignore[arg-type]  # that is what is wrong
]
"""Noticed while the properties are read."""

INNER = field(type="Inner", fields=[field(name="In")])

JUDGED: list[Broken] = [
    ("6.8", "valid-versions-bounded", "validVersions", message(validVersions="0+")),
    ("6.11", "flexible-open-ended", "flexibleVersions", message(flexibleVersions="1-2")),
    ("6.12", "listeners-on-requests", "listeners", message(type="response", listeners=["broker"])),
    ("6.13", "unstable-on-requests", "latestVersionUnstable", message(latestVersionUnstable=True)),
    ("6.6", "coordinator-api-key", WHOLE, message(type="coordinator-value")),
    (
        "6.6",
        "coordinator-key-version",
        "validVersions",
        message(type="coordinator-key", apiKey=1, validVersions="0-1", flexibleVersions="none"),
    ),
    (
        "6.6",
        "coordinator-key-not-flexible",
        "flexibleVersions",
        message(type="coordinator-key", apiKey=1, validVersions="0"),
    ),
    ("6.17", "map-key-in-arrays", "fields[0] (Some)", message(field(mapKey=True))),
    ("6.20", "field-names-unique", "fields[1] (Some)", message(field(versions="0"), field(versions="1+"))),
    ("6.22", "tags-unique", "fields[1] (Other)", message(tagged(), tagged(name="Other"))),
    ("6.24", "tags-contiguous", WHOLE, message(tagged(), tagged(name="Other", tag=2))),
    (
        "6.24",
        "tags-contiguous",
        "fields[0] (Some)",
        message(field(type="[]Inner", fields=[tagged(name="In", tag=1)])),
    ),
    ("6.25", "field-name", "fields[0] (some_field)", message(field(name="some_field"))),
    ("6.25", "field-name", "fields[0] (3D)", message(field(name="3D"))),
    ("6.30", "nullable-type", "fields[0] (Some)", message(field(nullableVersions="0+"))),
    ("6.30", "nullable-type", "fields[0] (Some)", message(field(type="uuid", nullableVersions="0+"))),
    ("6.32", "entity-type", "fields[0] (Some)", message(field(entityType="topicName"))),
    ("6.32", "entity-type", "fields[0] (Some)", message(field(type="[]string", entityType="brokerId"))),
    ("6.33", "inner-fields", "fields[0] (Some)", message(field(fields=[field(name="In")]))),
    ("6.34", "flexible-override-type", "fields[0] (Some)", message(field(flexibleVersions="none"))),
    ("6.35", "flexible-override-subset", "fields[0] (Some)", message(field(type="string", flexibleVersions="0+"))),
    (
        "6.36",
        "tag-not-key",
        "fields[0].fields[0] (In)",
        message(field(type="[]Inner", fields=[tagged(name="In", mapKey=True)])),
    ),
    ("6.37", "tag-not-negative", "fields[0] (Some)", message(tagged(tag=-1))),
    ("6.38", "tag-needs-versions", "fields[0] (Some)", message(field(tag=0))),
    ("6.39", "tagged-versions-need-tag", "fields[0] (Some)", message(without("tag", tagged()))),
    ("6.40", "tagged-nullable", "fields[0] (Some)", message(tagged(type="string", nullableVersions="2+"))),
    ("6.41", "tagged-open-ended", "fields[0] (Some)", message(tagged(taggedVersions="1-2"))),
    ("6.42", "tagged-within-versions", "fields[0] (Some)", message(tagged(versions="2+"))),
    ("6.43", "tagged-within-flexible", "fields[0] (Some)", message(tagged(versions="0+", taggedVersions="0+"))),
    ("6.44", "zero-copy-type", "fields[0] (Some)", message(field(type="string", zeroCopy=True))),
    ("6.46", "struct-within-parent", "fields[0] (Some)", message(INNER | {"versions": "3+"})),
    (
        "6.46",
        "struct-within-parent",
        "fields[0].fields[0] (Some)",
        message(field(name="Outer", type="Outer", versions="1+", fields=[INNER | {"versions": "0"}])),
    ),
    ("6.47", "default", "fields[0] (Some)", message(field(default="many"))),
    (
        "4.1.13",
        "default-null",
        "fields[0] (Some)",
        message(field(type="string", nullableVersions="1+", default="null")),
    ),
    ("6.48", "common-struct-capitalised", "commonStructs[0] (shared)", message(commonStructs=[struct(name="shared")])),
    ("6.49", "common-structs-unique", "commonStructs[1] (Shared)", message(commonStructs=[struct(), struct()])),
    (
        "6.50",
        "common-struct-respecified",
        "fields[0] (Some)",
        message(field(type="Shared", fields=[field()]), commonStructs=[struct(field())]),
    ),
    ("6.51", "inline-struct-once", "fields[1] (Again)", message(INNER, field(name="Again", type="Inner"))),
    (
        "6.51",
        "inline-struct-once",
        "fields[0].fields[0] (Deeper)",
        message(field(type="Inner", fields=[field(name="Deeper", type="[]Inner")])),
    ),
    (
        "6.52",
        "inline-struct-in-common",
        "commonStructs[0].fields[0] (Some)",
        message(commonStructs=[struct(INNER)]),
    ),
    (
        "6.52",
        "common-struct-recursive",
        "commonStructs[0] (Shared)",
        message(commonStructs=[struct(field(type="[]Shared"))]),
    ),
    (
        "6.52",
        "common-struct-versions",
        "fields[0] (Some)",
        message(field(type="[]Shared"), commonStructs=[struct(field(), versions="1+")]),
    ),
    ("6.59", "records-not-in-array", "fields[0] (Some)", message(field(type="[]records"))),
    ("6.59", "records-not-tagged", "fields[0] (Some)", message(tagged(type="records"))),
]
"""Noticed once the definition is read."""


def name_of(case: Broken) -> str:
    """Number and rule, to tell cases by."""
    return f"{case[0]}-{case[1]}"


@pytest.mark.parametrize("case", READ + JUDGED, ids=name_of)
def test_broken_definition_names_rule_and_place(case: Broken) -> None:
    """Each broken definition is refused for its one problem, by the rule's id and number, in the right place."""
    number, rule, place, definition = case
    found = [error.problem for error in broken_rules(json.dumps(definition), "Sample.json")]
    assert [(each.number, each.rule, str(each.place)) for each in found] == [(number, f"definition.{rule}", place)]


@pytest.mark.parametrize("case", READ + JUDGED, ids=name_of)
def test_broken_definition_is_never_returned(case: Broken) -> None:
    """Reading a broken definition raises."""
    with pytest.raises(BrokenDefinition):
        parse_definition(json.dumps(case[3]), "Sample.json")


def test_every_rule_has_a_broken_definition() -> None:
    """No rule of the tables is without a case above."""
    rules = {each.id for each in MESSAGE_RULES} | {each.id for each in STRUCT_RULES} | {each.id for each in FIELD_RULES}
    assert rules == {f"definition.{rule}" for _, rule, _, _ in JUDGED}


SOUND: list[tuple[str, Properties]] = [
    ("6.1 a sign before a version", message(field(versions="+1+"))),
    ("6.1 a number as versions", message(field(versions=1))),
    ("6.4 an inverted range is empty", message(field(versions="2-1"))),
    ("6.9 a message that has no versions", {"type": "request", "name": "Gone", "validVersions": "none"}),
    ("6.10 empty flexibleVersions", message(flexibleVersions="")),
    ("6.11 flexibleVersions above all valid ones", message(flexibleVersions="9+")),
    ("6.11 an open range written out", message(flexibleVersions="0-32767")),
    ("6.12 no listeners on a response", message(type="response", listeners=[])),
    ("6.14 deprecatedVersions outside validVersions", message(deprecatedVersions="7-9")),
    ("6.19 no fields", without("fields", message())),
    ("6.21 names that differ in the first letter's case", message(field(name="some"), field(name="Some"))),
    ("6.24 tags out of order", message(tagged(tag=1), tagged(name="Other", tag=0))),
    ("6.28 a blank after the brackets", message(field(type=" [] int32 "))),
    ("6.29 a capitalised primitive is a struct", message(field(type="Int32"))),
    ("6.31 nullableVersions outside versions", message(field(type="string", versions="2+", nullableVersions="0-1"))),
    ("6.32 the entity type of an array's elements", message(field(type="[]int32", entityType="brokerId"))),
    ("6.33 fields on an array of a primitive", message(field(type="[]int8", fields=[field(name="In")]))),
    ("6.34 a closed range as override", message(field(type="bytes", flexibleVersions="1-2"))),
    ("6.45 versions outside validVersions", message(field(versions="7+"))),
    ("6.45 no versions", message(field(versions="none"))),
    ("6.52 a common struct in another", message(commonStructs=[struct(field(type="Two")), struct(name="Two")])),
    ("6.52a a struct without fields", message(field(type="Empty"))),
    ("4.1.9 the default of records is never looked at", message(field(type="records", default="abc"))),
]


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case[0])
def test_what_upstream_accepts_is_accepted(case: tuple[str, Properties]) -> None:
    """Where Apache Kafka has no rule, neither has this reader."""
    assert broken_rules(json.dumps(case[1]), "Sample.json") == []


def test_all_problems_are_found_together() -> None:
    """A definition with several problems shows each of them."""
    found = broken_rules(json.dumps(message(field(mapKey=True), tagged(name="Other", tag=1))), "Sample.json")
    assert [error.problem.number for error in found] == ["6.17", "6.24"]


def test_message_without_versions_is_held_to_no_rule_about_generated_code() -> None:
    """Nothing is generated from a message without versions, so a default in it may be wrong."""
    assert broken_rules(json.dumps(message(field(default="many"), validVersions="none")), "Sample.json") == []


def test_error_says_file_line_place_rule_and_what_to_do() -> None:
    """The text of an error is complete."""
    text = '{ "type": "data", "name": "Sample",\n  "validVersions": "0+", "flexibleVersions": "none" }'
    with pytest.raises(BrokenDefinition) as caught:
        parse_definition(text, "Sample.json")
    assert str(caught.value).splitlines() == [
        "Sample.json, line 2, column 20: the validVersions 0+ have no end",
        "  in:   validVersions",
        "  rule: definition.valid-versions-bounded (6.8)",
        "  try:  name the highest version, as 0-3",
    ]
