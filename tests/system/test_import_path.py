"""The current folder comes after installed packages on an adapter's import path, else is not on it at all."""

import os
import sys
from pathlib import Path

import pytest

from conformance.system.import_path import HOME, LIBRARY, OURS, SAFE, add_current_folder, leave_current_folder
from conformance.system.own_processes import (
    COMMAND,
    foreign_environment,
    import_path,
    keep_children_safe,
    own_environment,
    worker_pool,
)
from conformance.system.program_runs import run

TRAPS = (
    *("click", "encodings", "hypothesis", "json", "pytest", "random", "sitecustomize", "usercustomize"),
    "conformance_adapter",
)
"""Modules that a project may have, and that are not its own elsewhere; the last one is asked for."""

SPRUNG = "sprung"
ADAPTER = """
from tests.fakes.two_messages import *
import json
assert "JSONDecoder" in dir(json)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


@pytest.mark.parametrize("entry", ["", ".", "{folder}"])
def test_the_current_folder_is_not_before_the_standard_library(folder: Path, entry: str) -> None:
    sys.path[:] = [entry.format(folder=folder), "/somewhere", LIBRARY]
    leave_current_folder()
    assert sys.path == ["/somewhere", LIBRARY]


def test_the_folder_after_the_standard_library_stays(folder: Path) -> None:
    sys.path[:] = [LIBRARY, "/somewhere", str(folder)]
    leave_current_folder()
    assert sys.path == [LIBRARY, "/somewhere", str(folder)]


def test_checkout_of_the_suite_stays_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HOME)
    monkeypatch.setattr(sys, "path", [HOME, LIBRARY])
    leave_current_folder()
    assert sys.path == [HOME, LIBRARY]


def test_current_folder_is_last_on_the_path_of_adapters(folder: Path) -> None:
    sys.path[:] = [str(folder), "/somewhere", LIBRARY]
    add_current_folder()
    add_current_folder()
    assert sys.path == ["/somewhere", LIBRARY, str(folder)]


def test_a_process_of_our_own_has_the_folder_last(folder: Path) -> None:
    sys.path[:] = [str(folder), LIBRARY]
    assert import_path() == os.pathsep.join([LIBRARY, str(folder)])


@pytest.mark.parametrize("entry", ["", ".", "{folder}"])
def test_python_of_our_own_does_not_start_with_the_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, entry: str
) -> None:
    sys.path.append(str(folder))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([entry.format(folder=folder), "/somewhere"]))
    assert own_environment()["PYTHONPATH"] == os.pathsep.join([HOME, "/somewhere"])


def test_an_installed_suite_is_not_put_before_the_standard_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("site.getsitepackages", lambda: [HOME])
    monkeypatch.delenv("PYTHONPATH", raising=False)
    assert own_environment()["PYTHONPATH"] == ""


def test_workers_of_a_pool_do_not_import_from_the_current_folder(folder: Path) -> None:
    (folder / "types.py").write_text(f"open({SPRUNG!r}, 'w')")
    with worker_pool(1) as pool:
        assert pool.submit(len, "four").result() == 4
    assert not (folder / SPRUNG).exists()
    assert SAFE not in os.environ


def test_programs_of_others_have_no_safe_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """A harness in Python may import files beside it."""
    monkeypatch.setenv(SAFE, "")  # so that it is as before at the end
    monkeypatch.delenv(SAFE)
    keep_children_safe()
    assert os.environ[SAFE] == OURS
    assert SAFE not in foreign_environment()
    monkeypatch.setenv(SAFE, "1")
    assert foreign_environment()[SAFE] == "1"


def trapped(folder: Path) -> None:
    for name in TRAPS[:-1]:
        (folder / f"{name}.py").write_text(f"open({SPRUNG!r}, 'a').write({name!r})")
    (folder / f"{TRAPS[-1]}.py").write_text(ADAPTER)


def test_modules_of_the_current_folder_are_not_executed(folder: Path) -> None:
    trapped(folder)
    words = (sys.executable, "-m", "conformance", "rules", "length.negative")
    assert run(words).status == 0
    assert not (folder / SPRUNG).exists()


RUNS = {
    "run": ("run", "--messages=ApiVersionsRequest", "-q", "-n0"),
    "run in a child": ("run", "--messages=ApiVersionsRequest", "-q", "-n0", "--isolation=always"),
    "two workers": ("run", "--messages=ApiVersionsRequest", "-q", "-n2"),
    "two gateways": ("run", "--messages=ApiVersionsRequest", "-q", "--tx=2*popen", "--dist=load"),
    "replay": ("replay", "--message=ApiVersionsRequest", "--version=0", "--wire="),
    "schema": ("schema",),
    "vectors run": ("vectors", "run"),
    "bridge check": ("bridge", "check"),
    "matrix": ("matrix", "--state=state", "--output=site"),
    "nightly": ("nightly", "--minutes=1", "--rounds=1", "--messages=ApiVersionsRequest", "--state=state"),
}


@pytest.mark.nightly
@pytest.mark.parametrize("words", RUNS.values(), ids=RUNS)
def test_only_the_named_adapter_is_imported_from_the_current_folder(folder: Path, words: tuple[str, ...]) -> None:
    trapped(folder)
    done = run((*COMMAND, *words, f"--impl={TRAPS[-1]}"), environment=own_environment())
    assert "no module" not in done.text
    assert "Traceback" not in done.text
    assert done.status in {0, 1}, done.text
    assert not (folder / SPRUNG).exists()
