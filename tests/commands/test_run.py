"""`kafka-conformance run` in a project's folder."""

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.helpers.runs import kafka_conformance
from tests.installation.environments import CODEC, write_codecs


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_codecs(tmp_path)


@pytest.mark.parametrize(
    ("options", "status", "text"),
    [
        (["--impl=my_wrong_codec"], 1, "FAILED: "),
        (["--impl=my_codec", "--depth=ful"], 4, "'--depth': 'ful' "),
        (["--impl=my_codec", "-k", "no_such_test"], 5, "deselected"),
    ],
    ids=["findings", "value", "nothing"],
)
def test_exit_status_is_pytest_s(project: Path, options: list[str], status: int, text: str) -> None:
    done = kafka_conformance("run", *options, folder=project)
    assert done.status == status, done.text
    assert text in done.text
    assert "Traceback" not in done.text


WRONG_OPTIONS = {
    "option": ["--impl=my_codec", "--no-such-option"],
    "option of servers": ["--impl=my_codec", "--broker=x:1"],
    "option after --": ["--impl=my_codec", "--", "--smoke"],
    "abbreviation": ["--impl=my_codec", "--rep=x.jsonl"],
    "file": ["my_codec.py"],
}


@pytest.mark.parametrize("options", WRONG_OPTIONS.values(), ids=WRONG_OPTIONS)
def test_wrong_option_is_explained(project: Path, options: list[str], snapshot: SnapshotAssertion) -> None:
    """An abbreviation is no option, so none is taken from another plugin."""
    assert kafka_conformance("run", *options, folder=project).ended(4).replace(str(project), "…") == snapshot


def test_settings_of_the_project_are_left_alone(project: Path) -> None:
    (project / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\ntestpaths = tests\n")
    (project / "pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = ['--no-such-option']\n")
    (project / "conftest.py").write_text("raise RuntimeError('read')\n")
    (project / "tests").mkdir()
    (project / "tests" / "test_mine.py").write_text("raise RuntimeError('read')\n")
    done = kafka_conformance("run", "--impl=my_codec", "-q", folder=project)
    assert done.status == 0, done.text


def test_an_adapter_in_a_folder_of_the_same_name_is_explained(project: Path, snapshot: SnapshotAssertion) -> None:
    (project / "conformance").mkdir()
    (project / "conformance" / "mine.py").write_text(CODEC)
    done = kafka_conformance("run", "--impl=conformance.mine", folder=project)
    assert done.ended(4).replace(str(project), "…") == snapshot


def test_a_broker_without_an_address_is_asked_for(snapshot: SnapshotAssertion) -> None:
    assert kafka_conformance("broker").ended(4) == snapshot


def test_a_run_without_an_implementation_says_so_before_anything_is_collected(snapshot: SnapshotAssertion) -> None:
    text = kafka_conformance("run").ended(4)
    assert "collected" not in text
    assert text == snapshot
