import shlex
from pathlib import Path

import pytest

from tests.helpers.releases import NEWEST
from tests.helpers.runs import replay_lines
from tests.installation.environments import Environment, number_of_cases


def test_run_tests_an_adapter_in_the_current_folder(installed: Environment, project: Path) -> None:
    done = installed.suite("--impl=my_codec", "--messages=HeartbeatResponse,ApiVersions*", cwd=project)
    assert done.status == 0, done.text
    assert f"mine 1 against Kafka {NEWEST}" in done.text
    assert number_of_cases(done) > 100
    assert "warning" not in done.text


def test_replay_lines_of_a_run_work(installed: Environment, project: Path) -> None:
    proposed = replay_lines(installed.suite("--impl=my_wrong_codec", "-k", "edge", cwd=project).text)
    assert proposed
    done = installed.run(*shlex.split(proposed[0]), cwd=project)
    assert done.status == 1, done.text
    assert "mine encodes" in done.text


def test_other_options_are_for_pytest(installed: Environment, project: Path) -> None:
    done = installed.suite("--impl=my_codec", "-n", "1", "-k", "edge", "-rA", "--junitxml", "j.xml", cwd=project)
    assert done.status == 0, done.text
    assert "PASSED: no findings" in done.text
    assert "conformance/suite/test_codec.py::test_edge_values[HeartbeatResponse-v0]" in done.text
    assert (project / "j.xml").is_file()


@pytest.mark.parametrize("workers", ["-n0", "-n1"])
def test_packages_of_the_same_names_do_no_harm(installed: Environment, project: Path, workers: str) -> None:
    """A project may have a `conformance`, a `reference` and `specs` of its own, with the child and a worker as well."""
    for name in ("conformance", "reference", "specs"):
        (project / name).mkdir()
        (project / name / "__init__.py").write_text("raise RuntimeError('imported')\n")
        (project / name / "test_mine.py").write_text("def test_mine():\n    assert False\n")
    done = installed.suite("--impl=my_codec", workers, cwd=project)
    assert done.status == 0, done.text
    assert number_of_cases(done) > 100


def test_a_new_adapter_runs_where_the_wheel_is_installed(installed: Environment, tmp_path: Path) -> None:
    assert installed.run("kafka-conformance", "new", "adapter", "mine", cwd=tmp_path).status == 0
    done = installed.suite("--impl=./mine.py", "--smoke", "-n1", cwd=tmp_path)
    assert done.status == 0, done.text
    assert "PASSED: no findings" in done.text


def test_a_project_names_its_adapter_once(installed: Environment, project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.kafka-conformance]\nimpl = 'my_codec.py'\n")
    done = installed.suite("-k", "edge", cwd=project)
    assert done.status == 0, done.text
    assert "pyproject.toml: impl" in done.text
