"""The adapter written by `new adapter`."""

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.adapters.harnesses.skeletons import NoPlaceError
from conformance.commands.main import main
from conformance.commands.new import path_of, write_adapter
from tests.helpers.endings import on_a_full_disk
from tests.helpers.runs import invoke, kafka_conformance


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_new_adapter_runs_green(folder: Path) -> None:
    invoke("new", "adapter", "my-codec")
    done = kafka_conformance("run", "--impl=./my-codec.py", "--smoke", folder=folder)
    assert "my-codec 0.1 against" in done.ended(0)


def test_a_new_adapter_has_a_marked_place_and_its_command() -> None:
    text = write_adapter("mine").read_text(encoding="utf-8")
    assert "# YOUR CODEC" in text
    assert "--impl=./mine.py" in text


def test_the_next_command_is_printed(snapshot: SnapshotAssertion) -> None:
    assert invoke("new", "adapter", "codecs/mine").output == snapshot


def test_existing_file_is_left_alone(folder: Path, snapshot: SnapshotAssertion) -> None:
    (folder / "mine.py").write_text("mine")
    result = invoke("new", "adapter", "mine.py")
    assert (result.exit_code, result.output) == snapshot
    assert (folder / "mine.py").read_text() == "mine"


@pytest.mark.parametrize("name", ["1x", "my codec", "a/", "", "a\nb/c", '"""/c', "\\/c"])
def test_text_other_than_a_name_is_refused(name: str) -> None:
    with pytest.raises(NoPlaceError, match="no name") as error:
        write_adapter(name)
    assert str(error.value).startswith(repr(name))


def test_a_file_of_this_folder_is_named_with_a_dot() -> None:
    assert path_of(Path("mine.py")) == "./mine.py"
    assert path_of(Path("-mine/it.py")) == "./-mine/it.py"


def test_a_full_disk_leaves_nothing_of_an_adapter(folder: Path) -> None:
    """So the same command succeeds later."""
    words = ("new", "adapter", "missing/mine")
    assert "make room there" in on_a_full_disk(lambda: main(words), 1000).ended(1)
    assert list(folder.iterdir()) == []
    assert invoke(*words).exit_code == 0
