import json
import re
from functools import partial
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from syrupy.assertion import SnapshotAssertion

from tests.helpers import folders
from tests.helpers.definitions import Properties, field, message, without
from tests.helpers.releases import NEWEST
from tests.helpers.runs import error_of, invoke

SCHEMA = json.loads((files("specs") / "problems.schema.json").read_text(encoding="utf-8"))
BROKEN = message(field(type="int24"), field(name="Two", versions="0-"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Sample.json").write_text(json.dumps(BROKEN))
    return tmp_path


run = partial(invoke, "specs", "validate")


@pytest.mark.usefixtures("folder")
def test_every_problem_is_shown_with_its_hint(snapshot: SnapshotAssertion) -> None:
    result = run("Sample.json")
    assert result.exit_code == 1
    assert result.output == snapshot


def test_sound_definitions_are_counted(folder: Path) -> None:
    """And the exit status is 0."""
    (folder / "Sample.json").write_text(json.dumps(message(field())))
    result = run(".")
    assert (result.exit_code, result.output) == (0, "definitions: 1, problems: 0, hints: 0\n")


def test_json_is_as_its_schema_says(folder: Path, snapshot: SnapshotAssertion) -> None:
    result = run(str(folder), "--json")
    assert result.exit_code == 1
    found = json.loads(result.output)
    Draft202012Validator(SCHEMA).validate(found)
    problem = found["problems"][1]
    assert problem.pop("file") == str(folder / "Sample.json")
    assert problem == snapshot


def test_hint_does_not_fail(folder: Path, snapshot: SnapshotAssertion) -> None:
    (folder / "Sample.json").write_text(json.dumps(message(field(type="Shard"))))
    result = run(".")
    assert result.exit_code == 0
    assert result.output == snapshot


def test_text_other_than_json_is_a_problem(folder: Path) -> None:
    (folder / "Sample.json").write_text('{ "name": "Sample",\n  "validVersions": }')
    result = run(".")
    assert result.exit_code == 1
    assert result.output.partition(": ")[0].split(", ") == ["Sample.json", "line 2", "column 20"]


def test_a_folder_without_definitions_is_distinguished_from_a_problem(
    folder: Path, snapshot: SnapshotAssertion
) -> None:
    (folder / "Sample.json").unlink()
    assert error_of(run("."), 2) == snapshot


PROPOSALS = Path(str(files("specs"))) / "proposals"
ENCODED = message(field(encoding="packed32"))


@pytest.mark.parametrize("place", ["kip-625/TooSmallData.json", "kip-482-first-draft", "."])
def test_definitions_of_a_proposal_are_checked_by_the_manifest_beside_them(place: str) -> None:
    """A file, a folder, and the folder of all proposals."""
    result = run(str(PROPOSALS / place))
    assert (result.exit_code, result.output.splitlines()[-1][-21:]) == (0, "problems: 0, hints: 0")


def test_a_property_of_a_proposal_is_called_one(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    result = run(str(folders.write(tmp_path, ENCODED)))
    assert result.exit_code == 1
    assert result.output.replace(str(tmp_path), "…") == snapshot


def test_a_property_of_both_drafts_names_both(tmp_path: Path) -> None:
    result = run(str(folders.write(tmp_path, message() | {"optionalFields": []})))
    drafts = re.findall(r"kip-482-\w+-draft", result.output.splitlines()[0])
    assert drafts == ["kip-482-first-draft", "kip-482-second-draft"]


def test_a_dialect_can_be_named(tmp_path: Path) -> None:
    folder = folders.write(tmp_path, ENCODED)
    assert run(str(folder), "--dialect", "kip-625").exit_code == 0
    assert run(str(folder / "Sample.json"), "--dialect", "kip-625").exit_code == 0


def test_missing_file_of_the_manifest_is_a_problem(tmp_path: Path) -> None:
    folders.manifest(folders.write(tmp_path, message()), "Sample", "Gone", release="mine")
    result = run(str(tmp_path))
    assert result.exit_code == 1
    assert result.output.startswith(f"{tmp_path / 'release.json'}: it lists Gone, ")


def test_each_release_in_a_folder_is_checked_by_itself(tmp_path: Path) -> None:
    for name in ("one", "two"):
        folders.manifest(folders.write(tmp_path / name, message()), "Sample", release=name)
    folders.write(tmp_path / "rest", message(name="Other"))
    result = run(str(tmp_path))
    assert (result.exit_code, result.output) == (0, "definitions: 3, problems: 0, hints: 0\n")


def checkout(folder: Path, version: str, *members: Properties) -> Path:
    """Write a checkout of Kafka's sources with those definitions."""
    module = folder / "clients" / "src" / "main" / "resources" / "common" / "message"
    folders.write(module, *members)
    (folder / "gradle.properties").write_text(f"# The version\ngroup=org.apache.kafka\nversion={version}\ntask=build\n")
    return module


SILENT = without("flexibleVersions", message())
"""As definitions were before 3.0.0."""


@pytest.mark.parametrize("place", ["", "clients", "clients/src/main/resources/common/message/Sample.json"])
def test_checkout_is_read_as_its_release_reads_it(tmp_path: Path, place: str) -> None:
    checkout(tmp_path, "2.8.0", SILENT)
    result = run(str(tmp_path / place))
    assert (result.exit_code, result.output) == (0, "definitions: 1, problems: 0, hints: 0\n")


@pytest.mark.parametrize("version", ["3.0.0-SNAPSHOT", NEWEST])
def test_later_checkout_has_to_name_flexible_versions(tmp_path: Path, version: str) -> None:
    checkout(tmp_path, version, SILENT)
    assert "definition.flexible-versions-present" in run(str(tmp_path)).output


def test_checkout_of_another_project_is_of_no_release(tmp_path: Path) -> None:
    checkout(tmp_path, "2.8.0", SILENT)
    (tmp_path / "gradle.properties").write_text("group=org.example\nversion=2.8.0\n")
    assert "definition.flexible-versions-present" in run(str(tmp_path)).output
