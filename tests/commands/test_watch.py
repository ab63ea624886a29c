"""`kafka-conformance run --watch`."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conformance.commands.watch import INTERRUPTED, named_files, states, wait_for_change
from conformance.suite.options import RunOptions
from conformance.suite.watched import files_of
from tests.helpers.runs import program
from tests.installation.environments import write_codecs


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_codecs(tmp_path)


def test_the_file_of_an_adapter_is_watched(folder: Path) -> None:
    assert named_files(RunOptions(impl="./my_codec.py")) == {folder / "my_codec.py"}


def test_the_program_of_a_harness_is_watched(folder: Path) -> None:
    program = folder / "harness"
    program.touch()
    assert named_files(RunOptions(impl="stdio:./harness --fast")) == {program}


def test_an_adapter_of_the_project_is_watched_with_the_projects_file(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.kafka-conformance]\nimpl = 'my_codec.py'\n")
    assert named_files(RunOptions()) == {folder / "my_codec.py", folder / "pyproject.toml"}


def test_files_of_python_and_of_the_suite_are_not_watched() -> None:
    assert list(files_of(["json", "conformance.adapter", "reference"])) == []
    assert list(files_of(["pytest"])) == [pytest.__file__]


def test_a_changed_file_is_found(folder: Path) -> None:
    file = folder / "my_codec.py"
    known = states([file, folder / "my_wrong_codec.py"])
    os.utime(file, (1, 1))
    assert wait_for_change(known, known) == file


def test_new_file_is_found(folder: Path) -> None:
    assert wait_for_change([folder / "my_codec.py"], {}) == folder / "my_codec.py"


def test_program_not_built_yet_is_watched(folder: Path) -> None:
    assert named_files(RunOptions(impl="stdio:build/harness")) == {folder / "build" / "harness"}


ENDS = {
    "no implementation": ((), "a codec, --impl "),
    "folder that is missing": (("--impl=./my_codec.py", "--report=missing/report"), os.strerror(errno.ENOENT)),
    "open quote": (("--impl=stdio:'open",), "nothing to watch"),
}


@pytest.mark.parametrize(("words", "text"), ENDS.values(), ids=ENDS)
def test_run_without_anything_to_watch_ends(folder: Path, words: tuple[str, ...], text: str) -> None:
    command = [sys.executable, "-P", "-m", "conformance", "run", "--watch", "-p", "no:cacheprovider", *words]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert text in program(command, folder, environment, timeout=120).ended(4)


def test_deleted_file_has_no_state(folder: Path) -> None:
    assert states([folder / "gone.py"]) == {}


def test_run_begins_again_with_the_saved_file_and_ends_with_an_interrupt(folder: Path) -> None:
    """Each run imports the files anew, so the second one finds the new mistake, and nothing is printed at the end."""
    words = [sys.executable, "-P", "-m", "conformance", "run", "--impl=./my_codec.py", "-q", "--watch", "-k", "edge"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    printed = folder / "printed.txt"
    with (
        printed.open("w") as output,
        subprocess.Popen(words, stdout=output, stderr=output, env=environment) as process,  # noqa: S603  # our own
    ):
        wait_for(printed, "control-C ends it")
        (folder / "my_codec.py").write_text((folder / "my_wrong_codec.py").read_text())
        wait_for(printed, "my_codec.py has changed at", "FAILED: ", "control-C ends it")
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == INTERRUPTED
    text = printed.read_text()
    assert text.startswith("PASSED: mine 1 against")
    assert text.endswith("control-C ends it\n\n")


def wait_for(file: Path, *texts: str, seconds: float = 60) -> None:
    """Wait for a file to have texts, in this order."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        rest = file.read_text()
        for text in texts:
            _, mark, rest = rest.partition(text)
        if mark:
            return
        time.sleep(0.1)
    raise AssertionError(file.read_text())
