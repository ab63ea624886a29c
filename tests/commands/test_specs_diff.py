import json
import re
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from jsonschema import Draft202012Validator
from syrupy.assertion import SnapshotAssertion

from tests.helpers import folders
from tests.helpers.definitions import Properties, field, message, tagged
from tests.helpers.releases import NEWEST
from tests.helpers.runs import error_of, invoke

SCHEMA = json.loads((files("specs") / "changes.schema.json").read_text(encoding="utf-8"))
OLD = message(field())


run = partial(invoke, "specs", "diff")

NO_CHANGES = {"incompatible": 0, "dropped": 0, "unstable": 0, "review": 0, "compatible": 0}


def counts(output: str) -> dict[str, int]:
    """Return the number of changes of each effect, from the first line with them."""
    [line, *_] = [line for line in output.splitlines() if " compatible" in line]
    pairs = [each.split() for each in line.rpartition(": ")[2].split(", ")]
    return {effect: int(number) for number, effect in pairs}


@pytest.fixture
def compare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function to run the command on two definitions, in a folder with old.json and new.json."""
    monkeypatch.chdir(tmp_path)

    def compared(old: Properties, new: Properties, *options: str) -> Result:
        (tmp_path / "old.json").write_text(json.dumps(old))
        (tmp_path / "new.json").write_text(json.dumps(new))
        return run("old.json", "new.json", *options)

    return compared


def test_changes_are_shown_by_message_the_most_severe_first(compare: Any, snapshot: SnapshotAssertion) -> None:
    result = compare(OLD, message(field(type="int64"), validVersions="1-2"))
    assert result.exit_code == 1
    assert result.output == snapshot


def test_compatible_changes_are_counted(compare: Any) -> None:
    new = message(field(name="Other"))
    hidden = compare(OLD, new).output
    assert counts(hidden) == {**NO_CHANGES, "compatible": 1}
    assert "evolution.renamed" not in hidden
    assert "--all" in hidden
    shown = compare(OLD, new, "--all").output
    [line] = [line for line in shown.splitlines() if line.endswith("[evolution.renamed]")]
    assert line.startswith("  compatible v0-2, Some: ")


def test_two_definitions_alone_are_one_message(compare: Any) -> None:
    output = compare(OLD, OLD | {"name": "Other"}, "--all").output
    assert re.findall(r"^  (\w+) .*\[(.*)\]$", output, re.MULTILINE) == [("compatible", "evolution.message-renamed")]


def test_equal_definitions_have_no_changes(compare: Any) -> None:
    result = compare(OLD, OLD)
    assert (result.exit_code, len(result.output.splitlines())) == (0, 1)
    assert counts(result.output) == NO_CHANGES


@pytest.mark.parametrize(
    ("fail_on", "status"), [("incompatible", 0), ("dropped", 1), ("unstable", 1), ("compatible", 1)]
)
def test_exit_status_depends_on_fail_on(compare: Any, fail_on: str, status: int) -> None:
    dropped = message(field(), validVersions="1-2")
    assert compare(OLD, dropped, "--fail-on", fail_on).exit_code == status


def test_json_is_as_its_schema_says(compare: Any) -> None:
    result = compare(OLD, message(field(type="int64")), "--json")
    found = json.loads(result.output)
    Draft202012Validator(SCHEMA).validate(found)
    assert found["counts"] == {**NO_CHANGES, "incompatible": 1}
    assert found["changes"] == [
        {
            "message": "Sample",
            "versions": "0-2",
            "path": "Some",
            "rule": "evolution.type",
            "effect": "incompatible",
            "what": "int32 became int64",
            "reason": None,
            "sources": [],
        }
    ]


def test_releases_are_compared_with_their_known_reasons() -> None:
    result = run("3.9.1", "4.3.0", "--json")
    assert result.exit_code == 1
    found = json.loads(result.output)
    Draft202012Validator(SCHEMA).validate(found)
    (broken,) = (each for each in found["changes"] if each["effect"] == "incompatible")
    assert (broken["message"], broken["path"]) == ("ShareGroupMetadataValue", "MetadataHash")
    assert "KIP-932" in broken["sources"]


def test_reason_stands_under_the_change() -> None:
    lines = run("3.9.1", "4.3.0").output.splitlines()
    [at, *_] = [at for at, line in enumerate(lines) if line.startswith("  dropped v0-3: ")]
    assert lines[at].endswith(" [evolution.message-removed]")
    assert lines[at + 1].endswith(" (KAFKA-14552, KIP-500)")


def test_tag_of_another_name_is_shown_and_does_not_fail(compare: Any) -> None:
    changed = (message(tagged(name="TraceId")), message(tagged(name="ForwardedBy")))
    result = compare(*changed)
    [line] = result.output.splitlines()[3:]
    assert (result.exit_code, line.partition(": ")[0]) == (0, "  review v1-2, TraceId")
    assert line.endswith(" [evolution.tag-renamed]")
    assert compare(*changed, "--fail-on", "review").exit_code == 1


def test_witness_stands_under_the_change(compare: Any, snapshot: SnapshotAssertion) -> None:
    new = message(tagged(name="Limit", default="6"), field(default="1"))
    assert compare(message(tagged(name="Limit", default="5"), field()), new, "--witness").output == snapshot


def test_witness_of_two_definitions_alone_is_found_though_their_names_differ(compare: Any) -> None:
    result = compare(OLD, message(field(type="int64"), name="Other"), "--witness")
    assert "    new writes v0: 00 00 00 00 00 00 00 01" in result.output.splitlines()
    assert "\n      old reads Some " in result.output


def test_witness_of_another_header_is_a_header_with_its_body(compare: Any) -> None:
    old = message(field(), type="request", apiKey=1, flexibleVersions="none", headerVersions={"0+": "1"})
    lines = compare(old, old | {"headerVersions": {"0-1": "1", "2+": "2"}}, "--witness").output.splitlines()
    at = next(number for number, line in enumerate(lines) if line.endswith("[evolution.header-version]"))
    written, read = (json.loads(line.partition("{")[1] + line.partition("{")[2]) for line in lines[at + 2 : at + 4])
    assert written.keys() == {"Header", "Body"}
    assert written != read


def test_witness_is_in_json_if_asked_for(compare: Any, snapshot: SnapshotAssertion) -> None:
    new = message(tagged(default="6"), field(name="Other", default="1"))
    result = compare(message(tagged(default="5"), field(name="Other")), new, "--witness", "--json")
    found = json.loads(result.output)
    Draft202012Validator(SCHEMA).validate(found)
    assert {each["path"]: each["witness"] for each in found["changes"]} == snapshot


def test_released_changes_have_witnesses() -> None:
    found = json.loads(run("3.9.1", "4.3.0", "--witness", "--json").output)
    Draft202012Validator(SCHEMA).validate(found)
    witnesses = [each["witness"] for each in found["changes"] if "witness" in each]
    assert witnesses
    assert all(witnesses)


def test_name_of_neither_a_release_nor_a_path_is_an_error(snapshot: SnapshotAssertion) -> None:
    assert error_of(run("4.3.0", "trunk"), 2).replace(NEWEST, "…") == snapshot


def test_broken_definition_is_an_error(compare: Any) -> None:
    error = error_of(compare(OLD, message(field(type="int24"))), 2)
    assert error.startswith("new.json, line 1, ")
    assert "'int24'" in error


def test_two_definitions_of_a_proposal_are_compared(tmp_path: Path) -> None:
    """The dialect is named, or stands in the release.json beside each of them."""
    committed = Path(str(files("specs"))) / "proposals" / "kip-625" / "TooSmallData.json"
    folder = tmp_path / "new"
    folder.mkdir()
    (folder / "TooSmallData.json").write_bytes(committed.read_bytes())
    folders.manifest(folder, "TooSmallData", release="new", dialect="kip-625")
    result = run(str(committed), str(folder / "TooSmallData.json"))
    assert (result.exit_code, counts(result.output)) == (0, NO_CHANGES)
    (folder / "release.json").unlink()
    assert run(str(committed), str(folder / "TooSmallData.json"), "--dialect", "kip-625").exit_code == 0
    assert run(str(folder), str(folder), "--dialect", "kip-625").exit_code == 0
    assert "property of kip-625" in error_of(run(str(committed), str(folder / "TooSmallData.json")), 2)


def test_missing_file_of_a_manifest_is_named(tmp_path: Path) -> None:
    folder = folders.manifest(folders.write(tmp_path, message()), "Sample", "Gone", release="mine")
    assert error_of(run(str(folder), str(folder)), 2).startswith(f"{folder / 'release.json'}: it lists Gone, ")


def test_every_problem_of_a_folder_is_shown(tmp_path: Path) -> None:
    broken = (message(field(type="int24"), name="One"), message(field(versions="all"), name="Two"))
    folder = folders.write(tmp_path, *broken)
    result = run(str(folder), str(folder))
    assert result.exit_code == 2
    assert [name in result.output for name in ("One.json, line ", "Two.json, line ", "problems: 2")] == [True] * 3
