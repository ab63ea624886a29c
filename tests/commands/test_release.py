from pathlib import Path

import pytest

from conformance.commands.release import Step, steps
from tests.helpers.runs import invoke


def names(release: str) -> list[str]:
    return [step.name for step in steps(release, 2)]


def test_the_drill_of_a_release_goes_from_its_import_to_every_implementation() -> None:
    implementations = ("aiokafka", "aiokafka_pure", "kafka_python", "kio", "Apache Kafka 4.3.1")
    suites = [f"suite on {name}" for name in implementations]
    changes = "changes since 4.3.0"
    assert names("4.3.1") == ["import", "validate", changes, "prove", "vectors build", "vectors check", *suites]


def test_a_release_is_compared_with_the_one_before_it() -> None:
    assert "changes since 3.9.1" in names("4.0.0")


def test_the_oldest_release_is_compared_with_none() -> None:
    assert not any(name.startswith("changes") for name in names("2.4.0"))


@pytest.fixture
def two_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = [Step("fails", ("false",)), Step("says", ("echo", "so much"))]
    monkeypatch.setattr("conformance.commands.release.steps", lambda *_: chosen)


@pytest.mark.usefixtures("two_steps")
def test_drill_goes_on_after_a_failed_step(tmp_path: Path) -> None:
    done = invoke("release", "4.3.1", "--logs", str(tmp_path))
    assert done.exit_code == 1
    assert "fails: exit status 1" in done.output
    assert (tmp_path / "2-says.txt").read_text(encoding="utf-8") == "so much\n"


def test_the_drill_ends_if_the_release_cannot_be_imported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    chosen = [Step("import", ("false",), needed=True), Step("says", ("echo", "so much"))]
    monkeypatch.setattr("conformance.commands.release.steps", lambda *_: chosen)
    assert invoke("release", "4.3.1", "--logs", str(tmp_path)).exit_code == 1
    assert not (tmp_path / "2-says.txt").exists()


@pytest.mark.usefixtures("two_steps")
def test_drill_names_the_steps_left_for_a_person(tmp_path: Path) -> None:
    assert "Left for a person:" in invoke("release", "4.3.1", "--logs", str(tmp_path)).output


@pytest.mark.usefixtures("two_steps")
def test_an_installation_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither the folder nor the current one has anything new."""
    monkeypatch.setattr("conformance.commands.release.checkout", lambda: None)
    monkeypatch.chdir(tmp_path)
    done = invoke("release", "4.3.1")
    assert (done.exit_code, list(tmp_path.iterdir())) == (2, [])
    assert "run --impl=... --release 4.3.1" in done.output
    assert "Left for a person" not in done.output
