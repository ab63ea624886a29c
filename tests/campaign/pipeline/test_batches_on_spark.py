"""Batches and datasets on Spark are those of processes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from conformance.campaign.pipeline import batches as module
from conformance.campaign.pipeline.batches import Batches
from conformance.campaign.pipeline.spark import SparkEngine
from tests.campaign.pipeline.test_batches import (
    DAMAGES,
    check_damage,
    check_engine,
    check_labels,
    ignore,
    plan_of,
    texts,
)
from tests.helpers.engines import HERE

pytestmark = pytest.mark.spark


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 3)


def test_spark_makes_the_rows_of_a_plan(spark: SparkSession, tmp_path: Path) -> None:
    check_engine(SparkEngine(spark), tmp_path)


@pytest.mark.parametrize(("damage", "named"), DAMAGES.items())
def test_a_damaged_batch_is_named_and_written_anew(
    spark: SparkSession, tmp_path: Path, damage: Callable[[Path], object], named: list[str]
) -> None:
    check_damage(SparkEngine(spark), tmp_path, damage, named)


def test_every_reader_finds_every_label(spark: SparkSession, tmp_path: Path) -> None:
    check_labels(SparkEngine(spark), tmp_path)


def test_either_engine_goes_on_with_the_batches_of_the_other(spark: SparkSession, tmp_path: Path) -> None:
    half: Batches = plan_of(tmp_path)._replace(parts=plan_of(tmp_path).parts[:3])
    half.write_missing(HERE, ignore)
    plan = plan_of(tmp_path)
    assert plan.write_missing(SparkEngine(spark), ignore).wrong == []
    assert plan.write_missing(HERE, ignore).wrong == []
    assert len(texts(HERE, plan)) == 35
