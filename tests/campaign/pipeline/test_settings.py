import os
import sys
from pathlib import Path

import pytest

from conformance.campaign.spark.settings import (
    ADDRESS,
    ADDRESSES,
    OPTIONS,
    PYTHON,
    PYTHON_VARIABLE,
    added,
    defaults,
    launch_environment,
    launched,
)

HOST = {"spark.master": "spark://host:7077"}
LOCAL = {"spark.master": "local[2]"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of configurations, and an environment without Spark's variables."""
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    for name in (ADDRESS, OPTIONS, "PYSPARK_SUBMIT_ARGS", "MASTER", "LOG4J_CONFIGURATION_FILE", "JAVA_TOOL_OPTIONS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize(
    "master", ["local", "local[*]", "local[4]", "spark://127.0.0.1:7077", "spark://localhost:7077"]
)
def test_one_machine_does_not_listen_to_the_network(master: str) -> None:
    assert ADDRESSES.items() <= added({"spark.master": master}).items()


def test_on_a_cluster_the_driver_can_be_reached() -> None:
    assert not ADDRESSES.keys() & added(HOST).keys()


def test_an_address_of_the_user_is_kept() -> None:
    assert not ADDRESSES.keys() & added({**LOCAL, "spark.driver.host": "10.0.0.1"}).keys()


def test_an_address_of_the_environment_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ADDRESS, "10.0.0.1")
    assert not ADDRESSES.keys() & added(LOCAL).keys()


def test_a_name_of_the_user_is_kept() -> None:
    assert "spark.app.name" not in added({"spark.app.name": "mine"})


def test_a_name_of_the_launcher_is_replaced() -> None:
    assert added({"spark.app.name": "pyspark-shell"})["spark.app.name"] == "kafka-wire-conformance"


def test_memory_and_ui_are_left_to_spark() -> None:
    assert not {"spark.driver.memory", "spark.ui.enabled", "spark.driver.extraJavaOptions"} & added({}).keys()


@pytest.mark.parametrize(
    ("master", "expected"),
    [
        ("local", "local[1,4]"),
        ("local[*]", "local[*,4]"),
        ("local[2]", "local[2,4]"),
        ("local[2,1]", "local[2,1]"),
        ("spark://host:7077", "spark://host:7077"),
    ],
)
def test_a_local_task_is_tried_again(master: str, expected: str) -> None:
    assert added({"spark.master": master})["spark.master"] == expected


def test_without_a_master_it_is_this_machine() -> None:
    assert added({})["spark.master"] == "local[*,4]"


def test_the_defaults_are_read_as_spark_reads_them(folder: Path) -> None:
    (folder / "spark-defaults.conf").write_text("# a comment\n\nspark.master  yarn\nspark.a = b c \nspark.d:e\n")
    assert defaults() == {"spark.master": "yarn", "spark.a": "b c", "spark.d": "e"}


def test_a_progress_bar_of_the_user_is_kept(folder: Path) -> None:
    (folder / "spark-defaults.conf").write_text("spark.ui.showConsoleProgress true\n")
    assert launched(LOCAL) == LOCAL


def test_the_launcher_is_quiet_and_on_the_loopback_interface() -> None:
    with launch_environment(LOCAL):
        assert "log4j2.properties" in os.environ[OPTIONS]
        assert os.environ[ADDRESS] == "127.0.0.1"
    assert not {OPTIONS, ADDRESS} & os.environ.keys()


def test_options_of_the_user_follow_ours_and_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OPTIONS, "-Dmine=1")
    with launch_environment(HOST):
        assert os.environ[OPTIONS].endswith(" -Dmine=1")
    assert os.environ[OPTIONS] == "-Dmine=1"


def test_a_log_configuration_of_the_user_is_kept(folder: Path) -> None:
    (folder / "log4j2.properties").write_text("")
    with launch_environment(HOST):
        assert OPTIONS not in os.environ


def test_a_cluster_of_the_defaults_can_reach_the_driver(folder: Path) -> None:
    (folder / "spark-defaults.conf").write_text("spark.master yarn\n")
    with launch_environment({}):
        assert ADDRESS not in os.environ


def test_workers_have_the_python_of_the_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PYTHON_VARIABLE, raising=False)
    with launch_environment(HOST):
        assert os.environ[PYTHON_VARIABLE] == sys.executable


def test_a_python_of_the_environment_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PYTHON_VARIABLE, "python3.11")
    with launch_environment(HOST):
        assert os.environ[PYTHON_VARIABLE] == "python3.11"


def test_the_setting_names_the_python_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PYTHON_VARIABLE, "python3.11")
    with launch_environment({**HOST, PYTHON: "./environment/bin/python"}):
        assert os.environ[PYTHON_VARIABLE] == "./environment/bin/python"


def test_the_defaults_name_the_python_of_workers(folder: Path) -> None:
    (folder / "spark-defaults.conf").write_text(f"{PYTHON} ./environment/bin/python\n")
    with launch_environment(HOST):
        assert os.environ[PYTHON_VARIABLE] == "./environment/bin/python"
