from pathlib import Path

import pytest

from tests.installation.environments import Environment

OPTIONS = ("-p", "conformance.plugin", "--impl=conformance.adapters.reference", "--messages=HeartbeatResponse-v0", "-q")


@pytest.mark.parametrize("inside", ["conformance", "conformance/suite/test_edge_values.py::test_edge_values"])
def test_tests_of_one_with_the_plugin_of_the_other_are_refused(
    installed: Environment, checkout: Path, tmp_path: Path, inside: str
) -> None:
    (tmp_path / "own.ini").write_text("[pytest]\n")
    done = installed.pytest("-c", "own.ini", str(checkout / inside), *OPTIONS, cwd=tmp_path)
    [package] = installed.folder.glob("lib/python*/site-packages/conformance")
    assert done.status == 4, done.text
    assert f"{package} is running, and is to collect tests of {checkout / 'conformance'}" in done.text
    assert "kafka-conformance run" in done.text
    assert "Traceback" not in done.text


def test_the_command_of_a_wheel_runs_the_wheel_in_a_checkout(installed: Environment, checkout: Path) -> None:
    done = installed.suite(*OPTIONS[2:], "-v", cwd=checkout)
    assert done.status == 0, done.text


def test_the_suite_by_its_name_is_the_one_that_runs(installed: Environment, checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "own.ini").write_text("[pytest]\n")
    done = installed.pytest("-c", str(tmp_path / "own.ini"), "--pyargs", "conformance", *OPTIONS, cwd=checkout)
    assert done.status == 0, done.text
