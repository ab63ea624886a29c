import json
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from jsonschema import Draft202012Validator

from tests.helpers import folders
from tests.helpers.definitions import Properties, field, message, tagged
from tests.helpers.runs import invoke

SCHEMA = json.loads((files("specs") / "changes.schema.json").read_text(encoding="utf-8"))
OLD = message(field())


run = partial(invoke, "specs", "diff")


@pytest.fixture
def compare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function to run the command on two definitions, in a folder with old.json and new.json."""
    monkeypatch.chdir(tmp_path)

    def compared(old: Properties, new: Properties, *options: str) -> Result:
        (tmp_path / "old.json").write_text(json.dumps(old))
        (tmp_path / "new.json").write_text(json.dumps(new))
        return run("old.json", "new.json", *options)

    return compared


def test_changes_are_shown_by_message_the_most_severe_first(compare: Any) -> None:
    result = compare(OLD, message(field(type="int64"), validVersions="1-2"))
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        "old.json -> new.json: 1 incompatible, 1 dropped, 0 unstable, 0 review, 0 compatible",
        "",
        "Sample",
        "  incompatible v1-2, Some: int32 became int64 [evolution.type]",
        "  dropped v0: the version is not valid any more [evolution.lowest-version]",
    ]


def test_compatible_changes_are_counted(compare: Any) -> None:
    new = message(field(name="Other"))
    assert "Compatible changes are not shown; --all shows them." in compare(OLD, new).output
    shown = compare(OLD, new, "--all").output
    assert "  compatible v0-2, Some: the field Some is called Other now [evolution.renamed]" in shown.splitlines()


def test_two_definitions_alone_are_one_message(compare: Any) -> None:
    assert "  compatible the message is called Other now [evolution.message-renamed]" in (
        compare(OLD, OLD | {"name": "Other"}, "--all").output.splitlines()
    )


def test_equal_definitions_have_no_changes(compare: Any) -> None:
    result = compare(OLD, OLD)
    assert (result.exit_code, result.output) == (
        0,
        "old.json -> new.json: 0 incompatible, 0 dropped, 0 unstable, 0 review, 0 compatible\n",
    )


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
    assert found["counts"] == {"incompatible": 1, "dropped": 0, "unstable": 0, "review": 0, "compatible": 0}
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
    at = lines.index("  dropped v0-3: the message has no versions any more [evolution.message-removed]")
    assert "does without ZooKeeper. (KAFKA-14552, KIP-500)" in lines[at + 1]


def test_tag_of_another_name_is_shown_and_does_not_fail(compare: Any) -> None:
    what = (
        "the tag 0 was that of TraceId and is that of ForwardedBy, which has the same bytes: ask if it means the same"
    )
    changed = (message(tagged(name="TraceId")), message(tagged(name="ForwardedBy")))
    result = compare(*changed)
    assert (result.exit_code, result.output.splitlines()[3:]) == (
        0,
        [f"  review v1-2, TraceId: {what} [evolution.tag-renamed]"],
    )
    assert compare(*changed, "--fail-on", "review").exit_code == 1


def test_witness_stands_under_the_change(compare: Any) -> None:
    new = message(tagged(name="Limit", default="6"), field(default="1"))
    lines = compare(message(tagged(name="Limit", default="5"), field()), new, "--witness").output.splitlines()
    assert lines[3:] == [
        "  incompatible v0-2, Limit: the default was 5 and is 6 [evolution.default]",
        "    old writes v1: 00 00 00 00 00",
        '      old means {"Limit": 5, "Some": 0}',
        '      new reads {"Limit": 6, "Some": 0}',
        "      new reads Limit as something else",
        "  incompatible v0-2, Some: the default was 0 and is 1 [evolution.default]",
        "    no witness: the value of this field is always on the wire; the README forbids the change all the same",
    ]


def test_witness_of_two_definitions_alone_is_found_though_their_names_differ(compare: Any) -> None:
    result = compare(OLD, message(field(type="int64"), name="Other"), "--witness")
    assert "    new writes v0: 00 00 00 00 00 00 00 01" in result.output.splitlines()
    assert "      old reads Some as something else" in result.output.splitlines()


def test_witness_of_another_header_is_a_header_with_its_body(compare: Any) -> None:
    old = message(field(), type="request", apiKey=1, flexibleVersions="none", headerVersions={"0+": "1"})
    lines = compare(old, old | {"headerVersions": {"0-1": "1", "2+": "2"}}, "--witness").output.splitlines()
    at = next(number for number, line in enumerate(lines) if line.endswith("[evolution.header-version]"))
    written, read = (json.loads(line.partition("{")[1] + line.partition("{")[2]) for line in lines[at + 2 : at + 4])
    assert written.keys() == {"Header", "Body"}
    assert written != read


def test_witness_is_in_json_if_asked_for(compare: Any) -> None:
    new = message(tagged(default="6"), field(name="Other", default="1"))
    result = compare(message(tagged(default="5"), field(name="Other")), new, "--witness", "--json")
    found = json.loads(result.output)
    Draft202012Validator(SCHEMA).validate(found)
    assert {each["path"]: each["witness"] for each in found["changes"]} == {
        "Some": {
            "version": 1,
            "writer": "old",
            "wire": "0000000000",
            "written": {"Some": 5, "Other": 0},
            "read": {"Some": 6, "Other": 0},
            "path": "Some",
            "problem": "reads Some as something else",
        },
        "Other": None,
    }


def test_released_changes_have_witnesses() -> None:
    found = json.loads(run("3.9.1", "4.3.0", "--witness", "--json").output)
    Draft202012Validator(SCHEMA).validate(found)
    witnesses = [each["witness"] for each in found["changes"] if "witness" in each]
    assert witnesses
    assert all(witnesses)


def test_name_of_neither_a_release_nor_a_path_is_an_error() -> None:
    result = run("4.3.0", "trunk")
    assert result.exit_code == 2
    assert result.output.startswith("Error: 'trunk' is neither a release nor a path")


def test_broken_definition_is_an_error(compare: Any) -> None:
    result = compare(OLD, message(field(type="int24")))
    assert result.exit_code == 2
    assert result.output.startswith("Error: new.json, line 1, column ")


def test_two_definitions_of_a_proposal_are_compared(tmp_path: Path) -> None:
    """The dialect is named, or stands in the release.json beside each of them."""
    committed = Path(str(files("specs"))) / "proposals" / "kip-625" / "TooSmallData.json"
    folder = tmp_path / "new"
    folder.mkdir()
    (folder / "TooSmallData.json").write_bytes(committed.read_bytes())
    folders.manifest(folder, "TooSmallData", release="new", dialect="kip-625")
    result = run(str(committed), str(folder / "TooSmallData.json"))
    assert (result.exit_code, result.output.partition(": ")[2]) == (
        0,
        "0 incompatible, 0 dropped, 0 unstable, 0 review, 0 compatible\n",
    )
    (folder / "release.json").unlink()
    assert run(str(committed), str(folder / "TooSmallData.json"), "--dialect", "kip-625").exit_code == 0
    assert run(str(folder), str(folder), "--dialect", "kip-625").exit_code == 0
    refused = run(str(committed), str(folder / "TooSmallData.json"))
    assert (refused.exit_code, "it is a property of kip-625" in refused.output) == (2, True)


def test_missing_file_of_a_manifest_is_named(tmp_path: Path) -> None:
    folder = folders.manifest(folders.write(tmp_path, message()), "Sample", "Gone", release="mine")
    result = run(str(folder), str(folder))
    assert result.exit_code == 2
    assert result.output.startswith(f"Error: {folder / 'release.json'}: it lists Gone, and there is no Gone.json\n")


def test_every_problem_of_a_folder_is_shown(tmp_path: Path) -> None:
    broken = (message(field(type="int24"), name="One"), message(field(versions="all"), name="Two"))
    folder = folders.write(tmp_path, *broken)
    result = run(str(folder), str(folder))
    assert result.exit_code == 2
    assert [name in result.output for name in ("One.json, line ", "Two.json, line ", "problems: 2")] == [True] * 3
