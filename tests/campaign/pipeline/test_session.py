"""The session of Spark: its settings, and the environment of its launcher."""

import re
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from conformance.campaign.pipeline import requirements
from conformance.campaign.pipeline import spark_session as module
from conformance.campaign.pipeline.choice import Choice, opened
from conformance.campaign.pipeline.errors import EngineUnavailable, SparkUnavailable
from conformance.campaign.pipeline.spark_session import MASTER, lacking, launch_variables, spark_session, wants_spark
from conformance.campaign.pipeline.storage import Storage
from tests.helpers.runs import invoke

CLUSTER, HERE = {MASTER: "spark://host:7077"}, {MASTER: "local[2]"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of configurations, and an environment without Spark's variables."""
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    for name in (module.ADDRESS, module.OPTIONS, module.PYTHON, module.REMOTE, module.SUBMITTED, *module.LOGGING):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize(
    "master", ["local", "local[*]", "local[4]", "spark://127.0.0.1:7077", "spark://localhost:7077"]
)
def test_one_machine_does_not_listen_to_the_network(master: str) -> None:
    assert module.ON_LOOPBACK.items() <= lacking({MASTER: master}).items()
    assert launch_variables({MASTER: master})[module.ADDRESS] == "127.0.0.1"


def test_on_a_cluster_the_driver_can_be_reached() -> None:
    assert not module.ON_LOOPBACK.keys() & lacking(CLUSTER).keys()
    assert module.ADDRESS not in launch_variables(CLUSTER)


@pytest.mark.parametrize("source", ["spark-defaults.conf", module.ARGUMENTS])
def test_a_cluster_of_the_user_s_settings_can_reach_the_driver(
    folder: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    if source == module.ARGUMENTS:
        monkeypatch.setenv(module.ARGUMENTS, "--master yarn pyspark-shell")
    else:
        (folder / source).write_text("spark.master yarn\n")
    assert module.ADDRESS not in launch_variables({})


def test_an_address_of_the_user_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not module.ON_LOOPBACK.keys() & lacking({**HERE, "spark.driver.host": "10.0.0.1"}).keys()
    monkeypatch.setenv(module.ADDRESS, "10.0.0.1")
    assert not module.ON_LOOPBACK.keys() & lacking(HERE).keys()
    assert launch_variables(HERE)[module.ADDRESS] == "10.0.0.1"


@pytest.mark.parametrize("key", module.USUAL)
def test_settings_of_the_user_are_kept(key: str) -> None:
    assert key in lacking({})
    assert key not in lacking({key: "mine"})


@pytest.mark.parametrize("name", ["pyspark-shell", Path(sys.argv[0]).name])
def test_a_name_of_the_launcher_is_replaced(name: str) -> None:
    assert lacking({module.NAME: name})[module.NAME] == module.USUAL[module.NAME]


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


def test_spark_is_quiet_and_options_of_the_user_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(module.OPTIONS, "-Dmine=1")
    assert re.fullmatch(r"\S+/pipeline/log4j2.properties -Dmine=1", launch_variables(CLUSTER)[module.OPTIONS])


@pytest.mark.parametrize("source", ["log4j2.properties", *module.LOGGING])
def test_a_log_configuration_of_the_user_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    if source in module.LOGGING:
        monkeypatch.setenv(source, "-Dlog4j2.configurationFile=mine")
    else:
        (folder / source).write_text("")
    assert module.OPTIONS not in launch_variables(CLUSTER)


def test_workers_have_the_requested_python_or_that_of_the_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    assert launch_variables(CLUSTER)[module.PYTHON] == sys.executable
    monkeypatch.setenv(module.PYTHON, "python3.11")
    assert launch_variables(CLUSTER)[module.PYTHON] == "python3.11"
    setting = {module.PYTHON_SETTING: "./environment/bin/python"}
    assert launch_variables({**CLUSTER, **setting})[module.PYTHON] == "./environment/bin/python"


def test_spark_is_wanted_where_options_or_the_environment_ask_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "active_session", lambda: None)
    assert not wants_spark(None, {})
    assert wants_spark("local[2]", {})
    assert wants_spark(None, {"spark.driver.memory": "2g"})
    for name in (module.REMOTE, module.SUBMITTED):
        with monkeypatch.context() as patch:
            patch.setenv(name, "4040")
            assert wants_spark(None, {})


def test_master_other_than_the_environment_s_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(module.REMOTE, "sc://host")
    with pytest.raises(SparkUnavailable, match=r"--master local\[2\] was asked for, and SPARK_REMOTE says sc://host"):
        module._started(HERE)


@pytest.mark.spark
@pytest.mark.parametrize("master", [None, "local[2]"])
def test_an_active_session_is_used_and_lives_on(spark: SparkSession, master: str | None) -> None:
    with spark_session(master) as active:
        assert active is spark
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
        module._require_same(spark, given)


@pytest.mark.parametrize(
    ("packages", "missing", "extra"),
    [(requirements.PACKAGES, "pandas", "spark"), (requirements.CONNECT_PACKAGES, "grpc", "connect")],
)
def test_missing_package_is_named_with_its_extra(
    monkeypatch: pytest.MonkeyPatch, packages: tuple[str, ...], missing: str, extra: str
) -> None:
    monkeypatch.setattr(requirements, "find_spec", lambda name: None if name == missing else name)
    with pytest.raises(SparkUnavailable, match=rf"not installed: {missing}[.] .*\[{extra}\]"):
        requirements.require_packages(packages, extra)


@pytest.mark.parametrize("in_process", [False, True])
def test_processes_work_without_spark(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, in_process: bool
) -> None:
    """Spark is advised, unless the user wants none."""
    monkeypatch.setattr(module, "active_session", lambda: None)
    monkeypatch.setattr(requirements, "find_spec", lambda name: None if name == "pyspark" else name)
    with opened(Choice(None, {}, 3, in_process)):
        line = "in 3 processes of this machine"
        advised = "; for Spark install Java 17 and 'kafka-wire-conformance[spark]'"
        assert capsys.readouterr().err == f"{line}{'' if in_process else advised}\n"


@pytest.mark.parametrize(("missing", "error"), [("pyspark", SparkUnavailable), ("duckdb", EngineUnavailable)])
def test_missing_package_of_an_engine_is_named(
    monkeypatch: pytest.MonkeyPatch, missing: str, error: type[Exception]
) -> None:
    """A URI needs Spark, and processes need DuckDB."""
    monkeypatch.setattr(module, "active_session", lambda: None)
    monkeypatch.setattr(requirements, "find_spec", lambda name: None if name == missing else name)
    with (
        pytest.raises(error, match=f"not installed: {missing}"),
        opened(Choice(None, {}, 3, missing == "duckdb"), [Storage("s3a://bucket/x")]),
    ):
        pass


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
