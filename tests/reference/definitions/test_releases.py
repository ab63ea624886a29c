import json
from collections import Counter
from importlib.resources import files
from typing import Any

import pytest

from conformance.definitions.importer import form
from reference.definitions.canonical import canonical_json
from reference.definitions.defaults import STRUCT_DEFAULT, default_of
from reference.definitions.model import Definition
from reference.definitions.parse import parse_definition
from reference.definitions.rules import FieldUse, all_fields
from reference.definitions.validate import validate_release

FOLDER = files("specs") / "releases" / "4.3.0"
MANIFEST: dict[str, Any] = json.loads((FOLDER / "release.json").read_text(encoding="utf-8"))
MESSAGES = sorted(MANIFEST["messages"])
TEXTS = {name: (FOLDER / f"{name}.json").read_text(encoding="utf-8") for name in MESSAGES}


@pytest.fixture(scope="module")
def definitions() -> dict[str, Definition]:
    return {name: parse_definition(text, f"{name}.json") for name, text in TEXTS.items()}


@pytest.fixture(scope="module")
def uses(definitions: dict[str, Definition]) -> list[FieldUse]:
    return [use for definition in definitions.values() for use in all_fields(definition)]


def test_manifest_lists_every_file() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {"release.json", *(f"{name}.json" for name in MESSAGES)}


def test_file_is_named_after_its_message(definitions: dict[str, Definition]) -> None:
    assert [definition.name for definition in definitions.values()] == MESSAGES


def test_definitions_are_in_canonical_form(definitions: dict[str, Definition]) -> None:
    assert [name for name in MESSAGES if canonical_json(definitions[name]) != TEXTS[name]] == []


def test_definitions_have_the_form_of_the_schema() -> None:
    """Every committed definition is valid by `definition.schema.json`."""
    errors = {name: [error.message for error in form().iter_errors(json.loads(TEXTS[name]))] for name in MESSAGES}
    assert {name: messages for name, messages in errors.items() if messages} == {}


def test_release_keeps_the_rules_about_whole_modules(definitions: dict[str, Definition]) -> None:
    modules: dict[str, list[Definition]] = {}
    for name, definition in definitions.items():
        modules.setdefault(MANIFEST["messages"][name]["source"], []).append(definition)
    validate_release(modules)


def test_counts_of_the_release(definitions: dict[str, Definition]) -> None:
    """281 definitions, 8 of them without versions; 739 pairs, 430 of them flexible."""
    pairs = [(each, version) for each in definitions.values() for version in each.valid_versions]
    flexible = sum(version in each.flexible_versions for each, version in pairs)
    with_versions = sum(not each.valid_versions.empty for each in definitions.values())
    assert (len(definitions), with_versions, len(pairs), flexible) == (281, 273, 739, 430)
    assert MANIFEST["counts"] == {"definitions": 281, "withVersions": 273, "pairs": 739, "flexiblePairs": 430}


def test_counts_of_each_jar() -> None:
    counts = {
        each["artifact"]: (each["definitions"], each["pairs"], each["flexiblePairs"]) for each in MANIFEST["sources"]
    }
    assert counts == {
        "org.apache.kafka:kafka-clients:4.3.0": (198, 625, 363),
        "org.apache.kafka:kafka-group-coordinator:4.3.0": (44, 52, 21),
        "org.apache.kafka:kafka-metadata:4.3.0": (26, 37, 37),
        "org.apache.kafka:kafka-raft:4.3.0": (1, 2, 2),
        "org.apache.kafka:kafka-storage:4.3.0": (5, 5, 4),
        "org.apache.kafka:kafka-share-coordinator:4.3.0": (4, 4, 2),
        "org.apache.kafka:kafka-transaction-coordinator:4.3.0": (2, 3, 1),
        "org.apache.kafka:kafka-streams:4.3.0": (1, 11, 0),
    }


def test_manifest_repeats_the_valid_versions(definitions: dict[str, Definition]) -> None:
    versions = {name: entry["validVersions"] for name, entry in MANIFEST["messages"].items()}
    assert versions == {name: str(definition.valid_versions) for name, definition in definitions.items()}


def test_counts_of_types(uses: list[FieldUse]) -> None:
    counts = Counter(
        use.field.type.replace(use.field.struct_name, "struct") if use.field.struct_name else use.field.type
        for use in uses
    )
    assert counts == {
        "string": 512,
        "int32": 426,
        "[]struct": 337,
        "int16": 180,
        "int64": 155,
        "uuid": 87,
        "int8": 75,
        "bool": 63,
        "[]int32": 63,
        "struct": 34,
        "bytes": 33,
        "[]string": 33,
        "uint16": 18,
        "[]uuid": 9,
        "[]int16": 6,
        "records": 4,
        "[]int8": 4,
        "float64": 3,
        "[]int64": 1,
        "uint32": 1,
    }


def test_counts_of_tagged_fields(uses: list[FieldUse]) -> None:
    """63 fields are tagged, 20 of them nullable."""
    tagged = [use.field for use in uses if use.field.tag is not None]
    assert (len(tagged), sum(not field.nullable_versions.empty for field in tagged)) == (63, 20)


def test_count_of_nullable_structs(uses: list[FieldUse]) -> None:
    nullable = [
        use
        for use in uses
        if use.field.struct_name and not use.field.is_array and not use.field.nullable_versions.empty
    ]
    assert len(nullable) == 10
    assert [use.definition.name for use in nullable if use.field.tag is not None] == [
        "ConsumerGroupMemberMetadataValue"
    ]


def test_coordinator_records_come_as_keys_and_values(definitions: dict[str, Definition]) -> None:
    """25 keys and 25 values."""
    kinds = Counter(definition.kind for definition in definitions.values())
    assert (kinds["coordinator-key"], kinds["coordinator-value"]) == (25, 25)


def test_messages_without_versions(definitions: dict[str, Definition]) -> None:
    """Both messages of the four APIs that 4.0 gave up are still there."""
    gone = {definition.api_key for definition in definitions.values() if definition.valid_versions.empty}
    assert gone == {4, 5, 6, 7}


def test_null_as_json_is_not_null_as_text(uses: list[FieldUse]) -> None:
    """Four nullable fields have JSON's null as default upstream: their default is empty (rules 3.9 and 15.14)."""
    empty = {
        use.field.name: default_of(use.field)
        for use in uses
        if use.field.tag is not None and not use.field.nullable_versions.empty and use.field.default is None
    }
    assert empty["ClassicMemberMetadata"] is STRUCT_DEFAULT
    assert (empty["AssignmentEpochs"], empty["LastAssignmentConfigs"]) == ([], [])


def test_no_description_is_committed() -> None:
    assert [name for name, text in TEXTS.items() if '"about"' in text or "//" in text] == []
