"""Files of the suite in a folder, recognised by the content of a marker and by hashes."""

import hashlib
import re
from pathlib import Path

import pytest

from conformance.system.folders import NotOurs, claim, filling_folder, foreign, inside, remove_own, replacing_folder
from conformance.system.whole_files import MARK, NotWritten

MARKER = {"thing": 1}


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("name", ["a.json", "a/b.json", "a..b/c", ".hidden"])
def test_a_plain_name_is_inside(tmp_path: Path, name: str) -> None:
    assert inside(tmp_path, name) == tmp_path / name


@pytest.mark.parametrize("name", ["../victim", "/etc/passwd", "a/../../victim", "", "a/..", "link/file"])
def test_name_outside_of_the_folder_is_an_error(tmp_path: Path, name: str) -> None:
    """A link in the folder does not help."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path)
    with pytest.raises(NotOurs, match=f"{folder}: .* {re.escape(repr(name))}"):
        inside(folder, name)


def test_file_with_the_content_of_the_index_is_deleted(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one", encoding="utf-8")
    assert remove_own(tmp_path, "a", sha256("one"))
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("known", [None, sha256("two")])
def test_a_file_of_other_content_or_without_a_hash_is_left(tmp_path: Path, known: str | None) -> None:
    (tmp_path / "a").write_text("one", encoding="utf-8")
    assert not remove_own(tmp_path, "a", known)
    assert (tmp_path / "a").exists()


def test_missing_file_need_not_be_deleted(tmp_path: Path) -> None:
    assert remove_own(tmp_path, "a", None)


def test_files_outside_of_the_index_are_foreign(tmp_path: Path) -> None:
    """These are files beside those of the index, changed ones, and folders without any of them."""
    for name in ("own/a", "own/b", "other"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("one", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    assert foreign(tmp_path, {"own/a": sha256("one"), "own/b": sha256("two"), "c": None}) == ["empty", "other", "own/b"]


def test_a_new_folder_is_claimed_and_known_again(tmp_path: Path) -> None:
    for _ in range(2):
        claim(tmp_path / "a" / "b", "thing.json", MARKER, "thing")
    (tmp_path / "a" / "b" / "mine").touch()
    claim(tmp_path / "a" / "b", "thing.json", MARKER, "thing")


@pytest.mark.parametrize("text", ['{"other": 2}', "no JSON", "[]"])
def test_folder_of_other_files_is_not_claimed(tmp_path: Path, text: str) -> None:
    (tmp_path / "thing.json").write_text(text, encoding="utf-8")
    with pytest.raises(NotOurs, match=f"^{tmp_path} .*no thing"):
        claim(tmp_path, "thing.json", MARKER, "thing")
    assert (tmp_path / "thing.json").read_text(encoding="utf-8") == text


@pytest.mark.parametrize("text", ["", '{"thi'])
def test_cut_marker_is_made_again(tmp_path: Path, text: str) -> None:
    (tmp_path / "thing.json").write_text(text, encoding="utf-8")
    claim(tmp_path, "thing.json", MARKER, "thing")
    assert (tmp_path / "thing.json").read_text(encoding="utf-8") == '{"thing": 1}\n'


def test_a_folder_is_replaced_as_a_whole_and_keeps_its_mode(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o750)
    (folder / "old").touch()
    with replacing_folder(folder, lambda: None) as new:
        (new / "new").touch()
    assert [path.name for path in folder.iterdir()] == ["new"]
    assert folder.stat().st_mode & 0o777 == 0o750
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_folder_stays_if_its_check_fails(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()

    def refuse() -> None:
        raise NotOurs("somebody else's")

    with pytest.raises(NotOurs), replacing_folder(folder, refuse) as new:
        (new / "new").touch()
    assert list(folder.iterdir()) == []
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def fill(folder: Path, name: str) -> None:
    with filling_folder(folder) as new:
        (new / name).write_text("new")
        (new / "inner").mkdir()


def test_an_empty_folder_is_filled_and_not_replaced(tmp_path: Path) -> None:
    """It may be the current folder of a shell."""
    before = tmp_path.stat().st_ino
    fill(tmp_path, "file")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "inner"]
    assert tmp_path.stat().st_ino == before


def test_an_error_leaves_nothing_of_a_new_folder(tmp_path: Path) -> None:
    with pytest.raises(NotWritten):
        fill(tmp_path / "missing" / "folder", "no/such/file")
    assert list(tmp_path.iterdir()) == []


def fill_late(folder: Path) -> None:
    """Fill a folder, while somebody else writes a file of the same name."""
    with filling_folder(folder) as new:
        for name in ("one", "two"):
            (new / name).mkdir()
        (folder / "two").write_text("mine")


def test_failing_move_is_undone(tmp_path: Path) -> None:
    with pytest.raises(NotWritten):
        fill_late(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["two"]
    assert (tmp_path / "two").read_text() == "mine"


def test_a_folder_with_content_is_not_filled(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    with pytest.raises(NotOurs, match="is not empty"):
        fill(tmp_path, "file")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_leftover_of_a_killed_process_is_no_content(tmp_path: Path) -> None:
    (tmp_path / f".new{MARK}01234567").mkdir()
    fill(tmp_path, "file")
    assert (tmp_path / "file").is_file()
