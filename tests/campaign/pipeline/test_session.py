"""The session of Spark: its settings, and the environment of its launcher."""

import re
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from conformance.campaign.pipeline import session as module
from conformance.campaign.pipeline.errors import SparkUnavailable
from conformance.campaign.pipeline.session import (
    ADDRESS,
    ARGUMENTS,
    CONNECT_PACKAGES,
    LOGGING,
    MASTER,
    ON_LOOPBACK,
    OPTIONS,
    PACKAGES,
    PYTHON,
    PYTHON_SETTING,
    REMOTE,
    SUBMITTED,
    _require_same,
    _started,
    lacking,
    launch_variables,
    require_packages,
    spark_session,
    wants_spark,
)
from tests.helpers.runs import invoke

CLUSTER, HERE = {MASTER: "spark://host:7077"}, {MASTER: "local[2]"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of configurations, and an environment without Spark's variables."""
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    for name in (ADDRESS, OPTIONS, PYTHON, REMOTE, SUBMITTED, *LOGGING):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize(
    "master", ["local", "local[*]", "local[4]", "spark://127.0.0.1:7077", "spark://localhost:7077"]
)
def test_one_machine_does_not_listen_to_the_network(master: str) -> None:
    assert ON_LOOPBACK.items() <= lacking({MASTER: master}).items()
    assert launch_variables({MASTER: master})[ADDRESS] == "127.0.0.1"


def test_on_a_cluster_the_driver_can_be_reached() -> None:
    assert not ON_LOOPBACK.keys() & lacking(CLUSTER).keys()
    assert ADDRESS not in launch_variables(CLUSTER)


@pytest.mark.parametrize("source", ["spark-defaults.conf", ARGUMENTS])
def test_a_cluster_of_the_user_s_settings_can_reach_the_driver(
    folder: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    if source == ARGUMENTS:
        monkeypatch.setenv(ARGUMENTS, "--master yarn pyspark-shell")
    else:
        (folder / source).write_text("spark.master yarn\n")
    assert ADDRESS not in launch_variables({})


def test_an_address_of_the_user_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not ON_LOOPBACK.keys() & lacking({**HERE, "spark.driver.host": "10.0.0.1"}).keys()
    monkeypatch.setenv(ADDRESS, "10.0.0.1")
    assert not ON_LOOPBACK.keys() & lacking(HERE).keys()
    assert launch_variables(HERE)[ADDRESS] == "10.0.0.1"


@pytest.mark.parametrize("name", ["pyspark-shell", Path(sys.argv[0]).name])
def test_a_name_of_the_launcher_is_replaced(name: str) -> None:
    assert lacking({"spark.app.name": name})["spark.app.name"] == "kafka-wire-conformance"


@pytest.mark.parametrize("key", ["spark.app.name", "spark.ui.showConsoleProgress", "spark.executorEnv.PYTHONSAFEPATH"])
def test_settings_of_the_user_are_kept(key: str) -> None:
    assert key in lacking({})
    assert key not in lacking({key: "mine"})


def test_memory_and_ui_are_left_to_spark() -> None:
    assert not {"spark.driver.memory", "spark.ui.enabled", "spark.driver.extraJavaOptions"} & lacking({}).keys()


@pytest.mark.parametrize(
    ("master", "expected"),
    [
        ("local", "local[1,4]"),
        ("local[*]", "local[*,4]"),
        ("local[2]", "local[2,4]"),
        ("local[2,1]", "local[2,1]"),
        ("spark://host:7077", "spark://host:7077"),
        (None, "local[*,4]"),
    ],
)
def test_a_local_task_is_tried_again(master: str | None, expected: str) -> None:
    assert lacking({MASTER: master} if master else {})[MASTER] == expected


def test_spark_is_quiet() -> None:
    assert "pipeline/log4j2.properties" in launch_variables(CLUSTER)[OPTIONS]


def test_options_of_the_user_follow_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OPTIONS, "-Dmine=1")
    assert launch_variables(CLUSTER)[OPTIONS].endswith(" -Dmine=1")


@pytest.mark.parametrize("source", ["log4j2.properties", *LOGGING])
def test_a_log_configuration_of_the_user_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    if source in LOGGING:
        monkeypatch.setenv(source, "-Dlog4j2.configurationFile=mine")
    else:
        (folder / source).write_text("")
    assert OPTIONS not in launch_variables(CLUSTER)


def test_workers_have_the_requested_python_or_that_of_the_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    assert launch_variables(CLUSTER)[PYTHON] == sys.executable
    monkeypatch.setenv(PYTHON, "python3.11")
    assert launch_variables(CLUSTER)[PYTHON] == "python3.11"
    setting = {PYTHON_SETTING: "./environment/bin/python"}
    assert launch_variables({**CLUSTER, **setting})[PYTHON] == "./environment/bin/python"


@pytest.mark.parametrize(
    ("source", "master"), [(REMOTE, "sc://host"), (SUBMITTED, "4040")], ids=["Spark Connect", "spark-submit"]
)
def test_spark_is_wanted_where_the_environment_has_it(
    monkeypatch: pytest.MonkeyPatch, source: str, master: str
) -> None:
    monkeypatch.setattr(module, "active_session", lambda: None)
    assert not wants_spark(None, {})
    monkeypatch.setenv(source, master)
    assert wants_spark(None, {})


@pytest.mark.parametrize(("master", "settings"), [("local[2]", {}), (None, {"spark.driver.memory": "2g"})])
def test_spark_is_wanted_where_an_option_asks_for_it(
    monkeypatch: pytest.MonkeyPatch, master: str | None, settings: dict[str, str]
) -> None:
    monkeypatch.setattr(module, "active_session", lambda: None)
    assert wants_spark(master, settings)


def test_master_other_than_the_environment_s_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REMOTE, "sc://host")
    with pytest.raises(SparkUnavailable, match=r"--master local\[2\] was asked for, and SPARK_REMOTE says sc://host"):
        _started(HERE)


@pytest.mark.spark
@pytest.mark.parametrize("master", [None, "local[2]"])
def test_an_active_session_is_used_and_lives_on(spark: SparkSession, master: str | None) -> None:
    with spark_session(master) as session:
        assert session is spark
    assert wants_spark(None, {})
    assert spark.range(3).count() == 3


@pytest.mark.spark
@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({MASTER: "local[7]"}, "--master local[7] was asked for, and the active Spark session has spark.master local"),
        ({"spark.a": "1"}, "--conf spark.a=1 was asked for, and the active Spark session has spark.a None"),
    ],
)
def test_setting_other_than_an_active_session_s_is_refused(
    spark: SparkSession, given: dict[str, str], problem: str
) -> None:
    with pytest.raises(SparkUnavailable, match=re.escape(problem)):
        _require_same(spark, given)


@pytest.mark.parametrize(
    ("packages", "missing", "extra"), [(PACKAGES, "pandas", "spark"), (CONNECT_PACKAGES, "grpc", "connect")]
)
def test_missing_package_is_named_with_its_extra(
    monkeypatch: pytest.MonkeyPatch, packages: tuple[str, ...], missing: str, extra: str
) -> None:
    monkeypatch.setattr(module, "find_spec", lambda name: None if name == missing else name)
    with pytest.raises(SparkUnavailable, match=rf"not installed: {missing}[.] .*\[{extra}\]"):
        require_packages(packages, extra)


@pytest.mark.parametrize("setting", ["spark.driver.memory", "=2g"])
def test_a_setting_without_value_or_key_is_refused(setting: str) -> None:
    done = invoke("corpus", "build", "--total", "1", "--output", "x", "--conf", setting)
    assert done.exit_code == 2
    assert "spark.driver.memory=2g" in done.output


@pytest.mark.parametrize("command", [("vectors", "build"), ("corpus", "check", "x"), ("campaign", "compare", "x")])
@pytest.mark.parametrize("option", ["--master", "--conf"])
def test_options_of_spark_are_refused_without_it(command: tuple[str, ...], option: str) -> None:
    done = invoke(*command, "--in-process", option, "a=b")
    assert done.exit_code == 2
    assert f"{option} goes without --in-process" in done.output
