import hashlib
import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.system.folders import NotOurs
from conformance.vectors.enumeration import pairs
from conformance.vectors.enumeration.enumerate import built_groups
from conformance.vectors.tree.documents import root_of
from conformance.vectors.tree.vector_files import CorruptedFile, NoTree, VanishedIds, read_file, read_tree, write_tree
from conformance.vectors.tree.vector_paths import HEAD, line_of, text_of
from tests.helpers.runs import invoke
from tests.vectors.conftest import PAIRS, built, only_some_files

REQUEST = "4.3.0/messages/ApiVersionsRequest.json"


def test_one_vector_is_one_line(tree: Path) -> None:
    """A file is a pretty-printed head and one line for each vector, so a change is a short diff."""
    document = read_file(tree / REQUEST)
    lines = (tree / REQUEST).read_text(encoding="utf-8").splitlines()
    assert lines[0] == "{"
    assert '  "message": "ApiVersionsRequest",' in lines
    vectors = document["groups"][0]["vectors"]
    assert [json.loads(line.rstrip(",")) for line in lines if line.startswith('{"id"')] == vectors


def test_lines_are_ascii() -> None:
    assert line_of({"value": "\N{GRINNING FACE}"}) == '{"value":"\\ud83d\\ude00"}'


def test_header_versions_are_lines(tree: Path) -> None:
    lines = (tree / "3.9.1/headers/versions.json").read_text(encoding="utf-8").splitlines()
    assert '{"apiKey":7,"api":"ControlledShutdown","version":0,"requestHeader":0,"responseHeader":0},' in lines
    assert '{"apiKey":18,"api":"ApiVersions","version":3,"requestHeader":2,"responseHeader":0},' in lines


def test_the_files_of_a_release_are_lines(tree: Path) -> None:
    lines = (tree / "releases.json").read_text(encoding="utf-8").splitlines()
    assert '"4.4.0/messages/StreamsGroupHeartbeatResponse.json":[0,1],' in lines


def test_every_file_names_the_project(tree: Path) -> None:
    """It does not have the version, so a file changes only with its vectors."""
    files = [path for path in tree.rglob("*.json") if path.parent.name != "schema"]
    assert {read_file(path)["project"] for path in files} == {"kafka-wire-conformance"}


def test_the_index_has_every_file(tree: Path) -> None:
    """The index has the SHA-256 of each file, and a root hash of all of them."""
    index = read_file(tree / "index.json")
    files = {path.relative_to(tree).as_posix(): path.read_bytes() for path in tree.rglob("*.json")}
    del files["index.json"]
    assert index["files"] == {path: hashlib.sha256(data).hexdigest() for path, data in sorted(files.items())}
    assert index["root"] == root_of(index["files"])


def test_groups_are_written_in_any_order(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    write_tree(other, reversed(built()))
    assert read_file(other / "index.json") == read_file(tree / "index.json")


def test_no_temporary_files_remain(tree: Path) -> None:
    assert {path.suffix for path in tree.rglob("*") if path.is_file()} == {".json"}


def test_a_vector_does_not_vanish_silently(tree: Path) -> None:
    fewer = built()
    gone = fewer[1].group["vectors"].pop(0)["id"]
    before = (tree / "index.json").read_bytes()
    with pytest.raises(VanishedIds, match=f"4.3.0/messages/ApiVersionsRequest/v3/{gone}"):
        write_tree(tree, fewer)
    assert (tree / "index.json").read_bytes() == before


def test_a_vector_may_go_with_a_reason(tree: Path) -> None:
    fewer = built()
    gone = f"4.3.0/messages/ApiVersionsRequest/v3/{fewer[1].group['vectors'].pop(0)['id']}"
    retired = {**HEAD, "retired": [{"id": gone, "reason": "it was wrong"}]}
    (tree / "retired.json").write_text(text_of(retired), encoding="utf-8")
    ids = read_file(tree / "ids.json")
    write_tree(tree, fewer)
    assert (read_file(tree / "ids.json"), read_file(tree / "retired.json")) == (ids, retired)


def error_of(tree: Path, text: bytes) -> CorruptedFile:
    (tree / REQUEST).write_bytes(text)
    with pytest.raises(CorruptedFile) as caught:
        read_tree(tree)
    assert str(caught.value).startswith(str(tree / REQUEST))
    return caught.value


def test_file_of_other_text_than_json_is_named_with_its_line(tree: Path) -> None:
    error = error_of(tree, b'{\n  "format": 1,\n  oops\n}')
    assert (error.line, error.problem.partition(":")[0]) == (3, "not JSON")


@pytest.mark.parametrize("text", [b"\xff", b"[]"], ids=["utf-8", "array"])
def test_file_of_another_form_than_a_document_is_named(tree: Path, text: bytes, snapshot: SnapshotAssertion) -> None:
    assert error_of(tree, text).problem == snapshot


def test_a_missing_file_is_named(tree: Path) -> None:
    (tree / REQUEST).unlink()
    with pytest.raises(FileNotFoundError, match="ApiVersionsRequest"):
        read_tree(tree)


def test_several_processes_build_the_same_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    some = pairs.pairs()[::200]
    monkeypatch.setattr("conformance.vectors.enumeration.enumerate.pairs", lambda _: some)
    assert list(built_groups(2)) == list(built_groups(1))


def built_over(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    only_some_files(monkeypatch)
    return write_tree(folder, built())


@pytest.mark.parametrize("digits", ["", "00000000"])
def test_a_path_in_the_history_of_ids_deletes_nothing_outside_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, digits: str
) -> None:
    """The history of ids is read by its schema, and its paths are those of files in the folder."""
    victim, folder = tmp_path / "victim.txt", tmp_path / "tree"
    victim.write_text("mine", encoding="utf-8")
    folder.mkdir()
    for path in ("../victim.txt", str(victim)):
        (folder / "ids.json").write_text(text_of({**HEAD, "ids": {path: digits}}), encoding="utf-8")
        with pytest.raises((CorruptedFile, NotOurs)):
            built_over(folder, monkeypatch)
        assert victim.read_text(encoding="utf-8") == "mine"
    assert [path.name for path in folder.iterdir()] == ["ids.json"]


def test_a_folder_of_something_else_is_no_place_for_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "index.json").write_text("{}", encoding="utf-8")
    with pytest.raises(NoTree, match=r"\(ids\.json"):
        built_over(tmp_path, monkeypatch)
    assert [path.name for path in tmp_path.iterdir()] == ["index.json"]


OLD = "4.3.0/messages/OldRequest.json"


@pytest.mark.parametrize("is_own", [True, False], ids=["as the index says", "changed"])
def test_file_without_vectors_is_deleted_if_unchanged_and_else_named(
    tree: Path, monkeypatch: pytest.MonkeyPatch, *, is_own: bool
) -> None:
    index = read_file(tree / "index.json")
    index["files"][OLD] = hashlib.sha256(b"old").hexdigest()
    (tree / "index.json").write_text(text_of(index), encoding="utf-8")
    (tree / OLD).write_bytes(b"old" if is_own else b"mine")
    assert built_over(tree, monkeypatch) == ([] if is_own else [OLD])
    assert (tree / OLD).exists() != is_own


def test_index_with_a_file_outside_of_the_folder_is_an_error(tree: Path) -> None:
    index = read_file(tree / "index.json")
    index["files"]["../../etc/passwd"] = "0" * 64
    (tree / "index.json").write_text(text_of(index), encoding="utf-8")
    with pytest.raises(NotOurs, match=r"'\.\./\.\./etc/passwd'"):
        read_tree(tree)


def test_the_command_builds_a_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_some_files(monkeypatch)
    monkeypatch.setattr(pairs, "pairs_of", PAIRS.__getitem__)
    command = ["vectors", "build", "--in-process", "--workers", "1", "--output", str(tmp_path)]
    done = invoke(*command)
    assert (done.exit_code, done.output) == (0, f"written to {tmp_path}\n")
    assert read_file(tmp_path / REQUEST)["count"] > 0


@pytest.mark.parametrize(
    "index", [{}, {"files": []}, {"files": {"../../etc/passwd": ""}}, {"files": {"/etc/passwd": ""}}]
)
def test_an_index_names_files_in_its_folder(tmp_path: Path, index: dict[str, object]) -> None:
    (tmp_path / "index.json").write_text(json.dumps(index), encoding="utf-8")
    with pytest.raises(CorruptedFile, match=r"index\.json"):
        read_tree(tmp_path)
