from pathlib import Path

import pytest

from tests.installation.environments import Environment

OPTIONS = ("--impl=conformance.adapters.reference", "--messages=HeartbeatResponse-v0")


@pytest.mark.parametrize("how", ["bare", "editable", "installed"])
def test_pytest_runs_the_checkout(how: str, checkout: Path, request: pytest.FixtureRequest) -> None:
    environment: Environment = request.getfixturevalue(how)
    done = environment.pytest("conformance/", *OPTIONS, cwd=checkout)
    assert done.status == 0, done.text
    assert "no new findings" in done.text
    assert "invalid inputs" in done.text


def test_pytest_runs_the_checkout_from_elsewhere(bare: Environment, checkout: Path, tmp_path: Path) -> None:
    done = bare.pytest(str(checkout / "conformance"), *OPTIONS, cwd=tmp_path)
    assert done.status == 0, done.text


def test_an_editable_install_runs_the_command_anywhere(editable: Environment, project: Path) -> None:
    done = editable.suite("--impl=my_codec", "-q", cwd=project)
    assert done.status == 0, done.text
    assert "no new findings" in done.text


def test_a_checkout_runs_the_command_as_a_module(bare: Environment, checkout: Path) -> None:
    """`python -m conformance run`, with nothing installed."""
    done = bare.run("python", "-m", "conformance", "run", *OPTIONS, cwd=checkout)
    assert done.status == 0, done.text
