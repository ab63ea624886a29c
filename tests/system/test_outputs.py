"""Outputs are tried before a run, and kept elsewhere where they cannot be written at its end."""

import errno
import os
import stat
import tempfile
from pathlib import Path

import pytest

from conformance.system.outputs import try_file, try_folder, write_all_or_keep, write_or_keep
from conformance.system.whole_files import NotWritten


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the system's folder for temporary files be one of the test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("elsewhere")))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_writable_place_stays_unchanged(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old", encoding="utf-8")
    try_file(tmp_path / "old")
    try_file(tmp_path / "new")
    try_folder(tmp_path / "a" / "b")
    assert names(tmp_path) == ["old"]
    assert (tmp_path / "old").read_text(encoding="utf-8") == "old"


def test_a_pipe_nobody_reads_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    try_file(tmp_path / "pipe")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@pytest.mark.parametrize("name", ["missing/file", "file/below", "."])
def test_impossible_place_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotWritten):
        try_file(tmp_path / name)


def test_a_file_in_the_place_of_a_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name in ("file", "file/below"):
        with pytest.raises(NotWritten, match="is no folder"):
            try_folder(tmp_path / name)


def test_a_full_disk_is_found_by_writing_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty file can be made there."""

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    for attempt in (try_file, try_folder):
        with pytest.raises(NotWritten, match="make room there"):
            attempt(tmp_path / "place")
    assert names(tmp_path) == []


def kept_by(error: NotWritten) -> Path:
    assert f"is kept in {error.kept}" in str(error)
    return Path(error.kept)


def test_unwritable_result_is_kept_elsewhere(tmp_path: Path) -> None:
    with pytest.raises(NotWritten) as caught:
        write_or_keep(tmp_path / "gone" / "report.jsonl", "result")
    assert (kept_by(caught.value) / "report.jsonl").read_text(encoding="utf-8") == "result"


def test_only_unwritable_results_are_kept_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    with pytest.raises(NotWritten) as caught:
        write_all_or_keep(tmp_path, [("a", "one"), ("b", "two"), ("c", "three")])
    assert names(tmp_path) == ["a", "b"]
    assert names(kept_by(caught.value)) == ["b", "c"]


def test_without_another_place_nothing_is_reported_as_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "mkdtemp", lambda **_: str(tmp_path / "gone"))
    with pytest.raises(NotWritten) as caught:
        write_or_keep(tmp_path / "missing" / "file", "result")
    assert "kept" not in str(caught.value)
