"""The archive of a Java program's classes is made once, used if there is one, and never needed."""

import os
from pathlib import Path

import pytest

from conformance.adapters.harnesses.java_programs import archive_options

MAKES = """#!/bin/sh
echo run >> "$(dirname "$0")/runs"
cat > "$(dirname "$0")/told"
for word; do
  case "$word" in -XX:ArchiveClassesAtExit=*) echo classes > "${word#*=}";; esac
done
"""
FAILS = f"{MAKES}exit 1\n"
MAKES_NONE = """#!/bin/sh
echo run >> "$(dirname "$0")/runs"
"""


def jvm(folder: Path, script: str) -> str:
    java = folder / "java"
    java.write_text(script, encoding="utf-8")
    java.chmod(0o755)
    return str(java)


def options_of(java: str, folder: Path) -> tuple[str, ...]:
    return archive_options(java, folder / "harness", ("Main",), lambda: "hello\n")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def archives(folder: Path) -> list[Path]:
    return sorted(folder.glob("harness-*"))


def test_archive_made_by_a_run_is_used(folder: Path) -> None:
    words = options_of(jvm(folder, MAKES), folder)
    [archive] = archives(folder)
    assert archive.read_text(encoding="utf-8") == "classes\n"
    assert f"-XX:SharedArchiveFile={archive}" in words


def test_run_to_make_the_archive_gets_its_input(folder: Path) -> None:
    options_of(jvm(folder, MAKES), folder)
    assert (folder / "told").read_text(encoding="utf-8") == "hello\n"


def test_it_is_made_once(folder: Path) -> None:
    java = jvm(folder, MAKES)
    assert options_of(java, folder) == options_of(java, folder)
    assert (folder / "runs").read_text(encoding="utf-8") == "run\n"


def test_another_jvm_has_an_archive_of_its_own(folder: Path) -> None:
    java = jvm(folder, MAKES)
    options_of(java, folder)
    os.utime(java, (0, 0))
    options_of(java, folder)
    assert len(archives(folder)) == 2


@pytest.mark.parametrize("script", [FAILS, MAKES_NONE], ids=["failed", "none"])
def test_without_an_archive_the_program_runs_all_the_same(folder: Path, script: str) -> None:
    java = jvm(folder, script)
    words = options_of(java, folder)
    assert [word for word in words if "Archive" in word] == []
    assert options_of(java, folder) == words
    assert (folder / "runs").read_text(encoding="utf-8") == "run\n"
