import re
import tomllib
from pathlib import Path

import pytest

from tests.helpers.durations import steps

ROOT = Path(__file__).parents[2]
CI_FILES = (".ci/steps", ".github/workflows/ci.yml", ".github/workflows/nightly.yml")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def targets_in(text: str) -> set[str]:
    return set(re.findall(r"\bmake ([a-z-]+)", text))


@pytest.mark.parametrize("path", CI_FILES)
def test_ci_runs_targets_of_make_that_exist(path: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    assert targets_in(read(path))
    assert targets_in(read(path)) <= targets


def test_workflows_run_the_steps_of_the_script() -> None:
    """What guards a branch on the server is what guards it here."""
    assert "- run: .ci/run\n" in read(".github/workflows/ci.yml")
    groups = re.search(r"group: \[(.*)\]", read(".github/workflows/nightly.yml"))
    assert groups is not None
    assert set(groups[1].split(", ")) == {step.group for step in steps() if step.when != "change"}


def test_each_step_is_for_a_change_or_for_the_night() -> None:
    assert {step.when for step in steps()} == {"change", "nightly", "always"}


def test_contributing_has_every_step() -> None:
    table = read("CONTRIBUTING.md").partition("## What is checked when")[2].partition("\n## ")[0]
    left_out = [step.command for step in steps() if f"`{step.command}`" not in table]
    assert not left_out


def test_ci_runs_every_python_that_the_classifiers_name() -> None:
    matrix = re.search(r"python: \[(.*)\]", read(".github/workflows/ci.yml"))
    assert matrix is not None
    tested = re.findall(r'"(3\.\d+)"', matrix[1])
    prefix = "Programming Language :: Python :: 3."
    classifiers = [line.removeprefix(prefix) for line in PYPROJECT["project"]["classifiers"] if line.startswith(prefix)]
    assert tested == [f"3.{minor}" for minor in classifiers]
    assert PYPROJECT["project"]["requires-python"] == f">={tested[0]}"


def test_hooks_run_the_tools_of_make_lint() -> None:
    lint = re.search(r"^lint:.*\n((?:\t.*\n)+)", read("Makefile"), re.MULTILINE)
    assert lint is not None
    hooks = re.findall(r"entry: \.venv/bin/([a-z-]+)", read(".pre-commit-config.yaml"))
    assert hooks == re.findall(r"\$\(BIN\)/([a-z-]+)", lint[1])


def test_every_tool_that_is_installed_is_pinned() -> None:
    pinned = {line.partition("==")[0].lower() for line in read("constraints.txt").splitlines() if "==" in line}
    needed = [entry for group in PYPROJECT["dependency-groups"].values() for entry in group if isinstance(entry, str)]
    names = {re.split(r"[<>=]", entry)[0].lower() for entry in needed}
    assert names <= pinned


@pytest.mark.parametrize("name", ["adapters", "dev"])
def test_what_is_installed_is_locked_by_version_and_checksum_without_addresses(name: str) -> None:
    text = read(f".ci/requirements/{name}.txt")
    pinned = {line.lower().replace("_", "-") for line in read("constraints.txt").splitlines() if "==" in line}
    entries = [entry.splitlines() for entry in re.split(r"^(?=\w)", text, flags=re.MULTILINE) if entry.strip()]
    tested = [head for head, *_ in entries if "'win32'" not in head]
    assert {re.split(r"[ ;]", head)[0].lower() for head in tested} <= pinned
    assert all(re.fullmatch(r" +--hash=sha256:[0-9a-f]{64}( \\)?", line) for _, *lines in entries for line in lines)
    assert all(lines for _, *lines in entries)
    assert "http" not in text
