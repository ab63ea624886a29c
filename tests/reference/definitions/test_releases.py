import json
import re
from importlib.resources import files
from typing import Any

import pytest

from conformance.definitions.importer import form
from reference.definitions.canonical import canonical_json
from reference.definitions.model import PRIMITIVES, SCHEMA, Definition
from reference.definitions.parse import parse_definition
from tests.helpers.releases import BASE

FOLDER = files("specs") / "releases" / BASE
MANIFEST: dict[str, Any] = json.loads((FOLDER / "release.json").read_text(encoding="utf-8"))
MESSAGES = sorted(MANIFEST["messages"])
TEXTS = {name: (FOLDER / f"{name}.json").read_text(encoding="utf-8") for name in MESSAGES}


@pytest.fixture(scope="module")
def definitions() -> dict[str, Definition]:
    return {name: parse_definition(text, f"{name}.json") for name, text in TEXTS.items()}


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


@pytest.mark.parametrize("type_name", PRIMITIVES)
def test_the_schema_knows_every_primitive_type(type_name: str) -> None:
    assert re.fullmatch(SCHEMA["$defs"]["fieldType"]["pattern"], type_name)


def test_manifest_repeats_the_valid_versions(definitions: dict[str, Definition]) -> None:
    versions = {name: entry["validVersions"] for name, entry in MANIFEST["messages"].items()}
    assert versions == {name: str(definition.valid_versions) for name, definition in definitions.items()}


def test_no_description_is_committed() -> None:
    assert [name for name, text in TEXTS.items() if '"about"' in text or "//" in text] == []
