import re

import pytest
from click.testing import CliRunner
from pyspark.sql import SparkSession

from conformance.campaign.spark.spark_errors import SparkUnavailable
from conformance.campaign.spark.spark_session import (
    CONNECT_PACKAGES,
    _require_same,
    _require_submitted,
    _started,
    require_packages,
    spark_session,
    wants_spark,
)
from conformance.commands.main import main

VARIABLES = ("SPARK_REMOTE", "PYSPARK_GATEWAY_PORT")
"""What the environment says of Spark: a server of Spark Connect, and spark-submit's own."""


def test_master_other_than_the_environment_s_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_REMOTE", "sc://host")
    with pytest.raises(SparkUnavailable, match=r"--master local\[2\] was asked for, and SPARK_REMOTE says sc://host"):
        _started({"spark.master": "local[2]"})


def test_master_other_than_spark_submit_s_is_refused() -> None:
    with pytest.raises(SparkUnavailable, match=r"--master local was asked for, and spark-submit says yarn"):
        _require_submitted({"spark.master": "yarn"}, {"spark.master": "local"})


@pytest.fixture
def _no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the session of other tests, and the environment's settings of Spark."""
    monkeypatch.setattr("conformance.campaign.spark.spark_session.active_session", lambda: None)
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("_no_session")
def test_spark_is_wanted_where_it_is_asked_for() -> None:
    assert wants_spark("local[2]", {})
    assert wants_spark(None, {"spark.driver.memory": "2g"})
    assert not wants_spark(None, {})


@pytest.mark.usefixtures("_no_session")
@pytest.mark.parametrize("name", VARIABLES)
def test_spark_is_wanted_where_the_environment_has_it(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "4040")
    assert wants_spark(None, {})


@pytest.mark.spark
def test_spark_is_wanted_where_a_session_is_active(spark: SparkSession) -> None:
    assert spark.range(1).count() == 1
    assert wants_spark(None, {})


@pytest.mark.spark
@pytest.mark.parametrize("master", [None, "local[2]"])
def test_an_active_session_is_used_and_lives_on(spark: SparkSession, master: str | None) -> None:
    with spark_session(master) as session:
        assert session is spark
    assert spark.range(3).count() == 3


@pytest.mark.spark
@pytest.mark.parametrize("master", ["local[7]", "spark://host:7077"])
def test_master_other_than_an_active_session_s_is_refused(spark: SparkSession, master: str) -> None:
    with pytest.raises(SparkUnavailable, match=f"{re.escape(master)} was asked for.*has spark.master local"):
        _require_same(spark, {"spark.master": master})


@pytest.mark.spark
def test_setting_other_than_an_active_session_s_is_refused(spark: SparkSession) -> None:
    with pytest.raises(SparkUnavailable, match=r"--conf spark.a=1 was asked for.*has spark.a None"):
        _require_same(spark, {"spark.a": "1"})


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "conformance.campaign.spark.spark_session.find_spec", lambda name: None if name == "pandas" else name
    )
    with pytest.raises(SparkUnavailable, match=r"not installed: pandas[.] .*\[spark\]"):
        require_packages()


def test_the_packages_of_connect_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "conformance.campaign.spark.spark_session.find_spec", lambda name: None if name == "grpc" else name
    )
    with pytest.raises(SparkUnavailable, match=r"not installed: grpc[.] .*\[connect\]"):
        require_packages(CONNECT_PACKAGES, "connect")


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
def test_options_without_effect_are_refused(words: list[str], named: str) -> None:
    done = CliRunner().invoke(main, ["vectors", "build", "--output", "x", *words])
    assert done.exit_code == 2
    assert named in done.output
