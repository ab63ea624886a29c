"""The session of Spark, and the choice of an engine."""

import os
import re
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from syrupy.assertion import SnapshotAssertion

from conformance.campaign.pipeline import requirements
from conformance.campaign.pipeline import spark_session as module
from conformance.campaign.pipeline.choice import Choice, opened
from conformance.campaign.pipeline.errors import SparkUnavailable
from conformance.campaign.pipeline.spark_session import MASTER, launch_variables, session_settings, spark_session
from conformance.campaign.pipeline.storage import Storage
from tests.helpers.runs import error_of, invoke

NO_CHOICE = Choice(None, {}, 3)
CLUSTER, LOG = "spark://host:7077", "LOG4J_CONFIGURATION_FILE"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of configurations, and an environment without Spark's variables."""
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    for name in (module.REMOTE, module.SUBMITTED, "PYSPARK_SUBMIT_ARGS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize("master", [CLUSTER, ""])
def test_driver_of_a_cluster_is_reached_and_its_master_is_kept(master: str) -> None:
    """The user's files may name a cluster, too."""
    assert session_settings(master, {MASTER: master} if master else {}).get(MASTER, "") == master
    assert "SPARK_LOCAL_IP" not in launch_variables(master)


@pytest.mark.parametrize(
    ("master", "expected"),
    [("local", "local[1,4]"), ("local[*]", "local[*,4]"), ("local[2,1]", "local[2,1]")],
)
def test_session_of_this_machine_has_its_interface_and_more_attempts(master: str, expected: str) -> None:
    assert session_settings(master, {MASTER: master})[MASTER] == expected
    assert launch_variables(master)["SPARK_LOCAL_IP"] == "127.0.0.1"


def test_settings_of_the_user_are_kept() -> None:
    given = dict.fromkeys(session_settings(CLUSTER, {}).keys() - {MASTER}, "mine")
    assert session_settings(CLUSTER, given) == {**given, MASTER: CLUSTER}


@pytest.mark.parametrize("name", [module.REMOTE, module.SUBMITTED])
def test_nothing_is_added_where_the_environment_names_the_session(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "4040")
    assert session_settings("", {"a": "b"}) == {"a": "b"}


def test_log_is_quiet_unless_the_user_has_a_configuration(folder: Path) -> None:
    assert launch_variables(CLUSTER)[LOG].endswith("/pipeline/log4j2.properties")
    (folder / "log4j2.properties").touch()
    assert LOG not in launch_variables(CLUSTER)


def test_variables_of_the_user_are_kept_and_others_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", "python3.11")
    monkeypatch.delenv("SPARK_LOCAL_IP", raising=False)
    with module._environment(launch_variables("local")):
        assert (os.environ["PYSPARK_PYTHON"], os.environ["SPARK_LOCAL_IP"]) == ("python3.11", "127.0.0.1")
    assert "SPARK_LOCAL_IP" not in os.environ
    assert launch_variables("local")["PYSPARK_PYTHON"] == sys.executable


def test_spark_is_wanted_where_options_or_the_environment_ask_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.campaign.pipeline.choice.active_session", lambda: None)
    assert not NO_CHOICE.wants_spark
    assert NO_CHOICE._replace(master="local[2]").wants_spark
    assert NO_CHOICE._replace(settings={"spark.driver.memory": "2g"}).wants_spark
    for name in (module.REMOTE, module.SUBMITTED):
        with monkeypatch.context() as patch:
            patch.setenv(name, "4040")
            assert NO_CHOICE.wants_spark


@pytest.mark.spark
@pytest.mark.parametrize("master", [None, "local[2]"])
def test_an_active_session_is_used_and_lives_on(spark: SparkSession, master: str | None) -> None:
    with spark_session(master) as active:
        assert active is spark
    assert NO_CHOICE.wants_spark
    assert spark.range(3).count() == 3


@pytest.mark.spark
@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({MASTER: "local[7]"}, "--master local[7] was asked for, and the active Spark session has spark.master local"),
        ({"spark.a": "1"}, "--conf spark.a=1 was asked for, and the active Spark session has spark.a None"),
    ],
)
@pytest.mark.usefixtures("spark")
def test_setting_other_than_an_active_session_s_is_refused(given: dict[str, str], problem: str) -> None:
    with pytest.raises(SparkUnavailable, match=re.escape(problem)), spark_session(settings=given):
        pass


def test_package_missing_for_a_uri_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "active_session", lambda: None)
    monkeypatch.setattr(requirements, "find_spec", lambda name: None if name == "pandas" else name)
    with (
        pytest.raises(SparkUnavailable, match=r"installed: pandas[.] .*\[spark\]"),
        opened(NO_CHOICE, [Storage("s3a://bucket/x")]),
    ):
        pass


def test_missing_package_of_spark_connect_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "active_session", lambda: None)
    monkeypatch.setattr(requirements, "find_spec", lambda name: None if name == "grpc" else name)
    with pytest.raises(SparkUnavailable, match=r"installed: grpc[.] .*\[connect\]"), spark_session("sc://host"):
        pass


@pytest.mark.parametrize("setting", ["spark.driver.memory", "=2g"])
def test_a_setting_without_value_or_key_is_refused(setting: str) -> None:
    done = invoke("corpus", "build", "--total", "1", "--output", "x", "--conf", setting)
    assert done.exit_code == 2
    assert "spark.driver.memory=2g" in done.output


@pytest.mark.parametrize("option", ["--master", "--conf"])
def test_options_of_spark_are_refused_without_it(option: str, snapshot: SnapshotAssertion) -> None:
    done = invoke("vectors", "build", "--in-process", option, "a=b")
    assert error_of(done, 2) == snapshot
