"""`kafka-conformance vectors check`: each thing that may be wrong with a tree is said by file, line and id."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from conformance.commands.main import main
from conformance.golden.tree.files import read_file
from conformance.golden.tree.serialise import text_of
from conformance.golden.verification.check import check_tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conformance.golden.verification.check_vectors import Problem

REQUEST = "4.3.0/messages/ApiVersionsRequest.json"
FRAMES = "4.3.0/frames/ApiVersionsRequest.json"
VARINT = "primitives/unsigned-varint.json"
UNUSED = "no vector has the flag"


def problems(tree: Path) -> list[Problem]:
    """What is wrong; but a tree of three pairs does not use every flag."""
    return [each for each in check_tree(tree) if not each.text.startswith(UNUSED)]


def edited(tree: Path, path: str, edit: Callable[[dict[str, Any]], object]) -> list[Problem]:
    """What is said of a tree of which one file was edited; hashes apart."""
    document = read_file(tree / path)
    edit(document)
    (tree / path).write_text(text_of(document), encoding="utf-8")
    return [each for each in problems(tree) if "SHA-256 is not the one" not in each.text and each.path != "index.json"]


def first(document: dict[str, Any], result: str) -> dict[str, Any]:
    """The first vector of a document with that result."""
    vectors = document["groups"][0]["vectors"]
    return next(vector for vector in vectors if vector["result"] == result)


def test_a_sound_tree_has_no_problems(tree: Path) -> None:
    """As it is written."""
    assert problems(tree) == []


@pytest.mark.parametrize("path", [REQUEST, FRAMES, VARINT])
def test_another_result_is_found(tree: Path, path: str) -> None:
    """In messages, frames and primitives; with the line and the id."""
    found = edited(tree, path, lambda document: first(document, "invalid").update(reason="string-too-long"))
    vector = first(read_file(tree / path), "invalid")
    [line] = {each.line for each in found}
    assert json.loads((tree / path).read_text(encoding="utf-8").splitlines()[line - 1].rstrip(",")) == vector
    assert {each.id for each in found} == {vector["id"]}
    assert any(each.text.startswith("reason is 'string-too-long'; the reference says") for each in found)


def test_another_value_is_found(tree: Path) -> None:
    """Both as what is read and as what is written."""
    found = edited(tree, REQUEST, lambda document: first(document, "valid")["value"].update(ClientSoftwareName="x"))
    assert [each.text.split(" is ")[0] for each in found] == [
        "a build gives this vector with other bytes, flags or values",
        "value",
        "value",
    ]


def test_an_unknown_key_is_found(tree: Path) -> None:
    """The schemas allow no others."""
    found = edited(tree, REQUEST, lambda document: first(document, "valid").update(colour="red"))
    assert any("'colour' was unexpected" in each.text and each.id == "default" for each in found)


def test_an_undefined_flag_is_found(tree: Path) -> None:
    """By the schema, which lists them."""
    found = edited(tree, REQUEST, lambda document: first(document, "valid")["flags"].append("Unheard"))
    assert any("'Unheard' is not one of" in each.text for each in found)


def test_a_flag_that_is_missing_is_found(tree: Path) -> None:
    """Those of the rules that the bytes depart from."""

    def edit(document: dict[str, Any]) -> None:
        first(document, "invalid")["flags"] = ["Truncated"]

    assert any(each.text.startswith("lacks the flags ") for each in edited(tree, REQUEST, edit))


def test_a_truncated_vector_is_a_strict_prefix(tree: Path) -> None:
    """Of a valid one of the same version."""

    def edit(document: dict[str, Any]) -> None:
        vectors = document["groups"][0]["vectors"]
        next(each for each in vectors if each["id"] == "populated")["flags"] = ["Truncated"]
        document["groups"][0]["vectors"] = [each for each in vectors if "tag" not in each["id"]]

    assert any("not a strict prefix" in each.text and each.id == "populated" for each in edited(tree, REQUEST, edit))


def test_a_repeated_id_is_found(tree: Path) -> None:
    """At each place."""

    def edit(document: dict[str, Any]) -> None:
        vectors = document["groups"][0]["vectors"]
        vectors.append(vectors[0])

    found = [each for each in edited(tree, REQUEST, edit) if "more than one vector" in each.text]
    assert {each.id for each in found} == {"default"}
    assert len({each.line for each in found}) == 2


def test_a_vector_that_went_is_found(tree: Path) -> None:
    """As missing from the file, and as an id that vanished."""
    found = edited(tree, REQUEST, lambda document: document["groups"][0]["vectors"].pop(0))
    assert {each.text.partition(" (")[0].partition(":")[0] for each in found} == {"missing", "an id has vanished"}


def test_a_vector_of_ones_own_is_found(tree: Path) -> None:
    """However sound it is."""

    def edit(document: dict[str, Any]) -> None:
        vectors = document["groups"][0]["vectors"]
        vectors.append({**vectors[0], "id": "mine"})

    assert any("no build of version 3" in each.text and each.id == "mine" for each in edited(tree, REQUEST, edit))


def test_a_changed_definition_is_found(tree: Path) -> None:
    """By its hash."""
    found = edited(tree, REQUEST, lambda document: document["spec"].update(sha256="0" * 64))
    assert any("the definition has changed" in each.text for each in found)


def test_a_retired_id_is_not_reused(tree: Path) -> None:
    """What is retired must not be there."""
    whole = "4.3.0/messages/ApiVersionsRequest/v3/default"
    found = edited(tree, "retired.json", lambda document: document["retired"].append({"id": whole, "reason": "x"}))
    assert [(each.id, each.text.partition(",")[0]) for each in found] == [(whole, "retired")]


@pytest.mark.parametrize("vector", [7, {}, {"id": 7, "result": "valid"}], ids=["number", "empty", "number-as-id"])
def test_a_vector_that_is_none_is_found(tree: Path, vector: object) -> None:
    """With its line, if it begins as one."""
    found = edited(tree, REQUEST, lambda document: document["groups"][0]["vectors"].append(vector))
    assert any(each.path == REQUEST for each in found)


@pytest.mark.parametrize("path", ["index.json", "ids.json", "retired.json"])
def test_a_spoiled_registry_is_found(tree: Path, path: str) -> None:
    """By its schema."""
    (tree / path).write_text('{"format": 1}\n', encoding="utf-8")
    assert {each.path for each in check_tree(tree)} == {path}


@pytest.mark.parametrize("path", ["schema/vectors.json", "reasons.json", "flags.json", "4.3.0/headers/versions.json"])
def test_another_text_is_found(tree: Path, path: str) -> None:
    """In files that have no vectors."""

    def edit(document: dict[str, Any]) -> None:
        document["format"] = 2

    assert {each.path for each in edited(tree, path, edit)} == {path}


def test_blanks_are_found(tree: Path) -> None:
    """The text is canonical."""
    path = tree / REQUEST
    path.write_text(path.read_text(encoding="utf-8").replace('"format": 1', '"format":  1'), encoding="utf-8")
    [found] = [each for each in problems(tree) if each.path == REQUEST and each.line]
    assert (found.line, found.text) == (2, "not the canonical text")


def test_a_spoiled_file_is_named(tree: Path) -> None:
    """With the line; the others are checked all the same."""
    (tree / REQUEST).write_text("{\n", encoding="utf-8")
    assert any(each.path == REQUEST and each.text.startswith("not JSON") and each.line == 2 for each in problems(tree))


def test_a_missing_and_a_foreign_file_are_named(tree: Path) -> None:
    """Both by the index."""
    (tree / VARINT).rename(tree / "primitives" / "mine.json")
    found = {each.path: each.text for each in problems(tree)}
    assert found["primitives/mine.json"].startswith("not in index.json")
    assert VARINT in found


def test_the_consumers_are_left_alone(tree: Path) -> None:
    """They may have JSON of their own."""
    (tree / "consumers").mkdir()
    (tree / "consumers" / "package.json").write_text("{}", encoding="utf-8")
    assert problems(tree) == []


def test_the_command_fails_and_says_where(tree: Path) -> None:
    """File, line, id, what; and the exit status is 1."""
    edited(tree, REQUEST, lambda document: first(document, "invalid").update(offset=77))
    done = CliRunner().invoke(main, ["vectors", "check", "--folder", str(tree), "--workers", "1"])
    assert done.exit_code == 1
    assert f"{REQUEST}:" in done.output
    assert "offset is 77; the reference says" in done.output


def test_a_folder_without_vectors_is_an_error(tmp_path: Path) -> None:
    """It names the index."""
    assert str(check_tree(tmp_path)[0]) == "index.json: cannot be read: No such file or directory"
