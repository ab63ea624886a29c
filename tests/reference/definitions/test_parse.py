import json
import re
from typing import Any

import pytest

from reference.definitions.canonical import canonical_json
from reference.definitions.errors import BrokenDefinition
from reference.definitions.model import HIGHEST_VERSION, NO_VERSIONS, FieldDefinition, StructDefinition, VersionRange
from reference.definitions.parse import LOADER, broken_rules, loader_of_release, parse_definition
from tests.helpers.definitions import field, message, without

OLDER = loader_of_release("2.8.2")
SILENT = json.dumps(without("flexibleVersions", message(field())))


def read(field: str, **properties: Any) -> FieldDefinition:
    message = {"type": "data", "name": "Sample", "validVersions": "0-2", "flexibleVersions": "0+"} | properties
    text = json.dumps(message).removesuffix("}") + f', "fields": [{{ "name": "Some", {field} }}] }}'
    return parse_definition(text, "Sample.json").fields[0]


INT32 = '"type": "int32", "versions": "0+"'
TAGGED = '"type": "int32", "versions": "0+", "taggedVersions": "0+"'
NO_BUT_TAGGED = '"type": "int32", "taggedVersions": "1+", "tag": 0'
STRING = '"type": "string", "versions": "0+", "nullableVersions": "0+"'

READINGS: list[tuple[str, str, str, object]] = [
    ("a number as default is text", f'{INT32}, "default": -1', "default", "-1"),
    ("a boolean as default is text", '"type": "bool", "versions": "0+", "default": true', "default", "true"),
    ("a default of JSON null is none", f'{STRING}, "default": null', "default", None),
    ("a default of the text null is that text", f'{STRING}, "default": "null"', "default", "null"),
    ("an empty default is none", f'{STRING}, "default": ""', "default", None),
    ("a text as tag is a number", f'{TAGGED}, "tag": "0"', "tag", 0),
    ("a fraction of zero as tag is a number", f'{TAGGED}, "tag": 0.0', "tag", 0),
    ("a number as versions is text", '"type": "int32", "versions": 2', "versions", VersionRange(2, 2)),
    ("blanks around versions", '"type": "int32", "versions": " 1-2 "', "versions", VersionRange(1, 2)),
    ("open versions", '"type": "int32", "versions": "1+"', "versions", VersionRange(1, 32767)),
    ("inverted versions are none", '"type": "int32", "versions": "2-1"', "versions", NO_VERSIONS),
    ("blank nullableVersions are none", f'{INT32}, "nullableVersions": " "', "nullable_versions", NO_VERSIONS),
    ("no flexibleVersions of its own", f"{INT32}", "flexible_versions", None),
    ("no flexible versions for this field", f'{STRING}, "flexibleVersions": "none"', "flexible_versions", NO_VERSIONS),
    ("missing versions are the tagged ones", NO_BUT_TAGGED, "versions", VersionRange(1, 32767)),
    ("blank versions are the tagged ones", f'{NO_BUT_TAGGED}, "versions": ""', "versions", VersionRange(1, 32767)),
    ("ignorable as text", f'{INT32}, "ignorable": "false"', "ignorable", False),
    ("ignorable as capitalised text", f'{INT32}, "ignorable": "True"', "ignorable", True),
    ("ignorable as number", f'{INT32}, "ignorable": 1', "ignorable", True),
    ("ignorable as null", f'{INT32}, "ignorable": null', "ignorable", False),
    ("a type with blanks", '"type": " [] int32 ", "versions": "0+"', "type", "[]int32"),
    ("an unknown entity is none", f'{INT32}, "entityType": "unknown"', "entity_type", None),
    ("about is dropped", f'{INT32}, "about": "what it is for"', "default", None),
    (
        "one object for an array of fields",
        '"type": "Inner", "versions": "0+", "fields": { "name": "In", "type": "int8", "versions": "0+" }',
        "fields",
        (FieldDefinition("In", "int8", VersionRange(0, 32767)),),
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", READINGS, ids=lambda case: case[0])
def test_field_reads(case: tuple[str, str, str, object]) -> None:
    assert getattr(read(case[1]), case[2]) == case[3]


def test_tagged_array_of_a_common_struct_needs_no_versions() -> None:
    """Only inline fields call for versions (rule 6.27), as in release 4.3.0."""
    shared = {"name": "Shared", "versions": "0+"}
    field = read('"type": "[]Shared", "taggedVersions": "1+", "tag": 0', commonStructs=[shared])
    assert field.versions == VersionRange(1, 32767)


def test_one_listener_counts_as_an_array() -> None:
    text = '{ "type": "request", "name": "A", "validVersions": "0", "flexibleVersions": "none", "listeners": "broker" }'
    assert parse_definition(text, "A.json").listeners == ("broker",)


def test_message_without_versions_keeps_no_fact_about_versions() -> None:
    """Flexible versions, listeners and stability of a message without versions mean nothing (rules 6.9 and 15.9)."""
    text = """{ "type": "request", "name": "A", "validVersions": "none", "flexibleVersions": "0-1",
                "listeners": ["broker"], "latestVersionUnstable": true, "apiKey": "4" }"""
    definition = parse_definition(text, "A.json")
    assert (definition.flexible_versions, definition.listeners) == (NO_VERSIONS, ())
    assert (definition.latest_version_unstable, definition.api_key) == (False, 4)


def test_common_structs_are_read_with_their_fields() -> None:
    text = """{ "type": "data", "name": "A", "validVersions": "0", "flexibleVersions": "none", "commonStructs":
                [{ "name": "B", "versions": "0-3", "fields": [{ "name": "c", "type": "bool", "versions": "0" }] }] }"""
    expected = StructDefinition("B", VersionRange(0, 3), (FieldDefinition("c", "bool", VersionRange(0, 0)),))
    assert parse_definition(text, "A.json").common_struct("B") == expected


def nested(levels: int) -> str:
    field: dict[str, Any] = {"name": "F", "type": "int8", "versions": "0+"}
    for level in range(levels):
        field = {"name": "F", "type": f"S{level}", "versions": "0+", "fields": [field]}
    message = {"type": "data", "name": "A", "validVersions": "0", "flexibleVersions": "none", "fields": [field]}
    return json.dumps(message)


def test_deep_nesting_is_read() -> None:
    assert broken_rules(nested(40), "A.json") == []


def test_absurd_nesting_is_refused() -> None:
    with pytest.raises(BrokenDefinition) as caught:
        parse_definition(nested(200), "A.json")
    assert caught.value.problem.rule == "definition.nesting"


def test_advice_about_missing_valid_versions_can_be_followed() -> None:
    """An open range would be the next error."""
    text = '{ "type": "data", "name": "A", "flexibleVersions": "none", "fields": [] }'
    [error] = broken_rules(text, "A.json")
    for versions in ("0", "0-3", "none"):
        assert versions in re.findall(r"[\w-]+", error.problem.advice)
        assert broken_rules(text.replace("{", f'{{ "validVersions": "{versions}",'), "A.json") == []


def test_message_without_the_property_has_no_flexible_versions() -> None:
    assert OLDER.parse(SILENT, "Sample.json").flexible_versions == NO_VERSIONS


def test_written_definition_obeys_the_rules_of_today() -> None:
    definition = OLDER.parse(SILENT, "Sample.json")
    assert parse_definition(canonical_json(definition), "Sample.json") == definition


def test_text_after_the_object_is_ignored() -> None:
    """The DescribeProducersRequest of 2.8.2 has such text."""
    text = json.dumps(message(field()))
    assert OLDER.parse(f"// A comment.\n{text}\n  ]\n}}\n", "Sample.json") == parse_definition(text, "Sample.json")


def test_problem_before_such_text_is_located() -> None:
    text = '{ "type": "data", "name": "Sample", "validVersions": "0",\n  "fields": [ { "name": "" } ] } ] }'
    with pytest.raises(BrokenDefinition, match="line 2, column 15: "):
        OLDER.parse(text, "Sample.json")


TAGGED_STRUCT = (
    '"type": "Some", "taggedVersions": "1+", "tag": 0, "fields": [ { "name": "A", "type": "int8", "versions": "0+" } ]'
)
STRUCT_TEXT = (
    f'{{ "type": "data", "name": "Sample", "validVersions": "0-2", "flexibleVersions": "1+", '
    f'"fields": [ {{ "name": "Some", {TAGGED_STRUCT} }} ] }}'
)


@pytest.mark.parametrize("release", ["2.8.2", "3.5.0", "3.9.2", "3.9.2-fork"])
def test_tagged_versions_stand_for_the_versions_of_a_struct_before_4(release: str) -> None:
    """The FetchRequest of 3.5.0 is written so."""
    definition = loader_of_release(release).parse(STRUCT_TEXT, "Sample.json")
    assert definition.fields[0].versions == VersionRange(1, HIGHEST_VERSION)
    assert parse_definition(canonical_json(definition), "Sample.json") == definition


@pytest.mark.parametrize("release", ["4.0.0", "5.0.0-SNAPSHOT", "trunk", ""])
def test_tagged_struct_needs_its_versions_since_4(release: str) -> None:
    with pytest.raises(BrokenDefinition, match="struct-versions-present"):
        loader_of_release(release).parse(STRUCT_TEXT, "Sample.json")


@pytest.mark.parametrize("release", ["2", "fork-2.8", "2x.1"])
def test_name_without_the_number_of_a_release_is_read_as_the_newest(release: str) -> None:
    assert loader_of_release(release) is LOADER


def test_other_rules_hold() -> None:
    with pytest.raises(BrokenDefinition, match="tags-contiguous"):
        OLDER.parse(json.dumps(message(field(tag=1, versions="1+", taggedVersions="1+"))), "Sample.json")
