import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CI_FILES = (".ci/run", ".github/workflows/ci.yml", ".github/workflows/nightly.yml", ".github/workflows/pages.yml")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def targets_in(text: str) -> set[str]:
    return set(re.findall(r"^\s*(?:- run: )?make ([a-z-]+)", text, re.MULTILINE))


@pytest.mark.parametrize("path", CI_FILES)
def test_ci_runs_targets_of_make_that_exist(path: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    assert targets_in(read(path))
    assert targets_in(read(path)) <= targets


def test_the_workflow_runs_everything_that_the_script_runs() -> None:
    """What guards a branch on the server is no less than what guards it here; coverage runs all tests."""
    left_out = targets_in(read(".ci/run")) - targets_in(read(".github/workflows/ci.yml"))
    assert left_out <= {"test-all"}


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
    """In constraints.txt, and pip with it: the one of a fresh environment does not know dependency groups."""
    pinned = {line.partition("==")[0].lower() for line in read("constraints.txt").splitlines() if "==" in line}
    needed = [entry for group in PYPROJECT["dependency-groups"].values() for entry in group if isinstance(entry, str)]
    names = {re.split(r"[<>=]", entry)[0].lower() for entry in [*needed, "pip"]}
    assert names <= pinned
