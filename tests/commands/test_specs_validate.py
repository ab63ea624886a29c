import json
from functools import partial
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from reference.definitions.model import PRIMITIVES
from tests.helpers.definitions import field, message
from tests.helpers.runs import invoke

SCHEMA = json.loads((files("specs") / "problems.schema.json").read_text(encoding="utf-8"))
BROKEN = message(field(type="int24"), field(name="Two", versions="0-"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Sample.json").write_text(json.dumps(BROKEN))
    return tmp_path


run = partial(invoke, "specs", "validate")


@pytest.mark.usefixtures("folder")
def test_every_problem_is_shown_with_what_to_do() -> None:
    result = run("Sample.json")
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        "Sample.json, line 1, column 122: 'int24' is not a type",
        "  in:   fields[0].type (Some)",
        "  rule: definition.type (6.28)",
        f"  try:  choose {', '.join(PRIMITIVES)}, the capitalised name of a struct, or [] before one of these",
        "",
        "Sample.json, line 1, column 195: '0-' is not a range of versions",
        "  in:   fields[1].versions (Two)",
        "  rule: definition.versions-syntax (6.1)",
        "  try:  write none, 3, 3+ or 3-5, with numbers from 0 to 32767",
        "",
        "definitions: 1, problems: 2, hints: 0",
    ]


def test_sound_definitions_are_counted(folder: Path) -> None:
    """And the exit status is 0."""
    (folder / "Sample.json").write_text(json.dumps(message(field())))
    result = run(".")
    assert (result.exit_code, result.output) == (0, "definitions: 1, problems: 0, hints: 0\n")


def test_json_is_as_its_schema_says(folder: Path) -> None:
    result = run(str(folder), "--json")
    assert result.exit_code == 1
    found = json.loads(result.output)
    Draft202012Validator(SCHEMA).validate(found)
    assert found["problems"][1] == {
        "file": str(folder / "Sample.json"),
        "line": 1,
        "column": 195,
        "place": "fields[1].versions (Two)",
        "rule": "definition.versions-syntax",
        "number": "6.1",
        "what": "'0-' is not a range of versions",
        "advice": "write none, 3, 3+ or 3-5, with numbers from 0 to 32767",
    }


def test_hint_does_not_fail(folder: Path) -> None:
    (folder / "Sample.json").write_text(json.dumps(message(field(type="Shard"))))
    result = run(".")
    assert result.exit_code == 0
    assert result.output.startswith("hint: Sample.json, line 1, column 97: the struct Shard has no fields")
    assert result.output.endswith("definitions: 1, problems: 0, hints: 1\n")


def test_text_that_is_no_json_is_a_problem(folder: Path) -> None:
    (folder / "Sample.json").write_text('{ "name": "Sample",\n  "validVersions": }')
    result = run(".")
    assert result.exit_code == 1
    assert result.output.startswith("Sample.json, line 2, column 20: ")


def test_nothing_to_look_at_is_told_from_a_problem(folder: Path) -> None:
    (folder / "Sample.json").unlink()
    result = run(".")
    assert result.exit_code == 2
    assert "there are no definitions in" in result.output
