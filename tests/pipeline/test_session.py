import pytest
from click.testing import CliRunner

from conformance.commands.main import main
from conformance.pipeline.session import SparkUnavailable, require_packages, session_settings
from reference.release import FURTHER

ADDRESSES = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}


@pytest.mark.parametrize(
    "master", ["local", "local[*]", "local[4]", "spark://127.0.0.1:7077", "spark://localhost:7077"]
)
def test_one_machine_does_not_listen_to_the_network(master: str) -> None:
    assert ADDRESSES.items() <= session_settings(master, {}).items()


def test_on_a_cluster_the_driver_can_be_reached() -> None:
    assert not ADDRESSES.keys() & session_settings("spark://host:7077", {}).keys()


def test_what_is_given_wins() -> None:
    assert session_settings("local", {"spark.driver.memory": "2g"})["spark.driver.memory"] == "2g"


def test_workers_know_the_releases_of_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FURTHER, "/some/folder")
    assert session_settings("local", {})[f"spark.executorEnv.{FURTHER}"] == "/some/folder"
    monkeypatch.setenv(FURTHER, "")
    assert f"spark.executorEnv.{FURTHER}" not in session_settings("local", {})


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.pipeline.session.find_spec", lambda name: None if name == "pandas" else name)
    with pytest.raises(SparkUnavailable, match=r"not installed: pandas[.] .*\[spark\]"):
        require_packages()


@pytest.mark.parametrize("setting", ["spark.driver.memory", "=2g"])
def test_a_setting_without_value_or_key_is_refused(setting: str) -> None:
    done = CliRunner().invoke(main, ["corpus", "build", "--total", "1", "--output", "x", "--conf", setting])
    assert done.exit_code == 2
    assert "spark.driver.memory=2g" in done.output


@pytest.mark.parametrize("counts", [[], ["--total", "1", "--per-pair", "1"]])
def test_a_corpus_needs_one_count(counts: list[str]) -> None:
    done = CliRunner().invoke(main, ["corpus", "build", "--output", "x", *counts])
    assert done.exit_code == 2
    assert "either --per-pair or --total" in done.output


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--in-process", "--master", "local"], "--master goes without --in-process"),
        (["--in-process", "--conf", "a=b"], "--conf goes without --in-process"),
        (["--workers", "3"], "--workers goes with --in-process"),
    ],
)
def test_options_that_would_be_ignored_are_refused(words: list[str], named: str) -> None:
    done = CliRunner().invoke(main, ["vectors", "build", "--to", "x", *words])
    assert done.exit_code == 2
    assert named in done.output
