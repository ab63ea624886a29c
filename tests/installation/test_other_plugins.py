import os
from pathlib import Path

import pytest

from tests.helpers.runs import ROOT
from tests.installation.environments import Environment, make_environment, pip

CLASHING = {"pytest-reporter==0.5.3": "--report", "pytest-smoke==0.11.0": "--smoke"}

HARMLESS = (
    "pytest-cov==7.1.0",
    "pytest-html==4.2.0",
    "pytest-json-report==1.5.0",
    "pytest-profiling==1.8.1",
    "pytest-reportlog==1.0.0",
)


@pytest.fixture(scope="module")
def crowded(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The wheel with all these plugins from PyPI, without which the tests are skipped, but fail in CI."""
    environment = make_environment(tmp_path_factory.mktemp("crowded"))
    environment.install(str(wheel))
    constraints = ("--constraint", str(ROOT / "constraints.txt"))
    try:
        pip("install", *constraints, *CLASHING, *HARMLESS, python=environment.folder / "bin" / "python")
    except RuntimeError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"plugins to stand beside cannot be installed: {error}")
    return environment


def test_a_command_shares_no_options_with_other_plugins(crowded: Environment, project: Path) -> None:
    theirs = ("--html=o.html", "--json-report", "--json-report-file=o.json", "--report-log=o.log", "--cov=my_codec")
    done = crowded.suite("--impl=my_codec", "--report=mine.jsonl", *theirs, "--profile", "-q", cwd=project)
    assert done.status == 0, done.text
    assert {"o.html", "o.json", "o.log", "mine.jsonl", ".coverage", "prof"} <= {path.name for path in project.iterdir()}
