from pathlib import Path

from tests.installation.environments import Environment, number_of_cases

PYARGS = ("--pyargs", "conformance", "-p", "conformance.suite.plugin", "--impl=my_codec")


def test_the_suite_runs_by_its_name(installed: Environment, project: Path) -> None:
    """`python -m pytest` has the current folder, and so the adapter, on the import path."""
    done = installed.run("python", "-m", "pytest", *PYARGS, cwd=project)
    assert done.status == 0, done.text
    assert number_of_cases(done) > 100


def test_adapter_is_found_on_the_python_path_of_the_project(installed: Environment, project: Path) -> None:
    """With the command `pytest` the folder has to be named, as for any plugin of the project's."""
    (project / "pyproject.toml").write_text("[tool.pytest.ini_options]\npythonpath = ['.']\naddopts = ['-n1']\n")
    done = installed.pytest(*PYARGS, cwd=project)
    assert done.status == 0, done.text


def test_an_option_of_the_project_in_the_way_is_named(installed: Environment, project: Path) -> None:
    """A conftest.py comes first with its options, of which `--smoke` is a favourite."""
    (project / "conftest.py").write_text(
        "def pytest_addoption(parser):\n    parser.addoption('--smoke', action='store_true')\n"
    )
    done = installed.run("python", "-m", "pytest", *PYARGS, cwd=project)
    assert done.status == 4, done.text
    assert "argument --smoke: conflicting" in done.text
    assert " -p no:NAME" in done.text
    assert "`kafka-conformance run`" in done.text
    assert "Traceback" not in done.text
    assert installed.suite("--impl=my_codec", "-q", cwd=project).status == 0


def test_without_impl_other_tests_run_as_ever(installed: Environment, project: Path) -> None:
    (project / "test_mine.py").write_text("def test_mine():\n    pass\n")
    done = installed.pytest("-p", "conformance.suite.plugin", cwd=project)
    assert done.status == 0, done.text
    assert "1 passed" in done.text


def test_the_suite_by_its_name_takes_the_options_of_the_project(installed: Environment, project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.kafka-conformance]\nimpl = 'my_codec.py'\n")
    done = installed.pytest("--pyargs", "conformance", "-p", "conformance.suite.plugin", "-k", "edge", cwd=project)
    assert done.status == 0, done.text
    assert "pyproject.toml: impl" in done.text
