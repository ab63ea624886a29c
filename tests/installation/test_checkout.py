from pathlib import Path

import pytest

from tests.installation.environments import Environment, number_of_cases

OPTIONS = ("--impl=conformance.adapters.reference", "--messages=HeartbeatResponse-v0")


@pytest.mark.parametrize("how", ["bare", "editable", "installed"])
def test_pytest_runs_the_checkout(how: str, checkout: Path, request: pytest.FixtureRequest) -> None:
    environment: Environment = request.getfixturevalue(how)
    done = environment.pytest("conformance/", *OPTIONS, cwd=checkout)
    assert done.status == 0, done.text
    assert number_of_cases(done) > 100


def test_pytest_runs_the_checkout_from_elsewhere(bare: Environment, checkout: Path, tmp_path: Path) -> None:
    done = bare.pytest(str(checkout / "conformance"), *OPTIONS, cwd=tmp_path)
    assert done.status == 0, done.text


def test_an_editable_install_runs_the_command_anywhere(editable: Environment, project: Path) -> None:
    done = editable.suite("--impl=my_codec", "-q", cwd=project)
    assert done.status == 0, done.text
    assert "no findings" in done.text


def test_a_checkout_runs_the_command_as_a_module(bare: Environment, checkout: Path) -> None:
    """Nothing is installed for `python -m conformance run`."""
    done = bare.run("python", "-m", "conformance", "run", *OPTIONS, cwd=checkout)
    assert done.status == 0, done.text


TWO_COPIES = ("-p", "conformance.suite.plugin", *OPTIONS, "-q")


@pytest.mark.parametrize("inside", ["conformance", "conformance/suite/test_codec.py::test_edge_values"])
def test_tests_of_one_with_the_plugin_of_the_other_are_refused(
    installed: Environment, checkout: Path, tmp_path: Path, inside: str
) -> None:
    (tmp_path / "own.ini").write_text("[pytest]\n")
    done = installed.pytest("-c", "own.ini", str(checkout / inside), *TWO_COPIES, cwd=tmp_path)
    [package] = installed.folder.glob("lib/python*/site-packages/conformance")
    assert done.status == 4, done.text
    assert f"{package} is running, " in done.text
    assert f" {checkout / 'conformance'}" in done.text
    assert "kafka-conformance run" in done.text
    assert "Traceback" not in done.text


def test_the_command_of_a_wheel_runs_the_wheel_in_a_checkout(installed: Environment, checkout: Path) -> None:
    done = installed.suite(*OPTIONS, "-v", cwd=checkout)
    assert done.status == 0, done.text


def test_suite_by_its_name_is_the_running_one(installed: Environment, checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "own.ini").write_text("[pytest]\n")
    done = installed.pytest("-c", str(tmp_path / "own.ini"), "--pyargs", "conformance", *TWO_COPIES, cwd=checkout)
    assert done.status == 0, done.text
