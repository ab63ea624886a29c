import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.vectors.tree.vector_files import read_file
from conformance.vectors.tree.vector_paths import committed_vectors, text_of
from conformance.vectors.verification.check_vectors import TreeProblem
from conformance.vectors.verification.tree_check import check_file, check_tree
from tests.helpers.releases import BASE
from tests.helpers.runs import invoke

REQUEST = f"{BASE}/messages/ApiVersionsRequest.json"
FRAMES = f"{BASE}/frames/ApiVersionsRequest.json"
VARINT = "primitives/unsigned-varint.json"
UNUSED = "no vector has the flag"


def problems(tree: Path) -> list[TreeProblem]:
    """Return the problems of a tree without those of unused flags, since five pairs do not use every flag."""
    return [problem for problem in check_tree(tree) if not problem.text.startswith(UNUSED)]


def edited(tree: Path, path: str, edit: Callable[[dict[str, Any]], object]) -> list[TreeProblem]:
    """Edit one file of a tree, and return the problems other than its hash and the index."""
    document = read_file(tree / path)
    edit(document)
    (tree / path).write_text(text_of(document), encoding="utf-8")
    return [
        problem
        for problem in problems(tree)
        if "SHA-256 is not the one" not in problem.text and problem.path != "index.json"
    ]


def first(document: dict[str, Any], result: str) -> dict[str, Any]:
    vectors = document["groups"][0]["vectors"]
    return next(vector for vector in vectors if vector["result"] == result)


def test_a_sound_tree_has_no_problems(tree: Path) -> None:
    assert problems(tree) == []


def test_a_committed_file_of_hostile_records_has_no_problems() -> None:
    """It has features missing from the small tree, namely different readers, and places inside of a stream."""
    assert check_file((committed_vectors(), "records/tampered-gzip.json", ())) == []


@pytest.mark.parametrize("path", [REQUEST, FRAMES, VARINT])
def test_a_wrong_result_is_found(tree: Path, path: str) -> None:
    found = edited(tree, path, lambda document: first(document, "invalid").update(reason="string-too-long"))
    vector = first(read_file(tree / path), "invalid")
    [line] = {problem.line for problem in found}
    assert json.loads((tree / path).read_text(encoding="utf-8").splitlines()[line - 1].rstrip(",")) == vector
    assert {problem.id for problem in found} == {vector["id"]}
    [text] = [problem.text for problem in found if problem.text.startswith("reason is ")]
    assert "'string-too-long'" in text


def test_a_wrong_value_is_found(tree: Path) -> None:
    found = edited(tree, REQUEST, lambda document: first(document, "valid")["value"].update(ClientSoftwareName="x"))
    of_build, *of_reference = [problem.text for problem in found]
    assert "a build" in of_build
    assert [text.split(" is ")[0] for text in of_reference] == ["value", "value"]


def test_an_unknown_key_is_found(tree: Path) -> None:
    """The JSON Schemas have `additionalProperties: false`."""
    found = edited(tree, REQUEST, lambda document: first(document, "valid").update(colour="red"))
    assert any("'colour' was unexpected" in problem.text and problem.id == "default" for problem in found)


def test_missing_flag_is_found(tree: Path) -> None:
    def edit(document: dict[str, Any]) -> None:
        first(document, "invalid")["flags"] = ["Truncated"]

    assert any(problem.text.startswith("lacks the flags ") for problem in edited(tree, REQUEST, edit))


def test_a_truncated_vector_is_a_strict_prefix(tree: Path) -> None:
    """The flag `Truncated` is wrong without valid vectors with its bytes at their beginning."""

    def edit(document: dict[str, Any]) -> None:
        vectors = document["groups"][0]["vectors"]
        next(vector for vector in vectors if vector["id"] == "populated")["flags"] = ["Truncated"]
        document["groups"][0]["vectors"] = [vector for vector in vectors if "tag" not in vector["id"]]

    found = edited(tree, REQUEST, edit)
    assert any("not a strict prefix" in problem.text and problem.id == "populated" for problem in found)


def test_a_repeated_id_is_found(tree: Path) -> None:
    def edit(document: dict[str, Any]) -> None:
        vectors = document["groups"][0]["vectors"]
        vectors.append(vectors[0])

    found = [problem for problem in edited(tree, REQUEST, edit) if "more than one vector" in problem.text]
    assert {problem.id for problem in found} == {"default"}
    assert len({problem.line for problem in found}) == 2


def test_a_removed_vector_is_found(tree: Path) -> None:
    found = edited(tree, REQUEST, lambda document: document["groups"][0]["vectors"].pop(0))
    assert {re.findall("missing|vanished", problem.text)[0] for problem in found} == {"missing", "vanished"}


def test_an_added_vector_is_found(tree: Path) -> None:
    def edit(document: dict[str, Any]) -> None:
        vectors = document["groups"][0]["vectors"]
        vectors.append({**vectors[0], "id": "mine"})

    found = edited(tree, REQUEST, edit)
    assert any(re.search("no build .*version 3", problem.text) and problem.id == "mine" for problem in found)


def test_a_changed_definition_is_found(tree: Path) -> None:
    """The head of a file has the SHA-256 of the definition it was built from."""
    found = edited(tree, REQUEST, lambda document: document["spec"].update(sha256="0" * 64))
    assert any("definition has changed" in problem.text for problem in found)


def test_a_retired_id_is_not_reused(tree: Path) -> None:
    whole = f"{BASE}/messages/ApiVersionsRequest/v3/default"
    found = edited(tree, "retired.json", lambda document: document["retired"].append({"id": whole, "reason": "x"}))
    assert [(problem.id, problem.text.partition(",")[0]) for problem in found] == [(whole, "retired")]


@pytest.mark.parametrize("vector", [7, {}, {"id": 7, "result": "valid"}], ids=["number", "empty", "number-as-id"])
def test_entry_of_another_form_than_a_vector_is_found(tree: Path, vector: object) -> None:
    found = edited(tree, REQUEST, lambda document: document["groups"][0]["vectors"].append(vector))
    assert any(problem.path == REQUEST for problem in found)


@pytest.mark.parametrize("path", ["index.json", "ids.json", "retired.json"])
def test_a_corrupted_registry_is_found(tree: Path, path: str) -> None:
    (tree / path).write_text('{"format": 1}\n', encoding="utf-8")
    assert {problem.path for problem in check_tree(tree)} == {path}


@pytest.mark.parametrize(
    "path", ["schema/vectors.json", "reasons.json", "flags.json", "releases.json", f"{BASE}/headers/versions.json"]
)
def test_a_changed_registry_is_found(tree: Path, path: str) -> None:
    def edit(document: dict[str, Any]) -> None:
        document["format"] = 2

    assert {problem.path for problem in edited(tree, path, edit)} == {path}


def test_text_in_another_form_is_found(tree: Path) -> None:
    path = tree / REQUEST
    path.write_text(path.read_text(encoding="utf-8").replace('"format": 1', '"format":  1'), encoding="utf-8")
    [found] = [problem for problem in problems(tree) if problem.path == REQUEST and problem.line]
    assert (found.line, "canonical" in found.text) == (2, True)


def test_file_of_other_text_than_json_is_found(tree: Path) -> None:
    (tree / REQUEST).write_text("{\n", encoding="utf-8")
    [found] = [problem for problem in problems(tree) if problem.path == REQUEST and problem.line]
    assert (found.line, found.text.partition(":")[0]) == (2, "not JSON")


def test_a_missing_and_an_added_file_are_found(tree: Path) -> None:
    (tree / VARINT).rename(tree / "primitives" / "mine.json")
    found = {problem.path: problem.text for problem in problems(tree)}
    assert "not in index" in found["primitives/mine.json"]
    assert VARINT in found


def test_the_consumers_are_not_checked(tree: Path) -> None:
    (tree / "consumers").mkdir()
    (tree / "consumers" / "package.json").write_text("{}", encoding="utf-8")
    assert problems(tree) == []


def test_failing_command_names_file_and_problem(tree: Path) -> None:
    """The exit status is 1, and a line has file, line, id and problem."""
    edited(tree, REQUEST, lambda document: first(document, "invalid").update(offset=77))
    done = invoke("vectors", "check", "--folder", str(tree), "--workers", "1")
    assert done.exit_code == 1
    assert f"{REQUEST}:" in done.output
    assert "offset is 77;" in done.output


def test_a_folder_without_vectors_is_an_error(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    assert str(check_tree(tmp_path)[0]) == snapshot


def test_version_missing_in_the_message_is_a_problem_of_its_file(tree: Path) -> None:
    found = edited(tree, REQUEST, lambda document: document["groups"][0].update(version=999))
    [problem] = [problem for problem in found if "version 999" in problem.text]
    assert (problem.path, problem.line, problem.id) == (REQUEST, 0, "")
