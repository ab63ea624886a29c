import shlex
from pathlib import Path

import pytest

from conformance.suite.options import OPTIONS
from tests.helpers.runs import replay_lines
from tests.installation.environments import CODEC, Environment


def test_run_tests_an_adapter_in_the_current_folder(installed: Environment, project: Path) -> None:
    done = installed.suite("--impl=my_codec", "--messages=HeartbeatResponse,ApiVersions*", cwd=project)
    assert done.status == 0, done.text
    assert "mine 1 against Kafka 4.4.0" in done.text
    assert "invalid inputs" in done.text
    assert "no new findings" in done.text
    assert "warning" not in done.text


def test_the_lines_that_a_run_proposes_work(installed: Environment, project: Path) -> None:
    proposed = replay_lines(installed.suite("--impl=my_wrong_codec", "-k", "edge", cwd=project).text)
    assert proposed
    done = installed.run(*shlex.split(proposed[0]), cwd=project)
    assert done.status == 1, done.text
    assert "mine encodes" in done.text


@pytest.mark.parametrize(
    ("options", "status", "text"),
    [
        (["--impl=my_wrong_codec"], 1, "new cause"),
        (["--impl=no_such_codec"], 4, "there is no module 'no_such_codec'"),
        (["--impl=my_codec", "--no-such-option"], 4, "unrecognized arguments: --no-such-option"),
        (["--impl=my_codec", "--rep=x.jsonl"], 4, "unrecognized arguments: --rep=x.jsonl"),
        (["--impl=my_codec", "-k", "no_such_test"], 5, "deselected"),
        ([], 4, "the conformance suite needs --impl=MODULE[:ATTRIBUTE]"),
    ],
    ids=["findings", "adapter", "option", "abbreviation", "nothing", "no-adapter"],
)
def test_the_exit_status_is_that_of_pytest(
    installed: Environment, project: Path, options: list[str], status: int, text: str
) -> None:
    """With the reason, and no traceback; an abbreviation is no option, so none is taken from another plugin."""
    done = installed.suite(*options, cwd=project)
    assert done.status == status, done.text
    assert text in done.text
    assert "Traceback" not in done.text


def test_other_options_are_for_pytest(installed: Environment, project: Path) -> None:
    done = installed.suite("--impl=my_codec", "-n", "1", "-k", "edge", "-rA", "--junitxml", "j.xml", cwd=project)
    assert done.status == 0, done.text
    assert "2 passed" in done.text
    assert "conformance/suite/test_edge_values.py::test_edge_values[HeartbeatResponse-v0]" in done.text
    assert (project / "j.xml").is_file()


def test_settings_of_the_project_are_left_alone(installed: Environment, project: Path) -> None:
    (project / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\ntestpaths = tests\n")
    (project / "pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = ['--no-such-option']\n")
    (project / "conftest.py").write_text("raise RuntimeError('read')\n")
    (project / "tests").mkdir()
    (project / "tests" / "test_mine.py").write_text("raise RuntimeError('read')\n")
    done = installed.suite("--impl=my_codec", "-q", cwd=project)
    assert done.status == 0, done.text


@pytest.mark.parametrize("workers", ["-n0", "-n1"])
def test_packages_of_the_same_names_do_no_harm(installed: Environment, project: Path, workers: str) -> None:
    """A project may have a `conformance`, a `reference` and `specs` of its own, with the child and a worker as well."""
    for name in ("conformance", "reference", "specs"):
        (project / name).mkdir()
        (project / name / "__init__.py").write_text("raise RuntimeError('imported')\n")
        (project / name / "test_mine.py").write_text("def test_mine():\n    assert False\n")
    done = installed.suite("--impl=my_codec", workers, cwd=project)
    assert done.status == 0, done.text
    assert "invalid inputs" in done.text


def test_an_adapter_in_a_folder_of_the_same_name_is_explained(installed: Environment, project: Path) -> None:
    (project / "conformance").mkdir()
    (project / "conformance" / "mine.py").write_text(CODEC)
    done = installed.suite("--impl=conformance.mine", cwd=project)
    assert done.status == 4, done.text
    assert f"{project / 'conformance'} is not the suite's package 'conformance'" in done.text


def test_help_shows_the_options_of_the_suite(installed: Environment, tmp_path: Path) -> None:
    done = installed.suite("--impl=my_codec", "--help", cwd=tmp_path)
    assert done.status == 0
    assert [option.name for option in OPTIONS if f"  {option.usage} " not in done.text] == []
    assert "kafka-conformance run --impl=myproj.adapter --smoke" in done.text
